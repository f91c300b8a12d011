//! Seeds, settings and directories that `guildhall dev` refuses, before anything is there.

use std::process::{Output, Stdio};

use crate::dev::server::{Server, dev, guildhall};

fn run(arguments: &[&str]) -> Output {
    dev(arguments).stdin(Stdio::null()).output().expect("the program runs")
}

/// The exit code and the message.
fn refused(arguments: &[&str]) -> (i32, String) {
    let output = run(arguments);
    assert!(output.stdout.is_empty(), "it is ready");
    (output.status.code().expect("a code"), String::from_utf8(output.stderr).expect("text"))
}

fn seed(text: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, data) = (folder.path().join("seed.yaml"), folder.path().join("data"));
    std::fs::write(&path, text).expect("a file");
    let (code, message) =
        refused(&["--seed", path.to_str().expect("a path"), "--data-dir", data.to_str().expect("a path")]);
    assert_eq!(code, 1, "{message}");
    assert!(!data.exists(), "something is left after: {message}");
    message.replacen("guildhall: ", "", 1).replace(&path.display().to_string(), "seed.yaml")
}

#[test]
fn a_wrong_seed_is_refused_with_line_and_key() {
    let org = "orgs:\n  acme:\n    admins: [olivia]\n";
    for (text, expected) in [
        ("tokens:\n  short: {login: a}", "seed.yaml:2: tokens.short: the text of a token has 8 to 255"),
        ("tokens:\n  \"with blank\": {login: a}", "seed.yaml:2: tokens.with blank: the text of a token has 8 to 255"),
        ("tokens:\n  good-token: {scopes: [repo]}", "seed.yaml:2: tokens.good-token: add \"login\""),
        ("tokens:\n  good-token:\n    login: a\n    scopes: [rope]", "seed.yaml:4: tokens.good-token.scopes[0]: "),
        (
            "tokens:\n  good-token:\n    login: a\n    scope: [repo]",
            "seed.yaml:4: tokens.good-token.scope: unknown key; did you mean \"scopes\"?",
        ),
        (
            "tokens:\n  good-token: {login: a}\n  good-token: {login: b}",
            "seed.yaml:3: tokens.good-token: duplicate key",
        ),
        ("tokens: [good-token]", "seed.yaml:1: tokens: expected a mapping"),
        (
            &format!("{org}tokens:\n  good-token:\n    login: max\n"),
            "seed.yaml:6: tokens.good-token.login: no person has the login \"max\"",
        ),
        (
            &format!("{org}tokens:\n  good-token:\n    login: acme\n"),
            "seed.yaml:6: tokens.good-token.login: no person has the login \"acme\"",
        ),
        (&format!("{org}users:\n  acme: {{}}"), "seed.yaml:5: users.acme: an organization has this login"),
        ("users:\n  Docs: {}", "seed.yaml:2: users.Docs: this login is reserved"),
        (
            "users:\n  a: {name: \"A\\u200bB\"}",
            "seed.yaml:2: users.a.name: the name \"A\\u{200b}B\" contains characters",
        ),
        ("users:\n  a: {email: nothing}", "seed.yaml:2: users.a.email: \"nothing\" is not a valid e-mail address"),
        (
            "users:\n  a: {email: x@example.com}\n  b: {email: X@example.com}",
            "seed.yaml:3: users.b.email: another person has this",
        ),
        ("users:\n  Max: {}\n  max: {}", "seed.yaml:3: users.max: \"max\" is listed twice; see line 2"),
        ("users:\n  \"a b\": {}", "seed.yaml:2: users.a b: \"a b\" is not a valid login"),
        ("now: yesterday", "seed.yaml:1: now: \"yesterday\" is not a time; write it as 2026-01-01T00:00:00Z"),
        ("frozen: maybe", "seed.yaml:1: frozen: expected true or false"),
        ("org: {}", "seed.yaml:1: org: unknown key; did you mean \"orgs\"?"),
        ("orgs: &all\n  acme: *all", "this alias refers to"),
        (
            "orgs:\n  acme:\n    admins: [olivia]\n    teams:\n      A: &a\n        teams:\n          B: *a",
            "this alias refers to",
        ),
        (&format!("{org}    teams:\n      A: {{members: [nobody-else]}}"), "nobody-else"),
        ("orgs: {", "seed.yaml:"),
        (
            "frozen: maybe\nusers:\n  a b: {site_admin: 1}\norgs: {acme: {admin: [a]}}",
            "\nseed.yaml:3: users.a b.site_admin: expected true or false, found \"1\"\nseed.yaml:4: orgs.acme.admin: unknown key",
        ),
    ] {
        let message = seed(text);
        assert!(message.contains(expected), "{text}\n{message}");
        assert!(message.starts_with("seed.yaml:"), "{text}\n{message}");
    }
    let (code, message) = refused(&["--seed", "/nothing/there.yaml"]);
    assert!(code == 1 && message.contains("/nothing/there.yaml: cannot read the file"), "{message}");
}

#[test]
fn postgresql_and_other_databases_are_refused() {
    for (variable, value, why) in [
        ("GUILDHALL_DATABASE", "postgres://localhost/x", "does not use PostgreSQL"),
        ("GUILDHALL_DATABASE", "sqlite:/tmp/x.db", "has a database of its own"),
        ("GUILDHALL_METRICS_LISTEN", "127.0.0.1:0", "has no metrics"),
    ] {
        let output = guildhall(&["dev"]).env(variable, value).output().expect("the program runs");
        let message = String::from_utf8(output.stderr).expect("text");
        assert!(output.status.code() == Some(2) && message.contains(why), "{message}");
    }
}

#[test]
fn only_the_settings_that_it_uses_have_flags_and_help() {
    let output = guildhall(&["dev", "--help"]).output().expect("the program runs");
    let help = String::from_utf8(output.stdout).expect("text");
    for flag in ["--database", "--postgres-connections", "--postgres-shared-reads", "--metrics-listen", "--new-store"] {
        let (code, message) = refused(&[flag, "x"]);
        assert!(code == 2 && message.contains(&format!("unexpected argument '{flag}'")), "{message}");
        assert!(!help.contains(flag), "{flag}");
    }
    assert!(!help.contains("GUILDHALL_DATA_DIR"), "{help}");
    for flag in ["--listen", "--data-dir", "--log-level", "--tls-certificate", "--rate-limit-enabled", "--config"] {
        assert!(help.contains(flag), "{flag}");
    }
}

#[test]
fn an_ip_address_that_others_reach_needs_a_flag() {
    let (code, message) = refused(&["--listen", "0.0.0.0:0"]);
    assert!(code == 2 && message.contains("--allow-remote"), "{message}");
    let server = Server::start(&["--listen", "0.0.0.0:0", "--allow-remote"]);
    let port = server.address.rsplit_once(':').expect("a port").1;
    let local = crate::support::Client::new(&format!("http://127.0.0.1:{port}"), None);
    local.get("/_guildhall").expect(200);
}

#[test]
fn a_directory_in_use_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("a path").to_owned();
    std::fs::write(folder.path().join("mine.txt"), "mine").expect("a file");
    let (code, message) = refused(&["--data-dir", &path]);
    assert!(code == 1 && message.contains("is not empty") && message.contains(&path), "{message}");
    std::fs::remove_file(folder.path().join("mine.txt")).expect("it is removed");

    let server = Server::start(&["--data-dir", &path]);
    let (code, message) = refused(&["--data-dir", &path]);
    assert!(code == 1 && message.contains(&format!("a server is running on the data directory {path}")), "{message}");
    server.client("guildhall-dev-site-admin").get("/user").expect(200);
}

#[test]
fn the_directory_of_a_server_is_refused_while_it_runs_and_afterwards() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("a path");
    let imported = guildhall(&["import", "--data-dir", path])
        .arg(crate::support::samples::folder().join("peribolos/rust-embedded/org.yaml"))
        .output();
    assert!(imported.expect("the program runs").status.success());
    let (code, message) = refused(&["--data-dir", path]);
    assert!(code == 1 && message.contains("is not empty"), "{message}");
    assert!(folder.path().join("guildhall.db").exists());
}

#[test]
fn help_has_examples_of_each_path() {
    let output = guildhall(&["dev", "--help"]).output().expect("the program runs");
    let help = String::from_utf8(output.stdout).expect("text");
    for word in [
        "--seed",
        "--allow-remote",
        "--control-host",
        "/_guildhall/reset",
        "/clock",
        "/faults",
        "/requests",
        "/deliveries",
        "/mail",
        "{\"advance\":\"8d\"}",
        "rate_limited",
        "guildhall-dev-site-admin",
    ] {
        assert!(help.contains(word), "{word}");
    }
}
