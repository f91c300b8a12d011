//! The rooms of owners: settings, deleting the organization, and the audit log (decisions 31, 47 and 61).

use super::given;
use super::mail_invitations::world;
use super::pages_admin_deliveries::administrator;
use super::pages_organization::sound;
use super::pages_team::{send, shows};
use super::sign_in::signed_in;
use crate::support::browser::Browser;
use crate::support::{World, json};

const SETTINGS: &str = "/ui/orgs/acme/settings";
const DELETE: &str = "/ui/orgs/acme/delete";
const AUDIT: &str = "/ui/orgs/acme/audit";

/// The value of a hidden field of the page.
fn hidden(browser: &Browser, name: &str) -> String {
    let rest = browser.page.text.split(&format!("name=\"{name}\" value=\"")).nth(1).expect("a hidden field");
    rest.split('"').next().unwrap_or_default().to_owned()
}

/// The fields of the settings with these besides.
fn fields<'a>(version: &'a str, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let usual = [("version", version), ("permission", "read"), ("end", "yes"), ("members_can_create_teams", "on")];
    usual.into_iter().filter(|(name, _)| more.iter().all(|(other, _)| other != name)).chain(more.to_vec()).collect()
}

#[test]
fn decision_61_the_rooms_of_owners_are_not_there_for_others() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    for path in [SETTINGS, DELETE, AUDIT] {
        olivia.visit(path);
        assert_eq!(olivia.page.status, 200, "{path}: {}", olivia.page.text);
        sound(&olivia.page.text);
        assert!(olivia.page.text.len() < 60_000);
        for login in ["max", "nina", "eve"] {
            let mut other = signed_in(&world, login);
            let (status, text) = (other.visit(path).status, other.page.text.clone());
            let absent = other.visit(&path.replace("acme", "nothing"));
            assert!((status, absent.status) == (404, 404) || path == AUDIT && status == 403, "{login} {path}: {text}");
        }
        let signed_out = Browser::open(&world.base, path);
        assert!(signed_out.path.starts_with("/login?return_to="), "{path}");
    }
    olivia.visit("/ui/orgs/acme");
    shows(&olivia, &["/ui/orgs/acme/settings", "/ui/orgs/acme/audit"], &[]);
    let mut max = signed_in(&world, "max");
    max.visit("/ui/orgs/acme");
    shows(&max, &[], &["/ui/orgs/acme/settings", "/ui/orgs/acme/audit"]);
}

#[test]
fn decision_31_an_owner_changes_the_settings_on_a_page() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(SETTINGS);
    let version = hidden(&olivia, "version");
    let (name, about) = ("<b>Acme</b>", "Two\r\nlines");
    olivia.send(&fields(&version, &[("name", name), ("description", about), ("permission", "none")]));
    shows(&olivia, &["Saved.", "value=\"&#60;b&#62;Acme&#60;/b&#62;\""], &["<b>Acme"]);
    let stored = world.olivia().get("/orgs/acme").expect(200).clone();
    assert_eq!((&stored["name"], &stored["description"]), (&json!(name), &json!("Two\nlines")));
    assert_eq!(stored["default_repository_permission"], "none");
    assert_eq!(
        (&stored["members_can_create_teams"], &stored["members_can_leave_teams"]),
        (&json!(true), &json!(false))
    );
    // What cannot be stored comes back beside its field, and changes nothing.
    let version = hidden(&olivia, "version");
    let page = olivia.send(&fields(&version, &[("email", "no address"), ("name", "Other")]));
    assert_eq!(page.status, 422, "{}", page.text);
    shows(&olivia, &["id=\"email-error\"", "value=\"no address\"", "value=\"Other\""], &[]);
    assert_eq!(world.olivia().get("/orgs/acme").expect(200)["name"], name);
}

#[test]
fn decision_31_settings_that_were_changed_meanwhile_are_not_overwritten_unseen() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(SETTINGS);
    let version = hidden(&olivia, "version");
    world.olivia().patch("/orgs/acme", json!({ "location": "Oslo" })).expect(200);
    let sent = fields(&version, &[("name", "Mine"), ("location", "Bergen")]);
    olivia.send(&sent);
    assert_eq!(olivia.page.status, 422, "{}", olivia.page.text);
    shows(&olivia, &["were changed after you opened", "Location", "value=\"Bergen\"", "value=\"Mine\""], &[]);
    assert_eq!(world.olivia().get("/orgs/acme").expect(200)["location"], "Oslo");
    let version = hidden(&olivia, "version");
    olivia.send(&fields(&version, &[("name", "Mine"), ("location", "Bergen")]));
    shows(&olivia, &["Saved."], &[]);
    // Without its end, a form would switch off what it lacks.
    let version = hidden(&olivia, "version");
    assert_eq!(olivia.send(&fields(&version, &[("end", "")])).status, 422);
    assert_eq!(olivia.send(&fields(&version, &[("permission", "all")])).status, 422);
    assert_eq!(world.olivia().get("/orgs/acme").expect(200)["location"], "Bergen");
}

#[test]
fn decision_31_an_organization_is_deleted_on_a_page_that_says_what_goes() {
    let world = world();
    given::repository(&world, "web", None);
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(DELETE);
    let organization = hidden(&olivia, "organization");
    shows(&olivia, &["1 repository", "This cannot be undone."], &[]);
    assert_eq!(olivia.send(&[("organization", &organization), ("login", "acm")]).status, 422);
    assert_eq!(olivia.send(&[("organization", "999"), ("login", "acme")]).status, 422);
    world.olivia().get("/orgs/acme").expect(200);
    olivia.send(&[("organization", &organization), ("login", "Acme")]);
    shows(&olivia, &["The organization was deleted."], &[]);
    world.olivia().get("/orgs/acme").expect(404);
}

/// A world whose log has a name with markup and a formula.
fn logged() -> World {
    let world = world();
    let olivia = world.olivia();
    given::repository(&world, "web", None);
    olivia.put("/orgs/acme/teams/core/memberships/tom", json!({ "role": "maintainer" })).expect(200);
    olivia.put("/orgs/acme/teams/core/repos/acme/web", json!({ "permission": "push" })).expect(204);
    olivia.patch("/orgs/acme/teams/core", json!({ "name": "Core", "description": "=1+1 <script>" })).expect(200);
    world
}

#[test]
fn decision_47_the_audit_log_is_a_page_in_words_with_filters() {
    let world = logged();
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(AUDIT);
    sound(&olivia.page.text);
    let added = "added <a href=\"/ui/tom\"><bdi>tom</bdi></a> to <a href=\"/ui/orgs/acme/teams/core\">";
    shows(
        &olivia,
        &[added, "<code>team.add_repository</code>", "role: Maintainer", "level: Write", "=1+1 &#60;script&#62;"],
        &["<script>"],
    );
    olivia.visit(&format!("{AUDIT}?user=tom&kind=team"));
    shows(&olivia, &[added, "value=\"tom\""], &["<code>team.add_repository</code>"]);
    olivia.visit(&format!("{AUDIT}?from=2030-01-01"));
    shows(&olivia, &["Nothing found", "Clear"], &[added]);
    olivia.visit(&format!("{AUDIT}?kind=team&user="));
    shows(&olivia, &["permission: Read", "notification setting: on"], &["notifications_enabled"]);
    // A team is found by its name, also when it is gone; of what never was, the page says so.
    world.olivia().post("/orgs/acme/teams", json!({ "name": "Quiet Works" })).expect(201);
    world.olivia().delete("/orgs/acme/teams/quiet-works").expect(204);
    for (name, is_there) in [("Core", true), ("acme/core", true), ("Quiet+Works", true), ("No+Such", false)] {
        olivia.visit(&format!("{AUDIT}?team={name}"));
        assert_eq!(olivia.page.text.contains("Nothing found"), !is_there, "{name}");
    }
    shows(&olivia, &["There is no team with the name No Such."], &[]);
    olivia.visit(&format!("{AUDIT}?actor=nosuch&user=@tom&team=core"));
    shows(&olivia, &["There is no person with the login nosuch."], &["with the login tom", "There is no team"]);
    for odd in ["?kind=%22%3E%3Cscript%3E", "?from=yesterday", "?actor=%22%20-x", "?kind=no"] {
        assert!(olivia.visit(&format!("{AUDIT}{odd}")).status < 500);
        shows(&olivia, &["Audit log"], &["<script>"]);
    }
    for wrong in ["?after=x", "?after=x&before=y", "?user=%ff"] {
        assert!(matches!(olivia.visit(&format!("{AUDIT}{wrong}")).status, 200 | 422), "{wrong}");
    }
}

#[test]
fn decision_47_the_audit_log_is_paged_and_exported() {
    let world = logged();
    for n in 0..40 {
        world.olivia().post("/orgs/acme/teams", json!({ "name": format!("T{n}") })).expect(201);
    }
    let mut olivia = signed_in(&world, "olivia");
    let mut seen = Vec::new();
    let mut next = AUDIT.to_owned();
    loop {
        olivia.visit(&next);
        seen.push(olivia.page.text.matches("<code>team.create</code>").count());
        let older =
            olivia.page.text.split("rel=\"next\"").next().filter(|before| before.len() < olivia.page.text.len());
        let Some(before) = older else { break };
        let address = before.rsplit("href=\"").next().unwrap_or_default();
        next = address.trim_end_matches(['"', ' ']).replace("&#38;", "&").replace("&amp;", "&");
    }
    assert!(seen.len() > 2 && seen.iter().sum::<usize>() >= 40, "{seen:?}");
    shows(&olivia, &["Newer"], &[]);
    let file = olivia.visit(&format!("{AUDIT}/export?kind=team&as=json"));
    assert_eq!(file.header("content-type"), Some("application/json"));
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"audit-log.json\""));
    let entries = file.json.as_array().expect("entries");
    assert!(
        entries.len() > 80 && entries.iter().all(|of| of["action"].as_str().is_some_and(|of| of.starts_with("team.")))
    );
    let file = olivia.visit(&format!("{AUDIT}/export?user=tom&as=csv"));
    assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8"));
    assert!(file.text.starts_with("Entry,Time,Action,Actor,") && file.text.contains("\"team.add_member\",\"olivia\""));
    assert_eq!(olivia.visit(&format!("{AUDIT}/export?as=xml")).status, 404);
    for login in ["max", "nina"] {
        let mut other = signed_in(&world, login);
        for path in ["", "?after=x", "/export?as=csv", "/export"] {
            assert_eq!(other.visit(&format!("{AUDIT}{path}")).status, 404, "{login} {path}");
        }
    }
}

#[test]
fn decision_81_who_acts_for_an_owner_is_not_offered_the_switch_for_approval() {
    let world = world();
    let before = world.olivia().get("/orgs/acme").expect(200)["applications_need_approval"].clone();
    let mut max = administrator(&world);
    assert_eq!(send(&mut max, "/ui/admin/users/olivia/act", &[]), 200);
    max.visit(SETTINGS);
    sound(&max.page.text);
    shows(&max, &["members_can_create_teams"], &["applications_need_approval"]);
    for more in [&[("location", "Here")][..], &[("location", "There"), ("applications_need_approval", "on")]] {
        max.visit(SETTINGS);
        let version = hidden(&max, "version");
        assert_eq!(max.send(&fields(&version, more)).status, 200);
        shows(&max, &["Saved."], &[]);
    }
    let record = world.olivia().get("/orgs/acme").expect(200).clone();
    assert_eq!((&record["location"], &record["applications_need_approval"]), (&json!("There"), &before));
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(SETTINGS);
    shows(&olivia, &["name=\"applications_need_approval\" value=\"on\""], &[]);
}
