//! The examples on pages and in documents work.

use std::path::Path;

use crate::support::{Value, World, json};

/// The bodies that a text sends with curl.
fn bodies(text: &str) -> Vec<Value> {
    let sent = text.split("-d '").skip(1).chain(text.split("--data '").skip(1));
    let bodies = sent.filter_map(|rest| rest.split('\'').next());
    bodies.map(|body| serde_json::from_str(body).unwrap_or_else(|error| panic!("{body}: {error}"))).collect()
}

#[test]
fn the_page_of_the_documentation_shows_how_to_ask() {
    let world = World::new();
    let page = world.anonymous().get("/ui/docs");
    page.expect(200);
    let section = page.text.split("id=\"graphql\"").nth(1).expect("a section about GraphQL");
    let section = section.split("<h2").next().unwrap_or_default().replace("&quot;", "\"");
    assert!(section.contains("https://guildhall.example.com/graphql"), "{section}");
    let [list, described] = &bodies(&section)[..] else { panic!("{section}") };
    let answers = [list, described].map(|body| world.eve().post("/graphql", body.clone()).expect(200).clone());
    assert_eq!(answers[0]["data"]["organization"]["teams"]["nodes"], json!([{ "slug": "core" }]));
    let fields = answers[1]["data"]["__type"]["fields"].as_array().expect("fields");
    assert!(fields.iter().any(|field| field["name"] == "members"));
    assert!(answers.iter().all(|answer| answer.get("errors").is_none()), "{answers:?}");
}

#[test]
fn the_document_shows_how_to_ask() {
    let world = World::new();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/graphql.md");
    let text = std::fs::read_to_string(file).expect("docs/graphql.md");
    let [body] = &bodies(&text)[..] else { panic!("{text}") };
    let mut body = body.clone();
    body["variables"]["org"] = json!("acme");
    let answer = world.eve().post("/graphql", body).expect(200).clone();
    assert_eq!(answer["data"]["organization"]["teams"]["nodes"], json!([{ "slug": "core" }]));
}
