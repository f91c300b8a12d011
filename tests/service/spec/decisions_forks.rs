//! Grants on forks whose source is gone (decision 58).

use crate::spec::given;
use crate::support::{World, json};

/// The repository `acme/web`, its fork by Max, and a grant of the fork to `core`. Returns the path of the grant.
fn granted() -> (World, String) {
    let world = World::new();
    given::repository(&world, "web", Some("max"));
    let fork = world.max().post("/repos/acme/web/forks", json!({})).expect(202)["full_name"].clone();
    let grant = format!("/orgs/acme/teams/core/repos/{}", fork.as_str().expect("a name"));
    world.max().put(&grant, json!({ "permission": "pull" })).expect(204);
    (world, grant)
}

fn level(world: &World, grant: &str) -> String {
    let record = world.max().with("Accept", "application/vnd.github.v3.repository+json");
    record.get(grant).expect(200)["role_name"].as_str().expect("a level").to_owned()
}

#[test]
fn decision_58_a_grant_on_a_fork_whose_source_was_deleted_is_changed_and_removed() {
    let (world, grant) = granted();
    world.olivia().delete("/repos/acme/web").expect(204);
    world.max().put(&grant, json!({ "permission": "push" })).expect(204);
    assert_eq!(level(&world, &grant), "write");
    world.max().put_empty(&grant).expect(204);
    assert_eq!(level(&world, &grant), "read");
    world.max().put(&grant, json!({ "permission": "maintain" })).refused(422, "Validation Failed");
    world.max().put(&grant, json!({ "permission": "nonsense" })).refused(422, "Validation Failed");
    world.max().delete(&grant).expect(204);
    let refused = world.max().put(&grant, json!({ "permission": "push" }));
    given::violates(&refused, json!({ "resource": "TeamMember", "code": "not_owned", "field": "repository" }));
}

#[test]
fn decision_58_a_further_team_is_not_granted_such_a_fork() {
    let (world, grant) = granted();
    given::child(&world, &given::core(&world), "Child");
    given::closed(&world, "Other");
    world.olivia().delete("/repos/acme/web").expect(204);
    for team in ["child", "other"] {
        let grant = grant.replace("/core/", &format!("/{team}/"));
        let refused = world.max().put(&grant, json!({ "permission": "push" }));
        given::violates(&refused, json!({ "resource": "TeamMember", "code": "not_owned", "field": "repository" }));
    }
    assert_eq!(level(&world, &grant), "read");
}
