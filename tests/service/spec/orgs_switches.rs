//! The switches of organizations that clients manage, and which repositories members may create (decision 52).

use crate::spec::given;
use crate::support::{Client, Value, World, json};

const ORG: &str = "/orgs/acme";
const KINDS: [&str; 4] = [
    "members_can_create_repositories",
    "members_allowed_repository_creation_type",
    "members_can_create_public_repositories",
    "members_can_create_private_repositories",
];

#[track_caller]
fn set(world: &World, body: Value) -> [Value; 4] {
    let org = world.olivia().patch(ORG, body).expect(200).clone();
    assert_eq!(world.olivia().get(ORG).expect(200), &org);
    KINDS.map(|name| org[name].clone())
}

/// The status of creating a public and a private repository.
fn creates(client: &Client, name: &str) -> [u16; 2] {
    [false, true].map(|private| {
        let body = json!({ "name": format!("{name}-{private}"), "private": private });
        client.post("/orgs/acme/repos", body).status
    })
}

#[test]
fn decision_52_members_create_the_repositories_that_the_organization_allows() {
    let world = World::new();
    assert_eq!(set(&world, json!({})), [json!(true), json!("all"), json!(true), json!(true)]);
    let cases = [
        (json!({ "members_allowed_repository_creation_type": "private" }), (true, "private", false, true), [403, 201]),
        (json!({ "members_can_create_repositories": false }), (false, "none", false, false), [403, 403]),
        (json!({ "members_can_create_public_repositories": true }), (true, "all", true, false), [201, 403]),
        (json!({ "members_can_create_repositories": true }), (true, "all", true, false), [201, 403]),
        (json!({ "members_allowed_repository_creation_type": "none" }), (false, "none", false, false), [403, 403]),
        (json!({ "members_can_create_repositories": true }), (true, "all", true, true), [201, 201]),
    ];
    for (number, (body, (any, word, public, private), statuses)) in cases.into_iter().enumerate() {
        let shown = [json!(any), json!(word), json!(public), json!(private)];
        assert_eq!(set(&world, body.clone()), shown, "{body}");
        assert_eq!(creates(&world.tom(), &format!("toms-{number}")), statuses, "{body}");
        assert_eq!(creates(&world.olivia(), &format!("hers-{number}")), [201, 201], "{body}");
    }
}

#[test]
fn decision_52_a_refusal_says_which_repositories_may_not_be_created() {
    let world = World::new();
    set(&world, json!({ "members_can_create_public_repositories": false }));
    let refused = world.tom().post("/orgs/acme/repos", json!({ "name": "web" }));
    refused.expect(403);
    let message = refused.json["message"].as_str().expect("a message").to_owned();
    assert!(message.contains("does not let members create public repositories"), "{message}");
    world.olivia().get("/repos/acme/web").refused(404, "Not Found");
    world.tom().post("/user/repos", json!({ "name": "own" })).expect(201);
    world.tom().post("/repos/tom/own/forks", json!({ "organization": "acme" })).expect(403);
}

#[test]
fn decision_52_an_organization_may_keep_its_private_repositories_from_being_forked() {
    let world = World::new();
    for name in ["one", "two"] {
        world.olivia().post("/orgs/acme/repos", json!({ "name": name, "private": true })).expect(201);
    }
    given::repository(&world, "open", None);
    let shown = world.olivia().get(ORG).expect(200)["members_can_fork_private_repositories"].clone();
    assert_eq!(shown, false, "of a new organization");
    world.tom().post("/repos/acme/one/forks", json!({})).expect(403);
    set(&world, json!({ "members_can_fork_private_repositories": true }));
    world.tom().post("/repos/acme/one/forks", json!({})).expect(202);
    set(&world, json!({ "members_can_fork_private_repositories": false }));
    world.tom().post("/repos/acme/two/forks", json!({})).expect(403);
    world.tom().post("/repos/acme/open/forks", json!({})).expect(202);
    // A fork that exists is returned, as before.
    world.tom().post("/repos/acme/one/forks", json!({})).expect(202);
    world.olivia().post("/repos/acme/two/forks", json!({})).expect(202);
    world.nina().post("/repos/acme/two/forks", json!({})).refused(404, "Not Found");
}

#[test]
fn decision_52_a_repository_may_keep_people_from_forking_it() {
    let world = World::new();
    set(&world, json!({ "members_can_fork_private_repositories": true }));
    let kept = json!({ "name": "vault", "private": true, "allow_forking": false });
    world.olivia().post("/orgs/acme/repos", kept.clone()).expect(201);
    let text = "The repository may not be forked: `allow_forking` is off. Ask a person who administers it.";
    world.tom().post("/repos/acme/vault/forks", json!({})).refused(403, text);
    world.olivia().post("/repos/acme/vault/forks", json!({})).expect(202);
    world.tom().get("/repos/tom/vault").refused(404, "Not Found");
    // A public repository can be copied in any case.
    world.olivia().patch("/repos/acme/vault", json!({ "private": false })).expect(200);
    world.tom().post("/repos/acme/vault/forks", json!({})).expect(202);
    world.eve().post("/user/repos", kept).expect(201);
    world.eve().put("/repos/eve/vault/collaborators/nina", json!({ "permission": "admin" })).expect(204);
    world.nina().post("/repos/eve/vault/forks", json!({})).refused(403, text);
    world.nina().patch("/repos/eve/vault", json!({ "allow_forking": true })).expect(200);
    world.nina().post("/repos/eve/vault/forks", json!({})).expect(202);
}

#[test]
fn decision_52_the_other_switches_are_stored_and_shown_to_owners() {
    let world = World::new();
    let body = json!({
        "members_can_create_internal_repositories": true,
        "members_can_create_pages": false,
        "members_can_create_public_pages": false,
        "members_can_create_private_pages": false,
        "web_commit_signoff_required": true,
        "advanced_security_enabled_for_new_repositories": true,
        "dependabot_alerts_enabled_for_new_repositories": true,
        "dependabot_security_updates_enabled_for_new_repositories": true,
        "dependency_graph_enabled_for_new_repositories": true,
        "secret_scanning_enabled_for_new_repositories": true,
        "secret_scanning_push_protection_enabled_for_new_repositories": true,
    });
    world.olivia().patch(ORG, body.clone()).expect(200);
    let org = world.olivia().get(ORG).expect(200).clone();
    let (tom, anonymous) = (world.tom().get(ORG).expect(200).clone(), world.anonymous().get(ORG).expect(200).clone());
    for (name, value) in body.as_object().expect("switches") {
        assert_eq!(&org[name], value, "{name}");
        assert!(tom.get(name).is_none() && anonymous.get(name).is_none(), "{name}");
        world.olivia().patch(ORG, json!({ name: "perhaps" })).expect(422);
    }
    for name in KINDS {
        assert!(tom.get(name).is_none() && anonymous.get(name).is_none(), "{name}");
    }
    let logged = world.olivia().get("/orgs/acme/audit-log?per_page=1").expect(200)[0].clone();
    assert_eq!((&logged["action"], &logged["after"]), (&json!("org.update"), &body));
    world.olivia().patch(ORG, body).expect(200);
    let again = world.olivia().get("/orgs/acme/audit-log?per_page=1").expect(200)[0].clone();
    assert_eq!(again["_document_id"], logged["_document_id"]);
    world.tom().patch(ORG, json!({ "web_commit_signoff_required": false })).expect(403);
    world.olivia().patch(ORG, json!({ "members_allowed_repository_creation_type": "public" })).expect(422);
}
