//! A NUL in whatever a request has of text: PostgreSQL cannot store one and SQLite can, so neither is asked to. The
//! answer is the same on both engines: a refusal, or that of a request which does not have the text.

use guildhall::operation::{Method, Operation, Place};
use serde_json::Map;

use crate::every_operation::samples::{self, Sample};
use crate::every_operation::scene::{Scene, send};
use crate::support::{Value, json, raw};

/// A NUL alone and among other text, percent-encoded.
const ENCODED: [&str; 3] = ["%00", "a%00b", "1%00"];

/// The same in a body.
const TEXTS: [&str; 3] = ["\u{0}", "a\u{0}b", "tom\u{0}"];

/// A form's path with one of its parameters replaced, for each of them.
fn with_nul(scene: &Scene, form: &str, sample: &Sample, nul: &str) -> Vec<String> {
    let names: Vec<&str> = form.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
    let of = |name: &str| scene.path(&form.replace(&format!("{{{name}}}"), nul), &sample.clone().query(""));
    names.into_iter().map(of).collect()
}

#[test]
fn a_nul_in_a_path_is_400() {
    let scene = Scene::new();
    let before = scene.dump();
    for (row, sample) in samples::all() {
        for form in &row.forms {
            for path in ENCODED.iter().flat_map(|nul| with_nul(&scene, form, &sample, nul)) {
                let answer = send(&scene.client(sample.who), &row, &path, sample.members(&scene));
                answer.refused(400, "The path is not valid: percent-encode it as UTF-8.");
            }
        }
    }
    scene.unchanged_since(&before, "A path with a NUL");
}

#[test]
fn a_nul_in_the_path_of_a_page_is_no_page() {
    let scene = Scene::new();
    for path in [
        "/ui/%00",
        "/ui/acme%00",
        "/ui/orgs/%00",
        "/ui/orgs/acme%00/teams/core",
        "/ui/orgs/acme/teams/%00",
        "/ui/orgs/a%00/projects/1",
        "/ui/orgs/acme/projects/%00",
        "/ui/acme/%00",
        "/ui/acme/%00/x",
        "/ui/avatars/%00",
    ] {
        let status = scene.client("olivia").get(path).status;
        assert!([400, 404].contains(&status), "{path}: {status}");
    }
}

#[test]
fn a_nul_in_a_query_is_as_if_it_was_not_there_for_a_read_and_422_for_a_write() {
    let scene = Scene::new();
    let before = scene.dump();
    for (row, sample) in samples::all() {
        let own = row.params.fields.iter().filter(|field| field.place != Place::Path).map(|field| field.name.as_str());
        let path = scene.path(&row.forms[0], &sample.clone().query(""));
        // A person has 30 searches a minute.
        scene.world.advance(60);
        for name in own.chain(["page", "per_page", "nothing", "a%00b"]) {
            if row.method != Method::Get && !row.params.fields.iter().any(|field| field.name == name) {
                continue;
            }
            for nul in ENCODED {
                let mut body = sample.members(&scene);
                if let Some(Value::Object(members)) = &mut body {
                    members.remove(name);
                }
                let path = format!("{path}?{name}={nul}&{}", sample.required(&row));
                let answer = send(&scene.client(sample.who), &row, &path, body);
                // Of a name that is there twice, the first counts.
                let needed = row.params.fields.iter().any(|field| field.required && field.name == name);
                let expected = if row.method == Method::Get && !needed { sample.status } else { 422 };
                assert_eq!(answer.status, expected, "{} with {name}={nul}: {}", row.name, answer.text);
            }
        }
    }
    scene.unchanged_since(&before, "A query with a NUL");
}

/// The value with a NUL in place of each text in it, one after the other; a list of numbers gets one too.
fn spoilt(value: &Value, nul: &str) -> Vec<Value> {
    match value {
        Value::Array(items) if items.is_empty() => vec![json!([nul])],
        Value::Array(items) => {
            let nth = |at: usize| {
                spoilt(&items[at], nul).into_iter().map(move |one| {
                    let mut items = items.clone();
                    items[at] = one;
                    Value::Array(items)
                })
            };
            (0..items.len()).flat_map(nth).collect()
        }
        Value::Object(members) => {
            let of = |name: &String| {
                let name = name.clone();
                spoilt(&members[&name], nul).into_iter().map(move |one| {
                    let mut members = members.clone();
                    members.insert(name.clone(), one);
                    Value::Object(members)
                })
            };
            members.keys().flat_map(of).collect()
        }
        _ => vec![json!(nul)],
    }
}

/// Members that may have any text: it is not stored, because the record of a group has its own.
const NOT_KEPT: [&str; 2] = ["group_name", "group_description"];

fn is_kept(spoilt: &Value, nul: &str) -> bool {
    let holds = |name: &str| spoilt["groups"][0][name] == nul;
    !NOT_KEPT.iter().any(|name| holds(name))
}

fn try_body(scene: &Scene, row: &Operation, sample: &Sample, body: &Value) {
    let path = scene.path(&row.forms[0], sample);
    let answer = send(&scene.client(sample.who), row, &path, Some(body.clone()));
    assert_eq!(answer.status, 422, "{} with {body}: {}", row.name, answer.text);
    assert!(answer.json["message"].is_string(), "{}", answer.text);
}

#[test]
fn a_nul_in_a_body_is_422() {
    let scene = Scene::new();
    let before = scene.dump();
    for (row, sample) in samples::all() {
        let Some(members) = sample.members(&scene) else { continue };
        for nul in TEXTS {
            for body in spoilt(&members, nul).into_iter().filter(|body| is_kept(body, nul)) {
                try_body(&scene, &row, &sample, &body);
            }
        }
    }
    scene.unchanged_since(&before, "A body with a NUL");
}

#[test]
fn a_nul_in_the_name_of_a_member_is_as_any_unknown_member() {
    let scene = Scene::new();
    samples::each_write(|row, sample| {
        let mut members: Map<String, Value> =
            sample.members(&scene).and_then(|body| body.as_object().cloned()).unwrap_or_default();
        // A wrong value beside it: nothing is carried out.
        members.insert("\u{0}".to_owned(), json!("\u{0}"));
        members.insert("a\u{0}b".to_owned(), json!({ "\u{0}": ["\u{0}"] }));
        let scene = Scene::new();
        let answer = scene.send_body(row, sample, Some(Value::Object(members)));
        let strict = row.reads_file || answer.text.contains("is not a permitted key");
        assert!(answer.status == sample.status || answer.status == 422 && strict, "{}: {}", row.name, answer.text);
    });
}

#[test]
fn a_nul_in_credentials_is_401_and_in_a_header_400() {
    let scene = Scene::new();
    let anonymous = scene.world.anonymous();
    // "\0:\0" and "olivia:\0".
    for basic in ["ADoA", "b2xpdmlhOgA="] {
        anonymous.with("Authorization", &format!("Basic {basic}")).get("/user").refused(401, "Bad credentials");
    }
    let host = scene.world.base.trim_start_matches("http://");
    for header in ["User-Agent: a\0b", "Accept: \0", "If-None-Match: \"\0\"", "Authorization: token \0"] {
        let head = format!("GET / HTTP/1.1\r\nHost: {host}\r\nUser-Agent: x\r\n{header}\r\nConnection: close\r\n\r\n");
        assert_eq!(raw::status(&raw::send(host, head.as_bytes())), 400, "{header:?}");
    }
}
