//! Each field of the schema has a value for a caller who may see it, however often it is asked for (decision 60).
//! The fields are read from the schema, so a new one is asked for here by itself.

use std::collections::BTreeMap;

use crate::graphql::data;
use crate::support::{Client, Value, World, json};

const DESCRIBED: &str = "{ __schema { types { kind name enumValues { name } fields(includeDeprecated: true) {
    name args { name defaultValue type { kind } }
    type { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } }";

/// The types of which there is nothing.
const ABSENT: &str = include_str!("../../../src/graphql/absent.graphql");

/// The arguments of fields that need some and lead to a type that nothing else leads to.
const NEEDED: &[(&str, &str)] = &[("search", "type: USER, query: \"olivia\", ")];

/// The number of times that each query is sent: a response may be cached when it is requested again.
const TIMES: usize = 3;

/// Something of every type: teams below others, a secret one, repositories, posts, and invitations.
fn world() -> World {
    let world = World::new();
    let olivia = world.olivia();
    let id = |path: &str| olivia.get(path).expect(200)["id"].clone();
    let core = id("/orgs/acme/teams/core");
    let below =
        json!({ "name": "Below", "privacy": "closed", "parent_team_id": core, "description": "Below the core" });
    olivia.post("/orgs/acme/teams", below).expect(201);
    olivia.post("/orgs/acme/teams", json!({ "name": "Hidden", "privacy": "secret" })).expect(201);
    olivia.post("/orgs/acme/repos", json!({ "name": "tool", "team_id": core })).expect(201);
    olivia.post("/user/repos", json!({ "name": "own", "private": true, "topics": ["rust"] })).expect(201);
    olivia.put("/repos/olivia/own/collaborators/max", json!({})).expect(204);
    for team in ["core", "below", "hidden"] {
        let board = format!("/orgs/acme/teams/{team}/discussions");
        for private in [false, true] {
            olivia.post(&board, json!({ "title": "One", "body": "**one**", "private": private })).expect(201);
        }
        olivia.patch(&format!("{board}/1"), json!({ "body": "another" })).expect(200);
        for text in ["a", "b"] {
            olivia.post(&format!("{board}/1/comments"), json!({ "body": text })).expect(201);
        }
    }
    let by_mail = json!({ "email": "someone@example.com", "role": "admin", "team_ids": [core] });
    olivia.post("/orgs/acme/invitations", by_mail).expect(201);
    let by_login = json!({ "invitee_id": id("/users/nina"), "team_ids": [core] });
    olivia.post("/orgs/acme/invitations", by_login).expect(201);
    world
}

/// The types of the schema, by name.
type Types = BTreeMap<String, Value>;

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The kind and the name of a type without its lists.
fn inner(kind: &Value) -> (&str, &str) {
    if kind["ofType"].is_null() { (text(&kind["kind"]), text(&kind["name"])) } else { inner(&kind["ofType"]) }
}

/// The arguments that a field needs.
fn needed(field: &Value) -> &'static str {
    NEEDED.iter().find(|(name, _)| field["name"] == *name).map_or("", |(_, arguments)| arguments)
}

/// The fields of a type that need no arguments, or those above.
fn fields(described: &Value) -> impl Iterator<Item = &Value> {
    let is_required = |arg: &Value| arg["type"]["kind"] == "NON_NULL" && arg["defaultValue"].is_null();
    let may_do = move |field: &&Value| !needed(field).is_empty() || !items(&field["args"]).iter().any(is_required);
    items(&described["fields"]).iter().filter(may_do)
}

fn is_absent(kind: &str) -> bool {
    ABSENT.lines().any(|line| line.strip_prefix("type ").and_then(|rest| rest.split(' ').next()) == Some(kind))
}

/// The shortest way to an object of each type, as the fields that lead to it.
fn ways(types: &Types) -> BTreeMap<&str, Vec<&Value>> {
    let mut ways = BTreeMap::from([("Query", Vec::new())]);
    let mut next = vec!["Query"];
    while !next.is_empty() {
        let mut found = Vec::new();
        for kind in next {
            for field in fields(&types[kind]) {
                let (sort, below) = inner(&field["type"]);
                if sort == "OBJECT" && !below.starts_with("__") && !ways.contains_key(below) {
                    let way = [ways[kind].as_slice(), &[field]].concat();
                    ways.insert(below, way);
                    found.push(below);
                }
            }
        }
        next = found;
    }
    ways
}

/// A query for every field of the objects at the end of a way.
fn query(described: &Value, way: &[&Value]) -> String {
    let selected = fields(described).map(|field| match inner(&field["type"]).0 {
        "OBJECT" | "INTERFACE" | "UNION" => match needed(field) {
            "" => format!("{} {{ __typename }}", text(&field["name"])),
            arguments => format!("{}({arguments}) {{ __typename }}", text(&field["name"])),
        },
        _ => text(&field["name"]).to_owned(),
    });
    let all: Vec<String> = selected.collect();
    let begin = |field: &&Value| {
        let is_list = items(&field["args"]).iter().any(|arg| arg["name"] == "first");
        let arguments = if is_list { format!("({}first: 5)", needed(field)) } else { String::new() };
        format!("{{ {}{arguments} ", text(&field["name"]))
    };
    let begins: String = way.iter().map(begin).collect();
    format!("{begins}{{ __typename {} }}{}", all.join(" "), " }".repeat(way.len()))
}

/// The objects at the end of a way.
fn ends<'v>(value: &'v Value, way: &[&Value], found: &mut Vec<&'v Value>) {
    match (value, way) {
        (Value::Null, _) => {}
        (Value::Array(all), _) => all.iter().for_each(|one| ends(one, way, found)),
        (_, [first, rest @ ..]) => ends(&value[text(&first["name"])], rest, found),
        (_, []) => found.push(value),
    }
}

/// True if a value is one of its type.
fn fits(types: &Types, kind: &Value, value: &Value) -> bool {
    match (text(&kind["kind"]), value) {
        ("NON_NULL", _) => !value.is_null() && fits(types, &kind["ofType"], value),
        (_, Value::Null) => true,
        ("LIST", Value::Array(all)) => all.iter().all(|one| fits(types, &kind["ofType"], one)),
        ("ENUM", _) => items(&types[text(&kind["name"])]["enumValues"]).iter().any(|one| one["name"] == *value),
        ("SCALAR", _) => match text(&kind["name"]) {
            "Int" => value.is_i64(),
            "Boolean" => value.is_boolean(),
            _ => value.is_string(),
        },
        ("OBJECT", _) => value["__typename"] == kind["name"],
        _ => value["__typename"].is_string(),
    }
}

fn assert_fields(types: &Types, client: &Client, kind: &str, way: &[&Value]) {
    let described = &types[kind];
    let query = query(described, way);
    for _ in 0..TIMES {
        let (found, mut objects) = (data(client, &query, json!({})), Vec::new());
        ends(&found, way, &mut objects);
        assert!(!objects.is_empty() || is_absent(kind), "there is no {kind}: {query}");
        for object in objects {
            assert_eq!(object["__typename"], kind, "{query}");
            for field in fields(described) {
                let value = object.get(text(&field["name"]));
                let value = value.unwrap_or_else(|| panic!("{kind}.{} is missing", field["name"]));
                assert!(fits(types, &field["type"], value), "{kind}.{} is {value}", field["name"]);
            }
        }
    }
}

#[test]
fn every_field_has_a_value_of_its_type() {
    let world = world();
    let olivia = world.olivia();
    let described = data(&olivia, DESCRIBED, json!({}));
    let all = items(&described["__schema"]["types"]).iter();
    let types: Types = all.map(|kind| (text(&kind["name"]).to_owned(), kind.clone())).collect();
    let ways = ways(&types);
    let is_reached =
        |name: &str| ways.contains_key(name) || is_absent(name) || name.ends_with("Payload") || name == "Mutation";
    let objects = types.iter().filter(|(name, kind)| kind["kind"] == "OBJECT" && !name.starts_with("__"));
    let unreached: Vec<&String> = objects.map(|(name, _)| name).filter(|name| !is_reached(name)).collect();
    assert_eq!(unreached, Vec::<&String>::new(), "no query here asks for these types");
    for (kind, way) in &ways {
        assert_fields(&types, &olivia, kind, way);
    }
}
