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
        (json!({ "op": "replace", "path": "title.nothing", "value": "x" }), "invalidPath"),
        (json!({ "op": "replace", "path": "name.givenName.nothing", "value": "x" }), "invalidPath"),
        (json!({ "op": "replace", "path": "emails[type eq work].value", "value": "x" }), "invalidPath"),
        (json!({ "op": "add", "path": "emails[nothing eq \"x\"].value", "value": "x" }), "noTarget"),
        (json!({ "op": "replace", "path": "title[value eq \"x\"]", "value": "x" }), "invalidPath"),
        (json!({ "op": "replace", "path": "a b c", "value": "x" }), "invalidPath"),
        (json!({ "op": "replace", "path": "", "value": "x" }), "invalidPath"),
        (json!({ "op": "replace", "path": "emails[type eq \"fax\"].value", "value": "x" }), "noTarget"),
        (json!({ "op": "remove" }), "noTarget"),
        (json!({ "op": "remove", "path": "userName" }), "mutability"),
        (json!({ "op": "replace", "path": "id", "value": "u9" }), "mutability"),
        (json!({ "op": "replace", "path": "meta.created", "value": "x" }), "mutability"),
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
