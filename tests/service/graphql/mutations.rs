//! Mutations: each is the operation of the table, in a transaction of its own (decision 60).

use crate::graphql::{ask, data, error, post};
use crate::support::world::Settings;
use crate::support::{Client, Value, World, json};

const CREATE: &str = "mutation($input: CreateRepositoryInput!) { createRepository(input: $input) { clientMutationId
    repository { id name owner { login } url visibility description } } }";

/// The node ID of an organization, a person, a team or a repository, by its path.
fn node_id(world: &World, path: &str) -> Value {
    world.olivia().get(path).expect(200)["node_id"].clone()
}

/// The type and the message of each error, with the field that it belongs to.
fn errors(body: &Value) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let errors = body["errors"].as_array().cloned().unwrap_or_default();
    errors.iter().map(|one| (text(&one["path"][0]), text(&one["type"]), text(&one["message"]))).collect()
}

/// Asserts that the mutation is refused with this type and message, and that its field is null.
#[track_caller]
fn refused(client: &Client, query: &str, variables: Value, (kind, message): (&str, &str)) {
    let body = ask(client, query, variables);
    let found = errors(&body);
    assert_eq!(found.len(), 1, "{body}");
    assert_eq!((found[0].1.as_str(), found[0].2.as_str()), (kind, message));
    assert_eq!(body["data"][found[0].0.as_str()], json!(null));
    assert!(body["errors"][0]["locations"][0]["line"].is_u64());
}

fn input(fields: &Value) -> Value {
    json!({ "input": fields })
}

#[test]
fn a_repository_is_created_as_gh_does() {
    let world = World::new();
    let max = world.max();
    let own = json!({ "name": "notes", "visibility": "PRIVATE", "clientMutationId": "a" });
    let found = data(&max, CREATE, input(&own))["createRepository"].clone();
    let record = max.get("/repos/max/notes").expect(200).clone();
    let expected = json!({ "clientMutationId": "a", "repository": {
        "id": record["node_id"], "name": "notes", "owner": { "login": "max" }, "url": record["html_url"],
        "visibility": "PRIVATE", "description": null,
    } });
    assert_eq!(found, expected);
    assert_eq!((&record["has_issues"], &record["has_wiki"]), (&json!(true), &json!(false)));
    let shared = json!({
        "name": "shared", "visibility": "PUBLIC", "ownerId": node_id(&world, "/orgs/acme"),
        "teamId": node_id(&world, "/orgs/acme/teams/core"), "description": "Ours", "homepageUrl": "https://a.b",
        "hasIssuesEnabled": false, "hasWikiEnabled": true, "template": true,
    });
    let found = data(&world.olivia(), CREATE, input(&shared))["createRepository"].clone();
    assert_eq!((&found["repository"]["owner"]["login"], &found["clientMutationId"]), (&json!("acme"), &json!(null)));
    let record = world.olivia().get("/repos/acme/shared").expect(200).clone();
    for (field, value) in [
        ("homepage", json!("https://a.b")),
        ("has_issues", json!(false)),
        ("has_wiki", json!(true)),
        ("is_template", json!(true)),
        ("private", json!(false)),
        ("description", json!("Ours")),
    ] {
        assert_eq!(record[field], value, "{field}");
    }
    let teams = world.olivia().get("/repos/acme/shared/teams").expect(200).clone();
    assert_eq!(teams[0]["slug"], "core");
    let mine = json!({ "name": "mine", "visibility": "PUBLIC", "ownerId": node_id(&world, "/users/max") });
    assert_eq!(data(&max, CREATE, input(&mine))["createRepository"]["repository"]["owner"]["login"], "max");
}

#[test]
fn a_repository_is_archived_and_unarchived() {
    let world = World::new();
    let olivia = world.olivia();
    let repo = olivia.post("/orgs/acme/repos", json!({ "name": "old" })).expect(201).clone();
    for (mutation, kind, archived) in [
        ("archiveRepository", "ArchiveRepositoryInput", true),
        ("unarchiveRepository", "UnarchiveRepositoryInput", false),
    ] {
        let query = format!(
            "mutation($input: {kind}!) {{ done: {mutation}(input: $input) {{ repository {{ id isArchived }} }} }}"
        );
        let fields = json!({ "repositoryId": repo["node_id"] });
        let found = data(&olivia, &query, input(&fields));
        let expected = json!({ "id": repo["node_id"], "isArchived": archived });
        assert_eq!(found, json!({ "done": { "repository": expected } }));
        assert_eq!(olivia.get("/repos/acme/old").expect(200)["archived"], archived);
        // Eve reads it and does not administer it.
        refused(&world.eve(), &query, input(&fields), ("FORBIDDEN", "Must have admin rights to Repository."));
    }
}

#[test]
fn what_the_operation_refuses_the_mutation_refuses() {
    let world = World::new();
    let (olivia, nina) = (world.olivia(), world.nina());
    olivia.post("/orgs/acme/repos", json!({ "name": "taken" })).expect(201);
    let private = olivia.post("/orgs/acme/repos", json!({ "name": "own", "private": true })).expect(201).clone();
    let (acme, tom) = (node_id(&world, "/orgs/acme"), node_id(&world, "/users/tom"));
    let new = |fields: Value| {
        let mut all = json!({ "name": "new", "visibility": "PUBLIC" });
        all.as_object_mut().expect("fields").extend(fields.as_object().expect("fields").clone());
        json!({ "input": all })
    };
    let outside = "You must be an organization owner, or a member of an organization that lets members create \
                   repositories.";
    refused(&nina, CREATE, new(json!({ "ownerId": acme })), ("FORBIDDEN", outside));
    let another = "You cannot create a repository for another person. Leave out `ownerId`.";
    refused(&nina, CREATE, new(json!({ "ownerId": tom })), ("FORBIDDEN", another));
    let taken = ("UNPROCESSABLE", "name already exists on this account");
    refused(&olivia, CREATE, new(json!({ "ownerId": acme, "name": "taken" })), taken);
    let unseen = "team_id is not the ID of a team of this organization that you can see.";
    // "04:Team99999"
    let unseen_team = json!({ "ownerId": acme, "teamId": "MDQ6VGVhbTk5OTk5" });
    refused(&olivia, CREATE, new(unseen_team), ("UNPROCESSABLE", unseen));
    let alone = "`teamId` needs the ID of the team's organization in `ownerId`.";
    refused(&olivia, CREATE, new(json!({ "teamId": "MDQ6VGVhbTk5OTk5" })), ("UNPROCESSABLE", alone));
    let query = "mutation($input: ArchiveRepositoryInput!) { archiveRepository(input: $input) { clientMutationId } }";
    // Not an ID, a user, a repository that does not exist, and one that Nina does not see.
    let ids = [json!("x"), tom, json!("MDEzOlJlcG9zaXRvcnk5OTk5OTk="), private["node_id"].clone()];
    for id in ids {
        let text = format!("Could not resolve to a node with the global id of '{}'", id.as_str().expect("text"));
        refused(&nina, query, json!({ "input": { "repositoryId": id } }), ("NOT_FOUND", &text));
    }
    for id in [json!("x"), json!("MDQ6VXNlcjk5OTk5"), node_id(&world, "/orgs/acme/teams/core")] {
        let text = format!("Could not resolve to a node with the global id of '{}'", id.as_str().expect("text"));
        refused(&olivia, CREATE, new(json!({ "ownerId": id })), ("NOT_FOUND", &text));
    }
    let repos = olivia.get("/orgs/acme/repos").expect(200).clone();
    assert_eq!(repos.as_array().map(Vec::len), Some(2));
    assert_eq!(olivia.get("/repos/acme/own").expect(200)["archived"], false);
    assert_eq!(olivia.get("/user/repos").expect(200).as_array().map(Vec::len), Some(2));
}

#[test]
fn a_token_that_only_reads_changes_nothing() {
    let world = World::new();
    let narrow = world.limited("olivia", &["read:org", "public_repo"]);
    let fields = input(&json!({ "name": "new", "visibility": "PUBLIC" }));
    let (kind, message, has_data) = error(&narrow, CREATE, fields);
    assert_eq!((kind.as_str(), has_data), ("INSUFFICIENT_SCOPES", false));
    let begins = "Your token has not been granted the required scopes to execute this query. The 'createRepository' \
                  field requires one of the following scopes: ['repo'], but your token has only been granted the: ";
    assert!(message.starts_with(begins), "{message}");
    // A scope that one field lacks refuses the whole request, so that nothing of it has happened.
    let narrow = world.limited("olivia", &["repo", "read:org"]);
    let mixed =
        "mutation { createRepository(input: {name: \"new\", visibility: PUBLIC}) { repository { owner { ... on User
        { email } } } } }";
    assert_eq!(error(&narrow, mixed, json!({})).0, "INSUFFICIENT_SCOPES");
    world.olivia().get("/repos/olivia/new").expect(404);
    world.sam().put("/users/olivia/suspended", json!({})).expect(204);
    let body = json!({ "query": "mutation { createRepository(input: {name: \"new\", visibility: PUBLIC}) {
        clientMutationId } }" });
    world.olivia().post("/graphql", body).expect(403);
}

#[test]
fn each_mutation_is_a_transaction_of_its_own() {
    let world = World::new();
    let max = world.max();
    let query = "mutation($no: Boolean!) {
        first: createRepository(input: {name: \"a\", visibility: PUBLIC}) { repository { name } }
        again: createRepository(input: {name: \"a\", visibility: PUBLIC}) { repository { name } }
        __typename
        ...rest
        skipped: createRepository(input: {name: \"c\", visibility: PUBLIC}) @include(if: $no) { clientMutationId }
    }
    fragment rest on Mutation {
        first: createRepository(input: {name: \"a\", visibility: PUBLIC}) { clientMutationId }
        last: createRepository(input: {name: \"b\", visibility: PUBLIC, clientMutationId: \"x\"}) {
            clientMutationId repository { owner { ... on User { repositories(first: 10) { nodes { name } } } } } }
    }";
    let body = ask(&max, query, json!({ "no": false }));
    assert_eq!(body["data"]["first"], json!({ "repository": { "name": "a" }, "clientMutationId": null }));
    assert_eq!((&body["data"]["again"], &body["data"]["__typename"]), (&json!(null), &json!("Mutation")));
    // The payload shows what was written before it, and nothing that comes later.
    let listed = json!([{ "name": "a" }, { "name": "b" }]);
    assert_eq!(body["data"]["last"]["repository"]["owner"]["repositories"]["nodes"], listed);
    assert_eq!(body["data"]["last"]["clientMutationId"], "x");
    let keys: Vec<&String> = body["data"].as_object().expect("data").keys().collect();
    assert_eq!(keys.len(), 4);
    let refusal = ("again", "UNPROCESSABLE", "name already exists on this account");
    let found = errors(&body);
    assert_eq!((found[0].0.as_str(), found[0].1.as_str(), found[0].2.as_str()), refusal);
    assert_eq!((found.len(), &body["errors"][0]["locations"]), (1, &json!([{ "line": 3, "column": 16 }])));
    max.get("/repos/max/c").expect(404);
}

#[test]
fn ten_mutations_are_enough() {
    let world = World::new();
    let max = world.max();
    let query = |count: usize| {
        let one =
            |n| format!(" m{n}: createRepository(input: {{name: \"r{n}\", visibility: PUBLIC}}) {{ __typename }}");
        let all: Vec<String> = (0..count).map(one).collect();
        format!("mutation {{ {} }}", all.concat())
    };
    let (kind, message, has_data) = error(&max, &query(11), json!({}));
    let expected = "The request has 11 mutations, which exceeds the maximum of 10.";
    assert_eq!((kind.as_str(), message.as_str(), has_data), ("MAX_MUTATIONS_EXCEEDED", expected, false));
    max.get("/repos/max/r0").expect(404);
    let found = data(&max, &query(10), json!({}));
    assert_eq!(found["m9"], json!({ "__typename": "CreateRepositoryPayload" }));
    max.get("/repos/max/r9").expect(200);
}

#[test]
fn input_of_the_wrong_kind_is_refused() {
    let world = World::new();
    let max = world.max();
    for fields in [
        json!(null),
        json!([]),
        json!("x"),
        json!({}),
        json!({ "name": "new" }),
        json!({ "name": null, "visibility": "PUBLIC" }),
        json!({ "name": 1, "visibility": "PUBLIC" }),
        json!({ "name": "new", "visibility": "SECRET" }),
        json!({ "name": "new", "visibility": "PUBLIC", "license": "MIT" }),
        json!({ "name": "new", "visibility": "PUBLIC", "hasWikiEnabled": "yes" }),
        json!({ "name": "new", "visibility": "PUBLIC", "ownerId": [1] }),
    ] {
        let body = ask(&max, CREATE, json!({ "input": fields }));
        assert_eq!((body.get("data"), body["errors"][0]["message"].is_string()), (None, true), "{fields}: {body}");
    }
    for query in [
        "mutation { createRepository { clientMutationId } }",
        "mutation { createRepository(input: null) { clientMutationId } }",
        "mutation { createRepository(input: {name: \"new\", visibility: PUBLIC, color: RED}) { clientMutationId } }",
        "mutation { createRepository(input: {name: \"new\", visibility: PUBLIC}) }",
        "mutation { viewer { login } }",
        "{ createRepository(input: {name: \"new\", visibility: PUBLIC}) { clientMutationId } }",
    ] {
        let body = ask(&max, query, json!({}));
        assert_eq!((body.get("data"), body["errors"][0]["message"].is_string()), (None, true), "{query}: {body}");
    }
    let nul = ("INVALID_ARGUMENT", "The arguments contain a NUL character. Send them without it.");
    for fields in [
        json!({ "name": "a\u{0}b", "visibility": "PUBLIC" }),
        json!({ "name": "ab", "visibility": "PUBLIC", "ownerId": "\u{0}" }),
        json!({ "name": "ab", "visibility": "PUBLIC", "clientMutationId": "\u{0}" }),
    ] {
        refused(&max, CREATE, input(&fields), nul);
    }
    assert_eq!(max.get("/user/repos").expect(200).as_array().map(Vec::len), Some(0));
}

#[test]
fn mutations_cost_points_and_no_requests() {
    let world = World::with(Settings { limits: Some((3, 60)), ..Settings::default() });
    let max = world.max();
    let used = |resource: &str| max.get("/rate_limit").expect(200)["resources"][resource]["used"].clone();
    let (points, requests) = (used("graphql"), used("core"));
    let answer = post(&max, CREATE, input(&json!({ "name": "a", "visibility": "PUBLIC" })));
    assert_eq!(
        (answer.header("x-ratelimit-resource"), answer.header("x-ratelimit-limit")),
        (Some("graphql"), Some("5000"))
    );
    assert_eq!((used("graphql"), used("core")), (json!(points.as_u64().expect("points") + 1), requests));
    // With the limit of requests used up, mutations go on.
    for _ in 0..4 {
        max.get("/user");
    }
    max.get("/user").expect(403);
    data(&max, CREATE, input(&json!({ "name": "b", "visibility": "PUBLIC" })));
}

#[test]
fn a_mutation_is_recorded_like_its_operation() {
    let world = World::new();
    let olivia = world.olivia();
    let fields = |name: &str| json!({ "name": name, "visibility": "PUBLIC", "ownerId": node_id(&world, "/orgs/acme") });
    olivia.post("/orgs/acme/repos", json!({ "name": "by-rest", "has_wiki": false })).expect(201);
    data(&olivia, CREATE, input(&fields("by-graphql")));
    let log = olivia.get("/orgs/acme/audit-log?phrase=action:repo.create").expect(200).clone();
    let [new, old] = [log[0].clone(), log[1].clone()];
    assert_eq!((&new["action"], &new["repo"]), (&json!("repo.create"), &json!("acme/by-graphql")));
    let keys = |entry: &Value| entry.as_object().expect("an entry").keys().cloned().collect::<Vec<_>>();
    assert_eq!((keys(&new), &new["actor"]), (keys(&old), &old["actor"]));
    // What is refused leaves nothing behind.
    ask(&olivia, CREATE, input(&fields("by-graphql")));
    let log = olivia.get("/orgs/acme/audit-log?phrase=action:repo.create").expect(200).clone();
    assert_eq!(log.as_array().map(Vec::len), Some(2));
}

/// A value for each field that an input must have.
fn smallest(fields: &Value) -> Value {
    let required = fields.as_array().expect("fields").iter().filter(|field| field["type"]["kind"] == "NON_NULL");
    let value = |field: &Value| {
        let kind = &field["type"]["ofType"];
        let choice = kind["enumValues"].as_array().map(|values| values[0]["name"].clone());
        choice.unwrap_or_else(|| if kind["name"] == "Boolean" { json!(true) } else { json!("x") })
    };
    required.map(|field| (field["name"].as_str().expect("a name").to_owned(), value(field))).collect()
}

#[test]
fn every_mutation_needs_a_scope_and_is_carried_out() {
    let world = World::new();
    let (olivia, narrow) = (world.olivia(), world.limited("olivia", &["read:org"]));
    let query = "{ __type(name: \"Mutation\") { fields { name args { type { ofType { name } } } } } }";
    let found = data(&olivia, query, json!({}))["__type"]["fields"].clone();
    let mutations = found.as_array().expect("mutations");
    assert!(mutations.len() >= 9);
    for mutation in mutations {
        let name = mutation["name"].as_str().expect("a name");
        let kind = mutation["args"][0]["type"]["ofType"]["name"].as_str().expect("a name");
        let described = format!(
            "{{ __type(name: \"{kind}\") {{ inputFields {{ name type {{ kind ofType {{ name enumValues {{ name }} }} }} }} }} }}"
        );
        let fields = input(&smallest(&data(&olivia, &described, json!({}))["__type"]["inputFields"]));
        let query = format!("mutation($input: {kind}!) {{ {name}(input: $input) {{ clientMutationId }} }}");
        assert_eq!(error(&narrow, &query, fields.clone()).0, "INSUFFICIENT_SCOPES", "{name}");
        let body = ask(&olivia, &query, fields);
        let refusal = errors(&body).first().map(|(_, kind, _)| kind.clone());
        let is_known = refusal.as_deref().is_none_or(|kind| kind == "NOT_FOUND" || kind == "UNPROCESSABLE");
        assert!(is_known && body["data"].is_object(), "{name}: {body}");
    }
}
