//! Every row with the token of an application that no organization lets in (decision 81).

use guildhall::operation::Method;

use super::samples::{self, Sample};
use super::scene::{Scene, send};
use crate::support::Client;
use crate::support::application::{Application, granted};

const SCOPES: &str = "admin:org,admin:org_hook,repo,user,write:discussion,notifications";

/// The beginnings of paths below which everything belongs to an organization in the scene.
const OF_ORGANIZATIONS: [&str; 7] =
    ["/orgs/", "/organizations/", "/teams/", "/repos/", "/projects/", "/repositories/", "/notifications/threads/"];

#[test]
fn decision_81_an_application_that_is_not_let_in_gets_what_an_outsider_gets_or_403() {
    let refused = samples::each(|row, sample| {
        let of_org = OF_ORGANIZATIONS.iter().any(|below| row.forms[0].starts_with(below));
        if !of_org || sample.who == "sam" || sample.repo == "notes" || sample.who == "nina" {
            return 0;
        }
        let scene = Scene::new();
        let app = granted(&scene.world, &Application::of(&scene.world), sample.who, SCOPES);
        let before = scene.dump();
        let refused = row.forms.iter().filter(|form| is_refused(&scene, row, sample, form, &app)).count();
        scene.unchanged_since(&before, row.name);
        refused
    });
    let refused: usize = refused.into_iter().sum();
    assert!(refused > 200, "{refused}");
}

/// True if the application is refused by name; otherwise it reads what is public.
fn is_refused(scene: &Scene, row: &guildhall::operation::Operation, sample: &Sample, form: &str, app: &Client) -> bool {
    let path = scene.path(form, sample);
    let answer = send(app, row, &path, sample.members(scene));
    let public = (row.method == Method::Get).then(|| send(&scene.world.anonymous(), row, &path, None).status);
    if let Some(status @ 200..400) = public {
        assert_eq!(answer.status, status, "{} {path}: {}", row.name, answer.text);
        return false;
    }
    let message = answer.expect(403)["message"].as_str().unwrap_or_default();
    assert!(message.contains("has enabled OAuth App access restrictions"), "{} {path}: {message}", row.name);
    true
}
