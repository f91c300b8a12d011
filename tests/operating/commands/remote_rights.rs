//! Tokens that may not apply with `--url`, or not any more, and two applies at once (decision 75).

use std::fs;
use std::thread;

use serde_json::Value;

use crate::commands::import::export;
use crate::commands::planning::BASE;
use crate::commands::remote::Remote;
use crate::place::outcome;

const EDITED: &str = "orgs: {acme: {description: Edited, teams: {Core: {members: [max, tom, nina]}}}}";

/// A plan that was saved, as a file of another name.
fn saved(remote: &Remote, file: &str) -> (String, Value) {
    let saved = remote.path("plan.json", "").to_str().expect("text").to_owned();
    assert_eq!(remote.run(&["plan", "--out", &saved, file]).0, 2);
    let content = fs::read_to_string(&saved).expect("a file");
    (saved, serde_json::from_str(&content).expect("JSON"))
}

#[test]
fn decision_75_the_plan_of_another_organization_is_not_applied() {
    let remote = Remote::new();
    let beta = remote.path("beta.yaml", &BASE.replace("acme:", "beta:"));
    let imported = remote.place.run(&["import", beta.to_str().expect("text")]);
    assert_eq!(outcome(&imported).0, 0);
    let (_, plan) = saved(&remote, &remote.file(EDITED));
    let forged = plan.to_string().replace("acme", "beta");
    let forged = remote.path("forged.json", &forged);
    let before = (export(&remote.place), remote.run(&["export", "beta"]).1);
    let (code, _, err) = remote.run(&["apply", "--yes", "--plan", forged.to_str().expect("text")]);
    assert!(code == 1 && err.contains("beta: the server no longer has this plan"), "{err}");
    assert_eq!((export(&remote.place), remote.run(&["export", "beta"]).1), before);
}

#[test]
fn decision_75_a_token_that_has_lost_its_rights_since_the_plan_applies_nothing() {
    let remote = Remote::new();
    let (plan, _) = saved(&remote, &remote.file(EDITED));
    let demoted = remote.path("demoted.yaml", "orgs: {acme: {admins: [max], members: [olivia, nina, tom]}}");
    let demoted = remote.place.run(&["apply", "--yes", "--owners", demoted.to_str().expect("text")]);
    assert_eq!(outcome(&demoted).0, 0);
    let before = export(&remote.place);
    let (code, _, err) = remote.run(&["apply", "--yes", "--plan", &plan]);
    assert!(code == 1 && err.contains("or the token may not see it"), "{err}");
    let (code, _, err) = remote.run(&["apply", "--yes", &remote.file(EDITED)]);
    assert!(code == 1 && err.contains("it needs an owner and the scopes admin:org and repo"), "{err}");
    assert_eq!(export(&remote.place), before);
}

#[test]
fn decision_75_an_owner_who_applies_a_file_does_not_remove_themselves() {
    let remote = Remote::new();
    let before = export(&remote.place);
    let gone = remote.file("orgs: {acme: {admins: [max], members: [nina, tom]}}");
    let flags = ["apply", "--yes", "--prune", "--owners", "--max-removals", "100%"];
    let (code, _, err) = remote.run(&[&flags[..], &[&gone]].concat());
    assert!(code == 1 && err.contains("olivia: an owner who applies a file remains an owner"), "{err}");
    assert!(err.ends_with("Nothing was changed\n") && !err.contains(".."), "{err}");
    let swapped = remote.file("orgs: {acme: {admins: [max, nina, tom], members: [olivia]}}");
    let (code, _, err) = remote.run(&["apply", "--yes", &swapped]);
    assert!(code == 1 && err.contains("the change needs --owners"), "{err}");
    assert_eq!(export(&remote.place), before);
}

#[test]
fn decision_75_of_two_applies_at_once_by_url_one_does_everything() {
    let remote = Remote::new();
    let file = remote.file(EDITED);
    let done: Vec<(i32, String)> = thread::scope(|scope| {
        let apply = || {
            let (code, out, _) = remote.run(&["apply", "--yes", &file]);
            (code, out.lines().last().unwrap_or_default().to_owned())
        };
        let both = [scope.spawn(apply), scope.spawn(apply)];
        both.map(|thread| thread.join().expect("an apply")).to_vec()
    });
    let both =
        ["1 added, 1 changed", "0 added, 0 changed"].map(|done| (0, format!("Apply complete: {done}, 0 removed")));
    assert!(both.iter().all(|one| done.contains(one)), "{done:?}");
    assert_eq!(remote.run(&["plan", &file]).0, 0);
}
