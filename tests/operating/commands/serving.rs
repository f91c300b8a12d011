//! The features of the program around the interface: TLS, HTTP/2, metrics, structured logs, health.
//!
//! The certificate in `tests/tls` is for these tests alone: its key is public.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use crate::support::{Answer, Client, Value, json};

/// A server in a process of its own with a database of its own, ended with this.
struct Server {
    child: Child,
    address: String,
    directory: tempfile::TempDir,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        Self::start_in(&[], arguments)
    }

    /// The same with these variables in its environment, and no others.
    fn start_in(environment: &[(&str, &str)], arguments: &[&str]) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let mut child = Command::new(env!("CARGO_BIN_EXE_guildhall"))
            .env_clear()
            .envs(environment.iter().copied())
            .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
            .arg(directory.path())
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let ready = serde_json::from_str::<Value>(&line).map_or(line, |entry| entry["message"].to_string());
        let address = ready.trim().rsplit("://").next().expect("an address").trim_end_matches('"').to_owned();
        Self { child, address, directory }
    }

    /// The output of `curl`: the body, then the version of HTTP and the status.
    fn curl(&self, arguments: &[&str], path: &str) -> String {
        let scheme = if arguments.contains(&"--cacert") { "https" } else { "http" };
        let port = self.address.rsplit(':').next().expect("a port");
        let output = Command::new("curl")
            .args(["--silent", "--show-error", "--write-out", "\n%{http_version} %{http_code}"])
            .args(arguments)
            .arg(format!("{scheme}://localhost:{port}{path}"))
            .output()
            .expect("curl is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }

    /// The site administrator, who has an organization.
    fn owner(&self) -> Client {
        let client = Client::new(&format!("http://{}", self.address), Some(&self.admin_token()));
        let login = client.get("/user").expect(200)["login"].clone();
        client.post("/admin/organizations", json!({ "login": "acme", "admin": login })).expect(201);
        client
    }

    fn admin_token(&self) -> String {
        let file = self.directory.path().join("admin-token");
        std::fs::read_to_string(file).expect("the first start writes a token").trim().to_owned()
    }

    /// The rest of the line of its log that has these words.
    fn logged(&mut self, words: &str) -> String {
        let log = BufReader::new(self.child.stderr.as_mut().expect("its log"));
        let line = log.lines().map(|line| line.expect("text")).find(|line| line.contains(words)).expect("a line");
        line.split_once(words).expect("the words").1.trim().to_owned()
    }

    /// Stops it; what it logged.
    fn log(mut self) -> String {
        let told = Command::new("kill").arg(self.child.id().to_string()).status().expect("kill runs");
        assert!(told.success());
        let mut log = String::new();
        self.child.stderr.take().expect("its log").read_to_string(&mut log).expect("text");
        assert!(self.child.wait().expect("it ends").success());
        log
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

const CERTIFICATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tls/certificate.pem");
const KEY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tls/key.pem");

#[test]
fn with_a_certificate_it_speaks_tls_and_nothing_else() {
    let server = Server::start(&["--tls-certificate", CERTIFICATE, "--tls-key", KEY]);
    let answer = server.curl(&["--cacert", CERTIFICATE, "--http1.1", "--include"], "/meta");
    assert!(answer.ends_with("1.1 200"), "{answer}");
    assert!(answer.to_lowercase().contains("strict-transport-security"), "{answer}");
    let root = server.curl(&["--cacert", CERTIFICATE, "--http1.1"], "/");
    let body: Value = serde_json::from_str(root.rsplit_once('\n').expect("two lines").0).expect("JSON");
    assert!(body["current_user_url"].as_str().is_some_and(|url| url.starts_with("https://localhost:")), "{body}");
    let port = server.address.rsplit(':').next().expect("a port");
    let plain = Command::new("curl").args(["--silent", &format!("http://localhost:{port}/meta")]).status();
    assert!(!plain.expect("curl is installed").success());
}

#[test]
fn http_2_is_served_with_and_without_tls() {
    let server = Server::start(&["--tls-certificate", CERTIFICATE, "--tls-key", KEY]);
    assert!(server.curl(&["--cacert", CERTIFICATE, "--http2"], "/meta").ends_with("2 200"));
    let server = Server::start(&[]);
    assert!(server.curl(&["--http2-prior-knowledge"], "/healthz").ends_with("2 200"));
}

#[test]
fn over_http_2_a_put_without_a_body_has_no_parameters() {
    let server = Server::start(&[]);
    let token = format!("Authorization: token {}", server.admin_token());
    let made = server.curl(&["-H", &token, "-d", r#"{"login":"nina","email":"nina@example.com"}"#], "/admin/users");
    assert!(made.ends_with("1.1 201"), "{made}");
    let put = ["-H", &token, "-X", "PUT"];
    let over_2 = server.curl(&[&put[..], &["--http2-prior-knowledge"]].concat(), "/users/nina/suspended");
    assert!(over_2.ends_with("2 204"), "{over_2}");
    let over_1 = server.curl(&[&put[..], &["--http1.1"]].concat(), "/users/nina/suspended");
    assert!(over_1.ends_with("1.1 411") && over_1.contains("Content-Length"), "{over_1}");
}

#[test]
fn metrics_have_an_address_of_their_own_and_only_if_asked_for() {
    let quiet = Server::start(&[]);
    assert!(quiet.curl(&[], "/metrics").ends_with(" 404"));
    let mut server = Server::start(&["--metrics-listen", "127.0.0.1:0"]);
    let address = server.logged("serving metrics on http://").replace("/metrics", "");
    assert!(server.curl(&[], "/meta").ends_with(" 200"));
    assert!(server.curl(&[], "/metrics").ends_with(" 404"));
    let output = Command::new("curl").args(["--silent", &format!("http://{address}/metrics")]).output();
    let text = String::from_utf8(output.expect("curl is installed").stdout).expect("text");
    assert!(text.contains(r#"guildhall_requests_total{operation="meta.get",status="200"} 1"#), "{text}");
    assert!(text.contains(r#"guildhall_request_duration_seconds_count{operation="meta.get"} 1"#), "{text}");
}

#[test]
fn the_log_is_structured_and_names_each_request_as_its_answer_does() {
    let server = Server::start(&["--log-format", "json", "--log-level", "debug"]);
    let answer = server.curl(&["--include"], "/orgs/nobody");
    let id = answer.lines().find_map(|line| line.strip_prefix("X-GitHub-Request-Id: ")).expect("an id").to_owned();
    let log = server.log();
    let entries: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    assert!(entries[0]["message"].as_str().is_some_and(|text| text.contains("admin-token")), "{}", entries[0]);
    let entry = entries.iter().find(|entry| entry["request"] == id.as_str()).expect("the request is logged");
    assert_eq!((&entry["operation"], &entry["status"]), (&"orgs.get".into(), &404.into()));
}

#[test]
fn the_line_of_a_write_names_the_organization_and_the_team_of_its_path() {
    let server = Server::start(&["--log-format", "json"]);
    let owner = server.owner();
    let team = owner.post("/orgs/acme/teams", json!({ "name": "Core" })).expect(201).clone();
    owner.patch("/orgs/ACME/teams/core", json!({ "name": "Core" })).expect(200);
    let by_id = format!("/organizations/{}/team/{}", team["organization"]["id"], team["id"]);
    owner.patch(&by_id, json!({ "name": "Core" })).expect(200);
    owner.post("/orgs/acme/repos", json!({ "name": "web" })).expect(201);
    owner.put("/orgs/acme/teams/core/repos/acme/web", json!({})).expect(204);
    owner.delete("/repos/acme/web").expect(204);
    // A line cannot be forged with text of a client.
    owner.delete("/orgs/acme/teams/x%0A%20caller=root").expect(404);
    owner.post("/admin/users", json!({ "login": "nina" })).expect(201);
    let log = server.log();
    let writes = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let named: Vec<_> = writes
        .filter(|entry| entry["message"] == "write")
        .map(|entry| (entry["operation"].clone(), entry["org"].clone(), entry["team"].clone()))
        .collect();
    let (org_id, team_id) = (team["organization"]["id"].to_string(), team["id"].to_string());
    let row = |operation: &str, org: Option<&str>, team: Option<&str>| (json!(operation), json!(org), json!(team));
    assert_eq!(
        named,
        [
            row("enterpriseAdmin.createOrg", None, None),
            row("teams.create", Some("acme"), None),
            row("teams.updateInOrg", Some("ACME"), Some("core")),
            row("teams.updateInOrg", Some(&org_id), Some(&team_id)),
            row("repos.createInOrg", Some("acme"), None),
            row("teams.addOrUpdateRepoPermissionsInOrg", Some("acme"), Some("core")),
            row("repos.delete", Some("acme"), None),
            row("teams.deleteInOrg", Some("acme"), Some("x%0A%20caller%3Droot")),
            row("enterpriseAdmin.createUser", None, None),
        ]
    );
}

#[test]
fn with_json_the_ready_line_and_a_failure_are_json_too() {
    let server = Server::start(&[]);
    let directory = tempfile::tempdir().expect("a directory");
    let start = |listen: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_guildhall"));
        command.env_clear().args(["serve", "--log-format", "json", "--listen", listen, "--data-dir"]);
        command.arg(directory.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program runs")
    };
    let refused = start(&server.address).wait_with_output().expect("it ends");
    let entry: Value = serde_json::from_slice(&refused.stderr).expect("a line of JSON");
    assert_eq!((&entry["level"], refused.status.code()), (&"ERROR".into(), Some(1)), "{entry}");
    let mut second = start("127.0.0.1:0");
    let mut line = String::new();
    BufReader::new(second.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
    let entry: Value = serde_json::from_str(&line).expect("a line of JSON");
    assert!(entry["message"].as_str().is_some_and(|text| text.starts_with("guildhall listening on http://")));
    drop(second.kill());
    second.wait().expect("it ends");
}

#[test]
fn a_token_in_a_query_is_not_logged() {
    let server = Server::start(&["--log-level", "debug"]);
    let (owner, secret) = (server.owner(), "ghp_0123456789abcdefghijklmnopqrstuvwxyz");
    for (verb, path) in [
        ("GET", "/user"),
        ("GET", "/orgs/nowhere"),
        ("POST", "/orgs/acme/teams"),
        ("PATCH", "/orgs/acme"),
        ("PUT", "/no/such/path"),
        ("DELETE", "/orgs/acme"),
        ("GET", "/ui/acme"),
    ] {
        let body = (verb != "GET").then(|| "{\"name\":\"Core\"}".to_owned());
        let answer = owner.send(verb, &format!("{path}?access_token={secret}&page=2"), body);
        assert!(answer.status < 500 && !answer.text.contains(secret), "{}", answer.text);
    }
    let log = server.log();
    assert!(log.contains("orgs.update") && !log.contains(secret) && !log.contains("access_token"), "{log}");
}

#[test]
fn without_a_public_url_a_start_warns_of_nothing() {
    let log = Server::start(&["--log-format", "json"]).log();
    assert!(!log.contains("public_url") && !log.contains("\"WARN\""), "{log}");
}

#[test]
fn health_and_readiness_need_no_token_and_cost_nothing() {
    let server = Server::start(&["--rate-limit-anonymous-per-hour", "1"]);
    for path in ["/healthz", "/readyz", "/healthz", "/openapi.json"] {
        assert!(server.curl(&[], path).ends_with(" 200"), "{path}");
    }
    assert!(server.curl(&[], "/organizations").ends_with(" 200"));
    assert!(server.curl(&[], "/organizations").ends_with(" 403"));
}

#[test]
fn a_proxy_is_believed_only_if_a_setting_names_it() {
    for (trusted, base) in [(None, None), (Some("10.0.0.0/8"), None), (Some("127.0.0.0/8"), Some("https://g.example"))]
    {
        let setting = trusted.map(|networks| ("GUILDHALL_TRUSTED_PROXIES", networks));
        let server = Server::start_in(setting.as_slice(), &[]);
        let own = format!("http://{}", server.address);
        let client = Client::new(&own, None).with("X-Forwarded-Host", "g.example").with("X-Forwarded-Proto", "https");
        let wanted = format!("{}/user", base.unwrap_or(&own));
        assert_eq!(client.get("/").expect(200)["current_user_url"], wanted, "{trusted:?}");
    }
}

#[test]
fn the_settings_of_the_abuse_limit_bound_what_a_person_creates() {
    for (setting, waits) in
        [("GUILDHALL_ABUSE_LIMIT_PER_MINUTE", 1..=60), ("GUILDHALL_ABUSE_LIMIT_PER_HOUR", 61..=3_600)]
    {
        let server = Server::start_in(&[(setting, "2")], &[]);
        let owner = server.owner();
        let invite = |n: u8| -> Answer {
            owner.post("/orgs/acme/invitations", json!({ "email": format!("una{n}@example.com") }))
        };
        for n in 0..2 {
            invite(n).expect(201);
        }
        let refused = invite(2);
        refused.expect(403);
        let wait: i64 = refused.header("retry-after").expect("how long").parse().expect("seconds");
        assert!(waits.contains(&wait), "{setting}: {wait}");
    }
}

#[test]
fn the_setting_of_how_long_an_invitation_is_open_is_kept() {
    let server = Server::start_in(&[("GUILDHALL_INVITATIONS_EXPIRE_DAYS", "3")], &[]);
    server.owner().post("/orgs/acme/invitations", json!({ "email": "una@example.com" })).expect(201);
    // No record shows it, and the clock of a program cannot be moved.
    let store = rusqlite::Connection::open(server.directory.path().join("guildhall.db")).expect("the store");
    let open = "SELECT (expires_at - created_at) / 1000000 FROM invitations";
    assert_eq!(store.query_row(open, [], |row| row.get::<_, i64>(0)).expect("an invitation"), 3 * 86_400);
}

#[test]
fn the_setting_of_partial_updates_makes_the_name_optional() {
    for (value, status) in [("false", 422), ("true", 200)] {
        let server = Server::start_in(&[("GUILDHALL_COMPAT_PARTIAL_TEAM_UPDATE", value)], &[]);
        let owner = server.owner();
        owner.post("/orgs/acme/teams", json!({ "name": "Core" })).expect(201);
        owner.patch("/orgs/acme/teams/core", json!({ "description": "d" })).expect(status);
    }
}

#[test]
fn tokens_begin_with_the_prefix_that_a_setting_names() {
    let server = Server::start_in(&[("GUILDHALL_TOKENS_PREFIX", "acme_")], &[]);
    assert!(server.admin_token().starts_with("acme_"));
    let owner = server.owner();
    owner.post("/admin/users", json!({ "login": "nina" })).expect(201);
    let made = owner.post("/admin/users/nina/authorizations", json!({ "scopes": ["repo"] }));
    let token = made.expect(201)["token"].as_str().expect("a token").to_owned();
    assert!(token.starts_with("acme_"), "{token}");
    let nina = Client::new(&owner.base, Some(&token));
    assert_eq!(nina.get("/user").expect(200)["login"], "nina");
}
