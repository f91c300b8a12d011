//! How teams delegate requests for reviews, as Terraform reads and writes it.

use crate::data;
use crate::support::{World, json};

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
