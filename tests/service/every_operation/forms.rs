//! The same reply by every address (decisions 1, 2 and 5).

use guildhall::operation::{Method, Operation};

use crate::every_operation::outcome::{Outcome, Response};
use crate::every_operation::samples::{self, Sample};
use crate::every_operation::scene::Scene;
use crate::support::{Answer, Client, json};

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
            let now = Response::of(&client, &answer);
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
    samples::each_write(|row, sample| {
        let mut first = None;
        for (prefix, form) in addresses(row).filter(|(prefix, form)| prefix.is_empty() || *form == row.forms[0]) {
            let done = carry_out(row, sample, prefix, form, None);
            done.must_be(first.get_or_insert_with(|| done.clone()), &format!("{} by {prefix}{form}", row.name));
        }
    });
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

/// Adds to lists in which the scene has only one thing.
fn lengthen(scene: &Scene) {
    let (world, olivia) = (&scene.world, scene.client("olivia"));
    let below = json!({ "name": "Below too", "parent_team_id": scene.number("team_id", "parents") });
    olivia.post("/orgs/acme/teams", below).expect(201);
    for (row, sample) in samples::all().iter().filter(|(row, _)| row.name.starts_with("reactions.list")) {
        scene.client("max").post(&scene.path(&row.forms[0], sample), json!({ "content": "heart" })).expect(201);
    }
    for project in olivia.all("/orgs/acme/projects") {
        let path = format!("/orgs/acme/teams/core/projects/{}", project["id"]);
        olivia.put(&path, json!({ "permission": "read" })).expect(204);
    }
    let hook = json!({ "name": "web", "config": { "url": "https://hooks.example.com/site/too" } });
    world.sam().post("/admin/hooks", hook).expect(201);
    world.execute(ANOTHER_ADDRESS);
    world.execute(ANOTHER_TEAM);
    world.join("globex", "nina", "tom");
    scene.client("tom").put_empty("/orgs/acme/public_members/tom").expect(204);
    world.register("quinn");
    olivia.put("/orgs/acme/memberships/quinn", json!({})).expect(200);
    world.client("quinn").delete("/user/memberships/orgs/acme").expect(204);
    olivia.put("/repos/acme/engine/collaborators/quinn", json!({})).expect(204);
    scene.client("nina").post("/user/repos", json!({ "name": "engine-drafts" })).expect(201);
}

const ANOTHER_ADDRESS: &str = "
    INSERT INTO emails (user_id, email, email_key, is_primary, verified)
    SELECT id, 'nina@example.org', 'nina@example.org', FALSE, TRUE FROM users WHERE login = 'nina'";

const ANOTHER_TEAM: &str = "
    INSERT INTO invitation_teams (invitation_id, team_id, role)
    SELECT i.id, t.id, 'member' FROM invitations i JOIN teams t ON t.org_id = i.org_id AND t.slug = 'hidden'
    WHERE i.email IS NOT NULL AND i.failed_at IS NULL";

/// The form of a path that names everything by its identifier; where there is none, the path has one form.
fn id_form(row: &Operation) -> &str {
    let of =
        |form: &&String| !["{org}", "{team_slug}", "{owner}", "{repo}", "{username}"].iter().any(|n| form.contains(n));
    let lasting = row.forms.iter().filter(of).find(|form| !form.starts_with("/teams/{team_id}"));
    lasting.unwrap_or(&row.forms[0])
}

#[test]
fn decision_38_the_pages_of_every_list_have_the_id_form_by_every_address() {
    let scene = Scene::new();
    lengthen(&scene);
    for (row, sample) in samples::all().iter().filter(|(row, _)| row.has_pages() && !row.absent) {
        let query = ["per_page=1", sample.query.split_once('&').map_or("", |(_, rest)| rest)];
        let query = query.join("&").trim_end_matches('&').to_owned();
        let bare = sample.clone().query("");
        for (prefix, form) in addresses(row) {
            let client = scene.client(sample.who).under(prefix);
            let answer = client.get(&format!("{}?{query}", scene.path(form, &bare)));
            answer.expect(200);
            let next = answer.link("next").unwrap_or_else(|| panic!("{} has one page: {}", row.name, answer.text));
            let wanted = format!("{}{}?{query}&page=2", client.base, scene.path(id_form(row), &bare));
            assert_eq!(next, wanted, "{} by {prefix}{form}", row.name);
            let page = client.get(&next).expect(200).clone();
            assert_eq!(page.get("items").unwrap_or(&page).as_array().map(Vec::len), Some(1), "{next}");
        }
    }
}

fn carry_out(row: &Operation, sample: &Sample, prefix: &str, form: &str, verb: Option<&str>) -> Outcome {
    let scene = Scene::new();
    let client = scene.client(sample.who).under(prefix);
    let answer = match verb {
        None => scene.send_form(&client, row, sample, form, sample.members(&scene)),
        Some(verb) => client.send(verb, &scene.path(form, sample), sample.members(&scene).map(|body| body.to_string())),
    };
    answer.expect(sample.status);
    if verb.is_none() {
        check_headers(row, form, &answer);
    }
    Outcome::of(&scene, &client, &answer)
}
