//! The execution of a query, as the specification of GraphQL has it: which fields are collected, how arguments are
//! coerced, and what an error of a field makes null.

use crate::graphql::{ask, data};
use crate::support::{Value, World, json};

/// A world with three teams in `acme`: Core, and Left and Right below it.
fn world() -> World {
    let world = World::new();
    let olivia = world.olivia();
    let core = olivia.get("/orgs/acme/teams/core").expect(200)["id"].clone();
    for name in ["Left", "Right"] {
        let below = json!({ "name": name, "privacy": "closed", "parent_team_id": core });
        olivia.post("/orgs/acme/teams", below).expect(201);
    }
    world
}

#[test]
fn an_error_makes_the_nearest_value_null_that_can_be() {
    let world = world();
    let query = "{
        organization(login: \"acme\") { login teams(first: 3) { totalCount nodes {
            name members(first: 101) { totalCount } } } }
        viewer { login }
    }";
    let body = ask(&world.olivia(), query, json!({}));
    let nodes = json!([null, null, null]);
    let expected = json!({
        "organization": { "login": "acme", "teams": { "totalCount": 3, "nodes": nodes } }, "viewer": { "login": "olivia" },
    });
    assert_eq!(body["data"], expected);
    let errors = body["errors"].as_array().expect("errors");
    assert_eq!(errors.len(), 3);
    for (at, error) in errors.iter().enumerate() {
        let message = "Requesting 101 records on the `members` connection exceeds the `first` limit of 100 records.";
        let expected = json!({
            "type": "EXCESSIVE_PAGINATION", "path": ["organization", "teams", "nodes", at, "members"],
            "locations": [{ "line": 3, "column": 18 }], "message": message,
        });
        assert_eq!(*error, expected);
    }
    // No list and no connection here can be null, so the organization is; and where the root is not, nothing is left.
    let body =
        ask(&world.olivia(), "{ a: organization(login: \"acme\") { teams(first: -1) { totalCount } } }", json!({}));
    assert_eq!((&body["data"], &body["errors"][0]["path"]), (&json!({ "a": null }), &json!(["a", "teams"])));
    let body = ask(&world.olivia(), "{ viewer { login repositories(first: -1) { totalCount } } }", json!({}));
    assert_eq!((&body["data"], &body["errors"][0]["path"]), (&json!(null), &json!(["viewer", "repositories"])));
    assert_eq!(body["errors"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_node_that_does_not_exist_is_null_beside_the_others() {
    let world = world();
    let id = world.olivia().get("/orgs/acme/teams/core").expect(200)["node_id"].clone();
    let query = "query($ids: [ID!]!) { found: nodes(ids: $ids) { __typename id ... on Team { slug } } }";
    let body = ask(&world.olivia(), query, json!({ "ids": [id, "x", id] }));
    let core = json!({ "__typename": "Team", "id": id, "slug": "core" });
    assert_eq!(body["data"], json!({ "found": [core, null, core] }));
    assert_eq!(body["errors"].as_array().map(Vec::len), Some(1));
    assert_eq!((&body["errors"][0]["path"], &body["errors"][0]["type"]), (&json!(["found", 1]), &json!("NOT_FOUND")));
    // One value stands for a list of one.
    assert_eq!(data(&world.olivia(), query, json!({ "ids": id })), json!({ "found": [core] }));
    let literal = format!("{{ nodes(ids: {id}) {{ id }} }}");
    assert_eq!(data(&world.olivia(), &literal, json!({})), json!({ "nodes": [{ "id": id }] }));
}

#[test]
fn equal_fields_are_one_and_fragments_apply_to_their_types() {
    let world = world();
    let query = "query($yes: Boolean = true, $no: Boolean!) {
        one: repositoryOwner(login: \"acme\") { ...owner ... on User { isViewer } ... @skip(if: $yes) { url } }
        ...root
        two: repositoryOwner(login: \"olivia\") { ...owner ... on User { isViewer } login @include(if: $no) }
    }
    fragment root on Query { __typename one: repositoryOwner(login: \"acme\") { ... on Organization { teams(first: 1) {
        nodes { slug } } teams(first: 1) { nodes { name ...again } ...page } } } }
    fragment again on Team { name parentTeam { slug } ... on Node { id @skip(if: true) } }
    fragment page on TeamConnection { totalCount }
    fragment owner on RepositoryOwner { __typename login }";
    let body = ask(&world.olivia(), query, json!({ "no": false }));
    let teams = json!({ "nodes": [{ "slug": "core", "name": "Core", "parentTeam": null }], "totalCount": 3 });
    let expected = json!({ "data": {
        "one": { "__typename": "Organization", "login": "acme", "teams": teams },
        "__typename": "Query",
        "two": { "__typename": "User", "login": "olivia", "isViewer": true },
    } });
    // As text, because the order of the fields is that of the query.
    assert_eq!(body.to_string(), expected.to_string());
    let query = "{ __type(name: \"Team\") { name } none: __type(name: \"None\") { name } viewer { login } }";
    let expected = json!({ "__type": { "name": "Team" }, "none": null, "viewer": { "login": "olivia" } });
    assert_eq!(data(&world.olivia(), query, json!({})).to_string(), expected.to_string());
}

#[test]
fn arguments_are_what_is_given_or_their_defaults() {
    let world = world();
    let names = |query: &str, variables: Value| {
        let found = data(&world.olivia(), query, variables);
        let nodes = found["organization"]["teams"]["nodes"].as_array().expect("teams").iter();
        nodes.map(|team| team["name"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>().join(" ")
    };
    let query = "query(DEFINED, $roots: Boolean) { organization(login: \"acme\") {
        teams(orderBy: ORDER, rootTeamsOnly: $roots) { nodes { name } } } }";
    let with = |defined: &str, order: &str| query.replace("DEFINED", defined).replace("ORDER", order);
    let nested = with("$way: OrderDirection = DESC", "{field: NAME, direction: $way}");
    assert_eq!(names(&nested, json!({})), "Right Left Core");
    assert_eq!(names(&nested, json!({ "way": "ASC" })), "Core Left Right");
    // A variable without a value leaves the default of the argument; null is a value.
    assert_eq!(names(&nested, json!({ "roots": true })), "Core");
    assert_eq!(names(&nested, json!({ "roots": null })), "Right Left Core");
    let whole = with("$order: TeamOrder", "$order");
    assert_eq!(names(&whole, json!({ "order": { "field": "NAME", "direction": "DESC" } })), "Right Left Core");
    assert_eq!(names(&whole, json!({})), "Core Left Right");
    // Null for an argument that cannot be null is found while the query runs, if the variable has a default.
    let query = "query($login: String = \"acme\") { organization(login: $login) { login } viewer { login } }";
    assert_eq!(data(&world.olivia(), query, json!({}))["organization"]["login"], "acme");
    let body = ask(&world.olivia(), query, json!({ "login": null }));
    assert_eq!(body["data"], json!({ "organization": null, "viewer": { "login": "olivia" } }));
    let expected = json!({ "path": ["organization"], "locations": [{ "line": 1, "column": 34 }],
        "message": "`login` is required and cannot be null." });
    assert_eq!(body["errors"], json!([expected]));
}

#[test]
fn an_integer_is_text_where_an_id_is_wanted() {
    let world = world();
    let messages = |query: &str, variables: Value| {
        let body = ask(&world.olivia(), query, variables);
        let errors = body["errors"].as_array().expect("errors").iter();
        let named = errors.map(|error| error["message"].as_str().and_then(|message| message.split('\'').nth(1)));
        named.map(|name| name.unwrap_or_default().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(messages("{ node(id: 5) { id } }", json!({})), "5");
    assert_eq!(messages("{ node(id: -99999999999999999999) { id } }", json!({})), "-99999999999999999999");
    assert_eq!(messages("query($id: ID!) { node(id: $id) { id } }", json!({ "id": 5 })), "5");
    assert_eq!(messages("query($id: ID! = 6) { node(id: $id) { id } }", json!({})), "6");
    assert_eq!(messages("query($one: ID!) { nodes(ids: [1, $one, \"3\"]) { id } }", json!({ "one": 2 })), "1 2 3");
    assert_eq!(messages("{ nodes(ids: 4) { id } }", json!({})), "4");
    let nodes = "query($ids: [ID!]! = 7) { nodes(ids: $ids) { id } }";
    assert_eq!(messages(nodes, json!({ "ids": [1, "2", 3] })), "1 2 3");
    assert_eq!(messages(nodes, json!({ "ids": 4 })), "4");
    assert_eq!(messages(nodes, json!({})), "7");
    let archive = "mutation($in: ArchiveRepositoryInput!) { archiveRepository(input: $in) { clientMutationId } }";
    assert_eq!(messages(archive, json!({ "in": { "repositoryId": 5 } })), "5");
    let literal = "mutation { archiveRepository(input: { repositoryId: 5 }) { clientMutationId } }";
    assert_eq!(messages(literal, json!({})), "5");
    // Numbers that are no IDs are left alone.
    let teams = "query($first: Int!) { organization(login: \"acme\") { teams(first: $first) { nodes { slug } } } }";
    assert_eq!(data(&world.olivia(), teams, json!({ "first": 1 }))["organization"]["teams"]["nodes"][1], json!(null));
}

#[test]
fn fractions_and_booleans_are_no_ids() {
    let world = world();
    for value in ["5.0", "true"] {
        let literal = format!("{{ node(id: {value}) {{ id }} }}");
        let default = format!("query($id: ID! = {value}) {{ node(id: $id) {{ id }} }}");
        let list = format!("{{ nodes(ids: [{value}]) {{ id }} }}");
        let input =
            format!("mutation {{ archiveRepository(input: {{ repositoryId: {value} }}) {{ clientMutationId }} }}");
        for query in [literal, default, list, input] {
            let body = ask(&world.olivia(), &query, json!({}));
            assert_eq!((body.get("data"), body["errors"][0]["message"].is_string()), (None, true), "{query}");
        }
    }
    for value in [json!(5.0), json!(true)] {
        for (query, variables) in [
            ("query($id: ID!) { node(id: $id) { id } }", json!({ "id": value })),
            ("query($id: [ID!]!) { nodes(ids: $id) { id } }", json!({ "id": [value] })),
        ] {
            assert_eq!(ask(&world.olivia(), query, variables).get("data"), None, "{query} with {value}");
        }
    }
}

#[test]
fn text_is_written_as_json() {
    let world = world();
    let description = "\"quoted\" \\ \u{1} \u{2028} é 🙂\nnext";
    world.olivia().patch("/orgs/acme/teams/core", json!({ "name": "Core", "description": description })).expect(200);
    let query = "{ organization(login: \"acme\") { team(slug: \"core\") { description } } }";
    let stored = world.olivia().get("/orgs/acme/teams/core").expect(200)["description"].clone();
    assert_eq!(data(&world.olivia(), query, json!({}))["organization"]["team"]["description"], stored);
}
