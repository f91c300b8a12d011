//! GraphQL shows and does what the operations show and do (decision 60). `tests/service/graphql` has the details.

use crate::support::{Client, Value, World, json};

fn graphql(client: &Client, query: &str) -> Value {
    client.post("/graphql", json!({ "query": query })).expect(200).clone()
}

#[test]
fn decision_60_a_field_shows_what_the_operation_shows_to_the_caller() {
    let world = World::new();
    let query = "{ organization(login: \"acme\") { team(slug: \"core\") { id name members { nodes { login } } } } }";
    for client in [world.olivia(), world.eve(), world.nina()] {
        let team = graphql(&client, query)["data"]["organization"]["team"].clone();
        let record = client.get("/orgs/acme/teams/core");
        if record.status == 404 {
            assert_eq!(team, json!(null));
            continue;
        }
        let (record, members) = (record.expect(200).clone(), client.get("/orgs/acme/teams/core/members"));
        assert_eq!((&team["id"], &team["name"]), (&record["node_id"], &record["name"]));
        let logins = |people: &Value| {
            people.as_array().expect("people").iter().map(|person| person["login"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(logins(&team["members"]["nodes"]), logins(members.expect(200)));
    }
}

#[test]
fn decision_60_a_mutation_is_an_operation_in_a_transaction_of_its_own() {
    let world = World::new();
    let create = |key: &str| {
        format!("{key}: createRepository(input: {{name: \"a\", visibility: PUBLIC}}) {{ repository {{ name }} }} ")
    };
    let body = graphql(&world.max(), &format!("mutation {{ {}{} }}", create("one"), create("two")));
    assert_eq!(body["data"], json!({ "one": { "repository": { "name": "a" } }, "two": null }));
    let again = world.max().post("/user/repos", json!({ "name": "a" }));
    assert_eq!(body["errors"][0]["message"], again.expect(422)["errors"][0]["message"]);
    assert_eq!(body["errors"][0]["type"], "UNPROCESSABLE");
    let reads = world.limited("max", &["read:org"]);
    let refused = graphql(&reads, &format!("mutation {{ {} }}", create("one")));
    assert_eq!((&refused["errors"][0]["type"], refused.get("data")), (&json!("INSUFFICIENT_SCOPES"), None));
}
