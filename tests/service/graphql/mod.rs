//! GraphQL: what clients send, who sees what, what is refused, and how lists are paged (decision 60).

mod boards;
mod clients;
mod documented;
mod errors;
mod every_field;
mod executing;
mod filters;
mod hostile;
mod limits;
mod mutations;
mod offered;
mod operations;
mod paging;
pub mod pins;
mod posts;
mod records;
mod repositories;
mod reviews;
mod searching;
mod seeing;
mod together;
mod variables;

use crate::support::{Answer, Client, Value, json};

/// The response to a query.
fn post(client: &Client, query: &str, variables: Value) -> Answer {
    client.post("/graphql", json!({ "query": query, "variables": variables }))
}

/// The whole body of the response to a query.
fn ask(client: &Client, query: &str, variables: Value) -> Value {
    post(client, query, variables).expect(200).clone()
}

/// The data of a query without errors.
fn data(client: &Client, query: &str, variables: Value) -> Value {
    let body = ask(client, query, variables);
    assert_eq!(body.get("errors"), None, "{query}");
    body["data"].clone()
}

/// The type and the message of the first error, and whether there is data.
fn error(client: &Client, query: &str, variables: Value) -> (String, String, bool) {
    let body = ask(client, query, variables);
    let error = &body["errors"][0];
    let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
    (text("type"), text("message"), body.get("data").is_some())
}

/// Asserts that a query is refused as a whole, with this type.
#[track_caller]
fn refused(client: &Client, query: &str, kind: &str) {
    let (found, message, has_data) = error(client, query, json!({}));
    assert_eq!((found.as_str(), has_data), (kind, false), "{message}");
}

/// The names of the nodes of a connection.
fn names(found: &Value) -> Vec<&str> {
    let nodes = found["nodes"].as_array().expect("nodes");
    nodes.iter().map(|repo| repo["name"].as_str().unwrap_or_default()).collect()
}
