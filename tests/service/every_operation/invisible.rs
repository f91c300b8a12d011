//! A subject that a caller may not see is a 404, the same as one that never existed (decisions 2, 17 and 18).

use guildhall::operation::{Method, Operation};

use crate::every_operation::samples::{self, Sample};
use crate::every_operation::scene::{Scene, send};
use crate::support::{Answer, Client};

/// Texts that name no user and nothing else, in any place of a path.
const NOBODY: [&str; 11] = [
    "nowhere",
    "0",
    "-1",
    "999999",
    "99999999999999999999999999",
    "1.0",
    "1e3",
    "%20",
    "%F0%9F%8C%B5",
    "%27%20OR%201=1%20--",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

fn is_of_team(row: &Operation) -> bool {
    row.forms.iter().any(|form| form.contains("{team_slug}"))
}

fn of_teams() -> impl Iterator<Item = (Operation, Sample)> {
    samples::all().into_iter().filter(|(row, _)| is_of_team(row))
}

fn ask(scene: &Scene, client: &Client, row: &Operation, sample: &Sample, path: &str) -> Answer {
    send(client, row, path, sample.members(scene))
}

/// Fails unless the answer is that of an address where nothing is.
#[track_caller]
fn assert_not_there(answer: &Answer, row: &Operation) {
    answer.refused(404, "Not Found");
    let documentation = answer.json["documentation_url"].as_str().expect("an address");
    assert!(documentation.ends_with(&format!("#{}", row.name)), "{documentation}");
    assert_eq!(answer.json.as_object().map(serde_json::Map::len), Some(2), "{}", answer.text);
}

#[test]
fn a_secret_team_is_not_there_for_others() {
    let scene = Scene::new();
    let before = scene.dump();
    for (row, sample) in of_teams() {
        let hidden = sample.team("hidden");
        for form in &row.forms {
            for who in ["eve", "nina", "ivan"] {
                let answer = ask(&scene, &scene.client(who), &row, &hidden, &scene.path(form, &hidden));
                assert_not_there(&answer, &row);
            }
        }
    }
    scene.unchanged_since(&before, "A request on a team that the caller does not see");
}

#[test]
fn a_closed_team_is_not_there_for_people_outside() {
    let scene = Scene::new();
    let outside = ["nina", "xena", "ivan", "sam"].map(|who| scene.everything_for(who));
    let before = scene.dump();
    for (row, sample) in of_teams() {
        let sample = sample.team("core");
        for form in &row.forms {
            for client in &outside {
                let answer = ask(&scene, client, &row, &sample, &scene.path(form, &sample));
                assert_not_there(&answer, &row);
            }
        }
    }
    scene.unchanged_since(&before, "A request of somebody outside the organization");
}

#[test]
fn a_team_is_not_there_under_another_organization() {
    let scene = Scene::new();
    let before = scene.dump();
    for (row, sample) in of_teams() {
        for form in row.forms.iter().filter(|form| form.contains("{org_id}") || form.contains("{org}")) {
            let globex = scene.value("org_id", "globex");
            let elsewhere = form.replace("{org_id}", globex).replace("{org}", "globex");
            // `core` is a team of both; only acme has `parents`.
            let sample = sample.clone().team("parents");
            for who in ["olivia", "max", "nina"] {
                let answer = ask(&scene, &scene.client(who), &row, &sample, &scene.path(&elsewhere, &sample));
                assert_not_there(&answer, &row);
            }
        }
    }
    scene.unchanged_since(&before, "A request on a team of another organization");
}

/// Rows that refuse another username, existing or not, before anything is looked up: only that person may do it.
const ONLY_THE_USER: [&str; 3] = [
    "orgs.setPublicMembershipForAuthenticatedUser",
    "orgs.removePublicMembershipForAuthenticatedUser",
    "orgs.acceptMembershipForUser",
];

#[test]
fn a_name_that_nothing_has_is_not_there_in_any_place_of_a_path() {
    let scene = Scene::new();
    let before = scene.dump();
    for (row, sample) in samples::all() {
        for form in &row.forms {
            for (parameter, _) in Scene::named_by(&sample) {
                let place = format!("{{{parameter}}}");
                for name in NOBODY.iter().filter(|_| form.contains(&place)) {
                    let path = scene.path(&form.replace(&place, name), &sample);
                    let status = ask(&scene, &scene.client(sample.who), &row, &sample, &path).status;
                    let expected = if ONLY_THE_USER.contains(&row.name) && parameter == "username" { 403 } else { 404 };
                    assert_eq!(status, expected, "{} {path}", row.name);
                }
            }
        }
    }
    scene.unchanged_since(&before, "A request on what is not there");
}

#[test]
fn a_path_that_is_no_text_is_refused() {
    let scene = Scene::new();
    let before = scene.dump();
    for (row, sample) in samples::all() {
        for form in row.forms.iter().filter(|form| form.contains('{')) {
            for (parameter, _) in Scene::named_by(&sample) {
                let place = format!("{{{parameter}}}");
                for text in ["%FF%FE", "%00", "core%00"].iter().filter(|_| form.contains(&place)) {
                    let path = scene.path(&form.replace(&place, text), &sample);
                    let status = ask(&scene, &scene.client(sample.who), &row, &sample, &path).status;
                    assert!(status == 400 || status == 404, "{} {path}: {status}", row.name);
                }
            }
        }
    }
    scene.unchanged_since(&before, "A path that is no text");
}

#[test]
fn an_answer_to_nobody_in_particular_is_the_same_for_hidden_and_for_absent() {
    let scene = Scene::new();
    for (row, sample) in of_teams().filter(|(row, _)| row.method == Method::Get) {
        let hidden = sample.clone().team("hidden");
        let path = scene.path(&row.forms[0], &hidden);
        let eve = scene.client("eve");
        let (there, not_there) = (eve.get(&path), eve.get(&path.replace("/hidden", "/hidden-not")));
        assert_eq!((there.status, &there.text), (not_there.status, &not_there.text), "{}", row.name);
        let names = |answer: &Answer| answer.headers.keys().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(names(&there), names(&not_there), "headers of {}", row.name);
    }
}
