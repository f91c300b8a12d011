//! Every operation for clients that accept compressed responses: a read is the same after decoding, and nothing that shows
//! a token or a secret is compressed (decision 43).

use std::collections::BTreeSet;

use guildhall::operation::Method;

use crate::every_operation::samples;
use crate::every_operation::scene::Scene;
use crate::support::{Value, json};

/// The shortest body that is compressed, in bytes.
const SHORTEST: usize = 1_025;

#[test]
fn decision_43_every_read_is_the_same_after_decoding() {
    let scene = Scene::new();
    let (mut compressed, mut not) = (0, 0);
    for (row, sample) in samples::all().into_iter().filter(|(row, _)| row.method == Method::Get) {
        let client = scene.client(sample.who);
        let whole = sample.clone().query(if row.reply.list { "" } else { sample.query });
        for path in [scene.path(&row.forms[0], &sample), scene.path(&row.forms[0], &whole)] {
            let plain = client.sent("GET", &path, "");
            let sent = client.accepting().sent("GET", &path, "");
            assert_eq!((sent.status, plain.is_compressed()), (plain.status, false), "{path}");
            assert_eq!(sent.is_compressed(), plain.status == 200 && plain.bytes.len() >= SHORTEST, "{path}");
            let varies = |name: &str| plain.header("Vary").is_some_and(|vary| vary.split(", ").any(|of| of == name));
            assert!(varies("Accept-Encoding") && sent.header("Vary") == plain.header("Vary"), "{path}");
            if row.name != "rateLimit.get" {
                assert_eq!(sent.text(), plain.text(), "{path}");
                let weak =
                    plain.header("ETag").map(|tag| if sent.is_compressed() { format!("W/{tag}") } else { tag.into() });
                assert_eq!(sent.header("ETag"), weak.as_deref(), "{path}");
            }
            assert!(!sent.is_compressed() || sent.bytes.len() < plain.bytes.len(), "{path}");
            let count = if sent.is_compressed() { &mut compressed } else { &mut not };
            *count += 1;
        }
    }
    assert!(compressed > 50 && not > 50, "{compressed} {not}");
}

/// The fields with a secret in JSON: a text that looks like a token, or one under a name that says what it is.
fn secrets(json: &Value, name: &str, found: &mut BTreeSet<String>) {
    /// Names that have such a word in them and no secret.
    const HARMLESS: [&str; 3] = ["hashed_token", "token_last_eight", "token_name"];
    match json {
        Value::String(text) => {
            let is_token = text.starts_with("gh") && text.as_bytes().get(3) == Some(&b'_');
            let is_named = ["token", "secret", "password"].iter().any(|word| name.contains(word));
            if is_token || is_named && !HARMLESS.contains(&name) && text.len() > 8 && !text.starts_with("http") {
                found.insert(name.to_owned());
            }
        }
        Value::Array(items) => items.iter().for_each(|item| secrets(item, name, found)),
        Value::Object(members) => members.iter().for_each(|(name, member)| secrets(member, name, found)),
        _ => {}
    }
}

/// Reads show no secret, so they may be compressed; responses to writes may show one, and are never compressed.
#[test]
fn decision_43_what_shows_a_secret_is_never_compressed() {
    let looked = samples::each(|row, sample| {
        let scene = Scene::new();
        let body = sample.members(&scene).map(|body| body.to_string()).unwrap_or_default();
        let path = scene.path(&row.forms[0], sample);
        let sent = scene.client(sample.who).accepting().sent(row.method.name(), &path, &body);
        assert_eq!(sent.status, sample.status, "{path}: {}", sent.text());
        let mut found = BTreeSet::new();
        secrets(&serde_json::from_str(&sent.text()).unwrap_or_default(), "", &mut found);
        let is_read = row.method == Method::Get;
        assert!(is_read || !sent.is_compressed(), "{} is a write", row.name);
        assert!(!is_read || found.is_empty(), "{} shows {found:?}", row.name);
        (row.name, sent.bytes.len(), found)
    });
    let of = |name: &str| looked.iter().find(|(row, ..)| *row == name).expect("a row");
    assert!(of("enterpriseAdmin.createImpersonationOAuthToken").2.contains("token"), "a token is recognized");
    assert!(of("teams.create").1 > SHORTEST, "some responses to writes are long enough");
}

/// Responses of GraphQL may be compressed, because no field shows a secret.
#[test]
fn decision_43_graphql_has_no_field_with_a_secret() {
    let schema = json!({ "query": "{ __schema { types { name fields { name } } } }" });
    let types = Scene::new().world.olivia().post("/graphql", schema).expect(200)["data"]["__schema"]["types"].clone();
    let fields = types.as_array().expect("types").iter().flat_map(|of| of["fields"].as_array().into_iter().flatten());
    let names: Vec<&str> = fields.filter_map(|field| field["name"].as_str()).collect();
    assert!(names.len() > 100 && names.contains(&"login"), "the test sees the fields: {names:?}");
    let secret = |name: &&&str| ["token", "secret", "password"].iter().any(|word| name.to_lowercase().contains(word));
    assert_eq!(names.iter().find(secret), None);
}
