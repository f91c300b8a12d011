//! Variables that are sent as a JSON text: they are read, and limited, like an object.

use crate::graphql::{ask, data, error};
use crate::support::{Value, World, json};

const QUERY: &str =
    "query($login: String = \"max\", $ids: [ID!] = []) { user(login: $login) { login } nodes(ids: $ids) {
    id } }";

#[test]
fn a_json_text_of_an_object_is_the_object() {
    let world = World::new();
    for (variables, login) in [
        (json!("{\"login\": \"tom\"}"), "tom"),
        (json!(" {\"login\": \"t\\u006fm\", \"other\": {\"a\": [1]}} "), "tom"),
        (json!("{}"), "max"),
        (json!(""), "max"),
        (json!(" \n"), "max"),
        (json!("null"), "max"),
        (json!(null), "max"),
    ] {
        assert_eq!(data(&world.eve(), QUERY, variables.clone())["user"]["login"], login, "{variables}");
    }
}

#[test]
fn any_other_text_is_refused() {
    let world = World::new();
    for text in ["[1]", "1", "true", "{", "{\"login\":}", "{} {}", "\"{}\"", "login=tom", "\u{0}"] {
        let body = ask(&world.eve(), QUERY, json!(text));
        assert_eq!(body, json!({ "errors": [{ "message": "Variables must be an object." }] }), "{text}");
    }
    let (_, message, has_data) = error(&world.eve(), QUERY, json!("{\"login\": 1}"));
    assert!(!has_data && message.contains("login"), "{message}");
}

#[test]
fn a_text_has_the_limits_of_an_object() {
    let world = World::new();
    let refused = |variables: Value| error(&world.eve(), QUERY, variables).0;
    let many = json!({ "ids": vec!["x"; 5_001] });
    assert_eq!(
        (refused(json!(many.to_string())), refused(many)),
        ("MAX_TOKENS_EXCEEDED".into(), "MAX_TOKENS_EXCEEDED".into())
    );
    let deep = format!("{{\"ids\": {}{}}}", "[".repeat(64), "]".repeat(64));
    assert_eq!(refused(json!(deep)), "MAX_DEPTH_EXCEEDED");
    assert_eq!(refused(json!("[".repeat(100_000))), "MAX_DEPTH_EXCEEDED");
    let nul = json!({ "login": "a\u{0}" });
    assert_eq!((refused(json!(nul.to_string())), refused(nul)), ("INVALID_ARGUMENT".into(), "INVALID_ARGUMENT".into()));
}
