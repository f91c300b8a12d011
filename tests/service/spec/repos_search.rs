//! Searching repositories: words and qualifiers, the order, and what is refused.

use crate::support::world::Settings;
use crate::support::{Answer, Client, Value, World, json};

/// `acme`, whose members read nothing by default, with `engine`, `old-engine` (archived), `gear_box`, `gearbox` and
/// `vault` (private); Nina has a fork of `engine`, and `diary` (private).
pub fn world() -> World {
    let world = World::with(Settings { limits: None, ..Settings::default() });
    let (olivia, nina) = (world.olivia(), world.nina());
    olivia.patch("/orgs/acme", json!({ "default_repository_permission": "none" })).expect(200);
    for repo in [
        json!({ "name": "old-engine", "description": "The First", "topics": ["steam", "rust"] }),
        json!({ "name": "Engine", "description": "Turns 100% of the WHEELS", "topics": ["rust-lang"] }),
        json!({ "name": "gear_box", "is_template": true }),
        json!({ "name": "gearbox", "description": "An engine has one: Ärger, \"first\" class" }),
        json!({ "name": "vault", "private": true, "topics": ["steam"] }),
    ] {
        olivia.post("/orgs/acme/repos", repo).expect(201);
    }
    olivia.patch("/repos/acme/old-engine", json!({ "archived": true })).expect(200);
    nina.post("/repos/acme/engine/forks", json!({})).expect(202);
    nina.post("/user/repos", json!({ "name": "diary", "private": true })).expect(201);
    world
}

/// The answer to a search; the text is the query, and what follows `&` are other parameters.
pub fn search(client: &Client, query: &str, more: &str) -> Answer {
    let encode = |byte: u8| if byte.is_ascii_alphanumeric() { char::from(byte).into() } else { format!("%{byte:02X}") };
    let encoded: String = query.bytes().map(encode).collect();
    client.get(&format!("/search/repositories?q={encoded}{more}"))
}

/// The full names that a search finds, in order, of which there are as many as it counts.
#[track_caller]
pub fn found(client: &Client, query: &str, more: &str) -> Vec<String> {
    let answer = search(client, query, more).expect(200).clone();
    let items = answer["items"].as_array().expect("a list");
    assert_eq!((&answer["total_count"], &answer["incomplete_results"]), (&json!(items.len()), &json!(false)));
    items.iter().map(|item| item["full_name"].as_str().expect("a name").to_owned()).collect()
}

#[track_caller]
fn finds(client: &Client, query: &str, names: &[&str]) {
    assert_eq!(found(client, query, ""), names, "{query}");
}

const ENGINE: &str = "acme/Engine";
const OLD: &str = "acme/old-engine";
const GEAR_BOX: &str = "acme/gear_box";
const GEARBOX: &str = "acme/gearbox";
const VAULT: &str = "acme/vault";
const FORK: &str = "nina/Engine";

#[test]
fn operation_search_finds_words_in_names_descriptions_and_topics() {
    let world = world();
    let max = world.max();
    finds(&max, "ENGINE", &[ENGINE, OLD, GEARBOX]);
    finds(&max, "wheels", &[ENGINE]);
    finds(&max, "rust", &[OLD, ENGINE]);
    finds(&max, "engine first", &[OLD, GEARBOX]);
    finds(&max, "engine AND first", &[OLD, GEARBOX]);
    finds(&max, "engine in:name", &[ENGINE, OLD]);
    finds(&max, "engine in:description", &[GEARBOX]);
    finds(&max, "rust in:topics", &[OLD, ENGINE]);
    finds(&max, "engine in:name,description in:topics", &[ENGINE, OLD, GEARBOX]);
    finds(&max, "\"of the wheels\"", &[ENGINE]);
    finds(&max, "\"the of\"", &[]);
    for (long, names) in [("ä".repeat(346) + "tail", &["acme/gear_box"] as &[&str]), ("ä".repeat(347) + "tail", &[])]
    {
        world.olivia().patch("/repos/acme/gear_box", json!({ "description": long })).expect(200);
        finds(&max, "tail", names);
    }
    // A phrase is found within one text.
    finds(&max, "\"engine turns\"", &[]);
    finds(&max, "\"steam rust\" in:topics", &[]);
}

#[test]
fn operation_search_takes_every_character_literally() {
    let world = world();
    let max = world.max();
    finds(&max, "gear_box", &[GEAR_BOX]);
    finds(&max, "100%", &[ENGINE]);
    finds(&max, "1%s", &[]);
    finds(&max, "\\", &[]);
    finds(&max, "' 1=1 --", &[]);
    // Only letters of ASCII are compared without case, on both engines.
    finds(&max, "Ärger", &[GEARBOX]);
    finds(&max, "ärger", &[]);
    let plus = max.get("/search/repositories?q=of+the+wheels").expect(200).clone();
    assert_eq!(plus["total_count"], 1);
}

#[test]
fn operation_search_leaves_out_what_is_excluded() {
    let world = world();
    let max = world.max();
    finds(&max, "engine -wheels", &[OLD, GEARBOX]);
    finds(&max, "engine NOT wheels", &[OLD, GEARBOX]);
    finds(&max, "org:acme -\"an engine\" -topic:rust", &[ENGINE, GEAR_BOX]);
    finds(&max, "org:acme -engine", &[GEAR_BOX]);
    finds(&max, "fork:true engine -org:acme", &[FORK]);
    finds(&max, "fork:true engine -user:nina", &[ENGINE, OLD, GEARBOX]);
    finds(&max, "engine NOT repo:acme/engine", &[OLD, GEARBOX]);
    finds(&max, "org:acme -archived:true -template:true", &[ENGINE, GEARBOX]);
}

#[test]
fn operation_search_knows_qualifiers() {
    let world = world();
    let (max, olivia) = (world.max(), world.olivia());
    finds(&max, "org:ACME", &[OLD, ENGINE, GEAR_BOX, GEARBOX]);
    finds(&olivia, "user:acme", &[OLD, ENGINE, GEAR_BOX, GEARBOX, VAULT]);
    finds(&max, "user:nina", &[]);
    finds(&max, "user:nina fork:true", &[FORK]);
    finds(&max, "fork:only", &[FORK]);
    finds(&max, "engine fork:true", &[ENGINE, FORK, OLD, GEARBOX]);
    finds(&max, "repo:acme/ENGINE repo:acme/gearbox", &[ENGINE, GEARBOX]);
    finds(&max, "repo:nina/engine org:acme fork:true engine", &[ENGINE, FORK, OLD, GEARBOX]);
    finds(&max, "topic:rust", &[OLD]);
    finds(&max, "topic:RUST-lang in:name", &[ENGINE]);
    finds(&max, "topic:steam topic:rust", &[OLD]);
    finds(&max, "topic:rus", &[]);
    finds(&max, "archived:true", &[OLD]);
    finds(&max, "engine archived:false", &[ENGINE, GEARBOX]);
    finds(&max, "template:true", &[GEAR_BOX]);
    finds(&olivia, "is:private", &[VAULT]);
    finds(&olivia, "steam is:public", &[OLD]);
    finds(&olivia, "steam is:public is:private", &[OLD, VAULT]);
    finds(&olivia, "is:internal", &[]);
    finds(&max, "forks:>0", &[ENGINE]);
    finds(&max, "org:acme -forks:1..*", &[OLD, GEAR_BOX, GEARBOX]);
    finds(&max, "org:acme created:>2000-01-01", &[OLD, ENGINE, GEAR_BOX, GEARBOX]);
    finds(&max, "org:acme -created:>2000-01-01", &[]);
    finds(&max, "org:acme created:2000-01-01..2000-02-01", &[]);
}

#[test]
fn operation_search_puts_the_best_match_first_or_sorts() {
    let world = world();
    let max = world.max();
    assert_eq!(found(&max, "engine", ""), [ENGINE, OLD, GEARBOX]);
    for by in ["stars", "help-wanted-issues"] {
        assert_eq!(found(&max, "engine", &format!("&sort={by}")), [OLD, ENGINE, GEARBOX]);
    }
    world.olivia().post("/repos/acme/gearbox/forks", json!({ "organization": "acme", "name": "two" })).expect(202);
    assert_eq!(found(&max, "org:acme", "&sort=forks"), [ENGINE, GEARBOX, OLD, GEAR_BOX]);
    assert_eq!(found(&max, "org:acme", "&sort=forks&order=asc"), [OLD, GEAR_BOX, ENGINE, GEARBOX]);
    world.advance(60);
    world.olivia().patch("/repos/acme/gear_box", json!({ "description": "newer" })).expect(200);
    assert_eq!(found(&max, "org:acme", "&sort=updated")[0], GEAR_BOX);
    assert_eq!(found(&max, "org:acme", "&sort=updated&order=asc")[3], GEAR_BOX);
    // An unknown value means the default, as in every list.
    assert_eq!(found(&max, "engine", "&sort=size&order=sideways"), [ENGINE, OLD, GEARBOX]);
}

#[test]
fn operation_search_shows_records_of_lists_with_a_score() {
    let world = world();
    let answer = search(&world.max(), "repo:acme/engine", "").expect(200).clone();
    let mut item = world.max().get("/orgs/acme/repos").expect(200)[1].clone();
    item["score"] = json!(1.0);
    assert_eq!(answer, json!({ "total_count": 1, "incomplete_results": false, "items": [item] }));
}

#[test]
fn operation_search_follows_a_rename_and_a_change() {
    let world = world();
    let max = world.max();
    finds(&max, "motor", &[]);
    world.olivia().patch("/repos/acme/engine", json!({ "name": "motor" })).expect(200);
    finds(&max, "motor", &["acme/motor"]);
    finds(&max, "repo:acme/engine", &["acme/motor"]);
    world.olivia().patch("/repos/acme/motor", json!({ "private": true })).expect(200);
    finds(&max, "motor", &[]);
}

#[test]
fn operation_search_refuses_what_it_does_not_know() {
    let world = world();
    let max = world.max();
    let refused = |query: &str| -> Value {
        let refusal = search(&max, query, "").refused(422, "Validation Failed").clone();
        let error = refusal["errors"][0].clone();
        assert_eq!(
            (&error["resource"], &error["field"], &error["code"]),
            (&json!("Search"), &json!("q"), &json!("invalid"))
        );
        error["message"].clone()
    };
    for (query, why) in [
        ("stars:>5 engine", "`stars:` is not a known qualifier."),
        ("language:rust", "`language:` is not a known qualifier."),
        ("pushed:>2020-01-01", "`pushed:` is not a known qualifier."),
        ("engine OR gear", "`OR` is not supported."),
        ("is:sponsorable", "`is:sponsorable` is not known."),
        (&"x".repeat(257), "The search is longer than 256 characters."),
    ] {
        let message = refused(query);
        assert!(message.as_str().is_some_and(|text| text.starts_with(why)), "{message}");
    }
    assert!(
        refused("license:mit").as_str().is_some_and(|text| text.contains("Use `org:`, `user:`, `repo:`, `topic:`"))
    );
    let missing = json!([{ "resource": "Search", "code": "missing", "field": "q" }]);
    for query in ["", "?q=", "?q=%20%09", "?q=a%00b", "?q=%FF"] {
        let answer = max.get(&format!("/search/repositories{query}"));
        assert_eq!(answer.refused(422, "Validation Failed")["errors"], missing, "{query}");
    }
    finds(&max, &"x".repeat(256), &[]);
}

#[test]
fn operation_search_has_an_order_in_its_query_and_names_the_caller() {
    let world = world();
    world.advance(60);
    world.olivia().patch("/repos/acme/gearbox", json!({ "description": "New" })).expect(200);
    let nina = world.nina();
    let (newest, oldest) = ([GEARBOX, GEAR_BOX], [GEAR_BOX, GEARBOX]);
    finds(&nina, "org:acme gear sort:updated", &newest);
    finds(&nina, "org:acme gear sort:updated-desc", &newest);
    finds(&nina, "org:acme gear sort:updated-asc", &oldest);
    finds(&nina, "user:@me sort:help-wanted-issues fork:true", &[FORK, "nina/diary"]);
    finds(&nina, "fork:true -user:@me sort:stars created:>2000-01-01 is:private", &[]);
    // The parameter comes first.
    assert_eq!(found(&nina, "org:acme gear sort:updated", "&sort=updated&order=asc"), oldest);
    for (query, why) in [
        ("sort:age", "`sort:age` is not known. Use one of stars, forks"),
        ("sort:updated-up", "`sort:updated-up` is not known."),
        ("-sort:forks", "`sort:` cannot be excluded."),
    ] {
        let answer = search(&nina, query, "").refused(422, "Validation Failed").clone();
        assert!(answer["errors"][0]["message"].as_str().is_some_and(|text| text.starts_with(why)), "{answer}");
    }
    search(&world.anonymous(), "user:@me", "").refused(422, "Validation Failed");
}
