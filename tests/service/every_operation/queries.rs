//! Parameters of writes that travel in the query (decision 7).

use guildhall::operation::{Field, Method, Operation, Place};
use serde_json::Map;

use crate::every_operation::outcome::Outcome;
use crate::every_operation::samples::{self, Sample};
use crate::every_operation::scene::{Scene, send};
use crate::support::Value;

fn writes() -> impl Iterator<Item = (Operation, Sample)> {
    samples::all().into_iter().filter(|(row, _)| row.method != Method::Get)
}

fn members(scene: &Scene, sample: &Sample) -> Map<String, Value> {
    sample.members(scene).and_then(|body| body.as_object().cloned()).unwrap_or_default()
}

/// The text of a value that fits into a query; a list or an object has none.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.bytes().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

fn fields(row: &Operation) -> impl Iterator<Item = &Field> {
    row.params.fields.iter().filter(|field| field.place == Place::Body)
}

/// The sample with these pairs in its query and the rest of its body; what it comes to, in a scene of its own.
fn carry_out(row: &Operation, sample: &Sample, split: impl FnOnce(&mut Map<String, Value>) -> String) -> Outcome {
    let scene = Scene::new();
    let mut body = members(&scene, sample);
    let query = split(&mut body);
    let path = format!("{}?{query}", scene.path(&row.forms[0], sample));
    let client = scene.client(sample.who);
    let answer = send(&client, row, &path, (!body.is_empty()).then_some(Value::Object(body)));
    answer.expect(sample.status);
    Outcome::of(&scene, &client, &answer)
}

fn pairs(body: &mut Map<String, Value>, names: &[&str]) -> String {
    let mut pairs = Vec::new();
    body.retain(|name, value| match text(value) {
        Some(text) if names.contains(&name.as_str()) => {
            pairs.push(format!("{name}={text}"));
            false
        }
        _ => true,
    });
    pairs.join("&")
}

#[test]
fn a_write_reads_from_the_query_what_its_body_does_not_have() {
    samples::each_write(|row, sample| {
        let names: Vec<&str> = fields(row).map(|field| field.name.as_str()).collect();
        if !names.is_empty() {
            let plain = carry_out(row, sample, |_| String::new());
            carry_out(row, sample, |body| pairs(body, &names)).must_be(&plain, row.name);
        }
    });
}

#[test]
fn what_a_body_has_hides_the_query_and_null_does_too() {
    samples::each_write(|row, sample| {
        let names: Vec<&str> = fields(row).map(|field| field.name.as_str()).collect();
        if names.is_empty() {
            return;
        }
        let others: Vec<String> = names.iter().map(|name| format!("{name}=something+else")).collect();
        let plain = carry_out(row, sample, |_| String::new());
        carry_out(row, sample, |_| others.join("&")).must_be(&plain, row.name);

        let may_be_null = |field: &&Field| {
            !field.required && !field.null_clears && !NEEDED.contains(&(row.name, field.name.as_str()))
        };
        let optional: Vec<&str> = fields(row).filter(may_be_null).map(|field| field.name.as_str()).collect();
        let absent = carry_out(row, sample, |body| {
            body.retain(|name, _| !optional.contains(&name.as_str()));
            String::new()
        });
        let null = carry_out(row, sample, |body| {
            body.extend(optional.iter().map(|name| ((*name).to_owned(), Value::Null)));
            others.join("&")
        });
        null.must_be(&absent, &format!("{} with nulls", row.name));
    });
}

/// Parameters without which a row has nothing to do, although each may be left out.
const NEEDED: [(&str, &str); 3] = [
    ("enterpriseAdmin.updateOrgName", "login"),
    ("orgs.createInvitation", "invitee_id"),
    ("orgs.replayWebhookDeliveries", "since_delivery"),
];

/// Rows that refuse what they do not know in the query too.
const STRICT: [&str; 2] = ["orgs.createPlan", "orgs.applyPlan"];

#[test]
fn a_write_ignores_in_its_query_what_the_path_names_and_what_is_unknown() {
    samples::each_write(|row, sample| {
        if STRICT.contains(&row.name) {
            let scene = Scene::new();
            let path = |query| format!("{}?{query}", scene.path(&row.forms[0], &sample.clone().query("")));
            let sent = |query| send(&scene.client(sample.who), row, &path(query), sample.members(&scene));
            sent("surprise=1").refused(422, "Invalid request.\n\n\"surprise\" is not a permitted key.");
            sent("org=globex&org_id=1&plan_id=1").expect(sample.status);
            return;
        }
        let plain = carry_out(row, sample, |_| String::new());
        let named = carry_out(row, sample, |_| {
            "org=globex&org_id=1&team_slug=hidden&team_id=1&username=ursula&owner=globex&repo=x&repository_id=1\
             &project_id=1&discussion_number=2&comment_number=2&reaction_id=1&token_id=1&invitation_id=1&account_id=1\
             &join_request_id=1&access_token=ghp_nothing&surprise=1&page=%00&%ff=1"
                .to_owned()
        });
        named.must_be(&plain, row.name);
    });
}

#[test]
fn what_the_query_of_a_write_has_must_fit() {
    let scene = Scene::new();
    let before = scene.dump();
    for (row, sample) in writes() {
        for field in fields(&row) {
            let wrong = match field.schema.to_string() {
                schema if schema.contains("\"array\"") => "alone",
                schema if schema.contains("\"enum\"") || schema.contains("\"const\"") => "nonsense",
                schema if schema.contains("\"integer\"") || schema.contains("\"boolean\"") => "1.5",
                _ => "%00",
            };
            for wrong in [wrong, "%00", "a%ff"] {
                let mut body = members(&scene, &sample);
                body.remove(&field.name);
                let path = format!("{}?{}={wrong}", scene.path(&row.forms[0], &sample), field.name);
                let answer = send(&scene.client(sample.who), &row, &path, Some(Value::Object(body)));
                assert_eq!(answer.status, 422, "{} with {}={wrong}: {}", row.name, field.name, answer.text);
                assert!(answer.json["message"].is_string(), "{}", answer.text);
            }
        }
    }
    scene.unchanged_since(&before, "A write with a query that does not fit");
}
