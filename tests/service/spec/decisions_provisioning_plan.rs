//! Provisioning without the plan `enterprise` (decision 49).

use crate::spec::given;
use crate::spec::provider::{Provider, SCIM, address, plan, refused};
use crate::support::{Answer, Value, World, json};

/// The people and the group that a provider created while there was a plan: Anna, whose account is managed; Tom, who is
/// tied; a group of both.
fn provisioned(world: &World) -> (Provider, [String; 3]) {
    let provider = Provider::of(world);
    let (anna, tom) = (provider.user("anna", json!({ "title": "Captain" })), provider.tied(world, "tom"));
    let group = provider.group("Staff", &[&anna, &tom]);
    (provider, [anna, tom, group])
}

fn says_plan(answer: &Answer) {
    refused(answer, 403, None);
    let detail = answer.json["detail"].as_str().expect("a text");
    assert!(detail.contains("enterprise plan") && detail.contains("PATCH /admin/organizations/{org}"), "{detail}");
}

#[test]
fn decision_49_without_the_plan_a_provider_makes_and_changes_nothing() {
    let world = World::new();
    let (provider, [anna, _, group]) = provisioned(&world);
    for plan_name in ["free", "team"] {
        plan(&world, plan_name);
        let written = given::written(&world);
        for path in ["/Users", "/Groups", "/.search", "/Users/.search", "/Groups/.search"] {
            says_plan(&provider.client.post(&format!("{SCIM}{path}"), json!({ "userName": "b", "displayName": "B" })));
            // Before the body is read.
            says_plan(&provider.client.send("POST", &format!("{SCIM}{path}"), Some("{".into())));
        }
        says_plan(&provider.try_user("eve@idp", address("eve")));
        let (user, group) = (format!("{SCIM}/Users/{anna}"), format!("{SCIM}/Groups/{group}"));
        for body in [
            json!({ "userName": "anna" }),
            json!({ "userName": "anna", "active": true }),
            json!({ "userName": "anna", "active": null }),
            json!({ "active": "nonsense" }),
            json!({}),
        ] {
            says_plan(&provider.client.put(&user, body));
        }
        for operation in [
            json!({ "op": "replace", "path": "active", "value": true }),
            json!({ "op": "replace", "path": "title", "value": "Admiral" }),
            json!({ "op": "remove", "path": "active" }),
            json!({ "op": "remove", "path": "active", "value": false }),
            json!({ "op": "replace", "path": "urn:example:acme:1.0:User:active", "value": false }),
            json!({ "op": "add", "value": { "userName": "anne" } }),
            json!({ "op": "nonsense" }),
        ] {
            says_plan(&provider.patch(&format!("/Users/{anna}"), operation));
        }
        says_plan(&provider.client.put(&group, json!({ "displayName": "Staff", "members": [] })));
        says_plan(&provider.client.patch(&group, json!({ "Operations": [{ "op": "remove", "path": "members" }] })));
        assert_eq!(given::written(&world), written);
    }
}

#[test]
fn decision_49_without_the_plan_a_provider_reads() {
    let world = World::new();
    let (provider, [anna, _, group]) = provisioned(&world);
    plan(&world, "free");
    for path in [
        "/Users".to_owned(),
        "/Users?filter=userName%20eq%20%22anna%22".into(),
        format!("/Users/{anna}"),
        "/Groups".into(),
        format!("/Groups/{group}"),
        "/ServiceProviderConfig".into(),
        "/ResourceTypes".into(),
        "/Schemas".into(),
    ] {
        provider.get(&path).expect(200);
    }
    world.max().get(&format!("{SCIM}/Users")).expect(403);
}

#[test]
fn decision_49_without_the_plan_a_provider_takes_people_off() {
    let deactivations: [fn(&Provider, &str) -> Answer; 6] = [
        |provider, user| provider.active(user, false),
        |provider, user| {
            let value = json!({ "active": "False", "title": "Admiral" });
            provider.patch(&format!("/Users/{user}"), json!({ "op": "Replace", "value": value }))
        },
        |provider, user| {
            provider.patch(&format!("/Users/{user}"), json!({ "op": "add", "path": "ACTIVE", "value": false }))
        },
        |provider, user| {
            let body = json!({ "userName": "renamed", "active": false });
            provider.client.put(&format!("{SCIM}/Users/{user}"), body)
        },
        |provider, user| provider.client.put(&format!("{SCIM}/Users/{user}"), json!({ "active": false })),
        |provider, user| {
            let badge = json!({ "op": "add", "path": "badge.number.of.the.door", "value": "Sales" });
            let deactivate = json!({ "op": "replace", "value": { "id": user, "groups": [], "active": "False" } });
            provider.operations(&format!("/Users/{user}"), json!([badge, deactivate]))
        },
    ];
    for deactivate in deactivations {
        let world = World::new();
        let (provider, [anna, tom, _]) = provisioned(&world);
        plan(&world, "free");
        for user in [&anna, &tom, &anna] {
            let before = provider.get(&format!("/Users/{user}")).expect(200).clone();
            let after = deactivate(&provider, user).expect(200).clone();
            // Nothing else of the record changes.
            assert_eq!((&after["active"], &after["userName"]), (&json!(false), &before["userName"]));
            assert_eq!(after["title"], before["title"]);
        }
        world.client("anna").get("/user").refused(403, "Sorry. Your account was suspended.");
        world.olivia().get("/orgs/acme/memberships/tom").expect(404);
        says_plan(&provider.active(&anna, true));
        plan(&world, "enterprise");
        assert_eq!(provider.active(&anna, true).expect(200)["active"], true);
        world.client("anna").get("/user").expect(200);
    }
}

#[test]
fn decision_49_without_the_plan_a_provider_deletes() {
    let world = World::new();
    let (provider, [anna, tom, group]) = provisioned(&world);
    plan(&world, "free");
    for path in [format!("/Users/{anna}"), format!("/Users/{tom}"), format!("/Groups/{group}")] {
        provider.delete(&path).expect(204);
        provider.get(&path).expect(404);
    }
    for login in ["anna", "tom"] {
        world.olivia().get(&format!("/orgs/acme/memberships/{login}")).expect(404);
    }
    let listed: Vec<Value> = world.olivia().get("/orgs/acme/members").each("login");
    assert_eq!(listed, ["olivia", "max", "eve", "ray"]);
}
