//! Everybody against the committed grid: `docs/permissions.txt` says what each person is answered by each row.

use guildhall::operation::{Method, Operation};

use crate::every_operation::probe::{AGREED, probe};
use crate::every_operation::samples;
use crate::every_operation::scene::Scene;
use crate::support::{Client, json};

/// A user who is not a persona: a public member of the organization and of its teams.
const ANOTHER_USER: &str = "ray";

/// Reads that are carried out and find that there is nothing for this caller.
const NOTHING_THERE: [(&str, &str); 3] = [
    ("orgs.getMembershipForAuthenticatedUser", "Nina"),
    ("orgs.getMembershipForAuthenticatedUser", "Sam"),
    // The private repository has no alerts.
    ("repos.checkVulnerabilityAlerts", "Olivia"),
];

/// One part of the grid: its title, the heads of its columns, and the cells of each row.
struct Part<'a> {
    title: &'a str,
    people: Vec<&'a str>,
    rows: Vec<(&'a str, Vec<&'a str>)>,
}

fn parts(grid: &str) -> Vec<Part<'_>> {
    let mut parts: Vec<Part> = Vec::new();
    for line in grid.lines() {
        if line.starts_with("On ") {
            let (title, people) = line.split_once("  ").expect("a title and people");
            parts.push(Part { title, people: people.split_whitespace().collect(), rows: Vec::new() });
        } else if let (Some(part), Some((name, cells))) = (parts.last_mut(), line.split_once(' ')) {
            part.rows.push((name, cells.split_whitespace().collect()));
        }
    }
    parts
}

fn somebody_else_is_in_the_teams(scene: &Scene) {
    let olivia = scene.client("olivia");
    for team in ["core", "parents", "hidden"] {
        let path = format!("/orgs/acme/teams/{team}/memberships/{ANOTHER_USER}");
        olivia.put(&path, json!({})).expect(200);
    }
    scene.client(ANOTHER_USER).put(&format!("/orgs/acme/public_members/{ANOTHER_USER}"), json!({})).expect(204);
}

fn client(scene: &Scene, person: &str) -> Client {
    if person == "Anna" { scene.world.anonymous() } else { scene.everything_for(&person.to_lowercase()) }
}

/// The meaning of the status in the words of the grid.
fn cell(row: &Operation, person: &str, status: u16) -> &'static str {
    match status {
        401 => "401",
        403 => "403",
        404 if NOTHING_THERE.contains(&(row.name, person)) => "yes",
        // Only Tom was told of the discussion.
        404 if row.forms[0].contains("{thread_id}") && person != "Tom" => "yes",
        404 => "404",
        AGREED if row.method != Method::Get => "yes",
        200 | 204 | 302 if row.method == Method::Get => "yes",
        _ => "something else",
    }
}

#[test]
fn every_person_is_answered_as_the_grid_says() {
    let grid = include_str!("../../../docs/permissions.txt");
    let scene = Scene::new();
    somebody_else_is_in_the_teams(&scene);
    let parts = parts(grid);
    let clients: Vec<Client> = parts[0].people.iter().map(|person| client(&scene, person)).collect();
    let before = scene.dump();
    let all = samples::all();
    let mut wrong = Vec::new();
    for Part { title, people, rows } in parts {
        for (name, cells) in rows {
            let (row, sample) = all.iter().find(|(row, _)| row.name == name).expect("a row of the table");
            let team = match title {
                "On a closed team" => "core",
                "On a secret team" => "hidden",
                _ => sample.team,
            };
            let repo = match title {
                "On a public repository" => "engine",
                "On a private repository" => "vault",
                _ => sample.repo,
            };
            let sample = sample.clone().team(team).repo(repo).person(ANOTHER_USER);
            assert_eq!(cells.len(), people.len(), "{name}");
            for ((person, client), expected) in people.iter().zip(&clients).zip(cells) {
                for form in &row.forms {
                    let status = probe(client, row, &scene.path(form, &sample));
                    if cell(row, person, status) != expected {
                        wrong.push(format!("{title}: {person} gets {status} from {name} by {form}, not {expected}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    scene.unchanged_since(&before, "Asking");
}

#[test]
fn the_grid_has_every_row_once_for_each_kind_of_subject() {
    let grid = include_str!("../../../docs/permissions.txt");
    let parts = parts(grid);
    assert_eq!(parts.len(), 6);
    for (row, _) in samples::all() {
        let of_team = row.forms.iter().any(|form| form.contains("{team_slug}"));
        let of_repo = row.forms.iter().any(|form| form.contains("{repository_id}"));
        let of_project = row.forms.iter().any(|form| form.contains("{project_id}"));
        let counts = parts.iter().map(|part| part.rows.iter().filter(|(name, _)| *name == row.name).count());
        let expected = match (of_team, of_repo, of_project) {
            (true, ..) => [1, 1, 0, 0, 0, 0],
            (_, true, _) => [0, 0, 1, 1, 0, 0],
            (_, _, true) => [0, 0, 0, 0, 1, 0],
            _ => [0, 0, 0, 0, 0, 1],
        };
        assert_eq!(counts.collect::<Vec<_>>(), expected, "{}", row.name);
    }
}
