//! Errors: their types, their messages, and whether there is data beside them.

use crate::graphql::{ask, data, error};
use crate::support::{Client, World, json};

#[test]
fn requests_need_credentials_and_a_body() {
    let world = World::new();
    let query = json!({ "query": "{ viewer { login } }" });
    world.anonymous().post("/graphql", query.clone()).refused(401, "This endpoint requires you to be authenticated.");
    Client::new(&world.base, Some("ghp_wrong")).post("/graphql", query).refused(401, "Bad credentials");
    let send = |text: &str| world.max().send("POST", "/graphql", Some(text.to_owned()));
    send("{").refused(400, "Problems parsing JSON");
    send("[]").refused(400, "Body should be a JSON object");
    let unsaid = json!({ "errors": [{ "message": "A query attribute must be specified and must be a string." }] });
    for body in ["{}", r#"{"query":1}"#, r#"{"query":null}"#] {
        assert_eq!(*send(body).expect(200), unsaid);
    }
}

#[test]
fn a_suspended_person_asks_nothing() {
    let world = World::new();
    let max = world.max();
    world.sam().put("/users/max/suspended", json!({})).expect(204);
    max.post("/graphql", json!({ "query": "{ viewer { login } }" })).expect(403);
}

#[test]
fn what_does_not_exist_is_not_found() {
    let world = World::new();
    let olivia = world.olivia();
    for (query, field, message) in [
        (
            "{ organization(login: \"none\") { id } }",
            "organization",
            "Could not resolve to an Organization with the login of 'none'.",
        ),
        (
            "{ organization(login: \"max\") { id } }",
            "organization",
            "Could not resolve to an Organization with the login of 'max'.",
        ),
        ("{ user(login: \"none\") { id } }", "user", "Could not resolve to a User with the login of 'none'."),
        ("{ user(login: \"acme\") { id } }", "user", "Could not resolve to a User with the login of 'acme'."),
        (
            "{ repository(owner: \"acme\", name: \"none\") { id } }",
            "repository",
            "Could not resolve to a Repository with the name 'acme/none'.",
        ),
        ("{ node(id: \"x\") { id } }", "node", "Could not resolve to a node with the global id of 'x'"),
    ] {
        let body = ask(&olivia, query, json!({}));
        assert_eq!(body["data"], json!({ field: null }));
        let found = &body["errors"][0];
        assert_eq!((&found["type"], &found["message"]), (&json!("NOT_FOUND"), &json!(message)));
        assert_eq!((&found["path"], &found["locations"]), (&json!([field]), &json!([{ "line": 1, "column": 3 }])));
    }
    let unknown = ask(&olivia, "{ repositoryOwner(login: \"none\") { login } }", json!({}));
    assert_eq!(unknown, json!({ "data": { "repositoryOwner": null } }));
}

#[test]
fn a_query_that_does_not_fit_the_schema_has_no_data() {
    let world = World::new();
    let body = ask(&world.max(), "{ viewer { shoeSize } }", json!({}));
    let expected = json!({ "errors": [{
        "extensions": { "code": "undefinedField", "typeName": "User", "fieldName": "shoeSize" },
        "locations": [{ "line": 1, "column": 12 }],
        "message": "Field 'shoeSize' doesn't exist on type 'User'",
    }] });
    assert_eq!(body, expected);
    for (query, variables) in [
        ("{ viewer { login ", json!({})),
        ("{ viewer }", json!({})),
        ("{ user { login } }", json!({})),
        ("{ user(login: 1) { login } }", json!({})),
        ("mutation { createTeam { id } }", json!({})),
        ("subscription { viewer { login } }", json!({})),
        ("{ viewer { login } } { viewer { id } }", json!({})),
        (
            "query($x: Int!) { organization(login: \"acme\") { teams(first: $x) { totalCount } } }",
            json!({ "x": "many" }),
        ),
        ("query($x: Int!) { organization(login: \"acme\") { teams(first: $x) { totalCount } } }", json!({})),
        ("query($x: Int!) { organization(login: \"acme\") { teams(first: $x) { totalCount } } }", json!({ "x": 1e40 })),
        ("{ viewer { login } }", json!([1])),
        (
            "{ organization(login: \"acme\") { teams(orderBy: {field: SIZE, direction: ASC}) { totalCount } } }",
            json!({}),
        ),
    ] {
        let body = ask(&world.max(), query, variables);
        assert_eq!((body.get("data"), body["errors"][0]["message"].is_string()), (None, true), "{query}");
    }
    let unknown = json!({ "query": "query A { viewer { login } } query B { viewer { id } }", "operationName": "C" });
    assert_eq!(world.max().post("/graphql", unknown).expect(200).get("data"), None);
}

#[test]
fn a_missing_scope_is_named_and_nothing_is_shown() {
    let world = World::new();
    let narrow = world.limited("olivia", &["notifications"]);
    for (query, field) in [
        ("{ viewer { login email } }", "email"),
        ("{ organization(login: \"acme\") { team(slug: \"core\") { id } } }", "team"),
        (
            "{ organization(login: \"acme\") { ...list } } fragment list on Organization { teams { totalCount } }",
            "teams",
        ),
        ("{ repository(owner: \"a\", name: \"b\") { collaborators { totalCount } } }", "collaborators"),
        ("{ node(id: \"x\") { ... on Team { name } } }", "name"),
    ] {
        let (kind, message, has_data) = error(&narrow, query, json!({}));
        assert_eq!((kind.as_str(), has_data), ("INSUFFICIENT_SCOPES", false), "{query}");
        assert!(
            message.contains(&format!("The '{field}' field requires one of the following scopes: ['")),
            "{message}"
        );
        assert!(message.contains("has only been granted the: ['notifications'] scopes."), "{message}");
    }
    let (_, message, _) = error(&world.limited("olivia", &[]), "{ viewer { email } }", json!({}));
    assert!(message.contains("the: [] scopes"), "{message}");
    let (_, message, _) = error(&world.limited("max", &["repo"]), "{ viewer { email } }", json!({}));
    let needs = "scopes: ['user:email', 'read:user'], but your token has only been granted the: ['repo'] scopes.";
    assert!(message.contains(needs), "{message}");
    for scope in ["user", "read:user", "user:email"] {
        let found = data(&world.limited("max", &[scope]), "{ viewer { login email } }", json!({}));
        assert_eq!(found["viewer"]["login"], "max", "{scope}");
    }
}
