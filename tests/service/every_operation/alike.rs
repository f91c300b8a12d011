//! A subject that a caller may not see takes as many statements as one that is not there, so that the time of a response
//! discloses nothing (decisions 2, 17, 65 and 67).

use guildhall::operation::Operation;

use crate::every_operation::samples::{self, Sample};
use crate::every_operation::scene::{Scene, send};
use crate::support::json;

/// A place of a path, what some people do not see there, a value that names nothing, and these people.
struct Pair {
    place: &'static str,
    hidden: String,
    absent: &'static str,
    persons: &'static [&'static str],
}

/// One for each kind of subject that some people do not see. The third discussion of `core` is private.
fn pairs(scene: &Scene) -> Vec<Pair> {
    let private = json!({ "title": "Ours", "body": "Well.", "private": true });
    scene.client("tom").post("/orgs/acme/teams/core/discussions", private).expect(201);
    let of = |place, of, absent, persons| Pair { place, hidden: scene.value(place, of).to_owned(), absent, persons };
    vec![
        of("team_slug", "hidden", "hiding", &["eve", "nina"]),
        of("team_id", "hidden", "999999", &["eve", "nina"]),
        of("repo", "vault", "vaulting", &["nina"]),
        of("repository_id", "vault", "999999", &["nina"]),
        of("project_id", "roadmap", "999999", &["nina"]),
        of("join_request_id", "the second", "999999", &["eve"]),
        of("thread_id", "the first", "999999", &["eve"]),
        of("token_id", "tom", "999999", &["eve"]),
        Pair { place: "discussion_number", hidden: "3".into(), absent: "4", persons: &["eve"] },
    ]
}

/// The status of a response, and the number of statements that it took.
fn taken(scene: &Scene, who: &str, (row, sample): (&Operation, &Sample), path: &str) -> (u16, usize) {
    let client = scene.client(who);
    scene.world.faults.record();
    let status = send(&client, row, path, sample.members(scene)).status;
    (status, scene.world.faults.recorded().len())
}

/// The rows with the place of a pair that differ for what is hidden and what is absent.
fn differences(scene: &Scene, pair: &Pair) -> Vec<String> {
    let place = format!("{{{}}}", pair.place);
    let mut found = Vec::new();
    for (row, sample) in samples::all() {
        for form in row.forms.iter().filter(|form| form.contains(&place)) {
            let path = |value: &str| scene.path(&form.replace(&place, value), &sample);
            for who in pair.persons {
                let [there, not_there] =
                    [&*pair.hidden, pair.absent].map(|value| taken(scene, who, (&row, &sample), &path(value)));
                if there != not_there {
                    found.push(format!("{} {} for {who}: {there:?}, {not_there:?}", row.name, path(&pair.hidden)));
                }
            }
        }
    }
    found
}

#[test]
fn what_is_hidden_takes_as_many_statements_as_what_is_absent() {
    let scene = Scene::new();
    assert_alike(&scene, &pairs(&scene));
}

/// Following a former name takes the most statements.
#[test]
fn a_former_name_of_what_is_hidden_takes_as_many_statements_as_what_is_absent() {
    let scene = Scene::new();
    let olivia = scene.client("olivia");
    olivia.patch("/orgs/acme/teams/hidden", json!({ "name": "Veiled" })).expect(200);
    olivia.patch("/repos/acme/vault", json!({ "name": "safe" })).expect(200);
    let pair = |place, hidden: &str, absent, persons| Pair { place, hidden: hidden.into(), absent, persons };
    let team = pair("team_slug", "hidden", "hiding", &["eve", "nina"]);
    assert_alike(&scene, &[team, pair("repo", "vault", "vaulting", &["nina"])]);
}

#[track_caller]
fn assert_alike(scene: &Scene, pairs: &[Pair]) {
    let found: Vec<String> = pairs.iter().flat_map(|pair| differences(scene, pair)).collect();
    assert!(found.is_empty(), "{} differ (status, statements):\n{}", found.len(), found.join("\n"));
}
