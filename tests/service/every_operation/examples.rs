//! The examples in the documents: every operation has one, it is what the document describes, and its command works.
//! After a change of the table or of a record, `./scripts/bless` brings them up to date.

use std::collections::BTreeSet;
use std::process::Command;

use guildhall::http::openapi::{self, examples::BASE};
use guildhall::operation::{JSON, Method, Operation, YAML};
use guildhall::operations::operations;

use crate::every_operation::samples;
use crate::every_operation::scene::Scene;
use crate::every_operation::schemas::Document;
use crate::support::{Client, Value, World};

/// The description of an operation in one form.
fn described<'a>(document: &'a Document, row: &Operation, form: &str) -> &'a Value {
    &document.0["paths"][openapi::path(form)][row.method.name().to_lowercase()]
}

/// Fails unless content has examples and each of them fits its schema.
fn check(document: &Document, content: &Value, of: &str) -> Vec<Value> {
    let yaml = content.get(YAML).filter(|_| content.get(JSON).is_none());
    let content = yaml.unwrap_or(&content[JSON]);
    let examples = content["examples"].as_object().unwrap_or_else(|| panic!("{of} has no example: run scripts/bless"));
    let values = examples.values().map(|example| document.resolve(example)["value"].clone());
    let values: Vec<Value> = values.collect();
    assert!(!values.is_empty(), "{of} has no example");
    for value in &values {
        let misfits = document.misfits(&content["schema"], value, of);
        assert!(misfits.is_empty(), "{of}: run scripts/bless\n{}", misfits.join("\n"));
    }
    values
}

#[test]
fn every_operation_has_an_example_of_its_request_and_its_answer() {
    let scene = Scene::new();
    let document = Document::of(&scene);
    for (row, sample) in samples::all() {
        for form in &row.forms {
            let (operation, of) = (described(&document, &row, form), format!("{} {form}", row.name));
            if let Some(body) = sample.members(&scene) {
                let examples = check(&document, &operation["requestBody"]["content"], &of);
                let members =
                    |value: &Value| value.as_object().map(|members| members.keys().cloned().collect::<Vec<_>>());
                assert_eq!(members(&examples[0]), members(&body), "{of}");
            }
            let answer = document.resolve(&operation["responses"][sample.status.to_string()]);
            assert!(answer.is_object(), "{of}");
            if answer.get("content").is_some() {
                let examples = check(&document, &answer["content"], &of);
                let few = if row.absent { 0..=0 } else { 1..=2 };
                assert!(examples[0].as_array().is_none_or(|list| few.contains(&list.len())), "{of}");
            }
            let source =
                operation["x-codeSamples"][0]["source"].as_str().unwrap_or_else(|| panic!("{of} has no command"));
            assert!(source.starts_with("curl ") && source.contains(BASE), "{of}: {source}");
        }
    }
}

#[test]
fn every_parameter_of_a_sample_has_an_example_that_fits() {
    let scene = Scene::new();
    let document = Document::of(&scene);
    for (row, sample) in samples::all() {
        for form in &row.forms {
            let parameters = described(&document, &row, form)["parameters"].as_array().into_iter().flatten();
            for parameter in parameters.map(|parameter| document.resolve(parameter)) {
                let name = parameter["name"].as_str().expect("a name");
                let named = sample.query.split('&').any(|pair| pair.split('=').next() == Some(name));
                if parameter["in"] == "path" || named && name != "per_page" {
                    let misfits = document.misfits(&parameter["schema"], &parameter["example"], name);
                    assert!(
                        parameter.get("example").is_some() && misfits.is_empty(),
                        "{} {name}: {misfits:?}",
                        row.name
                    );
                }
            }
        }
    }
}

#[test]
fn every_error_has_examples() {
    let document = Document::of(&Scene::new());
    let mut seen = BTreeSet::new();
    for row in operations() {
        for form in &row.forms {
            let responses = described(&document, &row, form)["responses"].as_object().expect("answers");
            for (status, response) in responses.iter().filter(|(status, _)| status.as_str() >= "400") {
                let of = format!("{status} of {}", row.name);
                for value in check(&document, &document.resolve(response)["content"], &of) {
                    assert!(value["message"].is_string(), "{of}: {value}");
                }
                seen.insert(status.clone());
            }
        }
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["400", "401", "403", "404", "409", "411", "413", "422", "503"]);
}

#[test]
fn no_example_says_what_differs_from_run_to_run() {
    let text = include_str!("../../../docs/examples.json");
    assert!(!text.contains("127.0.0.1") && !text.contains("localhost"), "an example has the address of a test");
    for (at, _) in text.match_indices("ghp_") {
        assert!(text[at..].starts_with("ghp_…\""), "an example has the text of a token");
    }
    let dates = text.match_indices("T00:00:00Z").map(|(at, _)| &text[at - 10..at]).collect::<BTreeSet<_>>();
    assert!(dates.contains("2026-01-01"), "{dates:?}");
    for (at, _) in text.match_indices("_at\": \"") {
        assert!(
            text[at..].starts_with("_at\": \"2026-01-0") || text[at..].starts_with("_at\": \"1970"),
            "{}",
            &text[at..at + 40]
        );
    }
}

/// Runs a command of the documents against a server; its status.
fn run(client: &Client, command: &str) -> u16 {
    let command = command.replace(BASE, &client.base).replacen("curl", "curl -s -o /dev/null -w '%{http_code}'", 1);
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).env("TOKEN", client.token.as_deref().expect("a token")).env("NO_PROXY", "*");
    let output = shell.output().expect("sh and curl are installed");
    let status = String::from_utf8_lossy(&output.stdout).into_owned();
    status.parse().unwrap_or_else(|_| panic!("{command}\n{status}{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn every_command_of_the_documents_gets_the_answer_beside_it() {
    let reading = Scene::new();
    let document = Document::of(&reading);
    samples::each(|row, sample| {
        for form in &row.forms {
            let writing = (row.method != Method::Get).then(Scene::new);
            let scene = writing.as_ref().unwrap_or(&reading);
            let command = &described(&document, row, form)["x-codeSamples"][0]["source"];
            let client = scene.client(sample.who);
            assert_eq!(run(&client, command.as_str().expect("a command")), sample.status, "{} {form}", row.name);
        }
    });
}

#[test]
fn the_areas_are_described_with_teams_first() {
    let document = Document::of(&Scene::new());
    let tags = document.0["tags"].as_array().expect("tags");
    assert_eq!(tags[0]["name"], "teams");
    for tag in tags {
        assert!(tag["description"].as_str().is_some_and(|text| text.ends_with('.')), "{tag}");
    }
    let known: BTreeSet<&str> = tags.iter().filter_map(|tag| tag["name"].as_str()).collect();
    let used: BTreeSet<&str> = operations().iter().map(openapi::area).collect();
    assert_eq!(known, used);
}

#[test]
fn the_reference_has_a_table_of_contents_and_an_exchange_for_each_operation() {
    let world = World::new();
    let page = world.anonymous().get("/ui/docs");
    page.expect(200);
    let parts =
        |mark: &'static str| page.text.split(mark).skip(1).map(|rest| rest.split('"').next().unwrap_or_default());
    let anchors: Vec<&str> = parts(" id=\"").collect();
    let distinct: BTreeSet<&str> = anchors.iter().copied().collect();
    assert_eq!(distinct.len(), anchors.len(), "an anchor stands there twice");
    let linked: BTreeSet<&str> = parts("href=\"#").collect();
    assert!(linked.is_subset(&distinct), "{:?}", linked.difference(&distinct).collect::<Vec<_>>());
    for topic in ["tokens", "rate-limiting", "secondary-rate-limits", "legacy-team-addresses", "errors", "absent"] {
        assert!(linked.contains(topic), "{topic} is not in the table of contents");
    }
    assert!(!distinct.contains("signin.ask"), "operations that only pages call are documented");
    for row in operations() {
        assert!(distinct.contains(row.name), "{} is not in the table of contents", row.name);
        let page = world.anonymous().get(&format!("/ui/docs/{}", row.name));
        page.expect(200);
        assert_eq!(page.text.matches("<pre tabindex=\"0\">curl").count(), 1, "{}", row.name);
        assert_eq!(page.text.matches("<pre tabindex=\"0\">HTTP/1.1 ").count(), 1, "{}", row.name);
        let statuses = page.text.split("href=\"errors#").skip(1).filter_map(|rest| rest.split('"').next());
        let errors = world.anonymous().get("/ui/docs/errors");
        for status in statuses {
            assert!(errors.text.contains(&format!("id=\"{status}\"")), "{}: {status}", row.name);
        }
    }
}
