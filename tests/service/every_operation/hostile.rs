//! Hostile values of the right type: the status is below 500, and a refused request changes nothing.

use guildhall::operation::{Field, Method, Operation, Place};

use crate::every_operation::samples::{self, Sample};
use crate::every_operation::scene::{Scene, send};
use crate::support::{Value, json, raw};

fn texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "",
        " ",
        "\t\n",
        "\u{0}",
        "a\u{0}b",
        "\u{7f}\u{1b}[31m",
        "\u{202e}abc",
        "\u{feff}",
        "\u{fffd}",
        "💥💥",
        "é",
        "e\u{301}",
        "İ",
        "ß",
        "../../etc/passwd",
        "<script>alert(1)</script>",
        "'; DROP TABLE teams; --",
        "%",
        "_",
        "null",
        "-",
        "--",
        ".",
        "..",
        "a/b",
        "a?b#c",
        "{}",
        "\\",
        "\"",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.extend([39, 40, 100, 101, 255, 256, 65_535, 65_536, 500_000].map(|n| "x".repeat(n)));
    texts.extend(["💥".repeat(255), "💥".repeat(256), "\u{0}".repeat(70_000)]);
    texts
}

fn numbers() -> Vec<Value> {
    [i64::MIN, -1, 0, 1, i64::from(i32::MAX) + 1, 1 << 53, i64::MAX].map(Value::from).to_vec()
}

/// Hostile values for a parameter, each alone and where lists are taken in lists.
fn values(field: &Field) -> Vec<Value> {
    let schema = field.schema.to_string();
    let texts: Vec<Value> = texts().into_iter().map(Value::from).collect();
    let many: Vec<Value> = (0..5_000).map(|n| json!(format!("somebody-{n}"))).collect();
    let mut all = Vec::new();
    if schema.contains("\"array\"") {
        all.extend([json!(many), json!(vec![Value::from("tom"); 5_000])]);
        all.extend(texts.iter().chain(&numbers()).map(|value| json!([value])));
    } else if schema.contains("\"integer\"") {
        all.extend(numbers());
    } else if schema.contains("\"string\"") {
        all.extend(texts);
    }
    all
}

/// The form that does not depend on names which the request changes.
fn lasting_form(row: &Operation) -> &str {
    row.forms.iter().find(|form| form.contains("_id}")).unwrap_or(&row.forms[0])
}

/// Tries a value where the database holds this; a refusal leaves it so, and what else it holds is noted.
fn try_value(scene: &Scene, row: &Operation, sample: &Sample, field: &Field, value: Value, held: &mut String) {
    let mut body = sample.members(scene).expect("a body");
    body[field.name.as_str()] = value.clone();
    let path = scene.path(lasting_form(row), sample);
    let answer = send(&scene.client(sample.who), row, &path, Some(body));
    let shown: String = value.to_string().chars().take(60).collect();
    assert!(answer.status < 500, "{} with {} = {shown} answered {}", row.name, field.name, answer.status);
    if answer.status >= 400 {
        assert!(answer.json["message"].is_string(), "{} with {} = {shown}: {}", row.name, field.name, answer.text);
        assert!(answer.text.len() < 5_000, "{} with {} = {shown} repeats {:.200}", row.name, field.name, answer.text);
        scene.unchanged_since(held, &format!("{} with {} = {shown}", row.name, field.name));
    } else {
        *held = scene.dump();
    }
}

#[test]
fn hostile_values_in_a_body_are_answered() {
    samples::each(|row, sample| {
        let fields: Vec<&Field> = row.params.fields.iter().filter(|field| field.place == Place::Body).collect();
        let cases: Vec<(&Field, Value)> =
            fields.iter().flat_map(|field| values(field).into_iter().map(|value| (*field, value))).collect();
        if cases.is_empty() {
            return;
        }
        let scene = Scene::new();
        let mut held = scene.dump();
        for (field, value) in cases {
            try_value(&scene, row, sample, field, value, &mut held);
        }
    });
}

#[test]
fn hostile_values_in_a_query_are_answered() {
    let scene = Scene::new();
    let texts = [
        "",
        "abc",
        "-1",
        "0",
        "1.5",
        "99999999999999999999",
        "9223372036854775807",
        "%00",
        "%FF",
        "%",
        "%zz",
        "+",
        "null",
        "[]",
        "%F0%9F%92%A5",
        "a&a=b",
        "=",
        "&&&",
        "%26",
        "'%20OR%201=1",
    ];
    for (row, sample) in samples::all().iter().filter(|(row, _)| row.method == Method::Get) {
        let own = row.params.fields.iter().filter(|field| field.place == Place::Query).map(|field| field.name.as_str());
        let path = scene.path(&row.forms[0], &sample.clone().query(""));
        let needed = sample.required(row);
        for name in own.chain(["page", "per_page", "nothing"]) {
            // A person has 30 searches a minute.
            scene.world.advance(60);
            for text in texts {
                let answer = scene.client(sample.who).get(&format!("{path}?{name}={text}&{needed}"));
                let validated = row.params.fields.iter().any(|field| field.name == name && field.function_validates);
                // A search has no page behind its first thousand results.
                let too_far = name == "page" && text.len() > 9 && row.name.starts_with("search.");
                let refused =
                    answer.status == 400 && text.contains('%') || answer.status == 422 && (validated || too_far);
                assert!(refused || answer.status == sample.status, "{} with {name}={text}: {}", row.name, answer.text);
            }
        }
    }
}

#[test]
fn a_body_that_is_no_json_object_is_refused() {
    let scene = Scene::new();
    let before = scene.dump();
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let bodies = [
        "{",
        "}",
        "[]",
        "[1]",
        "1",
        "\"text\"",
        "true",
        "{\"a\":}",
        "{\"a\":1}}",
        "{'a':1}",
        "nul",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":1e999}",
        "\u{0}",
        "{} {}",
        "<xml/>",
        "a=b&c=d",
        "\u{feff}{}",
        deep.as_str(),
    ];
    let reads_bodies = |row: &Operation| !matches!(row.method, Method::Get | Method::Delete) && !row.reads_file;
    for (row, sample) in samples::all().iter().filter(|(row, _)| reads_bodies(row)) {
        for body in bodies {
            let path = scene.path(&row.forms[0], sample);
            let answer = scene.client(sample.who).send(row.method.name(), &path, Some(body.to_owned()));
            // A list or a text is the only parameter of some rows, and these are no good values of it.
            let is_parameter = row.alone.is_some() && ["[]", "[1]", "\"text\""].contains(&body);
            let status = if is_parameter { 422 } else { 400 };
            assert_eq!(answer.status, status, "{} with {body:.20}: {}", row.name, answer.text);
            assert!(answer.json["message"].is_string(), "{}", answer.text);
        }
        let path = scene.path(&row.forms[0], sample);
        let large = format!("{{\"a\":\"{}\"}}", "x".repeat(1 << 20));
        assert_eq!(scene.client(sample.who).send(row.method.name(), &path, Some(large)).status, 413, "{}", row.name);
    }
    scene.unchanged_since(&before, "A body that is no JSON object");
}

#[test]
fn a_put_without_a_length_is_refused() {
    let scene = Scene::new();
    let before = scene.dump();
    for (row, sample) in samples::all().iter().filter(|(row, _)| row.method == Method::Put) {
        let token = scene.client(sample.who).token.expect("a token");
        let host = scene.world.base.trim_start_matches("http://");
        let head = format!(
            "PUT {} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: x\r\nAuthorization: token {token}\r\nConnection: close\r\n\r\n",
            scene.path(&row.forms[0], sample)
        );
        let answer = raw::send(host, head.as_bytes());
        assert_eq!(raw::status(&answer), 411, "{}: {answer}", row.name);
        assert!(answer.contains("\"message\""), "{answer}");
    }
    scene.unchanged_since(&before, "A PUT without a length");
}
