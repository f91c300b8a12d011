//! A NUL in whatever a provider sends: the same refusal on both engines, and nothing changed (section 17).

use crate::scim::{Provider, encoded, refused};
use crate::support::{Answer, Value, dump, json};

/// Every attribute that looks up either kind of resource, one that is compared in memory, and one that does not exist.
const ATTRIBUTES: [&str; 8] =
    ["id", "userName", "externalId", "emails.value", "emails", "displayName", "members.value", "nothing"];

/// Filters that hold a NUL: in JSON's escape, and as it is.
fn filters() -> Vec<String> {
    let of = |attribute: &str| {
        [
            format!("{attribute} eq \"\\u0000\""),
            format!("{attribute} eq \"a\\u0000b\" and title pr"),
            format!("title eq \"x\" or {attribute} co \"\\u0000\""),
            format!("not ({attribute} sw \"\\u0000\")"),
            format!("{attribute} eq \"a\u{0}b\""),
        ]
    };
    let within = ["emails[value eq \"\\u0000\"]", "members[value eq \"u1\\u0000\"]", "\u{0}", "userName\u{0} pr"];
    ATTRIBUTES.iter().flat_map(|attribute| of(attribute)).chain(within.map(str::to_owned)).collect()
}

#[test]
fn a_nul_in_a_filter_is_an_invalid_filter() {
    let provider = Provider::new();
    provider.user(json!({ "userName": "anna", "emails": [{ "value": "a@b.example" }] }));
    provider.group("Staff", &[]);
    for filter in filters() {
        for kind in ["Users", "Groups"] {
            let answer = provider.get(&format!("/{kind}?filter={}", encoded(&filter)));
            refused(&answer, 400, Some("invalidFilter"));
            refused(
                &provider.post(&format!("/{kind}/.search"), json!({ "filter": filter })),
                400,
                Some("invalidFilter"),
            );
        }
        refused(&provider.post("/.search", json!({ "filter": filter })), 400, Some("invalidFilter"));
    }
    refused(&provider.get("/Users?filter=%FF"), 400, Some("invalidFilter"));
    // What only looks like one is text.
    assert_eq!(provider.found("Users", "userName eq \"a\\\\u0000\"", "id"), Vec::<&str>::new());
}

#[test]
fn a_nul_in_another_parameter_or_a_path_is_refused_or_names_nothing() {
    let provider = Provider::new();
    let user = provider.user(json!({ "userName": "anna" }));
    for name in ["startIndex", "count", "attributes", "excludedAttributes"] {
        for nul in ["%00", "1%00", "id%00"] {
            for path in ["/Users".to_owned(), "/Groups".into(), format!("/Users/{user}")] {
                let answer = provider.get(&format!("{path}?{name}={nul}"));
                if answer.status != 200 {
                    refused(&answer, 400, Some("invalidValue"));
                }
            }
        }
        for text in ["\u{0}", "id\u{0}"] {
            let answer = provider.post("/Users/.search", json!({ name: text }));
            if answer.status != 200 {
                refused(&answer, 400, Some("invalidValue"));
            }
        }
    }
    for path in ["/Users/%00", "/Users/u1%00", "/Groups/%00", "/Schemas/%00", "/ResourceTypes/User%00"] {
        for verb in ["GET", "PUT", "PATCH", "DELETE"] {
            let answer = provider.client.send(verb, &format!("{}{path}", crate::scim::SCIM), Some("{}".into()));
            assert!([400, 405].contains(&answer.status), "{verb} {path}: {} {}", answer.status, answer.text);
        }
    }
    refused(&provider.client.get("/scim/v2/organizations/%00/Users"), 400, Some("invalidSyntax"));
    refused(&provider.client.get("/scim/v2/organizations/acme%00/Users"), 400, Some("invalidSyntax"));
}

/// Every text that a person or a group has, each with a NUL.
fn resources() -> Vec<(&'static str, Value)> {
    let mut all = vec![
        ("/Groups", json!({ "displayName": "\u{0}" })),
        ("/Groups", json!({ "displayName": "B", "externalId": "\u{0}" })),
        ("/Groups", json!({ "displayName": "B", "members": [{ "value": "u1\u{0}" }] })),
        ("/Users", json!({ "userName": "a\u{0}b" })),
    ];
    for text in ["externalId", "displayName", "nickName", "profileUrl", "title", "userType", "preferredLanguage"] {
        all.push(("/Users", json!({ "userName": "bert", text: "a\u{0}b" })));
    }
    for part in ["formatted", "familyName", "givenName", "middleName"] {
        all.push(("/Users", json!({ "userName": "bert", "name": { part: "\u{0}" } })));
    }
    for part in ["value", "type"] {
        all.push(("/Users", json!({ "userName": "bert", "emails": [{ "value": "b@c.example" }, { part: "\u{0}" }] })));
    }
    all
}

#[test]
fn a_nul_in_a_resource_is_refused_or_ignored_with_what_is_not_kept() {
    let provider = Provider::new();
    let user = provider.user(json!({ "userName": "anna" }));
    let group = provider.group("Staff", &[]);
    let of = |path: &str| if path == "/Users" { format!("/Users/{user}") } else { format!("/Groups/{group}") };
    let before = dump::everything(&provider.world);
    let answered = |answer: &Answer| refused(answer, 400, Some("invalidValue"));
    let schemas = provider.get("/Schemas").text;
    for (path, resource) in resources() {
        let name = resource.as_object().and_then(|members| members.keys().next_back()).cloned().unwrap_or_default();
        if !schemas.contains(&format!("\"{name}\"")) {
            continue;
        }
        answered(&provider.post(path, resource.clone()));
        answered(&provider.put(&of(path), resource.clone()));
        let value = resource[&name].clone();
        answered(&provider.patch(&of(path), json!([{ "op": "replace", "path": name, "value": value }])));
        answered(&provider.patch(&of(path), json!([{ "op": "add", "value": { name: value } }])));
    }
    let unknown = json!({ "userName": "anna", "\u{0}": "\u{0}", "nothing": ["\u{0}"] });
    provider.put(&of("/Users"), unknown).expect(200);
    let now = dump::everything(&provider.world);
    assert!(now == before, "{}", dump::difference(&before, &now));
}

#[test]
fn a_nul_in_the_path_of_a_change_is_refused() {
    let provider = Provider::new();
    let user = provider.user(json!({ "userName": "anna", "emails": [{ "value": "a@b.example" }] }));
    let group = provider.group("Staff", &[&user]);
    let before = dump::everything(&provider.world);
    let (user, group) = (format!("/Users/{user}"), format!("/Groups/{group}"));
    for (path, of) in [
        ("\u{0}", &user),
        ("\u{0}", &group),
        ("title\u{0}", &user),
        ("title\u{0}", &group),
        ("emails[value eq \"\\u0000\"].value", &user),
        ("emails[value eq \"a\u{0}\"]", &user),
        ("members[value eq \"\\u0000\"]", &group),
    ] {
        for verb in ["add", "replace", "remove"] {
            let answer = provider.patch(of, json!([{ "op": verb, "path": path, "value": "x@y.example" }]));
            let nothing_to_do = verb == "remove" && [200, 204].contains(&answer.status);
            assert!(answer.status == 400 || nothing_to_do, "{verb} {path:?}: {} {}", answer.status, answer.text);
        }
    }
    refused(&provider.patch(&user, json!([{ "op": "\u{0}" }])), 400, Some("invalidSyntax"));
    let now = dump::everything(&provider.world);
    assert!(now == before, "{}", dump::difference(&before, &now));
}
