//! `guildhall plan` and `guildhall apply` as an operator runs them: their lines, their exit codes, JSON, and saved plans
//! (decision 74).

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread;

use serde_json::{Value, json};

use crate::commands::import::{export, import};
use crate::place::{Place, outcome, refused};

pub const BASE: &str = "orgs:
  acme:
    admins: [olivia]
    members: [max, nina, tom]
    repos: {web: {}}
    teams:
      Core:
        description: Old
        members: [max, tom]
        repos: {web: read}
";

/// The file whose plan `docs/source-of-truth.md` shows.
const EDITED: &str = "orgs:
  acme:
    admins: [olivia, max]
    members: [nina, tom, ulla]
    teams:
      Core:
        description: New
        maintainers: [nina]
        members: [max]
        repos: {web: write}
";

fn base() -> Place {
    let place = Place::new();
    assert_eq!(outcome(&import(&place, BASE, &[])).0, 0);
    place
}

fn plan(place: &Place, content: &str, flags: &[&str]) -> (i32, String, String) {
    run(place, "plan", content, flags)
}

fn apply(place: &Place, content: &str, flags: &[&str]) -> (i32, String, String) {
    run(place, "apply", content, flags)
}

fn run(place: &Place, command: &str, content: &str, flags: &[&str]) -> (i32, String, String) {
    let file = place.database.directory().join("desired.yaml");
    fs::write(&file, content).expect("to write");
    outcome(&place.run(&[&[command, file.to_str().expect("text")], flags].concat()))
}

#[test]
fn decision_74_a_plan_is_printed_by_team_and_its_exit_code_says_if_there_is_something_to_do() {
    let place = base();
    let before = export(&place);
    let printed = "acme:
  accounts
    + ulla  (needs --create-accounts)
  people
    + ulla: member
    ~ max: member -> admin  (needs --owners)
  team Core
    ~ Core
        description: \"Old\" -> \"New\"
    + nina: maintainer
    ~ repository web: read -> write
  Not in the file, stays as it is:
    tom in team Core: member

1 change needs --owners
1 change needs --create-accounts
Plan: 3 to add, 3 to change, 0 to remove
";
    assert_eq!(plan(&place, EDITED, &[]), (2, printed.to_owned(), String::new()));
    let (code, out, _) = plan(&place, EDITED, &["--prune", "--owners", "--create-accounts"]);
    assert!(code == 2 && out.contains("    - tom: member\n") && !out.contains("needs"), "{out}");
    assert!(out.ends_with("Plan: 3 to add, 3 to change, 1 to remove\n"), "{out}");
    let nothing = "acme:\n  no changes\n\nPlan: 0 to add, 0 to change, 0 to remove\n";
    assert_eq!(plan(&place, BASE, &["--prune"]), (0, nothing.to_owned(), String::new()));
    assert_eq!(plan(&place, &before, &["--prune"]), (0, nothing.to_owned(), String::new()));
    assert_eq!(export(&place), before);
}

#[test]
fn decision_74_json_is_one_document_and_a_plan_is_saved_with_its_files() {
    let place = base();
    let saved = place.database.directory().join("plan.json");
    let (code, out, _) = plan(&place, EDITED, &["--json", "--out", saved.to_str().expect("text")]);
    let document: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &document["summary"]), (2, &json!({ "add": 3, "change": 3, "remove": 0 })));
    let changes = document["organizations"][0]["changes"].as_array().expect("changes");
    let max = json!({
        "action": "change", "kind": "member", "team": null, "subject": "max",
        "before": "member", "after": "admin", "blocked_by": "owners",
    });
    assert!(changes.contains(&max), "{out}");
    let saved: Value = serde_json::from_str(&fs::read_to_string(saved).expect("a file")).expect("JSON");
    assert_eq!(saved["plans"], document["organizations"]);
    assert_eq!(saved["files"][0]["text"], EDITED);
    assert_eq!(saved["format"], "guildhall-plan/1");
}

#[test]
fn decision_74_a_saved_plan_is_for_its_owner_alone_to_read() {
    let place = base();
    let file = place.database.directory().join("plan.json");
    fs::write(&file, "before").expect("to write");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("its mode");
    for _ in 0..2 {
        assert_eq!(plan(&place, EDITED, &["--out", file.to_str().expect("text")]).0, 2);
        assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
        fs::remove_file(&file).expect("to remove");
    }
}

#[test]
fn decision_74_a_saved_plan_never_replaces_the_file_that_is_planned() {
    let place = base();
    let file = place.database.directory().join("acme.yaml");
    fs::write(&file, EDITED).expect("to write");
    let name = file.to_str().expect("text");
    let (code, out, err) = outcome(&place.run(&["plan", name, "--out", name]));
    assert!(code == 1 && out.is_empty() && err.contains("--out would overwrite"), "{code} {out}{err}");
    assert_eq!(fs::read_to_string(&file).expect("a file"), EDITED);
}

#[test]
fn decision_74_a_team_that_goes_is_shown_with_what_goes_with_it() {
    let place = base();
    let nested = BASE.replace("      Core:\n", "      Core:\n        teams: {Left: {}, Right: {teams: {Low: {}}}}\n");
    assert_eq!(outcome(&import(&place, &nested, &[])).0, 0);
    let none = "orgs: {acme: {teams: {}}}";
    let (code, out, _) = plan(&place, none, &["--prune"]);
    let shown = "  team Core\n    - Core  (with 3 child teams)\n";
    assert!(code == 2 && out.contains(shown) && out.contains("    - Right  (with 1 child team)\n"), "{out}");
    assert!(out.contains("    - Low\n"), "{out}");
}

#[test]
fn decision_74_a_plan_that_cannot_be_made_fails_with_1() {
    let place = base();
    let bad = EDITED.replace("description: New", "privacy: open");
    let (code, out, err) = plan(&place, &bad, &[]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("desired.yaml:7: orgs.acme.teams.Core.privacy: \"open\" is not one of"), "{err}");
    let absent = place.run(&["plan", "no-such-file.yaml"]);
    refused(&absent, 1, "no-such-file.yaml: cannot read the file");
    let folder = place.database.directory().to_str().expect("text").to_owned();
    let (code, _, err) = plan(&place, EDITED, &["--out", &folder]);
    assert!(code == 1 && err.contains("choose another file with --out"), "{err}");
    let (code, _, err) = plan(&place, "orgs: {acme: {members: [acme]}}", &[]);
    assert!(code == 1 && err.contains("is a person here and an organization"), "{err}");
}

const ALLOWED: &[&str] = &["--prune", "--owners", "--create-accounts"];

#[test]
fn decision_74_an_apply_asks_and_then_does_what_was_planned() {
    let place = base();
    let before = export(&place);
    let (code, out, err) = apply(&place, EDITED, ALLOWED);
    assert!(code == 1 && out.ends_with("Plan: 3 to add, 3 to change, 1 to remove\n"), "{out}");
    assert!(err.contains("There is no terminal to ask at: pass --yes"), "{err}");
    let (code, _, err) = apply(&place, EDITED, &["--yes"]);
    assert!(code == 1 && err.contains("ulla: the change needs --create-accounts. Nothing was changed"), "{err}");
    let (code, out, err) = apply(&place, EDITED, &[ALLOWED, &["--yes", "--max-removals", "5%"]].concat());
    assert!(
        out.contains("acme: 1 of 7 memberships and grants would go, so apply needs --max-removals 15%\nPlan: "),
        "{out}"
    );
    assert!(code == 1 && err.contains("1 of 7 memberships and grants would go"), "{err}");
    assert_eq!(export(&place), before);
    let (code, out, err) = apply(&place, EDITED, &[ALLOWED, &["--yes"]].concat());
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.ends_with("\nApply complete: 3 added, 3 changed, 1 removed\n"), "{out}");
    let again = apply(&place, EDITED, ALLOWED);
    assert_eq!((again.0, again.2.as_str()), (0, ""), "there is nothing to ask for");
    assert!(again.1.ends_with("Apply complete: 0 added, 0 changed, 0 removed\n"), "{}", again.1);
    let log = outcome(&place.run(&["audit", "acme"])).1;
    let entry = log.lines().find(|line| line.contains("team.update_repository_permission")).expect("an entry");
    assert!(entry.contains("request=apply-") && entry.contains("/desired.yaml"), "{entry}");
    place.must_be_well();
}

#[test]
fn decision_74_a_saved_plan_is_carried_out_unless_the_organization_has_changed() {
    let place = base();
    let file = place.database.directory().join("plan.json");
    let saved = file.to_str().expect("text");
    assert_eq!(plan(&place, EDITED, &[ALLOWED, &["--out", saved]].concat()).0, 2);
    let between = BASE.replace("description: Old", "description: Between");
    assert_eq!(outcome(&import(&place, &between, &[])).0, 0);
    let before = export(&place);
    let (code, out, err) = outcome(&place.run(&["apply", "--plan", saved, "--yes"]));
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("acme is no longer as it was planned. Nothing of it was changed"), "{err}");
    assert!(err.contains("no longer planned: team Core: ~ Core, description: \"Old\" -> \"New\""), "{err}");
    assert!(err.contains("planned now: team Core: ~ Core, description: \"Between\" -> \"New\""), "{err}");
    assert_eq!(export(&place), before);
    assert_eq!(outcome(&import(&place, BASE, &[])).0, 0);
    let (code, out, _) = outcome(&place.run(&["apply", "--plan", saved, "--yes", "--json"]));
    let done: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &done["summary"]), (0, &json!({ "add": 3, "change": 3, "remove": 1 })));
    assert_eq!(plan(&place, EDITED, ALLOWED).0, 0);
    let (code, out, _) = outcome(&place.run(&["apply", "--plan", saved, "--yes"]));
    assert!(code == 0 && out.ends_with("\nApply complete: 0 added, 0 changed, 0 removed\n"), "{out}");
    assert!(out.starts_with("acme:\n  no changes\n"), "what was done is not planned again: {out}");
    for (content, why) in [("{}", "this is no saved plan"), ("{\"format\":1}", "this is no saved plan")] {
        fs::write(&file, content).expect("to write");
        refused(&place.run(&["apply", "--plan", saved, "--yes"]), 1, why);
    }
    refused(&place.run(&["apply", "--plan", "absent.json", "--yes"]), 1, "absent.json: cannot read the plan");
}

#[test]
fn decision_74_an_apply_makes_an_organization_that_does_not_exist_yet() {
    let place = base();
    let new = BASE.replace("acme:", "beta:");
    let (code, out, _) = apply(&place, &new, &["--yes"]);
    assert!(code == 0 && out.contains("    + organization beta\n"), "{out}");
    assert_eq!(plan(&place, &new, &["--prune"]).0, 0);
    let log = outcome(&place.run(&["audit", "beta"])).1;
    assert!(log.lines().count() == 1 && log.contains("org.import"), "{log}");
}

#[test]
fn decision_74_of_two_applies_at_once_one_does_everything() {
    let place = base();
    let file = place.database.directory().join("desired.yaml");
    fs::write(&file, EDITED).expect("to write");
    let arguments = [&["apply", "--yes", file.to_str().expect("text")], ALLOWED].concat();
    let done: Vec<(i32, String)> = thread::scope(|scope| {
        let apply = || {
            let (code, out, _) = outcome(&place.run(&arguments));
            (code, out.lines().last().unwrap_or_default().to_owned())
        };
        let both = [scope.spawn(apply), scope.spawn(apply)];
        both.map(|thread| thread.join().expect("an apply")).to_vec()
    });
    let [once, nothing] = ["3 added, 3 changed, 1 removed", "0 added, 0 changed, 0 removed"];
    let both = [once, nothing].map(|done| (0, format!("Apply complete: {done}")));
    assert!(both.iter().all(|one| done.contains(one)), "{done:?}");
    assert_eq!(plan(&place, EDITED, ALLOWED).0, 0);
    place.must_be_well();
}
