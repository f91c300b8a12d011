//! `plan`, `apply` and `export` with `--url`, against a server in a process of its own (decision 75).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::commands::import::{export, import};
use crate::commands::planning::BASE;
use crate::place::{Place, Server, guildhall, outcome};

/// The authority that has signed the certificate, which is for 127.0.0.1 alone.
const TLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tls");

/// Another file for this organization. Its plan needs no flag but `--prune`.
pub const EDITED: &str = "orgs:
  acme:
    admins: [olivia]
    members: [max, nina, tom]
    repos: {web: {}}
    teams:
      Core:
        description: New
        maintainers: [nina]
        members: [max]
        repos: {web: write}
";

/// A server with an organization, and a token of its owner.
pub struct Remote {
    pub place: Place,
    pub server: Server,
    pub token: String,
}

impl Remote {
    pub fn new() -> Self {
        Self::with(&[])
    }

    fn with(flags: &[&str]) -> Self {
        let place = Place::new();
        assert_eq!(outcome(&import(&place, BASE, &[])).0, 0);
        let made = ["token", "create", "--user", "olivia", "--scopes", "admin:org,repo"];
        let token = outcome(&place.run(&made)).1.trim().to_owned();
        let server = Server::start(place.command(&[&["serve", "--listen", "127.0.0.1:0"], flags].concat()));
        Self { place, server, token }
    }

    /// The command with the URL, and with the token in the environment.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = guildhall(arguments);
        command.args(["--url", &self.server.base]).env("GUILDHALL_TOKEN", &self.token);
        command
    }

    /// The outcome of the command, which never shows the token.
    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let (code, out, err) = outcome(&self.command(arguments).output().expect("the program runs"));
        assert!(!out.contains(&self.token) && !err.contains(&self.token), "{out}{err}");
        (code, out, err)
    }

    /// A file of this content.
    pub fn file(&self, content: &str) -> String {
        text(&self.path("desired.yaml", content))
    }

    pub fn path(&self, name: &str, content: &str) -> PathBuf {
        let file = self.place.database.directory().join(name);
        fs::write(&file, content).expect("to write");
        file
    }
}

fn text(path: &Path) -> String {
    path.to_str().expect("text").to_owned()
}

#[test]
fn decision_75_a_server_plans_and_applies_like_the_command_beside_it() {
    let remote = Remote::new();
    let file = remote.file(EDITED);
    for flags in [&["--prune"][..], &[], &["--prune", "--json"]] {
        let beside = outcome(&remote.place.run(&[&["plan", &file], flags].concat()));
        assert_eq!(remote.run(&[&["plan", &file], flags].concat()), beside, "{flags:?}");
        assert_eq!(beside.0, 2);
    }
    assert_eq!(remote.run(&["export", "acme"]), (0, export(&remote.place), String::new()));
    let (code, out, err) = remote.run(&["apply", "--prune", &file]);
    assert!(code == 1 && out.ends_with("Plan: 1 to add, 2 to change, 1 to remove\n"), "{out}");
    assert!(err.contains("There is no terminal to ask at: pass --yes"), "{err}");
    let (code, out, err) = remote.run(&["apply", "--prune", "--yes", &file]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.ends_with("\nApply complete: 1 added, 2 changed, 1 removed\n"), "{out}");
    let nothing = "acme:\n  no changes\n\nPlan: 0 to add, 0 to change, 0 to remove\n";
    assert_eq!(remote.run(&["plan", "--prune", &file]), (0, nothing.to_owned(), String::new()));
    let again = remote.run(&["apply", "--prune", &file]);
    assert_eq!((again.0, again.2.as_str()), (0, ""), "there is nothing to ask for");
    let log = outcome(&remote.place.run(&["audit", "acme"])).1;
    let entry = log.lines().find(|line| line.contains("team.update_repository_permission")).expect("an entry");
    assert!(entry.contains("olivia") && entry.contains("request=plan-") && entry.contains("/desired.yaml"), "{entry}");
    let exported = remote.path("exported.yaml", "");
    assert_eq!(remote.run(&["export", "acme", "--output", &text(&exported)]).0, 0);
    assert_eq!(fs::read_to_string(exported).expect("a file"), export(&remote.place));
}

#[test]
fn decision_75_each_organization_of_the_files_is_a_request() {
    let remote = Remote::new();
    let beta = remote.path("beta.yaml", "orgs: {beta: {admins: [olivia]}}");
    assert_eq!(outcome(&remote.place.run(&["import", &text(&beta)])).0, 0);
    let both = remote.file("orgs: {acme: {description: A}, beta: {description: B}}");
    let (code, out, err) = remote.run(&["apply", "--yes", "--json", &both]);
    assert_eq!((code, err.as_str()), (0, ""));
    let done: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(done["summary"], json!({ "add": 0, "change": 2, "remove": 0 }));
    assert_eq!((&done["organizations"][0]["org"], &done["organizations"][1]["org"]), (&json!("acme"), &json!("beta")));
    let bare = remote.path("bare.yaml", "description: C");
    assert_eq!(remote.run(&["apply", "--yes", "--org", "beta", &text(&bare)]).0, 0);
    assert!(remote.run(&["export", "beta"]).1.contains("description: C"));
}

#[test]
fn decision_75_a_saved_plan_is_the_one_that_the_server_has() {
    let remote = Remote::new();
    let (file, saved) = (remote.file(EDITED), text(&remote.path("plan.json", "")));
    assert_eq!(remote.run(&["plan", "--out", &saved, &file]).0, 2);
    let content: Value = serde_json::from_str(&fs::read_to_string(&saved).expect("a file")).expect("JSON");
    assert_eq!(content["server"]["url"], json!(remote.server.base));
    let (code, _, err) = outcome(&remote.place.run(&["apply", "--yes", "--plan", &saved]));
    assert!(code == 1 && err.contains("this plan was made with --url: give it, and the token, again"), "{err}");

    // What was reviewed is what is carried out.
    let changed = content.to_string().replace("\"New\"", "\"Other\"");
    let forged = text(&remote.path("forged.json", &changed));
    let (code, _, err) = remote.run(&["apply", "--yes", "--plan", &forged]);
    assert!(code == 1 && err.contains("acme is no longer as it was planned"), "{err}");

    let (code, out, err) = remote.run(&["apply", "--yes", "--plan", &saved]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.ends_with("\nApply complete: 1 added, 2 changed, 0 removed\n"), "{out}");
    let (code, out, _) = remote.run(&["apply", "--yes", "--plan", &saved]);
    let again = "\nNothing was left to do\nApply complete: 0 added, 0 changed, 0 removed\n";
    assert!(code == 0 && out.ends_with(again), "{out}");

    let fewer = content.to_string().replace(&content["server"]["ids"].to_string(), "[]");
    let (code, _, err) = remote.run(&["apply", "--yes", "--plan", &text(&remote.path("fewer.json", &fewer))]);
    assert!(code == 1 && err.contains("the saved plan was changed. Plan again"), "{err}");

    let other = remote.file(&EDITED.replace("New", "Newer"));
    assert_eq!(remote.run(&["plan", "--out", &saved, &other]).0, 2);
    let newest = text(&remote.path("newest.yaml", &EDITED.replace("New", "Newest")));
    assert_eq!(remote.run(&["apply", "--yes", &newest]).0, 0);
    let (code, _, err) = remote.run(&["apply", "--yes", "--plan", &saved]);
    assert!(
        code == 1 && err.contains("is no longer as it was planned. Nothing of it was changed. Plan again"),
        "{err}"
    );
    assert!(err.contains("\"Newest\" -> \"Newer\""), "{err}");
    assert_eq!(remote.run(&["plan", "--out", &saved, &other]).0, 2);
    let content: Value = serde_json::from_str(&fs::read_to_string(&saved).expect("a file")).expect("JSON");
    let gone = content.to_string().replace(&content["server"]["ids"].to_string(), "[999999]");
    let (code, _, err) = remote.run(&["apply", "--yes", "--plan", &text(&remote.path("gone.json", &gone))]);
    assert!(code == 1 && err.contains("the server no longer has this plan"), "{err}");
}

#[test]
fn decision_75_guards_and_flags_are_those_of_the_command() {
    let remote = Remote::new();
    let before = export(&remote.place);
    let owner = remote.file("orgs: {acme: {admins: [olivia, max]}}");
    let (code, _, err) = remote.run(&["apply", "--yes", &owner]);
    assert!(code == 1 && err.contains("max: the change needs --owners. Nothing was changed"), "{err}");
    let empty = remote.file("orgs: {acme: {admins: [olivia], members: []}}");
    let (code, _, err) = remote.run(&["apply", "--yes", "--prune", &empty]);
    assert!(code == 1 && err.contains("more than --max-removals 25% allows"), "{err}");
    let own = remote.file("orgs: {acme: {admins: [max], members: [olivia, nina, tom]}}");
    let (code, _, err) = remote.run(&["apply", "--yes", "--owners", &own]);
    assert!(code == 1 && err.contains("olivia: an owner who applies a file remains an owner"), "{err}");
    let accounts = remote.file("orgs: {acme: {members: [max, nina, tom, fresh]}}");
    let (code, _, err) = remote.run(&["plan", "--create-accounts", &accounts]);
    assert!(code == 1 && err.contains("Only site administrators make accounts"), "{err}");
    let teams = (0..2_001).map(|n| format!("      Team {n}: {{}}\n")).collect::<Vec<_>>().concat();
    let (code, _, err) = remote.run(&["plan", &remote.file(&format!("orgs:\n  acme:\n    teams:\n{teams}"))]);
    assert!(code == 1 && err.contains("Run the command on the server"), "{err}");
    assert_eq!(export(&remote.place), before);
}

#[test]
fn decision_75_the_certificate_of_the_server_is_verified() {
    let (certificate, key) = (format!("{TLS}/postgres.pem"), format!("{TLS}/postgres_key.pem"));
    let remote = Remote::with(&["--tls-certificate", &certificate, "--tls-key", &key]);
    assert!(remote.server.base.starts_with("https://127.0.0.1:"), "{}", remote.server.base);
    let (code, _, err) = remote.run(&["export", "acme"]);
    assert!(code == 1 && err.contains("cannot be reached") && err.contains("UnknownIssuer"), "{err}");
    let mut command = remote.command(&["export", "acme"]);
    let (code, out, err) =
        outcome(&command.env("SSL_CERT_FILE", format!("{TLS}/authority.pem")).output().expect("it runs"));
    assert_eq!((code, out, err.as_str()), (0, export(&remote.place), ""));
}
