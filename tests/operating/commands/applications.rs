//! `guildhall app`, and what the log says of applications (decision 62).

use std::fs;
use std::process::Command;

use crate::place::{OWNER, Place, Server, outcome, refused};
use crate::support::browser::{Browser, encoded};
use crate::support::device::{GH, GRANT};
use crate::support::{Client, json};

const CALLBACK: &str = "https://app.example/callback";

/// The value after a name in the output of a command.
fn value(output: &str, name: &str) -> String {
    let line = output.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    line.unwrap_or_else(|| panic!("no {name} in {output}")).to_owned()
}

/// A server that writes everything to a log.
fn serve(place: &Place, log: &std::path::Path) -> Server {
    let serving = place.command(&["serve", "--listen", "127.0.0.1:0", "--log-level", "debug"]);
    let mut command = Command::new("sh");
    command.env_clear().args(["-c", &format!("exec \"$@\" 2> {}", log.display()), "sh"]);
    command.arg(serving.get_program()).args(serving.get_args());
    // The shell has its own standard error for the program.
    Server::start(command)
}

#[test]
fn decision_62_the_operator_registers_changes_and_removes_an_application_beside_a_server() {
    let place = Place::new();
    place.import();
    let log = place.dir().join("log");
    let server = serve(&place, &log);
    let app = |arguments: &[&str]| place.run(&[&["app"], arguments].concat());
    refused(&app(&["create", "--name", "Guildhall", "--redirect-uri", CALLBACK]), 1, "No application may be called");
    refused(&app(&["create", "--name", "X", "--redirect-uri", "http://a.b/"]), 1, "must begin with https://");
    refused(
        &app(&["create", "--name", "X", "--redirect-uri", CALLBACK, "--user", "none"]),
        1,
        "no person has the login",
    );
    let made = outcome(&app(&["create", "--name", "Rota", "--redirect-uri", CALLBACK, "--org", "rust-embedded"]));
    assert_eq!(made.0, 0, "{}", made.2);
    let (id, secret) = (value(&made.1, "client_id"), value(&made.1, "client_secret"));
    assert_eq!((id.len(), secret.len()), (20, 64));
    // With a given ID and secret, of which nothing is printed again.
    let file = place.dir().join("secret");
    fs::write(&file, "a-secret-that-is-long-enough\n").expect("a file");
    let given = ["--client-id", "dex", "--secret-file", file.to_str().expect("a path")];
    let given = app(&[&["create", "--name", "Dex", "--redirect-uri", CALLBACK, "--skip-consent"], &given[..]].concat());
    assert_eq!(outcome(&given), (0, "client_id=dex\n".into(), String::new()));
    let renewed = outcome(&app(&["update", "dex", "--name", "Dex 2", "--new-secret", "--skip-consent=false"]));
    let second = value(&renewed.1, "client_secret");
    let listed: serde_json::Value = serde_json::from_str(&outcome(&app(&["list", "--json"])).1).expect("JSON");
    let names: Vec<_> = listed.as_array().expect("a list").iter().map(|of| (&of["name"], &of["owner"])).collect();
    let (null, org) = (json!(null), json!("rust-embedded"));
    assert_eq!(names, [(&json!("GitHub CLI"), &null), (&json!("Rota"), &org), (&json!("Dex 2"), &null)]);
    assert_eq!((&listed[2]["skip_consent"], &listed[1]["redirect_uris"]), (&json!(false), &json!([CALLBACK])));
    let table = outcome(&app(&["list"])).1;
    assert!(table.contains("178c6fc778ccc68e1d6a  -  public,trusted,device_flow  GitHub CLI"), "{table}");
    // The running server knows it.
    let link = outcome(&place.run(&["user", "sign-in", OWNER, "--public-url", &server.base])).1;
    let mut browser = Browser::open(&server.base, link.trim().strip_prefix(&server.base).expect("a URL"));
    browser.send(&[]);
    browser.visit(&format!("/login/oauth/authorize?{}", encoded(&[("client_id", &id), ("scope", "read:org")])));
    browser.send(&[("answer", "allow")]);
    let location = browser.page.header("location").expect("a redirect").to_owned();
    let code = location.split("code=").nth(1).expect("a code").to_owned();
    let fields = [("client_id", id.as_str()), ("client_secret", &secret), ("code", &code)];
    let client = Client::new(&server.base, None).with("Accept", "application/json");
    let query = format!("/login/oauth/access_token?{}", encoded(&fields));
    let token =
        client.send("POST", &query, Some(String::new())).json["access_token"].as_str().expect("a token").to_owned();
    let holder = Client::new(&server.base, Some(&token));
    holder.get("/user").expect(200);
    let asked = client.send("POST", &format!("/login/device/code?client_id={GH}"), Some(String::new()));
    let [device_code, user_code] =
        ["device_code", "user_code"].map(|name| asked.expect(200)[name].as_str().expect("a code").to_owned());
    browser.visit(&format!("/login/device?user_code={user_code}"));
    browser.send(&[("user_code", &user_code)]);
    browser.send(&[("user_code", &user_code), ("answer", "allow")]);
    let fields = [("client_id", GH), ("device_code", &device_code), ("grant_type", GRANT)];
    let redeemed = client.send("POST", &format!("/login/oauth/access_token?{}", encoded(&fields)), Some(String::new()));
    let of_device = redeemed.expect(200)["access_token"].as_str().expect("a token").to_owned();
    // One that is registered on a page is in the list, and its secret is nowhere else.
    browser.visit("/ui/settings/applications/new");
    browser.send(&[("name", "Paged"), ("redirect_uris", CALLBACK)]);
    let paged =
        browser.page.text.split("<pre class=\"secret\"><code>").nth(1).and_then(|after| after.split('<').next());
    let paged = paged.expect("a secret").to_owned();
    assert!(outcome(&app(&["list"])).1.contains(&format!("  {OWNER}  -  Paged")));
    assert_eq!(outcome(&app(&["revoke", &id])).0, 0);
    holder.get("/user").refused(401, "Bad credentials");
    refused(&app(&["revoke", &id]), 1, "no application has this client ID");
    server.stop();
    let text = fs::read_to_string(&log).expect("the log");
    assert!(text.contains("request"), "{text}");
    for private in
        [&secret, &second, &paged, &code, &token, &device_code, &user_code, &of_device, "a-secret-that-is-long-enough"]
    {
        assert!(!text.contains(private), "{private} is in the log");
    }
    place.must_be_well();
}
