//! The procedures of `docs/running.md` for special situations, followed literally.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::place::{OWNER, Place, Server, outcome, refused};
use crate::support::port::Port;
use crate::support::{Client, waiting};

/// The line of the guide that begins with these words, as arguments.
fn command(beginning: &str) -> Vec<String> {
    let guide = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/running.md")).expect("the guide");
    let line = guide.lines().find(|line| line.starts_with(&format!("guildhall {beginning}")));
    let line = line.unwrap_or_else(|| panic!("no line begins with {beginning}"));
    line.split(' ').skip(1).map(str::to_owned).collect()
}

#[test]
fn a_lost_administrator_token_is_replaced_beside_a_running_server() {
    let place = Place::new();
    let server = place.serve();
    let arguments = command("token create --user site-admin");
    let (code, token, why) = outcome(&place.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!(code, 0, "{why}");
    Client::new(&server.base, Some(token.trim())).post("/admin/users", json!({ "login": "olivia" })).expect(201);
}

#[test]
fn a_token_from_the_environment_restores_the_first_administrator() {
    let place = Place::new();
    let server = place.serve();
    let first = fs::read_to_string(place.dir().join("admin-token")).expect("a token");
    server.stop();
    let chosen = "a-token-that-the-operator-chose";
    let mut command = place.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.env("GUILDHALL_ADMIN_TOKEN", chosen);
    let server = Server::start(command);
    assert_eq!(Client::new(&server.base, Some(chosen)).get("/user").expect(200)["site_admin"], true);
    Client::new(&server.base, Some(first.trim())).get("/user").refused(401, "Bad credentials");
}

#[test]
fn an_account_that_was_created_before_the_import_keeps_its_verified_address() {
    let place = Place::new();
    let server = place.serve();
    let token = fs::read_to_string(place.dir().join("admin-token")).expect("a token");
    let admin = Client::new(&server.base, Some(token.trim()));
    admin.post("/admin/users", json!({ "login": OWNER, "email": "owner@example.org" })).expect(201);
    place.import();
    let create = ["token", "create", "--user", OWNER, "--scopes", "user:email,read:org"];
    let token = outcome(&place.run(&create)).1;
    let person = Client::new(&server.base, Some(token.trim()));
    let addresses = person.get("/user/emails").expect(200).clone();
    assert_eq!((&addresses[0]["primary"], &addresses[0]["verified"]), (&json!(true), &json!(true)), "{addresses}");
    assert_eq!(person.get("/user/orgs").expect(200)[0]["login"], "rust-embedded");
}

#[test]
fn an_organization_moves_to_another_database_with_the_same_key() {
    let place = Place::new();
    place.import();
    let file = place.database.directory().join("rust-embedded.yaml");
    let file = file.to_str().expect("text");
    assert_eq!(outcome(&place.run(&["export", "rust-embedded", "--output", file])).0, 0);
    let target = Place::new();
    fs::create_dir(target.dir()).expect("a directory");
    fs::copy(place.dir().join("guildhall.key"), target.dir().join("guildhall.key")).expect("the key");
    let at_target = |arguments: &[&str]| outcome(&target.run(arguments));
    assert_eq!(at_target(&["import", file]).0, 0);
    assert_eq!(at_target(&["doctor"]).0, 0);
    let exported = at_target(&["export", "rust-embedded"]).1;
    assert_eq!(exported, fs::read_to_string(file).expect("the export"));
}

#[test]
fn doctor_prints_json_when_asked() {
    let place = Place::new();
    place.import();
    let doctor = || {
        let (code, out, _) = outcome(&place.run(&["doctor", "--json", "--mend"]));
        (code, serde_json::from_str::<serde_json::Value>(&out).expect("JSON"))
    };
    let (code, well) = doctor();
    assert_eq!((code, &well["ok"], &well["findings"]), (0, &json!(true), &json!([])), "{well}");
    assert!(
        well["rules"].as_u64() > Some(10) && well["rows"].as_u64() > Some(40) && well["seconds"].is_f64(),
        "{well}"
    );
    let key = place.dir().join("guildhall.key");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).expect("to open it");
    let (code, found) = doctor();
    assert_eq!((code, &found["ok"]), (1, &json!(false)), "{found}");
    assert_eq!(found["findings"][0]["fix"], "run `chmod 600` on the file", "{found}");
}

/// The mails that were saved, each as text with its lines unfolded.
fn saved(place: &Place) -> Vec<String> {
    let Ok(entries) = fs::read_dir(place.dir().join("mail/new")) else { return Vec::new() };
    let read =
        |entry: std::io::Result<fs::DirEntry>| fs::read_to_string(entry.expect("a file").path()).expect("a mail");
    entries.map(read).collect()
}

#[test]
fn decision_50_an_import_sends_mail_only_on_request_and_the_list_says_what_became_of_it() {
    let place = Place::new();
    let file = place.dir().with_file_name("org.yaml");
    let import = |org: &str, email: &str, flags: &[&str]| {
        let text = format!("orgs: {{{org}: {{admins: [olivia], guildhall: {{invitations: [{{email: {email}}}]}}}}}}");
        fs::write(&file, text).expect("a file");
        outcome(&place.run(&[&["import", file.to_str().expect("text")], flags].concat())).1
    };
    assert!(import("acme", "una@example.org", &[]).contains("invited (no e-mail is sent): una@example.org"));
    assert!(import("acme", "zoe@example.org", &["--mail"]).contains("invited by e-mail: zoe@example.org"));
    assert!(import("globex", "zed@example.org", &["--mail"]).contains("invited by e-mail: zed@example.org"));
    let list = |flags: &[&str]| outcome(&place.run(&[&["invitations", "acme"], flags].concat())).1;
    let before = list(&[]);
    assert!(before.contains(" open una@example.org as direct_member") && before.contains("(no mail)"), "{before}");
    let server = place.serve();
    waiting::until("the mail is saved", || list(&[]).contains("(mail: saved as a file)"));
    waiting::until("the mail of a first load is saved", || saved(&place).len() == 2);
    let mut mails = saved(&place);
    mails.sort_by_key(|mail| mail.contains("To: zoe@example.org\r\n"));
    assert!(mails[0].contains("To: zed@example.org\r\n") && mails[1].contains("To: zoe@example.org\r\n"), "{mails:?}");
    server.stop();
    let lines = list(&["--jsonl", "--state", "open"]);
    let listed: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(serde_json::from_str::<Vec<serde_json::Value>>(&list(&["--json"])).expect("an array"), listed);
    let of = |n: usize| (listed[n]["email"].clone(), listed[n]["state"].clone(), listed[n]["mail"].clone());
    assert_eq!(of(0), (json!("una@example.org"), json!("open"), json!(null)));
    assert_eq!(of(1), (json!("zoe@example.org"), json!("open"), json!("delivered")));
    assert_eq!(list(&["--state", "failed"]), "");
    refused(&place.run(&["invitations", "nowhere"]), 1, "no organization has the login nowhere");
    place.must_be_well();
}

/// Waits until there are so many mails, and what the list of invitations says then.
fn mailed(place: &Place, count: usize) -> String {
    waiting::found(|| {
        let list = outcome(&place.run(&["invitations", "acme"])).1;
        if saved(place).len() >= count && !list.contains("mail waits") { Ok(list) } else { Err(list) }
    })
}

/// Changes the database while no server runs.
fn execute(place: &Place, sql: &'static str) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let db = guildhall::db::Db::open(&place.database.address).await.expect("a database");
        db.write(move |tx| tx.run(sql, &[])).await.expect("a change");
    });
}

#[test]
fn decision_26_the_server_reminds_of_invitations_and_the_list_says_so_and_why_others_failed() {
    let place = Place::new();
    let server = place.serve();
    let token = fs::read_to_string(place.dir().join("admin-token")).expect("a token");
    let admin = |server: &Server| Client::new(&server.base, Some(token.trim()));
    admin(&server).post("/admin/organizations", json!({ "login": "acme", "admin": "site-admin" })).expect(201);
    for (login, email) in [("nina", "nina@example.org"), ("zoe", "zoe@example.org")] {
        admin(&server).post("/admin/users", json!({ "login": login, "email": email })).expect(201);
        admin(&server).put(&format!("/orgs/acme/memberships/{login}"), json!({})).expect(200);
    }
    admin(&server).post("/orgs/acme/invitations", json!({ "email": "una@example.org" })).expect(201);
    let list = mailed(&place, 3);
    assert!(!list.contains("reminded=") && list.matches(" open ").count() == 3, "{list}");
    let made = outcome(&place.run(&["token", "create", "--user", "zoe", "--scopes", "admin:org"])).1;
    Client::new(&server.base, Some(made.trim())).delete("/user/memberships/orgs/acme").expect(204);
    server.stop();
    // Nina's was sent four days ago, and Una's time is over.
    execute(
        &place,
        "UPDATE invitations SET mailed_at = mailed_at - 345600000000, expires_at = expires_at - 345600000000",
    );
    execute(&place, "UPDATE invitations SET expires_at = 1 WHERE email = 'una@example.org'");
    let server = place.serve();
    let list = mailed(&place, 4);
    server.stop();
    let reminders: Vec<String> = saved(&place).into_iter().filter(|mail| mail.contains("Subject: Reminder:")).collect();
    assert!(reminders.len() == 1 && reminders[0].contains("nina@example.org"), "{reminders:?}");
    let line =
        |of: &str| list.lines().find(|line| line.contains(of)).unwrap_or_else(|| panic!("{of} in {list}")).to_owned();
    assert!(line(" open nina ").contains(" reminded="), "{list}");
    assert!(
        line(" failed una@example.org ").contains(" reason: Invitation expired. It was not accepted in time"),
        "{list}"
    );
    let lines = outcome(&place.run(&["invitations", "acme", "--jsonl", "--state", "failed"])).1;
    let failed: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let why = |n: usize| failed[n]["failed_reason"].as_str().unwrap_or_default().to_owned();
    assert_eq!((failed.len(), &failed[0]["login"], &failed[1]["email"]), (2, &json!("zoe"), &json!("una@example.org")));
    assert!(why(0).contains("declined") && why(1).contains("not accepted in time"), "{lines}");
    assert!(line(" failed zoe ").contains(&format!(" reason: {}", why(0))), "{list}");
}

#[test]
fn decision_46_the_mail_settings_are_tested_by_a_command() {
    let place = Place::new();
    let (code, printed, why) = outcome(&place.run(&["mail", "test", "ops@example.org"]));
    assert_eq!(code, 0, "{why}");
    assert!(printed.contains("saved as a file") && printed.contains("smtp.url is not set"), "{printed}");
    assert!(saved(&place)[0].contains("Subject: Test mail of Guildhall"));
    let taken = Port::take();
    let port = taken.address().port();
    let url = format!("smtp://user:hush@127.0.0.1:{port}");
    let public = ["--public-url", "https://teams.example.org"];
    let failed = place.run(&[&["mail", "test", "ops@example.org", "--smtp-url", &url], &public[..]].concat());
    refused(&failed, 1, &format!("no mail was sent through smtp://127.0.0.1:{port}: "));
    assert!(!outcome(&failed).2.contains("hush"));
    refused(&place.run(&["mail", "test", "nobody"]), 2, "is not an e-mail address");
    let wrong = place.run(&["mail", "test", "ops@example.org", "--smtp-url", "smtp://user:hush"]);
    refused(&wrong, 2, "--smtp-url: invalid value; use smtp://");
    assert!(!outcome(&wrong).2.contains("hush"));
    let half = place.run(&["mail", "test", "ops@example.org", "--smtp-dkim-selector", "x"]);
    refused(&half, 2, "smtp.dkim_key");
}
