//! Plans of teams: names, places in the tree, and levels.

use super::{ALL, KEEPING, left, lines, planned};
use crate::support::store::{Store, refusal};

fn base() -> Store {
    let store = Store::new();
    store.acme(
        "admins: [olivia]\nrepos: {web: {}, api: {}}\n\
         teams: {Core: {description: Old, repos: {web: read}, teams: {Leaf: {repos: {web: admin}}}}, Docs: {}}",
    );
    store
}

#[test]
fn decision_74_a_renamed_team_is_found_by_a_former_name_or_by_its_id() {
    let store = base();
    let renamed = "~ team Kern: {\"name\":\"Core\"} -> {\"name\":\"Kern\"}";
    let file = "teams: {Kern: {previously: [Core], teams: {Leaf: {}}}, Docs: {}}";
    assert_eq!(lines(&planned(&store, file, ALL)), [renamed]);
    let id = store.rows::<(i64,)>("SELECT id FROM teams WHERE slug = 'core'")[0].0;
    let file = format!("teams: {{Kern: {{guildhall: {{id: {id}}}, teams: {{Leaf: {{}}}}}}, Docs: {{}}}}");
    assert_eq!(lines(&planned(&store, &file, ALL)), [renamed]);
    let gone = planned(&store, "teams: {Kern: {privacy: closed}}", KEEPING);
    assert_eq!(lines(&gone), ["+ team Kern: {\"privacy\":\"closed\"}"]);
    assert_eq!(
        left(&gone),
        ["member olivia", "repository api", "repository web", "team Core", "team Leaf", "team Docs"]
    );
    for bad in ["0", "-1", "x"] {
        let file = super::acme(&store, &format!("teams: {{Kern: {{guildhall: {{id: {bad}}}}}}}"));
        let refused = refusal(store.plan(&[file], ALL));
        assert!(refused.contains("planned.yaml:3: orgs.acme.teams.Kern.guildhall.id"), "{refused}");
    }
}

#[test]
fn decision_74_parents_come_before_children_and_teams_that_become_secret_come_last() {
    let store = base();
    let file = "teams: {Core: {privacy: secret}, Docs: {teams: {New: {}, Leaf: {description: Moved}}}}";
    assert_eq!(
        lines(&planned(&store, file, ALL)),
        [
            "~ team Docs: {\"privacy\":\"secret\"} -> {\"privacy\":\"closed\"}",
            "+ team New: {\"privacy\":\"closed\",\"parent\":\"Docs\"}",
            "~ team Leaf: {\"description\":null,\"parent\":\"Core\"} -> {\"description\":\"Moved\",\"parent\":\"Docs\"}",
            "~ team Core: {\"privacy\":\"closed\"} -> {\"privacy\":\"secret\"}",
        ]
    );
    let swapped = "teams: {Leaf: {teams: {Core: {description: Old}}}, Docs: {}}";
    assert_eq!(
        lines(&planned(&store, swapped, ALL)),
        [
            "~ team Leaf: {\"parent\":\"Core\"} -> {\"parent\":null}",
            "~ team Core: {\"parent\":null} -> {\"parent\":\"Leaf\"}",
        ]
    );
    let above = planned(&store, "teams: {Core: {privacy: secret}}", KEEPING);
    assert_eq!(lines(&above), Vec::<String>::new());
    assert_eq!(above.skipped, ["team \"Core\" stays closed, because it has child teams that are not in the file"]);
}

#[test]
fn decision_74_a_removed_team_takes_its_children_along_and_a_child_goes_only_with_a_list() {
    let store = base();
    assert_eq!(lines(&planned(&store, "teams: {Docs: {}}", ALL)), ["- team Leaf", "- team Core: with 1, 0"]);
    assert_eq!(lines(&planned(&store, "teams: {Core: {}}", ALL)), ["- team Docs"]);
    assert_eq!(lines(&planned(&store, "teams: {Core: {teams: {}}, Docs: {}}", ALL)), ["- team Leaf"]);
    assert_eq!(
        lines(&planned(&store, "teams: {Leaf: {}}", ALL)),
        ["~ team Leaf: {\"parent\":\"Core\"} -> {\"parent\":null}", "- team Docs", "- team Core",]
    );
}

#[test]
fn decision_74_the_level_none_removes_a_grant_without_prune() {
    let store = base();
    let file = "teams: {Core: {repos: {web: none, api: none}, teams: {Leaf: {repos: {WEB: write, api: triage}}}}}";
    assert_eq!(
        lines(&planned(&store, file, KEEPING)),
        ["~ grant Leaf/web: admin -> write", "+ grant Leaf/api: triage", "- grant Core/web: read",]
    );
    let plan = planned(&store, "teams: {Core: {repos: {}}, Docs: {repos: {x: none, y: read}}}", KEEPING);
    assert_eq!(lines(&plan), ["+ repository y: {\"private\":false}", "+ grant Docs/y: read"]);
    assert_eq!(plan.skipped, ["repository x is not created, because the file only removes grants on it"]);
    assert_eq!(left(&plan), ["member olivia", "repository api", "repository web", "team Leaf", "grant Core/web"]);
}

#[test]
fn decision_74_security_managers_and_former_names_are_compared() {
    let store = base();
    let file =
        "teams: {Core: {previously: [Kernel, Docs], guildhall: {security_manager: true}, teams: {Leaf: {}}}, Docs: {}}";
    let plan = planned(&store, file, ALL);
    assert_eq!(lines(&plan), ["+ former_team_name Core/Kernel: true", "+ security_manager Core/Core: true"]);
    let skipped = "former name \"Docs\" of team \"Core\": it is a name, or a former name, of another team";
    assert_eq!(plan.skipped, [skipped]);
    store.acme(file);
    assert_eq!(lines(&planned(&store, file, ALL)), Vec::<String>::new());
    let off = file.replace("true", "false");
    assert_eq!(lines(&planned(&store, &off, KEEPING)), ["- security_manager Core/Core: true"]);
}
