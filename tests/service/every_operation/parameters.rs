//! The places where parameters come from, and the values that they may have (decisions 7 and 8).

use std::cell::OnceCell;

use guildhall::operation::{Field, Method, Operation, Place};
use serde_json::Map;

use crate::every_operation::outcome::Outcome;
use crate::every_operation::samples::{self, Sample};
use crate::every_operation::scene::Scene;
use crate::support::{Value, json};

/// Values of every type, of which each parameter accepts a few.
fn values_of_every_type() -> [Value; 11] {
    [
        json!(true),
        json!(7),
        json!(1.5),
        json!(9_300_000_000_000_000_000_u64),
        json!("unheard of"),
        json!([]),
        json!([null]),
        json!([true]),
        json!([[]]),
        json!({}),
        json!({ "a": 1 }),
    ]
}

/// True if a value is of the type that the parameter's schema states.
fn fits(schema: &Value, value: &Value) -> bool {
    for kind in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[kind].as_array() {
            return choices.iter().any(|choice| fits(choice, value));
        }
    }
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.clone(),
        kind => vec![kind.clone()],
    };
    let of_type = kinds.iter().any(|kind| match kind.as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64(),
        Some("boolean") => value.is_boolean(),
        Some("object") => value.is_object(),
        Some("array") => value.as_array().is_some_and(|items| items.iter().all(|item| fits(&schema["items"], item))),
        Some("null") => value.is_null(),
        other => panic!("{other:?} in {schema}"),
    });
    let among = schema["enum"].as_array().is_none_or(|choices| choices.contains(value));
    of_type && among && schema.get("const").is_none_or(|only| only == value)
}

fn of_body(row: &Operation) -> impl Iterator<Item = &Field> {
    row.params.fields.iter().filter(|field| field.place == Place::Body)
}

fn members(scene: &Scene, sample: &Sample) -> Map<String, Value> {
    let body = sample.members(scene).unwrap_or_else(|| json!({}));
    body.as_object().expect("an object").clone()
}

/// The outcome of a sample with this body, in a scene of its own.
fn carry_out(row: &Operation, sample: &Sample, change: impl FnOnce(&Scene, &mut Map<String, Value>)) -> Outcome {
    let scene = Scene::new();
    let mut body = members(&scene, sample);
    change(&scene, &mut body);
    let answer = scene.send_body(row, sample, Some(Value::Object(body)));
    answer.expect(sample.status);
    Outcome::of(&scene, &scene.client(sample.who), &answer)
}

#[test]
fn every_sample_sends_every_parameter_of_its_body() {
    let scene = Scene::new();
    for (row, sample) in samples::all() {
        let sent: Vec<String> = members(&scene, &sample).keys().cloned().collect();
        let missing = of_body(&row).find(|field| !sent.contains(&field.name));
        assert!(missing.is_none(), "the sample of {} lacks {:?}", row.name, missing.map(|field| &field.name));
    }
}

/// The other things that the path could have named, for each parameter that is in some form of it.
fn other_names(scene: &Scene, row: &Operation, sample: &Sample) -> Vec<(&'static str, String)> {
    let (team, person) = (if sample.team == "hidden" { "core" } else { "hidden" }, "ursula");
    let others = [
        ("org", "globex"),
        ("org_id", "globex"),
        ("team_slug", team),
        ("team_id", team),
        ("username", person),
        ("account_id", person),
        ("project_id", "backlog"),
        ("discussion_number", "the second"),
        ("comment_number", "the second"),
        ("reaction_id", "parents"),
        ("token_id", "eve"),
        ("invitation_id", "zita"),
        ("join_request_id", "the second"),
        ("hook_id", "another of acme"),
        ("delivery_id", "the second"),
        ("plan_id", "the second"),
        ("thread_id", "the second"),
    ];
    let in_path = |name: &str| row.forms.iter().any(|form| form.contains(&format!("{{{name}}}")));
    let found = others.iter().filter(|(name, _)| in_path(name));
    found.map(|(name, of)| (*name, scene.value(name, of).to_owned())).collect()
}

#[test]
fn what_the_path_names_cannot_be_named_in_the_query() {
    let scene = Scene::new();
    for (row, sample) in samples::all().iter().filter(|(row, _)| row.method == Method::Get) {
        let client = scene.client(sample.who);
        let path = scene.path(&row.forms[0], sample);
        let plain = client.get(&path);
        plain.expect(sample.status);
        for (name, value) in other_names(&scene, row, sample) {
            let joined = if path.contains('?') { "&" } else { "?" };
            let named = client.get(&format!("{path}{joined}{name}={value}"));
            assert_eq!((named.status, &named.text), (plain.status, &plain.text), "{} with {name}", row.name);
        }
    }
}

#[test]
fn what_the_path_names_cannot_be_named_in_the_body() {
    samples::each_write(|row, sample| {
        // A file has keys of its own.
        if row.reads_file {
            return;
        }
        let plain = carry_out(row, sample, |_, _| ());
        let named = carry_out(row, sample, |scene, body| {
            for (name, value) in other_names(scene, row, sample) {
                let number = value.parse::<i64>().map(Value::from);
                body.insert(name.to_owned(), number.unwrap_or_else(|_| value.into()));
            }
        });
        named.must_be(&plain, row.name);
    });
}

/// Rows that refuse what they do not know.
const STRICT: [&str; 3] = ["orgs.setMembershipForUser", "orgs.applyPlan", "teams.addOrUpdateRepoPermissionsInOrg"];

#[test]
fn unknown_members_are_ignored_unless_a_row_is_strict() {
    samples::each_write(|row, sample| {
        if row.reads_file {
            return;
        }
        let surprise = json!({ "surprise": { "deep": [1, 2, { "deeper": null }] }, "id": 1, "Name": "x" });
        let with_surprise = |_: &Scene, body: &mut Map<String, Value>| {
            body.extend(surprise.as_object().expect("an object").clone());
        };
        if !STRICT.contains(&row.name) {
            carry_out(row, sample, with_surprise).must_be(&carry_out(row, sample, |_, _| ()), row.name);
            return;
        }
        let scene = Scene::new();
        let before = scene.dump();
        let mut body = members(&scene, sample);
        with_surprise(&scene, &mut body);
        let message = "Invalid request.\n\n\"surprise\" is not a permitted key.\n\"id\" is not a permitted key.\n\
                       \"Name\" is not a permitted key.";
        scene.send_body(row, sample, Some(Value::Object(body))).refused(422, message);
        scene.unchanged_since(&before, row.name);
    });
}

/// Parameters of which a row needs at least one, although none of them is required.
const NEEDED: [(&str, &str); 3] = [
    ("enterpriseAdmin.updateOrgName", "login"),
    ("orgs.createInvitation", "invitee_id"),
    ("orgs.replayWebhookDeliveries", "since_delivery"),
];

#[test]
fn null_is_absent_for_what_may_be_absent() {
    samples::each(|row, sample| {
        let may_be_absent = |field: &&Field| {
            !field.required && !field.null_clears && !NEEDED.contains(&(row.name, field.name.as_str()))
        };
        let optional: Vec<&str> = of_body(row).filter(may_be_absent).map(|field| field.name.as_str()).collect();
        if optional.is_empty() {
            return;
        }
        let null = carry_out(row, sample, |_, body| {
            body.extend(optional.iter().map(|name| ((*name).to_owned(), Value::Null)));
        });
        let absent = carry_out(row, sample, |_, body| body.retain(|name, _| !optional.contains(&name.as_str())));
        null.must_be(&absent, row.name);
    });
}

#[test]
fn what_must_be_there_must_be_there() {
    let scene = Scene::new();
    let before = scene.dump();
    for (row, sample) in samples::all() {
        for field in of_body(&row).filter(|field| field.required) {
            for value in [None, Some(Value::Null)] {
                let mut body = members(&scene, &sample);
                body.remove(&field.name);
                body.extend(value.map(|value| (field.name.clone(), value)));
                let answer = scene.send_body(&row, &sample, Some(Value::Object(body)));
                answer.refused(422, &format!("Invalid request.\n\n\"{}\" wasn't supplied.", field.name));
            }
        }
    }
    scene.unchanged_since(&before, "A request without a required parameter");
}

#[test]
fn a_value_of_another_type_is_refused() {
    let scene = Scene::new();
    let before = scene.dump();
    for (row, sample) in samples::all() {
        for field in of_body(&row) {
            let misfits = values_of_every_type().into_iter().filter(|value| !fits(&field.schema, value));
            let mut tried = 0;
            for wrong in misfits {
                let mut body = members(&scene, &sample);
                body.insert(field.name.clone(), wrong.clone());
                let answer = scene.send_body(&row, &sample, Some(Value::Object(body)));
                assert_eq!(answer.status, 422, "{} of {} as {wrong}: {}", field.name, row.name, answer.text);
                let message = answer.json["message"].as_str().expect("a message");
                tried += 1;
                if field.function_validates && wrong.is_string() {
                    assert_eq!(message, "Validation Failed", "{} of {} as {wrong}", field.name, row.name);
                    continue;
                }
                let begins = format!("Invalid request.\n\nFor 'properties/{}", field.name);
                assert!(message.starts_with(&begins), "{} of {} as {wrong}: {message}", field.name, row.name);
            }
            assert!(tried >= 6, "{} of {} accepts nearly everything", field.name, row.name);
            scene.unchanged_since(&before, &format!("{} with a wrong {}", row.name, field.name));
        }
    }
}

/// The values that a schema allows, if it names them.
fn choices(schema: &Value) -> Vec<Value> {
    let own = schema["enum"].as_array().into_iter().flatten().chain(schema.get("const"));
    let own: Vec<Value> = own.filter(|choice| !choice.is_null()).cloned().collect();
    let inner = ["anyOf", "oneOf"].iter().flat_map(|key| schema[*key].as_array().into_iter().flatten());
    own.into_iter().chain(inner.flat_map(choices)).collect()
}

#[test]
fn every_allowed_value_is_taken() {
    samples::each(|row, sample| {
        for field in of_body(row) {
            for choice in choices(&field.schema) {
                let scene = Scene::new();
                let mut body = members(&scene, sample);
                body.insert(field.name.clone(), choice.clone());
                let answer = scene.send_body(row, sample, Some(Value::Object(body)));
                // A rule about the data may still refuse it, and says so in `errors`.
                let ruled_out = answer.status == 422 && answer.json["errors"].is_array();
                let taken = row.reply.statuses().contains(&answer.status);
                assert!(taken || ruled_out, "{} of {} as {choice}: {}", field.name, row.name, answer.text);
            }
        }
    });
}

#[test]
fn what_is_left_out_has_the_default_that_is_documented() {
    samples::each(|row, sample| {
        let needed = |name: &str| {
            NEEDED.contains(&(row.name, name))
                || row.params.fields.iter().any(|field| field.required && field.name == name)
        };
        let absent = OnceCell::new();
        for field in of_body(row) {
            let Some(default) = field.schema.get("default") else { continue };
            let absent = absent.get_or_init(|| carry_out(row, sample, |_, body| body.retain(|name, _| needed(name))));
            let stated = carry_out(row, sample, |_, body| {
                body.retain(|name, _| needed(name));
                body.insert(field.name.clone(), default.clone());
            });
            stated.must_be(absent, &format!("{} of {}", field.name, row.name));
        }
    });
}

#[test]
fn what_a_query_leaves_out_has_the_default_that_is_documented() {
    let scene = Scene::new();
    for (row, sample) in samples::all() {
        for field in row.params.fields.iter().filter(|field| field.place == Place::Query) {
            let Some(default) = field.schema.get("default") else { continue };
            let value = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
            let path = scene.path(&row.forms[0], &sample);
            let path = path.split('?').next().expect("a path");
            let client = scene.client(sample.who);
            let absent = client.get(path);
            let stated = client.get(&format!("{path}?{}={value}", field.name));
            assert_eq!((absent.status, &absent.json), (stated.status, &stated.json), "{} of {}", field.name, row.name);
        }
    }
}
