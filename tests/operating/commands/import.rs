//! `guildhall import` as an operator runs it: whom it invites, what it does not keep, and its report as JSON.

use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::place::{Place, outcome, refused};

const BASE: &str = "orgs:
  acme:
    admins: [olivia]
    members: [max]
    teams:
      Core:
        members: [max]
";

/// A place whose organization `acme` is imported.
fn base() -> Place {
    let place = Place::new();
    assert_eq!(outcome(&import(&place, BASE, &[])).0, 0);
    place
}

pub fn import(place: &Place, content: &str, flags: &[&str]) -> std::process::Output {
    let file = place.database.directory().join("org.yaml");
    fs::write(&file, content).expect("to write");
    place.run(&[&["import", file.to_str().expect("text")], flags].concat())
}

pub fn export(place: &Place) -> String {
    outcome(&place.run(&["export", "acme"])).1
}

#[test]
fn decision_50_a_login_that_only_a_team_names_is_refused_with_its_file_and_line() {
    let place = base();
    let before = export(&place);
    let typed = BASE.replace("        members: [max]\n", "        members:\n        - max\n        - Maks\n");
    let refusal = import(&place, &typed, &[]);
    refused(&refusal, 1, "org.yaml:9: orgs.acme.teams.Core: \"Maks\" is on this team, but is not a member");
    refused(&refusal, 1, "--invite");
    assert_eq!(export(&place), before);
    refused(&place.run(&["token", "create", "--user", "maks", "--scopes", "repo"]), 1, "maks");
    let several = import(&place, &BASE.replace("        members: [max]", "        members: [max, b, c]"), &[]);
    refused(&several, 1, "org.yaml:7: orgs.acme.teams.Core: \"b\" is on this team");
    refused(&several, 1, "org.yaml:7: orgs.acme.teams.Core: \"c\" is on this team");
    let elsewhere = Place::new();
    refused(&import(&elsewhere, &typed, &[]), 1, "org.yaml:9: orgs.acme.teams.Core: \"Maks\"");
}

#[test]
fn decision_50_all_files_are_checked_before_a_login_that_only_a_team_names_is_refused() {
    let place = Place::new();
    let good = place.database.directory().join("good.yaml");
    fs::write(&good, "orgs: {good: {admins: [olivia]}}\n").expect("to write");
    let bad = place.database.directory().join("bad.yaml");
    fs::write(&bad, BASE.replace("      Core:\n        members: [max]", "      Core:\n        members: [maks]"))
        .expect("to write");
    let files = [good, bad].map(|file| file.to_str().expect("text").to_owned());
    refused(&place.run(&["import", &files[0], &files[1]]), 1, "bad.yaml:7: orgs.acme.teams.Core: \"maks\"");
    refused(&place.run(&["export", "good"]), 1, "there is no organization good");
}

#[test]
fn decision_50_with_invite_such_people_are_invited_and_reported_as_invited() {
    let place = base();
    let file = "orgs: {acme: {teams: {Core: {members: [max, Nina]}, Docs: {maintainers: [nina]}}}}\n";
    let (code, report, _) = outcome(&import(&place, file, &["--invite"]));
    assert_eq!(code, 0, "{report}");
    assert!(report.contains("\n  invited (no e-mail is sent): Nina as direct_member, to teams \"Core\", \"Docs\"\n"));
    assert!(report.contains("0 skipped"), "{report}");
    let (code, report, _) = outcome(&import(&place, file, &[]));
    assert_eq!(code, 0, "who is invited may be named by a team: {report}");
    assert!(report.starts_with("acme: nothing to change"), "{report}");
    let exported = export(&place);
    let (_, report, _) = outcome(&import(&Place::new(), &exported, &[]));
    assert!(report.contains("1 invitation"), "an export needs no flag: {report}\n{exported}");
}

#[test]
fn decision_50_people_of_the_stored_organization_are_named_by_teams_alone() {
    let place = base();
    let (code, report, _) = outcome(&import(&place, "orgs: {acme: {teams: {Docs: {members: [MAX, olivia]}}}}\n", &[]));
    assert_eq!(code, 0, "{report}");
    assert!(report.contains("2 memberships"), "{report}");
}

#[test]
fn decision_50_keys_that_are_not_kept_are_named_in_one_line() {
    let place = Place::new();
    let file = BASE.replace(
        "    teams:",
        "    repos:\n      web: {on_create: {license: mit}, has_wiki: true}\n      api: {on_create: {}}\n    teams:",
    );
    let (code, report, _) = outcome(&import(&place, &file, &[]));
    assert_eq!(code, 0, "{report}");
    let lines: Vec<_> = report.lines().filter(|line| line.contains("not kept")).collect();
    assert_eq!(lines, ["  not kept: repos.*.on_create"]);
    let flat = json!({
        "format": "team-org/1", "org": { "login": "flat" }, "source": { "form": "x" },
        "org_members": [["olivia", "admin"]],
        "teams": [{ "key": 1, "name": "Core", "subteam_of": "x" }, { "key": 2, "name": "Docs", "subteam_of": null }],
    });
    let (_, report, _) = outcome(&import(&place, &flat.to_string(), &[]));
    assert!(report.contains("\n  not kept: source, teams.*.subteam_of\n"), "{report}");
    let (_, report, _) = outcome(&import(&place, BASE, &[]));
    assert!(!report.contains("not kept"), "{report}");
}

#[test]
fn a_report_is_json_when_asked() {
    let place = Place::new();
    let file = "orgs: {acme: {admins: [olivia], repos: {web: {on_create: {license: mit}}}, teams: {Core: {members: [nina]}}}}\n";
    let (code, report, _) = outcome(&import(&place, file, &["--invite", "--json"]));
    assert_eq!(code, 0, "{report}");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let expected = json!({
        "login": "acme",
        "created": { "organizations": 1, "accounts": 2, "members": 1, "repositories": 1, "teams": 1, "invitations": 1 },
        "changed": [], "skipped": [], "invited": ["nina as direct_member, to team \"Core\""],
        "not_kept": ["repos.*.on_create"], "not_in_file": [],
    });
    assert_eq!(report, json!({ "organizations": [expected] }));
}

/// The program under `script`, which gives it a terminal and copies what it draws.
fn on_a_terminal(place: &Place, file: &str) -> (std::process::Child, std::process::ChildStdout) {
    let program = place.command(&["import", file]);
    let words: Vec<_> = [program.get_program()].into_iter().chain(program.get_args()).collect();
    let line = words.join(OsStr::new(" "));
    let mut script = Command::new("script");
    script.env("TERM", "xterm").args(["-q", "-e", "-c"]).arg(line).arg("/dev/null");
    let mut child = script.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("script is installed");
    let drawn = child.stdout.take().expect("its output");
    (child, drawn)
}

/// Reads until a text was drawn.
fn drawn(terminal: &mut impl Read, text: &str) {
    let (mut all, mut some) = (Vec::new(), [0; 512]);
    while !String::from_utf8_lossy(&all).contains(text) {
        let read = terminal.read(&mut some).expect("to read");
        assert!(read > 0, "{text} was not drawn: {}", String::from_utf8_lossy(&all));
        all.extend_from_slice(&some[..read]);
    }
}

#[test]
fn a_terminal_shows_the_progress_while_a_file_is_still_read() {
    let place = Place::new();
    let pipe = place.database.directory().join("org.yaml");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let (mut child, mut terminal) = on_a_terminal(&place, pipe.to_str().expect("text"));
    drawn(&mut terminal, "reading");
    let mut file = fs::OpenOptions::new().write(true).open(&pipe).expect("the program reads it");
    file.write_all(BASE.as_bytes()).expect("to write");
    drop(file);
    drawn(&mut terminal, "acme: created 1 organization");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn without_a_terminal_no_progress_is_shown() {
    let (code, _, progress) = outcome(&import(&Place::new(), BASE, &[]));
    assert_eq!((code, progress.as_str()), (0, ""));
}
