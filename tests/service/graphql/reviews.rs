//! The delegation of requests for reviews by teams, as Terraform reads and writes it.

use crate::graphql::{ask, data, error};
use crate::support::{Client, Value, World, json};

const READ: &str = "query($login: String!, $slug: String!) { organization(login: $login) { team(slug: $slug) {
    name slug id reviewRequestDelegationEnabled reviewRequestDelegationAlgorithm reviewRequestDelegationMemberCount
    reviewRequestDelegationNotifyTeam } } }";

#[test]
fn a_new_team_delegates_no_requests() {
    let world = World::new();
    let core = world.olivia().get("/orgs/acme/teams/core").expect(200).clone();
    for client in [world.olivia(), world.eve()] {
        let found = data(&client, READ, json!({ "login": "acme", "slug": "core" }));
        assert_eq!(
            found["organization"]["team"],
            json!({
                "name": "Core", "slug": "core", "id": core["node_id"], "reviewRequestDelegationEnabled": false,
                "reviewRequestDelegationAlgorithm": "ROUND_ROBIN", "reviewRequestDelegationMemberCount": 1,
                "reviewRequestDelegationNotifyTeam": true,
            })
        );
    }
}

const WRITE: &str = "mutation($input: UpdateTeamReviewAssignmentInput!) { updateTeamReviewAssignment(input: $input) {
    clientMutationId team { slug reviewRequestDelegationEnabled } } }";

/// The settings of core that Terraform reads.
fn core(client: &Client) -> [Value; 4] {
    let found = data(client, READ, json!({ "login": "acme", "slug": "core" }))["organization"]["team"].clone();
    ["Enabled", "Algorithm", "MemberCount", "NotifyTeam"]
        .map(|name| found[format!("reviewRequestDelegation{name}")].clone())
}

fn node_id(world: &World, path: &str) -> Value {
    world.olivia().get(path).expect(200)["node_id"].clone()
}

fn input(fields: &Value) -> Value {
    json!({ "input": fields })
}

#[test]
fn terraform_reads_what_it_has_written() {
    let world = World::new();
    let id = node_id(&world, "/orgs/acme/teams/core");
    for (client, algorithm, count, notify) in
        [(world.max(), "LOAD_BALANCE", 3, false), (world.olivia(), "ROUND_ROBIN", 10, true)]
    {
        let fields = json!({ "id": id, "enabled": true, "algorithm": algorithm, "teamMemberCount": count,
                             "notifyTeam": notify, "clientMutationId": "tf" });
        let payload = data(&client, WRITE, input(&fields))["updateTeamReviewAssignment"].clone();
        let team = json!({ "slug": "core", "reviewRequestDelegationEnabled": true });
        assert_eq!(payload, json!({ "clientMutationId": "tf", "team": team }));
        assert_eq!(core(&world.eve()), [json!(true), json!(algorithm), json!(count), json!(notify)]);
    }
    data(&world.max(), WRITE, input(&json!({ "id": id, "enabled": false })));
    assert_eq!(core(&world.eve()), [json!(false), json!("ROUND_ROBIN"), json!(1), json!(true)], "the defaults");
}

#[test]
fn a_change_of_the_delegation_is_recorded_once() {
    let world = World::new();
    let id = node_id(&world, "/orgs/acme/teams/core");
    let before = world.olivia().get("/orgs/acme/teams/core").expect(200)["updated_at"].clone();
    world.advance(60);
    let fields = input(&json!({ "id": id, "enabled": true, "teamMemberCount": 2 }));
    data(&world.max(), WRITE, fields.clone());
    data(&world.max(), WRITE, fields);
    assert_ne!(world.olivia().get("/orgs/acme/teams/core").expect(200)["updated_at"], before);
    let auditor = world.limited("olivia", &["admin:org"]);
    let entries = auditor.get("/orgs/acme/audit-log?phrase=action:team.update_review_assignment").expect(200).clone();
    assert_eq!((entries.as_array().map(Vec::len), &entries[0]["actor"]), (Some(1), &json!("max")));
}

#[test]
fn who_may_not_update_a_team_changes_no_delegation() {
    let world = World::new();
    let id = node_id(&world, "/orgs/acme/teams/core");
    world.olivia().post("/orgs/acme/teams", json!({ "name": "Vault", "privacy": "secret" })).expect(201);
    let vault = node_id(&world, "/orgs/acme/teams/vault");
    let user = node_id(&world, "/users/max");
    let narrow = world.limited("max", &["read:org"]);
    for (client, id, kind) in [
        (world.tom(), &id, "FORBIDDEN"),
        (world.eve(), &id, "FORBIDDEN"),
        (world.nina(), &id, "NOT_FOUND"),
        (world.max(), &vault, "NOT_FOUND"),
        (world.olivia(), &user, "NOT_FOUND"),
        (world.olivia(), &json!("x"), "NOT_FOUND"),
        (narrow, &id, "INSUFFICIENT_SCOPES"),
    ] {
        assert_eq!(error(&client, WRITE, input(&json!({ "id": id, "enabled": true }))).0, kind);
    }
    for count in [0, -1, 11, i32::MAX] {
        let fields = json!({ "id": id, "enabled": true, "teamMemberCount": count });
        assert_eq!(error(&world.max(), WRITE, input(&fields)).0, "UNPROCESSABLE", "{count}");
    }
    for fields in [
        json!({ "id": id }),
        json!({ "enabled": true }),
        json!({ "id": id, "enabled": true, "algorithm": "RANDOM" }),
        json!({ "id": id, "enabled": true, "excludedTeamMemberIds": [] }),
    ] {
        assert_eq!(ask(&world.max(), WRITE, input(&fields)).get("data"), None, "{fields}");
    }
    assert_eq!(core(&world.eve())[0], json!(false));
}
