//! Putting in place, changing in part.

use crate::scim::{Provider, refused};
use crate::support::{Value, json};

fn anna(provider: &Provider) -> String {
    provider.user(json!({
        "userName": "anna@idp", "externalId": "x", "title": "Captain", "surprise": { "deep": [1] },
        "name": { "givenName": "Anna", "familyName": "Ahl" },
        "emails": [{ "value": "a@work.example", "type": "work", "primary": true }, { "value": "a@home.example", "type": "home" }],
    }))
}

fn attributes(provider: &Provider, user: &str) -> Value {
    let mut shown = provider.get(&format!("/Users/{user}")).expect(200).clone();
    for given in ["schemas", "id", "meta"] {
        shown.as_object_mut().expect("an object").shift_remove(given);
    }
    shown
}

#[test]
fn what_is_put_takes_the_place_of_what_was() {
    let provider = Provider::new();
    let user = anna(&provider);
    let path = format!("/Users/{user}");
    let put = provider.put(&path, json!({ "USERNAME": "anna@idp", "displayName": "Anna", "id": "u99", "meta": {} }));
    assert_eq!(put.expect(200)["id"], user);
    assert_eq!(attributes(&provider, &user), json!({ "userName": "anna@idp", "displayName": "Anna", "active": true }));
    refused(&provider.put(&path, json!({ "displayName": "Anna" })), 400, Some("invalidValue"));
    refused(&provider.put(&path, json!({ "userName": "  " })), 400, Some("invalidValue"));
    let group = provider.group("Staff", &[&user]);
    let put = provider.put(&format!("/Groups/{group}"), json!({ "displayName": "Crew" }));
    assert_eq!((&put.expect(200)["displayName"], &put.json["members"]), (&json!("Crew"), &Value::Null));
    refused(&provider.put(&format!("/Groups/{group}"), json!({ "members": [] })), 400, Some("invalidValue"));
}

#[test]
fn operations_change_parts() {
    let provider = Provider::new();
    let user = anna(&provider);
    for (operation, member, expected) in [
        (json!({ "op": "Replace", "path": "title", "value": "Boss" }), "title", json!("Boss")),
        (json!({ "op": "remove", "path": "TITLE" }), "title", Value::Null),
        (
            json!({ "op": "add", "path": "name.middleName", "value": "B" }),
            "name",
            json!({ "givenName": "Anna", "familyName": "Ahl", "middleName": "B" }),
        ),
        (
            json!({ "op": "replace", "path": "name", "value": { "givenName": "Ann" } }),
            "name",
            json!({ "givenName": "Ann", "familyName": "Ahl", "middleName": "B" }),
        ),
        (
            json!({ "op": "remove", "path": "name.middleName" }),
            "name",
            json!({ "givenName": "Ann", "familyName": "Ahl" }),
        ),
        (
            json!({ "op": "replace", "path": "emails[type eq \"work\"].value", "value": "b@work.example" }),
            "emails",
            json!([{ "value": "b@work.example", "type": "work", "primary": true }, { "value": "a@home.example", "type": "home" }]),
        ),
        (
            json!({ "op": "add", "path": "emails", "value": [{ "value": "c@other.example", "primary": true }] }),
            "emails",
            json!([{ "value": "b@work.example", "type": "work", "primary": false }, { "value": "a@home.example", "type": "home" },
                { "value": "c@other.example", "primary": true }]),
        ),
        (
            json!({ "op": "remove", "path": "emails[not (type pr) or value sw \"b\"]" }),
            "emails",
            json!([{ "value": "a@home.example", "type": "home" }]),
        ),
        (
            json!({ "op": "add", "path": "emails[type eq \"other\"].value", "value": "o@o.example" }),
            "emails",
            json!([{ "value": "a@home.example", "type": "home" }, { "value": "o@o.example", "type": "other" }]),
        ),
        (
            json!({ "op": "replace", "path": "emails[type eq \"other\"]", "value": { "value": "p@o.example" } }),
            "emails",
            json!([{ "value": "a@home.example", "type": "home" }, { "value": "p@o.example", "type": "other" }]),
        ),
        (
            json!({ "op": "remove", "path": "emails", "value": [{ "value": "p@o.example" }] }),
            "emails",
            json!([{ "value": "a@home.example", "type": "home" }]),
        ),
        (
            json!({ "op": "replace", "value": { "name.givenName": "Anna", "active": "False", "emails": [] } }),
            "emails",
            Value::Null,
        ),
        (json!({ "op": "replace", "path": "active", "value": true }), "active", json!(true)),
    ] {
        let answer = provider.patch(&format!("/Users/{user}"), json!([operation]));
        assert_eq!(&answer.expect(200)[member], &expected, "{operation}");
        assert_eq!(&attributes(&provider, &user)[member], &expected, "{operation}");
    }
}

#[test]
fn an_operation_that_cannot_be_carried_out_undoes_those_before() {
    let provider = Provider::new();
    let user = anna(&provider);
    let before = attributes(&provider, &user);
    let good = json!({ "op": "replace", "path": "title", "value": "Boss" });
    for (operation, kind) in [
        (json!({ "op": "replace", "path": "title[value eq \"x\"]", "value": "x" }), "invalidPath"),
        (json!({ "op": "replace", "path": "a b c", "value": "x" }), "invalidPath"),
        (json!({ "op": "replace", "path": "", "value": "x" }), "invalidPath"),
        (json!({ "op": "replace", "path": "emails[type eq \"fax\"].value", "value": "x" }), "noTarget"),
        (json!({ "op": "remove" }), "noTarget"),
        (json!({ "op": "remove", "path": "userName" }), "mutability"),
        (json!({ "op": "replace", "path": "id", "value": "u9" }), "mutability"),
        (json!({ "op": "add", "value": { "id": "u9" } }), "mutability"),
        (json!({ "op": "remove", "path": "id" }), "mutability"),
        (json!({ "op": "replace", "path": "meta.created", "value": "x" }), "mutability"),
        (json!({ "op": "replace", "path": "meta", "value": { "resourceType": "Group" } }), "mutability"),
        (json!({ "op": "replace", "path": "groups", "value": [{ "value": "g1" }] }), "mutability"),
        (json!({ "op": "add", "path": "groups[value eq \"g1\"].display", "value": "x" }), "mutability"),
        (json!({ "op": "remove", "path": "active" }), "invalidValue"),
        (json!({ "op": "replace", "path": "active", "value": null }), "invalidValue"),
        (json!({ "op": "add", "value": { "active": null } }), "invalidValue"),
        (json!({ "op": "replace", "path": "title", "value": 7 }), "invalidValue"),
        (json!({ "op": "replace", "path": "active", "value": "perhaps" }), "invalidValue"),
        (json!({ "op": "replace", "path": "title", "value": "a\u{0}b" }), "invalidValue"),
        (json!({ "op": "replace", "path": "title", "value": "x".repeat(1_025) }), "invalidValue"),
        (json!({ "op": "move", "path": "title" }), "invalidSyntax"),
        (json!({ "path": "title" }), "invalidSyntax"),
        (json!({ "op": "add", "value": 3 }), "invalidSyntax"),
        (json!([]), "invalidSyntax"),
    ] {
        let answer = provider.patch(&format!("/Users/{user}"), json!([good, operation]));
        refused(&answer, 400, Some(kind));
        assert_eq!(attributes(&provider, &user), before, "{operation}");
    }
}

#[test]
fn what_is_not_kept_is_ignored_and_the_rest_carried_out() {
    let provider = Provider::new();
    let (user, group) = (anna(&provider), provider.group("Staff", &[]));
    let before = attributes(&provider, &user);
    let enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
    for operation in [
        json!({ "op": "Add", "path": format!("{enterprise}:department"), "value": "Sales" }),
        json!({ "op": "Replace", "path": format!("{enterprise}:manager"), "value": { "value": "u9" } }),
        json!({ "op": "Remove", "path": format!("{enterprise}:manager.displayName") }),
        json!({ "op": "Add", "path": "phoneNumbers[type eq \"work\"].value", "value": "+1 5550" }),
        json!({ "op": "Add", "path": "addresses[type eq \"work\" and primary eq true].formatted", "value": "x" }),
        json!({ "op": "Remove", "path": "roles[primary eq \"True\"].value" }),
        json!({ "op": "Replace", "path": "manager.displayName", "value": "x" }),
        json!({ "op": "Replace", "path": "name.nothing", "value": "x" }),
        json!({ "op": "Add", "path": "emails[type eq \"work\"].nothing", "value": "x" }),
        json!({ "op": "Replace", "path": "urn:ietf:params:scim:schemas:core:2.0:Group:title", "value": "x" }),
        json!({ "op": "Replace", "path": "urn:x:2.0:User:active", "value": false }),
        json!({ "op": "Add", "value": { enterprise: { "department": "Sales" }, "no path": 1, "a[b": 1 } }),
        json!({ "op": "Add", "value": { "schemas": ["x"], "department": "Sales", "name.nothing": "x" } }),
    ] {
        provider.patch(&format!("/Users/{user}"), json!([operation])).expect(200);
        assert_eq!(attributes(&provider, &user), before, "{operation}");
        let off = json!([operation, { "op": "Replace", "path": "active", "value": "False" }]);
        assert_eq!(provider.patch(&format!("/Users/{user}"), off).expect(200)["active"], false, "{operation}");
        let on = json!([{ "op": "Replace", "value": { "active": "True" } }]);
        provider.patch(&format!("/Users/{user}"), on).expect(200);
    }
    let change = json!([{ "op": "add", "path": "nickName", "value": "x" }, { "op": "add", "value": { "a.b": 1 } }]);
    provider.patch(&format!("/Groups/{group}"), change).expect(204);
}

#[test]
fn what_a_provider_has_read_is_no_change() {
    let provider = Provider::new();
    let user = anna(&provider);
    let group = provider.group("Staff", &[&user]);
    let read = |path: &str| provider.get(path).expect(200).clone();
    let whole = read(&format!("/Users/{user}"));
    let in_group = json!({ "value": group, "display": "Staff" });
    assert_eq!(
        (&whole["groups"][0]["value"], &whole["groups"][0]["display"]),
        (&in_group["value"], &in_group["display"])
    );
    for value in [
        whole.clone(),
        json!({ "id": user, "meta": { "resourceType": "User" }, "groups": [] }),
        json!({ "meta": {}, "groups": [in_group], "id": "" }),
        json!({ "meta.location": whole["meta"]["location"] }),
    ] {
        let off = json!([{ "op": "replace", "value": value }, { "op": "replace", "value": { "active": false } }]);
        assert_eq!(provider.patch(&format!("/Users/{user}"), off).expect(200)["active"], false, "{value}");
        let on = json!([{ "op": "replace", "path": "active", "value": true }]);
        provider.patch(&format!("/Users/{user}"), on).expect(200);
    }
    let rename = |id: &str| json!([{ "op": "replace", "value": { "id": id, "displayName": "Crew" } }]);
    refused(&provider.patch(&format!("/Groups/{group}"), rename("g999")), 400, Some("mutability"));
    assert_eq!(read(&format!("/Groups/{group}"))["displayName"], "Staff");
    provider.patch(&format!("/Groups/{group}"), rename(&group)).expect(204);
    assert_eq!(read(&format!("/Groups/{group}"))["displayName"], "Crew");
    assert_eq!(provider.found("Users", &format!("groups.value eq \"{group}\""), "id"), [user]);
}

#[test]
fn a_deactivated_person_stays_so_when_active_is_taken_away() {
    let provider = Provider::new();
    let user = anna(&provider);
    let path = format!("/Users/{user}");
    provider.patch(&path, json!([{ "op": "replace", "path": "active", "value": false }])).expect(200);
    for operation in [
        json!({ "op": "remove", "path": "active" }),
        json!({ "op": "replace", "path": "active", "value": null }),
        json!({ "op": "replace", "value": { "active": null } }),
    ] {
        refused(&provider.patch(&path, json!([operation])), 400, Some("invalidValue"));
        assert_eq!(provider.get(&path).expect(200)["active"], false);
    }
    provider.put(&path, json!({ "userName": "anna", "active": null })).expect(200);
    assert_eq!(provider.get(&path).expect(200)["active"], false);
    assert_eq!(provider.found("Users", "active eq false", "id"), [user]);
}

#[test]
fn people_are_put_into_groups_and_taken_out() {
    let provider = Provider::new();
    let people = ["anna", "bert", "carl", "dora"].map(|name| provider.user(json!({ "userName": name })));
    let [anna, bert, carl, dora] = &people;
    let group = provider.group("Staff", &[anna]);
    let path = format!("/Groups/{group}");
    let change = |operation: Value| {
        let answer = provider
            .client
            .patch(&format!("{}{path}?attributes=members", crate::scim::SCIM), json!({ "Operations": [operation] }));
        let members = answer.expect(200)["members"].as_array().cloned().unwrap_or_default();
        members.iter().map(|one| one["value"].as_str().expect("text").to_owned()).collect::<Vec<_>>()
    };
    let named = |people: &[&String]| people.iter().map(|person| json!({ "value": person })).collect::<Value>();
    assert_eq!(change(json!({ "op": "add", "path": "members", "value": named(&[bert, carl, bert]) })), people[..3]);
    assert_eq!(change(json!({ "op": "Add", "value": { "members": named(&[dora]) } })), people);
    let two = format!("members[value eq \"{anna}\" or value eq \"{bert}\"]");
    assert_eq!(change(json!({ "op": "remove", "path": two })), people[2..]);
    assert_eq!(change(json!({ "op": "remove", "path": "members", "value": named(&[carl]) })), people[3..]);
    assert_eq!(change(json!({ "op": "replace", "path": "members", "value": named(&[anna, bert]) })), people[..2]);
    for (operation, kind) in [
        (json!({ "op": "add", "path": "members", "value": [{ "value": group }] }), "invalidValue"),
        (json!({ "op": "add", "path": "members", "value": [{ "value": "u999" }] }), "invalidValue"),
        (json!({ "op": "add", "path": "members", "value": ["u1"] }), "invalidValue"),
        (json!({ "op": "remove", "path": "members[type eq \"User\"]" }), "invalidFilter"),
        (json!({ "op": "replace", "path": "members[value eq \"u1\"]", "value": {} }), "invalidPath"),
        (json!({ "op": "replace", "path": "members.value", "value": "u1" }), "mutability"),
        (json!({ "op": "remove", "path": "displayName" }), "mutability"),
    ] {
        refused(&provider.patch(&path, json!([operation])), 400, Some(kind));
    }
    assert_eq!(change(json!({ "op": "remove", "path": "members" })), Vec::<String>::new());
}

#[test]
fn a_group_has_a_name_of_its_own() {
    let provider = Provider::new();
    let first = provider.group("Staff", &[]);
    let second = provider.group("Crew", &[]);
    refused(&provider.post("/Groups", json!({ "displayName": "STAFF" })), 409, Some("uniqueness"));
    let rename = json!([{ "op": "replace", "path": "displayName", "value": "staff" }]);
    refused(&provider.patch(&format!("/Groups/{second}"), rename.clone()), 409, Some("uniqueness"));
    provider.patch(&format!("/Groups/{first}"), rename).expect(204);
    assert_eq!(provider.get(&format!("/Groups/{first}")).expect(200)["displayName"], "staff");
}
