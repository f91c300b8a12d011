//! Queries that would cost too much: refused before they are parsed, by counting, or while they run.

use std::fmt::Write;

use crate::graphql::{ask, data, error, refused};
use crate::support::{World, json};

/// One text after the other.
fn repeated(count: usize, part: impl Fn(usize) -> String) -> String {
    let parts: Vec<String> = (0..count).map(part).collect();
    parts.concat()
}

#[test]
fn a_text_that_is_long_or_deep_is_refused_before_the_parser_sees_it() {
    let world = World::new();
    let max = world.max();
    refused(&max, &format!("{{ viewer {{ login }} }} {}", "#".repeat(65_536)), "MAX_QUERY_SIZE_EXCEEDED");
    refused(&max, &"{".repeat(1_000_000), "MAX_QUERY_SIZE_EXCEEDED");
    for bracket in ["{", "[", "(", "{a", "{a(b:[", "{a(b:{c:"] {
        refused(&max, &bracket.repeat(5_000), "MAX_DEPTH_EXCEEDED");
    }
    refused(&max, &format!("{{ viewer {{ {} }} }}", "login ".repeat(5_000)), "MAX_TOKENS_EXCEEDED");
    max.send("POST", "/graphql", Some("{".repeat(1 << 20))).expect(400);
    max.send("POST", "/graphql", Some(" ".repeat((1 << 20) + 1))).expect(413);
    data(&max, "{ viewer { login } }", json!({}));
}

#[test]
fn a_query_for_too_many_nodes_is_counted_and_refused() {
    let world = World::new();
    let query = "query($first: Int!) { organization(login: \"acme\") { teams(first: 100) { nodes {
            members(first: 100) { nodes {
        organizations(first: $first) { totalCount } } } } } } }";
    let (kind, message, has_data) = error(&world.max(), query, json!({ "first": 100 }));
    assert_eq!((kind.as_str(), has_data), ("MAX_NODE_LIMIT_EXCEEDED", false));
    let expected = "This query requests up to 1,010,100 possible nodes which exceeds the maximum limit of 500,000.";
    assert_eq!(message, expected);
    data(&world.max(), query, json!({ "first": 40 }));
    // Without a size, a page has 100.
    let unsized_pages = query.replace("(first: $first)", "").replace("query($first: Int!)", "query");
    assert_eq!(error(&world.max(), &unsized_pages, json!({})).0, "MAX_NODE_LIMIT_EXCEEDED");
}

#[test]
fn fragments_that_multiply_are_counted_as_what_they_become() {
    let world = World::new();
    let mut query = "{ organization(login: \"acme\") { ...f0 } }".to_owned();
    for n in 0..6 {
        let next = n + 1;
        write!(
            query,
            " fragment f{n} on Organization {{ a: team(slug: \"core\") {{ organization {{ ...f{next}
            }} }} b: team(slug: \"core\") {{ organization {{ ...f{next} }} }} c: team(slug: \"core\") {{
            organization {{ ...f{next} }} }} d: team(slug: \"core\") {{ organization {{ ...f{next} }} }}
            }}"
        )
        .expect("text");
    }
    query.push_str(" fragment f6 on Organization { login }");
    refused(&world.max(), &query, "MAX_ALIASES_EXCEEDED");
    let chain = repeated(900, |n| format!(" fragment f{n} on User {{ ...f{} }}", n + 1));
    let body =
        ask(&world.max(), &format!("{{ viewer {{ ...f0 }} }}{chain} fragment f900 on User {{ login }}"), json!({}));
    assert!(body.is_object());
}

#[test]
fn fragments_in_circles_are_refused() {
    let world = World::new();
    for fragments in [
        "fragment a on User { ...a }",
        "fragment a on User { login ...b } fragment b on User { ...a }",
        "fragment a on User { organizations { nodes { ...b } } } fragment b on Organization { membersWithRole {
            nodes { ...a } } }",
    ] {
        let body = ask(&world.max(), &format!("{{ viewer {{ ...a }} }} {fragments}"), json!({}));
        assert_eq!((body.get("data"), body["errors"][0]["message"].is_string()), (None, true));
    }
    data(&world.max(), "{ viewer { login } }", json!({}));
}

#[test]
fn a_query_is_fifteen_fields_deep_at_most() {
    let world = World::new();
    let nested = |levels: usize| {
        let inner = "team(slug: \"core\") { organization { ".repeat(levels);
        format!("{{ organization(login: \"acme\") {{ {inner} login {} }} }}", "} }".repeat(levels))
    };
    data(&world.max(), &nested(6), json!({}));
    refused(&world.max(), &nested(7), "MAX_DEPTH_EXCEEDED");
}

#[test]
fn a_thousand_aliases_are_enough() {
    let world = World::new();
    let query = |count: usize| format!("{{ {} }}", repeated(count, |n| format!(" a{n}: __typename")));
    let found = data(&world.max(), &query(1_000), json!({}));
    assert_eq!(found["a999"], "Query");
    refused(&world.max(), &query(1_001), "MAX_ALIASES_EXCEEDED");
}

#[test]
fn the_schema_is_not_described_without_end() {
    let world = World::new();
    let query =
        "{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }";
    refused(&world.max(), query, "MAX_NODE_LIMIT_EXCEEDED");
    let many = repeated(400, |n| format!(" a{n}: __schema {{ ...t }}"));
    let query = format!("{{ {many} }} fragment t on __Schema {{ types {{ fields {{ name }} }} }}");
    refused(&world.max(), &query, "MAX_NODE_LIMIT_EXCEEDED");
    let many = repeated(60, |n| format!(" a{n}: __schema {{ types {{ fields {{ name }} }} }}"));
    refused(&world.max(), &format!("{{ {many} }}"), "MAX_NODE_LIMIT_EXCEEDED");
    let names = repeated(100, |n| format!(" a{n}: name"));
    refused(&world.max(), &format!("{{ __schema {{ types {{ fields {{ {names} }} }} }} }}"), "MAX_NODE_LIMIT_EXCEEDED");
}

#[test]
fn arguments_have_at_most_5000_values() {
    let world = World::new();
    let ids = |count: usize| json!({ "ids": vec!["x"; count] });
    let nodes = "query($ids: [ID!]!) { nodes(ids: $ids) { id } }";
    assert_eq!(error(&world.max(), nodes, ids(4_999)).0, "ARGUMENT_LIMIT");
    let (kind, _, has_data) = error(&world.max(), nodes, ids(200_000));
    assert_eq!((kind.as_str(), has_data), ("MAX_TOKENS_EXCEEDED", false));
    let often = repeated(51, |n| format!(" a{n}: nodes(ids: $ids) {{ id }}"));
    let (kind, _, has_data) = error(&world.max(), &format!("query($ids: [ID!]!) {{ {often} }}"), ids(100));
    assert_eq!((kind.as_str(), has_data), ("ARGUMENT_LIMIT", false));
}

#[test]
fn a_query_that_takes_too_long_is_stopped() {
    let world = World::new();
    let olivia = world.olivia();
    for n in 0..30 {
        olivia.post("/orgs/acme/teams", json!({ "name": format!("team {n}"), "privacy": "closed" })).expect(201);
    }
    let part = repeated(40, |n| format!(" a{n}: members(first: 1) {{ ...m }}"));
    let lists = repeated(24, |n| format!(" t{n}: teams(first: 100) {{ ...t }}"));
    let query = format!(
        "{{ organization(login: \"acme\") {{ {lists} }} }} fragment t on TeamConnection {{ nodes {{ {part} }} }}
         fragment m on TeamMemberConnection {{ nodes {{ repositories(first: 1) {{ totalCount }}
            organizations(first: 1) {{ totalCount }} name }} }}"
    );
    refused(&olivia, &query, "RESOURCE_LIMITS_EXCEEDED");
    data(&olivia, "{ viewer { login } }", json!({}));
}

#[test]
fn a_query_that_waits_too_long_for_the_database_is_stopped() {
    let world = World::new();
    let (query, clock) = (
        "{ viewer { login name organizations(first: 1) { nodes { name teams { nodes { name } } } } } }",
        world.clock.clone(),
    );
    data(&world.tom(), query, json!({}));
    world.faults.ahead(move || assert!(clock.set(|now| Some(now.plus_seconds(2))).is_some()));
    refused(&world.tom(), query, "RESOURCE_LIMITS_EXCEEDED");
}

#[test]
fn values_of_the_wrong_kind_are_refused() {
    let world = World::new();
    let query = "query($id: ID!, $ids: [ID!]!) { node(id: $id) { id } nodes(ids: $ids) { id } }";
    let long = "x".repeat(500_000);
    let body = ask(&world.max(), query, json!({ "id": long, "ids": [] }));
    assert_eq!(body["errors"][0]["type"], "NOT_FOUND");
    for variables in [json!({ "id": {}, "ids": [] }), json!({ "id": "x", "ids": [null] }), json!({ "id": "x" })] {
        assert_eq!(ask(&world.max(), query, variables).get("data"), None);
    }
    let many: Vec<String> = (0..101).map(|n| n.to_string()).collect();
    assert_eq!(
        error(&world.max(), "query($ids: [ID!]!) { nodes(ids: $ids) { id } }", json!({ "ids": many })).0,
        "ARGUMENT_LIMIT"
    );
    // "010:Repository1", "04:User99999", "04:User0", "04:Useré", "09:User1"
    for id in ["MDEwOlJlcG9zaXRvcnkx", "MDQ6VXNlcjk5OTk5", "MDQ6VXNlcjA=", "MDQ6VXNlcsOp", "MDk6VXNlcjE="] {
        let body = ask(&world.max(), "query($id: ID!) { node(id: $id) { id } }", json!({ "id": id }));
        assert_eq!(body["errors"][0]["type"], "NOT_FOUND", "{id}");
    }
    for login in ["é", "", "../acme", &"a".repeat(10_000)] {
        let body = ask(&world.max(), "query($l: String!) { user(login: $l) { id } }", json!({ "l": login }));
        assert_eq!(body["errors"][0]["type"], "NOT_FOUND", "{login:?}");
    }
}

#[test]
fn fields_that_are_selected_a_thousand_times_are_merged() {
    let world = World::new();
    let wide = repeated(1_200, |_| " viewer { login }".to_owned());
    assert_eq!(
        ask(&world.max(), &format!("{{ {wide} }}"), json!({})),
        json!({ "data": { "viewer": { "login": "max" } } })
    );
    let differing = repeated(500, |n| format!(" a: user(login: \"u{n}\") {{ login }}"));
    assert_eq!(ask(&world.max(), &format!("{{ {differing} }}"), json!({})).get("data"), None);
}

#[test]
fn text_with_nul_never_reaches_the_store() {
    let world = World::new();
    for query in [
        "query($t: String!) { user(login: $t) { id } }",
        "query($t: String!) { organization(login: \"acme\") { team(slug: $t) { id } } }",
        "query($t: String!) { organization(login: \"acme\") { teams(userLogins: [$t]) { totalCount } } }",
        "query($t: String!) { repository(owner: \"acme\", name: $t) { id } }",
    ] {
        let body = ask(&world.max(), query, json!({ "t": "a\u{0}b" }));
        assert_eq!(body["errors"][0]["type"], "INVALID_ARGUMENT", "{query}");
    }
    assert_eq!(error(&world.max(), "{ user(login: \"a\\u0000b\") { id } }", json!({})).0, "INVALID_ARGUMENT");
}
