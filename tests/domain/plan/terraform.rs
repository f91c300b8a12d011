//! Plans of Terraform state: what its resources manage, and nothing else (decision 74).

use guildhall::import::read::Source;
use guildhall::plan::{Flags, Kind, Plan};
use serde_json::{Value, json};

use super::{ALL, KEEPING, left, lines};
use crate::support::store::{Store, refusal};

const BASE: &str = "admins: [olivia]\nmembers: [max, tom]\nrepos: {web: {}}\n\
                    teams: {Core: {description: the core, members: [tom]}, Other: {privacy: closed, members: [tom]}}";

fn base() -> Store {
    let store = Store::new();
    store.acme(BASE);
    store
}

/// A managed resource with one instance.
fn one(kind: &str, name: &str, attributes: &Value) -> Value {
    json!({ "mode": "managed", "type": kind, "name": name, "provider": "provider[\"registry.terraform.io/integrations/github\"]",
            "instances": [{ "schema_version": 0, "attributes": attributes, "sensitive_attributes": [] }] })
}

/// The attributes of a team, as the provider stores them.
fn team(id: &str, name: &str, parent: &str) -> Value {
    json!({ "id": id, "name": name, "slug": name.to_lowercase(), "description": "", "privacy": "closed",
            "parent_team_id": parent, "node_id": "T_1", "etag": "x", "members_count": 1, "ldap_dn": null })
}

fn state(resources: &[Value]) -> Value {
    json!({ "version": 4, "terraform_version": "1.9.5", "serial": 7, "lineage": "a", "outputs": {}, "resources": resources })
}

fn planned(store: &Store, state: &Value, flags: Flags) -> guildhall::error::Result<Plan> {
    let text = serde_json::to_string_pretty(state).unwrap();
    Ok(store.plan_of(&[store.file("terraform.tfstate", &text)], Some("acme"), flags)?.remove(0))
}

#[test]
fn decision_74_resources_of_terraform_are_planned_and_everything_else_is_left_alone() {
    let store = base();
    let mut by_key = one("github_team_membership", "people", &json!(null));
    by_key["module"] = json!("module.teams[\"core\"]");
    by_key["instances"] = json!([
        { "index_key": "max", "attributes": { "id": "71:max", "team_id": "71", "username": "max", "role": "maintainer" } },
        { "index_key": "tom", "attributes": { "id": "71:tom", "team_id": "core", "username": "TOM", "role": "member" } },
        { "index_key": "old", "deposed": "1f2e", "attributes": { "team_id": "71", "username": "gone", "role": "member" } },
    ]);
    let mut data = one("github_team", "elsewhere", &team("99", "Elsewhere", ""));
    data["mode"] = json!("data");
    let state = state(&[
        // Below its parent, which comes later.
        one("github_team", "child", &team("72", "Child", "71")),
        one("github_team", "core", &team("71", "Core", "")),
        by_key,
        one("github_team_members", "child", &json!({ "id": "72", "team_id": 72, "members": [{ "username": "tom" }] })),
        one("github_team_repository", "web", &json!({ "team_id": "core", "repository": "web", "permission": "push" })),
        one("github_membership", "una", &json!({ "username": "una", "role": "member" })),
        one(
            "github_repository_collaborator",
            "ray",
            &json!({ "repository": "acme/web", "username": "max", "permission": "maintain" }),
        ),
        one("github_repository", "web", &json!({ "name": "web", "visibility": "private" })),
        one("aws_instance", "machine", &json!({ "secret": 1 })),
        data,
    ]);
    let plan = planned(&store, &state, KEEPING).unwrap();
    let expected = [
        "+ account una",
        "+ member una: member",
        "+ collaborator web/max: maintain",
        "~ team Core: {\"privacy\":\"secret\"} -> {\"privacy\":\"closed\"}",
        "+ team Child: {\"privacy\":\"closed\",\"parent\":\"Core\"}",
        "+ team_member Core/max: maintainer",
        "+ team_member Child/tom: member",
        "+ grant Core/web: write",
    ];
    assert_eq!(lines(&plan), expected);
    assert_eq!(plan.not_kept, ["github_repository"]);
    // Only `github_team_members` has all members of a team; nothing here has all teams or all people.
    assert_eq!(lines(&planned(&store, &state, ALL).unwrap()), expected);
    assert!(left(&plan).contains(&"team Other".to_owned()), "{:?}", left(&plan));
    let all = one(
        "github_team_members",
        "core",
        &json!({ "team_id": "71", "members": [{ "username": "max", "role": "member" }] }),
    );
    let all = self::state(&[one("github_team", "core", &team("71", "Core", "")), all]);
    let pruned = lines(&planned(&store, &all, ALL).unwrap());
    assert_eq!(pruned.last().map(String::as_str), Some("- team_member Core/tom: member"), "{pruned:#?}");
}

#[test]
fn decision_74_errors_of_terraform_state_name_the_address_of_the_resource() {
    let store = base();
    let before = store.state();
    let refused = |state: &Value, expected: &str| {
        let message = refusal(planned(&store, state, KEEPING));
        assert!(message.contains(expected), "{message} does not say {expected}");
        assert_eq!(store.state(), before);
    };
    let membership = |team: &str, role: &str| json!({ "team_id": team, "username": "max", "role": role });
    let core = || one("github_team", "core", &team("71", "Core", ""));
    refused(
        &state(&[core(), one("github_team_membership", "m", &membership("99", "member"))]),
        "github_team_membership.m.team_id: the state has no team \"99\"",
    );
    let mut counted = one("github_team_membership", "m", &json!(null));
    counted["module"] = json!("module.people");
    counted["instances"] = json!([{ "index_key": 2, "attributes": membership("core", "boss") }]);
    refused(&state(&[core(), counted]), "terraform.tfstate:4");
    let mut counted = one("github_team_membership", "m", &json!(null));
    counted["instances"] = json!([{ "index_key": 2, "attributes": membership("core", "boss") }]);
    refused(&state(&[core(), counted]), "github_team_membership.m[2].role: \"boss\" is not one of");
    refused(
        &state(&[one("github_team", "a", &team("1", "A", "2")), one("github_team", "b", &team("2", "B", "1"))]),
        "github_team.a.parent_team_id: the state has no such team, or it is below this one",
    );
    refused(
        &state(&[one("github_membership", "m", &json!({ "role": "member" }))]),
        "github_membership.m: missing attribute \"username\"",
    );
    let mut old = state(&[]);
    old["version"] = json!(3);
    refused(&old, "only version 4 of Terraform state can be read");
    let message = refusal(store.plan(&[store.file("terraform.tfstate", &state(&[]).to_string())], KEEPING));
    assert!(message.contains("Terraform state names no organization; give its login with --org"), "{message}");
}

#[test]
fn decision_74_what_is_kept_of_a_state_has_no_attributes_of_other_resources() {
    let store = base();
    let mut whole = state(&[
        one("github_team", "core", &team("1", "Core", "")),
        one("github_actions_secret", "key", &json!({ "plaintext_value": "hush" })),
        one("aws_db_instance", "main", &json!({ "password": "hush" })),
    ]);
    whole["outputs"] = json!({ "password": { "value": "hush", "type": "string" } });
    whole["resources"][0]["instances"][0]["private"] = json!("hush");
    let marked = Source { file: "terraform.tfstate".into(), text: format!("\u{feff}{whole}") };
    let kept = marked.without_secrets();
    assert!(!kept.text.contains("hush") && kept.text.contains("Core"), "{}", kept.text);
    // A state whose secrets cannot be taken out is not read at all.
    for text in [format!("# a comment\n{whole}"), whole.to_string().replacen("}]", "},]", 1)] {
        let file = store.file("terraform.tfstate", &text);
        let message = refusal(store.plan_of(&[file], Some("acme"), KEEPING));
        assert!(message.contains("Terraform state is JSON, and this file is not"), "{message}");
    }
    let read: Value = serde_json::from_str(&kept.text).unwrap();
    let (before, after) = (planned(&store, &whole, KEEPING).unwrap(), planned(&store, &read, KEEPING).unwrap());
    assert_eq!((before.changes, before.not_kept), (after.changes, after.not_kept));
    let yaml = Source { file: "acme.yaml".into(), text: "orgs: {} # terraform_version".into() };
    assert_eq!(yaml.without_secrets().text, "orgs: {} # terraform_version");
}

#[test]
fn decision_74_a_repository_that_only_a_state_names_is_created_private() {
    let store = base();
    let given = |name: &str| json!({ "team_id": "1", "repository": name, "permission": "push" });
    let resources = [
        one("github_team", "core", &team("1", "Core", "")),
        one("github_team_repository", "web", &given("web")),
        one("github_team_repository", "vault", &given("vault")),
    ];
    let plan = planned(&store, &state(&resources), KEEPING).unwrap();
    let repos = plan.changes.iter().filter(|change| change.kind == Kind::Repository);
    let repos: Vec<_> = repos.map(|change| (change.subject.as_str(), &change.after["private"])).collect();
    assert_eq!(repos, [("vault", &json!(true))], "the one that exists stays as it is");
}
