//! Hostile requests: a clear refusal in little time, and nothing changed.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::scim::{Provider, encoded, refused};
use crate::support::database::Database;
use crate::support::{dump, json};

/// Parts of which filters and paths are made, so that many random ones can nearly be read.
const PARTS: [&str; 28] = [
    "userName",
    "emails",
    "name.givenName",
    "emails[",
    "]",
    "(",
    ")",
    "not ",
    "not (",
    " and ",
    " or ",
    " eq ",
    " ne ",
    " co ",
    " sw ",
    " pr",
    " gt ",
    "\"x\"",
    "\"",
    "\\\"",
    "true",
    "null",
    "1e9",
    " ",
    ".",
    ":",
    "urn:a:b:",
    "\u{1F4A5}",
];

fn nearly() -> impl Strategy<Value = String> {
    let parts =
        proptest::collection::vec(0..PARTS.len(), 0..40).prop_map(|parts| parts.iter().map(|at| PARTS[*at]).collect());
    prop_oneof![4 => parts, 1 => "\\PC{0,60}"]
}

#[test]
fn random_filters_and_paths_are_answered() {
    let provider = Provider::new();
    let user = provider.user(json!({ "userName": "anna", "emails": [{ "value": "a@b", "type": "work" }] }));
    let cases = if Database::is_postgres() { 100 } else { 400 };
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let ran = runner.run(&nearly(), |text| {
        let found = provider.get(&format!("/Users?filter={}", encoded(&text)));
        if found.status != 200 {
            refused(&found, 400, Some("invalidFilter"));
        }
        let operation = json!([{ "op": "add", "path": text, "value": "x" }]);
        let patched = provider.patch(&format!("/Users/{user}"), operation);
        prop_assert!([200, 400, 409].contains(&patched.status), "{text:?}: {} {}", patched.status, patched.text);
        Ok(())
    });
    ran.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn deep_long_and_wide_filters_are_refused_at_once() {
    let provider = Provider::new();
    provider.user(json!({ "userName": "anna" }));
    let deep = |n: usize| format!("{}title pr{}", "not (".repeat(n), ")".repeat(n));
    let wide = |n: usize| vec!["title pr"; n].join(" or ");
    let brackets = format!("emails[{}type pr{}]", "(".repeat(900), ")".repeat(900));
    for filter in [deep(70), deep(500), "(".repeat(2_000), wide(51), wide(300), brackets, "x".repeat(3_000)] {
        refused(&provider.post("/Users/.search", json!({ "filter": filter })), 400, Some("invalidFilter"));
    }
    // What is quadratic would take so long that the client would give up.
    refused(&provider.post("/Users/.search", json!({ "filter": "x".repeat(900_000) })), 400, Some("invalidFilter"));
    assert_eq!(provider.post("/Users/.search", json!({ "filter": wide(50) })).expect(200)["totalResults"], 0);
}

#[test]
fn operations_that_would_cost_more_and_more_are_refused() {
    let provider = Provider::new();
    let user = provider.user(json!({ "userName": "anna" }));
    let emails: Vec<_> = (0..50).map(|n| json!({ "value": format!("a{n}@b.example") })).collect();
    let more =
        |n: usize| json!({ "op": "add", "path": "emails", "value": [{ "value": format!("more{n}@b.example") }] });
    let mut operations = vec![json!({ "op": "add", "path": "emails", "value": emails })];
    operations.extend((0..999).map(more));
    refused(&provider.patch(&format!("/Users/{user}"), json!(operations)), 400, Some("invalidValue"));
    operations.push(more(1_000));
    refused(&provider.patch(&format!("/Users/{user}"), json!(operations)), 400, Some("tooMany"));
    let filter = vec!["value eq \"x\""; 21].join(" or ");
    let wide = json!([{ "op": "remove", "path": format!("emails[{filter}]") }]);
    refused(&provider.patch(&format!("/Users/{user}"), wide), 400, Some("invalidPath"));
    assert!(provider.get(&format!("/Users/{user}")).expect(200)["emails"].is_null());
}

#[test]
fn bodies_that_make_no_sense_are_refused_and_change_nothing() {
    let provider = Provider::new();
    let user = provider.user(json!({ "userName": "anna" }));
    let group = provider.group("Staff", &[]);
    let before = dump::everything(&provider.world);
    let long = "x".repeat(300);
    for (path, body) in [
        ("/Users", json!({})),
        ("/Users", json!({ "userName": null })),
        ("/Users", json!({ "userName": 7 })),
        ("/Users", json!({ "userName": "\u{0}" })),
        ("/Users", json!({ "userName": long })),
        ("/Users", json!({ "userName": "b", "emails": "b@c" })),
        ("/Users", json!({ "userName": "b", "name": [] })),
        ("/Users", json!({ "userName": "b", "emails": vec![json!({ "value": "b@c" }); 51] })),
        ("/Users", json!({ "userName": "b", "emails": vec![json!({ "value": "b@c", "primary": true }); 2] })),
        ("/Groups", json!({})),
        ("/Groups", json!({ "displayName": long })),
        ("/Groups", json!({ "displayName": "x", "members": [{ "value": "u999" }] })),
        ("/Groups", json!({ "displayName": "x", "members": { "a": 1 } })),
        ("/Groups", json!({ "displayName": "x", "members": "u1" })),
    ] {
        refused(&provider.post(path, body), 400, Some("invalidValue"));
    }
    for path in [format!("/Users/{user}"), format!("/Groups/{group}")] {
        for body in ["{", "[]", "1", "{\"a\":}"] {
            let answer = provider.client.send("PATCH", &format!("{}{path}", crate::scim::SCIM), Some(body.into()));
            refused(&answer, 400, Some("invalidSyntax"));
        }
        refused(
            &provider.client.patch(&format!("{}{path}", crate::scim::SCIM), json!({ "Operations": 1 })),
            400,
            Some("invalidSyntax"),
        );
        let large = json!({ "userName": "x".repeat(1 << 20) });
        refused(&provider.put(&path, large), 413, None);
    }
    assert!(
        dump::everything(&provider.world) == before,
        "{}",
        dump::difference(&before, &dump::everything(&provider.world))
    );
}

#[test]
fn long_text_by_which_people_and_groups_are_found_is_stored_or_refused() {
    let provider = Provider::new();
    // Every character is another one, so that nothing can be compressed.
    let text = |bytes: usize, width: u32| -> String {
        let nth = |n: u32| char::from_u32(if width == 1 { 0x61 + n % 26 } else { 0x10000 + n * 7919 % 0x1ffff });
        (0..u32::try_from(bytes).expect("a length") / width).filter_map(nth).collect()
    };
    let fitting = [text(1_024, 1), text(1_024, 4)];
    for (nth, text) in fitting.iter().enumerate() {
        // The longest that an e-mail address can be.
        let email = format!("{}{nth}@{}", "a".repeat(63), ["b".repeat(62), "c".repeat(62), "d".repeat(62)].join("."));
        let user = json!({ "userName": format!("anna{nth}"), "externalId": text, "emails": [{ "value": email }] });
        let user = provider.user(user);
        for (attribute, value) in [("externalId", text), ("emails.value", &email)] {
            assert_eq!(provider.found("Users", &format!("{attribute} eq \"{value}\""), "id"), [user.as_str()]);
        }
        provider.post("/Groups", json!({ "displayName": nth.to_string(), "externalId": text })).expect(201);
    }
    for long in [text(4_096, 4), text(1_025, 1), text(1_028, 4)] {
        let user = json!({ "userName": "bert", "externalId": long });
        refused(&provider.post("/Users", user), 400, Some("invalidValue"));
        let user = json!({ "userName": "bert", "emails": [{ "value": long }] });
        refused(&provider.post("/Users", user), 400, Some("invalidValue"));
        let group = json!({ "displayName": "Long", "externalId": long });
        refused(&provider.post("/Groups", group), 400, Some("invalidValue"));
    }
}
