//! Requests of identity providers, as reports of other services describe them, and what must come of them (decision 49).

use crate::spec::provider::{Provider, SCIM, refused};
use crate::support::{Value, World, dump, json};

const ENTERPRISE: &str = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

/// Anna, with a name and e-mail addresses, in a group.
fn anna(world: &World) -> (Provider, [String; 2]) {
    let provider = Provider::of(world);
    let anna = json!({
        "name": { "givenName": "Anna", "familyName": "Ahl" }, "title": "Captain",
        "emails": [{ "value": "a@work.example", "type": "work", "primary": true }, { "value": "a@home.example" }],
    });
    let anna = provider.user("anna", anna);
    let group = provider.group("Staff", &[&anna]);
    (provider, [anna, group])
}

fn is_active(provider: &Provider, user: &str) -> Value {
    provider.get(&format!("/Users/{user}")).expect(200)["active"].clone()
}

/// A resource without the time of its last change.
fn described(provider: &Provider, path: &str) -> Value {
    let mut shown = provider.get(path).expect(200).clone();
    shown.as_object_mut().expect("an object").shift_remove("meta");
    shown
}

/// Paths to what is kept of no person.
fn not_kept() -> Vec<String> {
    let wide = vec!["type eq \"work\""; 30].join(" or ");
    [
        "department",
        "manager",
        "manager.displayName",
        "roles[primary eq \"True\"].value",
        "phoneNumbers[type eq \"work\"].value",
        "phoneNumbers[type eq \"work\" and not (primary eq true)]",
        "phoneNumbers[type eq work].value",
        "addresses[type eq \"work\"].formatted",
        "addresses[",
        "badge.number.of.the.door",
        "schemas",
        "name.pronunciation",
        "emails.display",
        "emails[type eq \"work\"].display",
        "urn:ietf:params:scim:schemas:core:2.0:Group:displayName",
        "urn:ietf:params:scim:schemas:core:2.0:User:nothing",
        "urn:example:acme:1.0:User:badge.number",
        "urn:example:acme:1.0:User:active",
        "urn:example:acme:1.0:User:title[value eq \"x\"].value",
    ]
    .map(str::to_owned)
    .into_iter()
    .chain([ENTERPRISE.into(), format!("{ENTERPRISE}:department"), format!("{ENTERPRISE}:manager.value")])
    .chain([format!("phoneNumbers[{wide}].value"), format!("x{}", "y".repeat(2_000))])
    .collect()
}

#[test]
fn decision_49_a_person_is_deactivated_with_attributes_that_are_not_kept() {
    let world = World::new();
    let (provider, [anna, _]) = anna(&world);
    let operations = json!([
        { "op": "Add", "path": format!("{ENTERPRISE}:department"), "value": "Sales" },
        { "op": "Add", "path": "phoneNumbers[type eq \"work\"].value", "value": "+1 5550" },
        { "op": "Replace", "path": "active", "value": "False" },
    ]);
    assert_eq!(provider.operations(&format!("/Users/{anna}"), operations).expect(200)["active"], false);
    world.client("anna").get("/user").refused(403, "Sorry. Your account was suspended.");
}

#[test]
fn decision_49_what_is_not_kept_is_ignored_in_every_form_of_a_change() {
    let world = World::new();
    let (provider, [anna, group]) = anna(&world);
    for (path, status) in [(format!("/Users/{anna}"), 200), (format!("/Groups/{group}"), 204)] {
        let before = described(&provider, &path);
        let mut all = Vec::new();
        for attribute in not_kept() {
            for value in [json!("x"), json!({ "value": "x" }), json!([{ "value": "x", "primary": true }]), Value::Null]
            {
                for verb in ["add", "Replace", "remove"] {
                    all.push(json!({ "op": verb, "path": attribute, "value": value }));
                }
                all.push(json!({ "op": "add", "value": { attribute.as_str(): value } }));
            }
        }
        all.push(json!({ "op": "replace", "value": { "\u{0}": "\u{0}", "a b": 1, "": 2, "phoneNumbers[": [] } }));
        // A group keeps nothing of a person, except that the two have a display name.
        let all: Vec<Value> =
            all.into_iter().filter(|one| status == 200 || !one.to_string().contains("core:2.0")).collect();
        provider.operations(&path, json!(all)).expect(status);
        assert_eq!(described(&provider, &path), before);
    }
}

#[test]
fn decision_49_what_is_not_kept_of_a_value_takes_nothing_away() {
    let world = World::new();
    let (provider, [anna, _]) = anna(&world);
    let path = format!("/Users/{anna}");
    let before = described(&provider, &path);
    for operation in [
        json!({ "op": "add", "path": "emails", "value": [{ "display": "x" }] }),
        json!({ "op": "add", "path": "emails", "value": [] }),
        json!({ "op": "add", "path": "name", "value": { "pronunciation": "x" } }),
        json!({ "op": "replace", "path": "name", "value": { "pronunciation": "x" } }),
        json!({ "op": "replace", "path": "emails[type eq \"work\"]", "value": { "display": "x" } }),
    ] {
        provider.patch(&path, operation.clone()).expect(200);
        assert_eq!(described(&provider, &path), before, "{operation}");
    }
}

#[test]
fn decision_49_attributes_below_the_name_of_their_schema_are_kept() {
    let world = World::new();
    let (provider, [anna, _]) = anna(&world);
    let user = "urn:ietf:params:scim:schemas:core:2.0:User";
    for (operation, active) in [
        (json!({ "op": "replace", "path": format!("{user}:active"), "value": false }), false),
        (json!({ "op": "replace", "value": { user: { "active": true, "schemas": [] } } }), true),
        (json!({ "op": "replace", "path": user, "value": { "active": false } }), false),
        (json!({ "op": "replace", "value": { format!("{user}:ACTIVE"): "true" } }), true),
    ] {
        assert_eq!(provider.patch(&format!("/Users/{anna}"), operation).expect(200)["active"], active);
    }
}

#[test]
fn decision_49_a_group_is_renamed_with_its_own_id_and_with_no_other() {
    let world = World::new();
    let (provider, [anna, group]) = anna(&world);
    let path = format!("/Groups/{group}");
    let rename = |id: &str| json!({ "op": "replace", "value": { "id": id, "displayName": format!("By {id}") } });
    provider.patch(&path, rename(&group)).expect(204);
    assert_eq!(provider.get(&path).expect(200)["displayName"], format!("By {group}"));
    for id in [&anna, "g99"] {
        refused(&provider.patch(&path, rename(id)), 400, Some("mutability"));
        assert_eq!(provider.get(&path).expect(200)["displayName"], format!("By {group}"));
    }
}

#[test]
fn decision_49_what_only_the_service_sets_may_be_sent_back_unchanged() {
    let world = World::new();
    let (provider, [anna, group]) = anna(&world);
    let other = provider.group("Crew", &[&anna]);
    let path = format!("/Users/{anna}");
    let meta = provider.get(&path).expect(200)["meta"].clone();
    let groups = json!([{ "value": other, "display": "Crew", "$ref": "x" }, { "VALUE": group, "type": "direct" }]);
    let mut active = false;
    for repeated in [
        json!({ "id": anna, "meta": { "resourceType": "User" }, "groups": [] }),
        json!({ "id": null, "meta": {}, "groups": null }),
        json!({ "ID": anna, "meta": meta, "groups": groups }),
        json!({ "id": "", "meta.resourceType": "User", "meta": { "version": "W/1" } }),
        json!({ "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "meta.location": meta["location"] }),
    ] {
        let mut value = repeated.clone();
        value["active"] = json!(active);
        assert_eq!(provider.patch(&path, json!({ "op": "replace", "value": value })).expect(200)["active"], active);
        active = !active;
        // The same one by one.
        for (name, value) in repeated.as_object().expect("an object") {
            provider.patch(&path, json!({ "op": "add", "path": name, "value": value })).expect(200);
        }
        // A whole resource is read without what only the service sets.
        let mut whole = provider.get(&path).expect(200).clone();
        whole.as_object_mut().expect("an object").extend(repeated.as_object().expect("an object").clone());
        provider.client.put(&format!("{SCIM}{path}"), whole).expect(200);
    }
}

#[test]
fn decision_49_a_change_of_what_only_the_service_sets_is_refused_and_undoes_the_rest() {
    let world = World::new();
    let (provider, [anna, group]) = anna(&world);
    let elsewhere = provider.group("Crew", &[]);
    let before = dump::everything(&world);
    for operation in [
        json!({ "op": "replace", "value": { "id": "u99", "active": false } }),
        json!({ "op": "replace", "value": { "active": false, "meta": { "resourceType": "Group" } } }),
        json!({ "op": "replace", "value": { "active": false, "groups": [{ "value": elsewhere }] } }),
        json!({ "op": "replace", "value": { "active": false, "groups": [group] } }),
        json!({ "op": "replace", "value": { "active": false, "groups": { "value": elsewhere } } }),
        json!({ "op": "replace", "value": { "active": false, "id": { "value": anna } } }),
        json!({ "op": "replace", "value": { "active": false, "meta": [1] } }),
        json!({ "op": "add", "path": "groups", "value": [{ "value": group }, { "value": elsewhere }] }),
        json!({ "op": "add", "path": "groups.value", "value": elsewhere }),
        json!({ "op": "remove", "path": "groups" }),
        json!({ "op": "remove", "path": format!("groups[value eq \"{group}\"]") }),
        json!({ "op": "remove", "path": "meta.created" }),
        json!({ "op": "remove", "path": "id" }),
    ] {
        let deactivate = json!({ "op": "replace", "path": "active", "value": false });
        let answer = provider.operations(&format!("/Users/{anna}"), json!([deactivate, operation]));
        refused(&answer, 400, Some("mutability"));
        assert_eq!(is_active(&provider, &anna), true, "{operation}");
    }
    let now = dump::everything(&world);
    assert!(now == before, "{}", dump::difference(&before, &now));
}

#[test]
fn decision_49_whether_a_person_is_active_cannot_be_removed() {
    let world = World::new();
    let (provider, [anna, _]) = anna(&world);
    let path = format!("/Users/{anna}");
    for active in [false, true] {
        provider.active(&anna, active).expect(200);
        let before = dump::everything(&world);
        for operation in [
            json!({ "op": "remove", "path": "active" }),
            json!({ "op": "remove", "path": "active", "value": false }),
            json!({ "op": "replace", "path": "active", "value": null }),
            json!({ "op": "add", "path": "ACTIVE" }),
            json!({ "op": "replace", "value": { "active": null, "title": "Boss" } }),
            json!({ "op": "replace", "path": "active", "value": "" }),
            json!({ "op": "replace", "path": "active", "value": [] }),
            json!({ "op": "replace", "path": "active", "value": 0 }),
            json!({ "op": "replace", "path": "active.value", "value": false }),
            json!({ "op": "replace", "path": "active[value eq true]", "value": false }),
        ] {
            assert_eq!(provider.patch(&path, operation.clone()).status, 400, "{operation}");
        }
        let body = json!({ "userName": "anna", "active": null });
        refused(&provider.client.put(&format!("{SCIM}{path}"), body), 400, Some("invalidValue"));
        refused(&provider.try_user("bert", json!({ "active": null })), 400, Some("invalidValue"));
        let now = dump::everything(&world);
        assert!(now == before, "{}", dump::difference(&before, &now));
        // A change that does not mention it leaves it.
        provider.client.put(&format!("{SCIM}{path}"), json!({ "userName": "anna" })).expect(200);
        assert_eq!(is_active(&provider, &anna), active);
        let suspended = world.client("anna").get("/user").status == 403;
        assert_eq!(suspended, !active);
    }
    let schema = provider.get("/Schemas/urn:ietf:params:scim:schemas:core:2.0:User");
    let attributes = schema.expect(200)["attributes"].as_array().expect("a list");
    let required: Vec<&Value> =
        attributes.iter().filter(|one| one["required"] == true).map(|one| &one["name"]).collect();
    assert_eq!(required, ["userName", "active"]);
}

#[test]
fn decision_49_a_record_that_never_said_whether_it_is_active_shows_that_it_is() {
    let world = World::new();
    let (provider, [anna, _]) = anna(&world);
    world.execute("UPDATE scim_users SET active = NULL");
    assert_eq!(is_active(&provider, &anna), true);
    let found = provider.get("/Users?filter=active%20eq%20true");
    assert_eq!(found.expect(200)["totalResults"], 1);
}
