//! Prints the examples of the documents as JSON: each sample request of `tests/service/every_operation` with its response,
//! and one refusal of each kind.
//!
//! `scripts/bless` writes them to `docs/examples.json`. Two runs print the same bytes: every request is sent to a
//! server of its own, whose clock stands still and whose name is in `BASE`, and the text of tokens is left out.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "it prints, and stops at the first surprise"
)]

#[expect(dead_code, reason = "tests use more of it")]
#[path = "../tests/service/every_operation/samples.rs"]
mod samples;
#[expect(dead_code, reason = "tests use more of it")]
#[path = "../tests/service/every_operation/scene.rs"]
mod scene;
#[path = "../tests/support/mod.rs"]
mod support;

use guildhall::http::openapi::examples::BASE;
use guildhall::operation::{JSON, Operation};
use serde_json::Map;

use samples::Sample;
use scene::Scene;
use support::world::Settings;
use support::{Answer, Client, Value, json, raw};

/// The number of items of a list that are shown.
const SHOWN: usize = 2;

/// Headers that tell where to go on.
const HEADERS: [&str; 2] = ["Location", "Link"];

const CORE: &str = "/orgs/acme/teams/core";

fn main() {
    let operations: Map<String, Value> =
        samples::all().iter().map(|(row, sample)| (row.name.to_owned(), example(row, sample))).collect();
    let mut refusals: Vec<Value> = refusals().into_iter().chain(refusals_before_the_body()).collect();
    refusals.sort_by_key(|refusal| refusal["status"].as_u64());
    let examples = json!({ "operations": operations, "refusals": refusals });
    println!("{}", serde_json::to_string_pretty(&examples).expect("JSON"));
}

/// The scene with the limits that a server has when nothing is set.
fn scene() -> Scene {
    Scene::with(Settings { limits: Some((5_000, 60)), creation_limit: (80, 500), ..Settings::default() })
}

/// The same person, who knows the server by the name in documents.
fn named(client: Client) -> Client {
    client.with("Host", host())
}

fn host() -> &'static str {
    BASE.trim_start_matches("https://")
}

/// A sample and the answer to it.
fn example(row: &Operation, sample: &Sample) -> Value {
    let scene = scene();
    let client = named(scene.client(sample.who));
    let answer = scene.send_form(&client, row, sample, &row.forms[0], sample.members(&scene));
    answer.expect(sample.status);
    let named = Scene::named_by(sample).into_iter();
    let named = named.filter(|(name, _)| row.forms.iter().any(|form| form.contains(&format!("{{{name}}}"))));
    let path: Map<String, Value> =
        named.map(|(name, of)| (name.to_owned(), Value::from(scene.value(name, of)))).collect();
    let mut example = json!({ "path": path, "query": sample.query });
    if let Some(body) = sample.members(&scene) {
        example["body"] = body;
    }
    let headers: Map<String, Value> =
        HEADERS.into_iter().filter_map(|name| Some((name.to_owned(), public(answer.header(name)?).into()))).collect();
    example["status"] = sample.status.into();
    example["headers"] = headers.into();
    if !answer.text.is_empty() {
        // A file in YAML is a text.
        example["answer"] = if row.reply.media == JSON { shown(&answer.text) } else { answer.text.into() };
    }
    example
}

/// A refusal: its status, its name, when it is sent, and the answer.
fn refusal(name: &str, when: &str, answer: &Answer) -> Value {
    assert!(answer.status >= 400, "{name} is no refusal: {}", answer.text);
    json!({ "status": answer.status, "name": name, "when": when, "answer": shown(&answer.text) })
}

fn refusals() -> Vec<Value> {
    let scene = scene();
    let client = |who: &str| named(scene.client(who));
    let (tom, olivia, unknown) = (client("tom"), client("olivia"), Client::new(&scene.world.base, Some("unknown")));
    let mut refusals = Vec::new();
    let mut add = |name, when, answer: Answer| refusals.push(refusal(name, when, &answer));
    let unfinished = Some("{\"name\":".to_owned());
    let planned = Scene::with(Settings::default());
    let plan = format!("/orgs/acme/plans/{}/apply", planned.value("plan_id", "the first"));
    let changer = named(planned.client("olivia"));
    changer.patch("/orgs/acme", json!({ "description": "Changed" })).expect(200);
    add("differs", "The organization was changed after it was planned.", changer.post(&plan, json!({})));
    add("bad-json", "The body is not JSON.", olivia.send("POST", "/orgs/acme/teams", unfinished));
    add("no-credentials", "The request has no token.", named(scene.world.anonymous()).get("/user"));
    add("bad-credentials", "The token is unknown, revoked or expired.", named(unknown).get("/user"));
    add("not-allowed", "The caller may not do this.", tom.delete(CORE));
    add("suspended", "The caller's account is suspended.", client("walt").get("/user"));
    add("not-found", "It does not exist, or the caller cannot see it.", client("eve").get("/orgs/acme/teams/hidden"));
    let nameless = olivia.post("/orgs/acme/teams", json!({ "privacy": "closed" }));
    add("missing", "A required parameter is missing.", nameless);
    let again = olivia.post("/orgs/acme/teams", json!({ "name": "Core" }));
    add("not-unique", "The name is taken.", again);
    scene.world.faults.arm(1);
    add("unavailable", "The database does not answer.", olivia.get(CORE));
    refusals.extend([rate_limited(), too_many_creations()]);
    refusals
}

/// Beyond the limit of requests in an hour.
fn rate_limited() -> Value {
    let scene = Scene::with(Settings { limits: Some((1, 1)), ..Settings::default() });
    let tom = named(scene.client("tom"));
    tom.get("/user").expect(200);
    refusal("rate-limit", "The caller has used up this hour's requests.", &tom.get("/user"))
}

/// Beyond the limit of what a person creates.
fn too_many_creations() -> Value {
    let scene = Scene::with(Settings { creation_limit: (1, 1), ..Settings::default() });
    let tom = named(scene.client("tom"));
    let post = || tom.post(&format!("{CORE}/discussions"), json!({ "title": "Lunch", "body": "At noon?" }));
    post().expect(201);
    refusal("secondary-rate-limit", "The caller creates too much in a short time.", &post())
}

/// Requests that no client library sends.
fn refusals_before_the_body() -> [Value; 2] {
    let scene = scene();
    let client = scene.client("olivia");
    let (address, token) = (client.base.trim_start_matches("http://"), client.token.as_deref().expect("a token"));
    let send = |name: &str, when: &str, line: &str, length: &str| {
        let head = format!(
            "{line} HTTP/1.1\r\nHost: {}\r\nUser-Agent: answers\r\nAuthorization: token {token}\r\n\
             Connection: close\r\n{length}\r\n",
            host()
        );
        let text = raw::send(address, head.as_bytes());
        let (_, body) = text.split_once("\r\n\r\n").expect("an answer");
        json!({ "status": raw::status(&text), "name": name, "when": when, "answer": shown(body) })
    };
    let put = format!("PUT {CORE}/memberships/eve");
    let announced = "Expect: 100-continue\r\nContent-Length: 9999999\r\n";
    [
        send("no-length", "A PUT over HTTP/1.1 has no `Content-Length`.", &put, ""),
        send("too-large", "The body is larger than 1 MiB.", "POST /orgs/acme/teams", announced),
    ]
}

/// The body of an answer: long lists are cut, and nothing differs from run to run.
fn shown(text: &str) -> Value {
    let mut body: Value = serde_json::from_str(&public(text)).unwrap_or_else(|_| panic!("{text} is not JSON"));
    shorten(&mut body);
    body
}

/// A text with the scheme of the documents.
fn public(text: &str) -> String {
    text.replace(&format!("http://{}", host()), BASE)
}

fn shorten(value: &mut Value) {
    match value {
        Value::Array(items) => {
            items.truncate(SHOWN);
            items.iter_mut().for_each(shorten);
        }
        Value::Object(members) => {
            for (name, member) in members {
                match (name.as_str(), member.as_str()) {
                    ("token", Some(text)) if !text.is_empty() => *member = "ghp_…".into(),
                    ("hashed_token" | "token_last_eight" | "request_id" | "hash", Some(_)) => *member = "…".into(),
                    ("actor_ip", Some(_)) => *member = "203.0.113.7".into(),
                    _ => shorten(member),
                }
            }
        }
        _ => {}
    }
}
