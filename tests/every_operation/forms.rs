//! The same reply by every address (decisions 1, 2 and 5).

use guildhall::operation::{Method, Operation};

use crate::said::{Done, Said};
use crate::samples::{self, Sample};
use crate::scene::Scene;
use crate::support::{Answer, Client};

/// Every address of a sample: all forms, and the first at the other base.
fn addresses(row: &Operation) -> impl Iterator<Item = (&'static str, &str)> {
    let forms = row.forms.iter().map(|form| ("", form.as_str()));
    forms.chain(row.forms.iter().map(|form| ("/api/v3", form.as_str())))
}

fn check_headers(row: &Operation, form: &str, answer: &Answer) {
    let legacy = form.starts_with("/teams/{team_id}");
    assert_eq!(answer.header("deprecation").is_some(), legacy, "{} {form}", row.name);
    assert_eq!(answer.header("sunset").is_some(), legacy, "{} {form}", row.name);
    assert!(answer.header("x-github-request-id").is_some(), "{} {form}: {:?}", row.name, answer.headers);
}

#[test]
fn every_read_gives_the_same_reply_by_every_address() {
    let scene = Scene::new();
    for (row, sample) in samples::all().iter().filter(|(row, _)| row.method == Method::Get) {
        let mut first = None;
        for (prefix, form) in addresses(row) {
            let client = scene.client(sample.who).under(prefix);
            let answer = scene.send_form(&client, row, sample, form, None);
            answer.expect(sample.status);
            check_headers(row, form, &answer);
            let now = Said::of(&client, &answer);
            assert_eq!(first.get_or_insert_with(|| now.clone()), &now, "{} by {prefix}{form}", row.name);
            check_head(&client, &scene.path(form, sample), &answer);
        }
    }
}

/// HEAD is GET without the body.
fn check_head(client: &Client, path: &str, get: &Answer) {
    let head = client.head(path);
    assert_eq!((head.status, head.text.as_str()), (get.status, ""), "HEAD {path}");
    for name in ["etag", "content-type", "content-length", "link", "location", "x-oauth-scopes", "cache-control"] {
        assert_eq!(head.header(name), get.header(name), "{name} of HEAD {path}");
    }
}

#[test]
fn every_write_does_the_same_by_every_address() {
    for (row, sample) in samples::all().iter().filter(|(row, _)| row.method != Method::Get) {
        let mut first = None;
        for (prefix, form) in addresses(row).filter(|(prefix, form)| prefix.is_empty() || *form == row.forms[0]) {
            let done = carry_out(row, sample, prefix, form, None);
            done.must_be(first.get_or_insert_with(|| done.clone()), &format!("{} by {prefix}{form}", row.name));
        }
    }
}

#[test]
fn post_stands_for_patch_where_nothing_else_is_posted() {
    let all = samples::all();
    let posted: Vec<&String> =
        all.iter().filter(|(row, _)| row.method == Method::Post).flat_map(|(row, _)| &row.forms).collect();
    for (row, sample) in all.iter().filter(|(row, _)| row.method == Method::Patch) {
        assert!(!row.forms.iter().any(|form| posted.contains(&form)), "{} needs a way of its own", row.name);
        let patched = carry_out(row, sample, "", &row.forms[0], None);
        let posted = carry_out(row, sample, "", &row.forms[0], Some("POST"));
        posted.must_be(&patched, row.name);
    }
}

fn carry_out(row: &Operation, sample: &Sample, prefix: &str, form: &str, verb: Option<&str>) -> Done {
    let scene = Scene::again();
    let client = scene.client(sample.who).under(prefix);
    let answer = match verb {
        None => scene.send_form(&client, row, sample, form, sample.members(&scene)),
        Some(verb) => client.send(verb, &scene.path(form, sample), sample.members(&scene).map(|body| body.to_string())),
    };
    answer.expect(sample.status);
    if verb.is_none() {
        check_headers(row, form, &answer);
    }
    Done::of(&scene, &client, &answer)
}
