//! The commands for people, organizations, teams, invitations and access: on the store, and by URL with a token.

use std::process::Output;

use serde_json::{Value, json};

use crate::place::{OWNER, Place, Server, guildhall, outcome, refused};

/// A place whose commands work on the store, or on a server.
struct Site {
    place: Place,
    server: Option<(Server, String)>,
}

impl Site {
    /// A site on the store, and one by URL, each with an imported organization.
    fn each(check: impl Fn(&Self)) {
        let local = Self { place: Place::new(), server: None };
        local.place.import();
        check(&local);
        local.place.must_be_well();
        let place = Place::new();
        place.import();
        let server = place.serve();
        let token = std::fs::read_to_string(place.dir().join("admin-token")).expect("a token").trim().to_owned();
        let site = Self { place, server: Some((server, token)) };
        check(&site);
        site.place.must_be_well();
    }

    /// Runs a command as the operator: by URL, with a token of a site administrator.
    fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(arguments, |(_, token)| token.clone())
    }

    /// Runs a command as an owner of the organization: by URL, with a token of theirs.
    fn run_as_owner(&self, arguments: &[&str]) -> Output {
        self.run_with(arguments, |_| self.place.token())
    }

    fn run_with(&self, arguments: &[&str], token: impl Fn(&(Server, String)) -> String) -> Output {
        match &self.server {
            None => self.place.run(arguments),
            Some(at) => {
                let mut command = guildhall(arguments);
                command.args(["--url", &at.0.base]).env("GUILDHALL_TOKEN", token(at));
                command.output().expect("the program runs")
            }
        }
    }

    fn json(&self, arguments: &[&str]) -> Value {
        read(&self.run(&[arguments, &["--json"]].concat()))
    }

    fn json_as_owner(&self, arguments: &[&str]) -> Value {
        read(&self.run_as_owner(&[arguments, &["--json"]].concat()))
    }
}

#[track_caller]
fn read(output: &Output) -> Value {
    let (code, out, err) = outcome(output);
    assert_eq!(code, 0, "{err}");
    serde_json::from_str(&out).expect("JSON")
}

#[track_caller]
fn said(output: &Output, what: &str) {
    assert_eq!(outcome(output), (0, String::new(), format!("{what}\n")));
}

#[test]
fn people_are_created_shown_suspended_renamed_and_deleted() {
    Site::each(|site| {
        said(
            &site.run(&["user", "create", "nina", "--email", "nina@example.com", "--name", "Nina Berg"]),
            "created nina",
        );
        refused(&site.run(&["user", "create", "NINA"]), 1, "The login NINA is in use or was used before");
        let nina = site.json(&["user", "show", "Nina"]);
        assert_eq!((&nina["login"], &nina["name"]), (&"nina".into(), &"Nina Berg".into()));
        assert_eq!(nina["organizations"], json!([]));
        assert_eq!(site.json_as_owner(&["user", "show", OWNER])["organizations"], json!(["rust-embedded"]));
        let listed = site.json(&["user", "list"]);
        let logins: Vec<&str> =
            listed.as_array().expect("a list").iter().filter_map(|one| one["login"].as_str()).collect();
        assert!(logins.contains(&"nina") && logins.len() > 41, "{logins:?}");
        said(&site.run(&["user", "suspend", "nina", "--reason", "has left"]), "nina is suspended");
        let log = outcome(&site.place.run(&["audit", "--site", "--action", "user.suspend", "--user", "nina"])).1;
        assert!(log.contains(" reason: has left"), "{log}");
        let token = site.place.run(&["token", "create", "--user", OWNER, "--user", "nina", "--scopes", "repo"]);
        refused(&token, 1, "nina is suspended, so no token of theirs works");
        let (_, shown, _) = outcome(&site.run(&["user", "show", "nina"]));
        assert!(shown.contains("\nSuspended\t20"), "{shown}");
        said(&site.run(&["user", "unsuspend", "nina"]), "nina is not suspended");
        assert_eq!(site.json(&["user", "show", "nina"]).get("suspended_at"), None);
        said(&site.run(&["user", "rename", "nina", "nina-berg"]), "the login of nina is now nina-berg");
        refused(&site.run(&["user", "show", "nina"]), 1, "no person has the login nina");
        refused(&site.run(&["user", "delete", "nina-berg"]), 1, "pass --yes. Nothing was changed");
        refused(&site.run(&["user", "delete", "rust-embedded", "--yes"]), 1, "no person has the login rust-embedded");
        said(&site.run(&["user", "delete", "nina-berg", "--yes"]), "deleted nina-berg");
        refused(&site.run(&["user", "show", "nina-berg"]), 1, "no person has the login nina-berg");
    });
}

#[test]
fn organizations_are_created_shown_renamed_and_deleted() {
    Site::each(|site| {
        let create = ["org", "create", "acme", "--owner", OWNER, "--name", "Acme Corporation"];
        said(&site.run(&create), &format!("created acme, owned by {OWNER}"));
        refused(&site.run(&["org", "create", "labs", "--owner", "ghost"]), 1, "No person has this login");
        let logins: Vec<Value> =
            site.json(&["org", "list"]).as_array().expect("a list").iter().map(|org| org["login"].clone()).collect();
        assert_eq!(logins, ["rust-embedded", "acme"]);
        said(&site.run(&["org", "plan", "acme", "enterprise"]), "acme is on the plan enterprise");
        let acme = site.json_as_owner(&["org", "show", "Acme"]);
        assert_eq!((&acme["name"], &acme["plan"]["name"]), (&"Acme Corporation".into(), &"enterprise".into()));
        assert_eq!(acme["owners"], Value::from(vec![OWNER]));
        said(&site.run(&["org", "rename", "acme", "acme-labs"]), "the login of acme is now acme-labs");
        refused(&site.run(&["org", "show", "acme"]), 1, "no organization has the login acme");
        refused(&site.run_as_owner(&["org", "delete", "acme-labs"]), 1, "pass --yes. Nothing was changed");
        said(&site.run_as_owner(&["org", "delete", "acme-labs", "--yes"]), "deleted acme-labs");
        refused(&site.run(&["org", "show", "acme-labs"]), 1, "no organization has the login acme-labs");
    });
}

#[test]
fn teams_are_created_filled_and_given_repositories() {
    Site::each(|site| {
        let org = "rust-embedded";
        let before = site.json_as_owner(&["team", "list", org]).as_array().expect("a list").len();
        said(&site.run_as_owner(&["team", "create", org, "Web Platform"]), "created web-platform in rust-embedded");
        let child = ["team", "create", org, "On call", "--parent", "web-platform", "--maintainer", OWNER];
        said(&site.run_as_owner(&child), "created on-call in rust-embedded");
        assert_eq!(site.json_as_owner(&["team", "list", org]).as_array().expect("a list").len(), before + 2);
        let (code, tree, err) = outcome(&site.run_as_owner(&["team", "tree", org]));
        assert!(code == 0 && tree.contains("Web Platform (web-platform)\n  On call (on-call)\n"), "{tree}{err}");
        let people = site.json(&["user", "list"]);
        let tom = people[2]["login"].as_str().expect("a login").to_owned();
        let add = ["team", "add", org, "web-platform", &tom, "--role", "maintainer"];
        said(&site.run_as_owner(&add), &format!("{tom} is a maintainer of web-platform"));
        site.run(&["user", "create", "nina"]);
        let invited = "nina is invited to rust-embedded, and joins web-platform then";
        said(&site.run_as_owner(&["team", "add", org, "web-platform", "nina"]), invited);
        refused(&site.run_as_owner(&["team", "add", org, "web-platform", "ghost"]), 1, "no person has the login ghost");
        let given = site.run_as_owner(&["team", "grant", org, "web-platform", "cortex-m-rt", "write"]);
        said(&given, "web-platform has write on cortex-m-rt");
        refused(
            &site.run_as_owner(&["team", "grant", org, "web-platform", "nothing", "write"]),
            1,
            "has no repository nothing",
        );
        let team = site.json_as_owner(&["team", "show", org, "web-platform"]);
        assert!(team["maintainers"].as_array().expect("a list").contains(&tom.clone().into()), "{team}");
        assert_eq!(team["repositories"], Value::from(vec!["cortex-m-rt: write"]));
        let why = site.json_as_owner(&["access", "why", &tom, "rust-embedded/cortex-m-rt"]);
        assert_eq!(why["login"], tom.as_str());
        let (code, who, err) = outcome(&site.run_as_owner(&["access", "who", "rust-embedded/cortex-m-rt"]));
        assert!(code == 0 && who.contains(&tom), "{who}{err}");
        said(
            &site.run_as_owner(&["team", "revoke", org, "web-platform", "cortex-m-rt"]),
            "took cortex-m-rt away from web-platform",
        );
        said(
            &site.run_as_owner(&["team", "remove", org, "web-platform", &tom]),
            &format!("removed {tom} from web-platform"),
        );
        refused(&site.run_as_owner(&["team", "delete", org, "on-call"]), 1, "pass --yes. Nothing was changed");
        said(
            &site.run_as_owner(&["team", "delete", org, "web-platform", "--yes"]),
            "deleted web-platform of rust-embedded",
        );
        refused(&site.run_as_owner(&["team", "show", org, "on-call"]), 1, "rust-embedded has no team on-call");
        refused(&site.run_as_owner(&["team", "show", org, "ghosts"]), 1, "rust-embedded has no team ghosts");
        refused(&site.run_as_owner(&["team", "show", "ghosts", "core"]), 1, "no organization has the login ghosts");
    });
}

#[test]
fn people_join_and_leave_an_organization() {
    Site::each(|site| {
        let org = "rust-embedded";
        let tom = site.json(&["user", "list"])[2]["login"].as_str().expect("a login").to_owned();
        site.run(&["user", "create", "nina"]);
        said(&site.run_as_owner(&["org", "add", org, "nina"]), "nina is invited as a member of rust-embedded");
        said(&site.run_as_owner(&["org", "add", org, &tom, "--role", "owner"]), &format!("{tom} is an owner of {org}"));
        assert!(site.json_as_owner(&["org", "show", org])["owners"].as_array().expect("a list").contains(&json!(tom)));
        said(
            &site.run_as_owner(&["org", "remove", org, &tom, "nina"]),
            &format!("removed {tom} from {org}\nremoved nina from {org}"),
        );
        refused(&site.run_as_owner(&["org", "remove", org, &tom]), 1, &format!("{tom} is not in {org}"));
        refused(&site.run_as_owner(&["org", "remove", org, "ghost"]), 1, "no person has the login ghost");
        refused(&site.run_as_owner(&["org", "add", "ghosts", &tom]), 1, "no organization has the login ghosts");
    });
}

#[test]
fn people_are_invited_by_login_and_by_address() {
    Site::each(|site| {
        site.run(&["user", "create", "nina"]);
        let invite = ["invite", "rust-embedded", "nina", "max@example.com", "--team", "core", "--role", "member"];
        let (code, out, err) = outcome(&site.run_as_owner(&invite));
        assert_eq!((code, out.as_str()), (0, ""), "{err}");
        assert_eq!(err, "nina is invited to rust-embedded\nmax@example.com is invited to rust-embedded\n");
        let (_, listed, _) = outcome(&site.place.run(&["invitations", "rust-embedded"]));
        assert!(
            listed.contains("open nina as direct_member teams=1") && listed.contains("open max@example.com"),
            "{listed}"
        );
        refused(&site.run_as_owner(&["invite", "rust-embedded", "ghost"]), 1, "no person has the login ghost");
        refused(
            &site.run_as_owner(&["invite", "rust-embedded", "max@example.com", "--team", "ghosts"]),
            1,
            "has no team ghosts",
        );
    });
}

#[test]
fn what_the_operator_changes_names_no_person() {
    let place = Place::new();
    place.import();
    assert_eq!(outcome(&place.run(&["team", "create", "rust-embedded", "Web"])).0, 0);
    let team: Value = read(&place.run(&["team", "show", "rust-embedded", "web", "--json"]));
    assert_eq!(
        (&team["maintainers"], &team["members"]),
        (&Value::from(Vec::<Value>::new()), &Value::from(Vec::<Value>::new()))
    );
    let (_, log, _) = outcome(&place.run(&["audit", "rust-embedded", "--action", "team.create"]));
    assert!(log.contains("team.create actor=- "), "{log}");
}

#[test]
fn a_server_is_asked_with_a_token_that_is_never_shown() {
    let place = Place::new();
    place.import();
    let server = place.serve();
    let by_url =
        |arguments: &[&str]| guildhall(&[arguments, &["--url", &server.base]].concat()).output().expect("it runs");
    refused(&by_url(&["team", "list", "rust-embedded"]), 2, "--url needs a token: set GUILDHALL_TOKEN");
    let wrong = by_url(&["team", "list", "rust-embedded", "--token", "ghp_secret"]);
    refused(&wrong, 1, "does not know the token");
    let err = outcome(&wrong).2;
    assert!(err.contains("others on this machine can see --token") && !err.contains("ghp_secret"), "{err}");
    let file = place.dir().join("mine.token");
    std::fs::write(&file, place.token() + "\n").expect("a file");
    let file = file.to_str().expect("a path");
    let (code, out, err) = outcome(&by_url(&["team", "list", "rust-embedded", "--token-file", file]));
    assert!(code == 0 && out.contains("core\tcore"), "{out}{err}");
    let suspended = by_url(&["user", "suspend", OWNER, "--token-file", file]);
    refused(&suspended, 1, "or the token is not one of a site administrator with the scope site_admin");
    let reading = outcome(&place.run(&["token", "create", "--user", OWNER, "--scopes", "read:org"])).1;
    let added = by_url(&["team", "add", "rust-embedded", "core", OWNER, "--token", reading.trim()]);
    refused(&added, 1, "the token may not change who is on core");
    let removed = by_url(&["org", "remove", "rust-embedded", OWNER, "--token", reading.trim()]);
    refused(&removed, 1, &format!("{OWNER} is not in rust-embedded, or the token may not change who is"));
    let elsewhere = ["team", "list", "acme", "--url", "http://127.0.0.1:1", "--token-file", file];
    refused(&guildhall(&elsewhere).output().expect("it runs"), 1, "http://127.0.0.1:1 cannot be reached");
    let secure = server.base.replace("http:", "https:");
    let plain = ["team", "list", "acme", "--url", &secure, "--token-file", file];
    let why = format!("{secure} does not speak TLS; if it is a server without a certificate, use {}", server.base);
    refused(&guildhall(&plain).output().expect("it runs"), 1, &why);
    let wrong = ["team", "list", "acme", "--url", "teams.example.org", "--token-file", file];
    refused(&guildhall(&wrong).output().expect("it runs"), 2, "--url: ");
}
