//! Every name that others are shown can be shown, and is one line in e-mails (decision 9).

use super::mail_invitations::{all, world as mailing};
use super::provider::Provider;
use crate::spec::given;
use crate::support::browser::Browser;
use crate::support::{Answer, World, json};

const MESSAGE: &str = "Name contains characters that cannot be shown";
const HIDDEN: [&str; 7] =
    ["Ac\nme", "Ac\u{0}me", "Ac\u{2028}me", "Ac\tme", "Ac\u{200b}me", "Ac\u{202e}me", "Ac\u{7}me"];
/// A name that looks like a paragraph of the site.
macro_rules! forged {
    () => {
        "Acme\r\n\r\nYour account expires. Keep it: https://evil.example/login\u{2029}\u{202e}Guildhall"
    };
}

fn refused(answer: &Answer, resource: &str, field: &str) {
    given::violates(answer, json!({ "resource": resource, "code": "invalid", "field": field, "message": MESSAGE }));
}

#[test]
fn decision_9_names_of_organizations_and_projects_can_be_shown() {
    let world = World::new();
    let project = given::project(&world, "Plan");
    let path = format!("/projects/{}", project["id"]);
    let written = given::written(&world);
    for name in HIDDEN {
        refused(&world.olivia().patch("/orgs/acme", json!({ "name": name })), "Organization", "name");
        let org = json!({ "login": "beta", "admin": "eve", "profile_name": name });
        refused(&world.sam().post("/admin/organizations", org), "Organization", "profile_name");
        refused(&world.olivia().post("/orgs/acme/projects", json!({ "name": name })), "Project", "name");
        refused(&world.olivia().patch(&path, json!({ "name": name })), "Project", "name");
    }
    assert_eq!(given::written(&world), written);
    let named =
        world.olivia().patch("/orgs/acme", json!({ "name": " Acme \u{1f469}\u{200d}\u{1f4bb}\n" })).expect(200).clone();
    assert_eq!(named["name"], "Acme \u{1f469}\u{200d}\u{1f4bb}");
    world.olivia().patch("/orgs/acme", json!({ "name": "" })).expect(200);
}

#[test]
fn decision_9_what_was_named_before_there_was_a_rule_keeps_its_name() {
    let world = World::new();
    let path = format!("/projects/{}", given::project(&world, "Plan")["id"]);
    given::run(&world, "UPDATE orgs SET name = 'Ac\u{200b}me'");
    given::run(&world, "UPDATE projects SET name = 'Pl\u{200b}an'");
    let org = world.olivia().patch("/orgs/acme", json!({ "name": "Ac\u{200b}me", "company": "c" })).expect(200).clone();
    assert_eq!((&org["name"], &org["company"]), (&json!("Ac\u{200b}me"), &json!("c")));
    let project = world.olivia().patch(&path, json!({ "name": "Pl\u{200b}an", "body": "b" })).expect(200).clone();
    assert_eq!((&project["name"], &project["body"]), (&json!("Pl\u{200b}an"), &json!("b")));
}

#[test]
fn decision_9_the_name_of_an_invited_person_can_be_shown() {
    let world = mailing();
    world.olivia().post("/orgs/acme/invitations", json!({ "email": "zoe@example.org" })).expect(201);
    let mut browser = Browser::open(&world.base, &all(&world, 1).remove(0).link("/ui/invitations/"));
    let page = browser.send(&[("answer", "accept"), ("login", "zoe"), ("name", "Zo\u{202e}e")]);
    assert_eq!(page.status, 422, "{}", page.text);
    assert!(page.text.contains("The name has characters that cannot be shown."), "{}", page.text);
    assert_eq!(browser.send(&[("answer", "accept"), ("login", "zoe"), ("name", " Zoe ")]).status, 200);
    assert_eq!(world.olivia().get("/users/zoe").expect(200)["name"], "Zoe");
}

#[test]
fn decision_9_a_title_drops_invisible_characters_and_is_one_line() {
    let world = World::new();
    let board = "/orgs/acme/teams/core/discussions";
    let post = |title: &str| world.max().post(board, json!({ "title": title, "body": "b" }));
    assert_eq!(post("Pl\u{200b}an\u{202e}").expect(201)["title"], "Plan");
    let patch = |title: &str| world.max().patch(&format!("{board}/1"), json!({ "title": title }));
    let message = "Title contains a line break or another control character";
    for title in ["a\nb", "a\u{2028}b", "a\tb", "a\u{85}b", "a\u{0}b"] {
        for answer in [post(title), patch(title)] {
            let item = json!({ "resource": "TeamDiscussion", "code": "custom", "field": "title", "message": message });
            given::violates(&answer, item);
        }
    }
    post("\u{200b}").expect(422);
    assert_eq!(patch("A\u{2060}B").expect(200)["title"], "AB");
    given::run(&world, "UPDATE discussions SET title = 'Old\ntitle'");
    assert_eq!(patch("Old\ntitle").expect(200)["title"], "Old\ntitle");
}

#[test]
fn decision_9_a_provider_may_send_copied_characters_but_no_line_breaks() {
    let world = World::new();
    let provider = Provider::of(&world);
    let names = json!({ "displayName": "An\u{200b}na", "name": { "givenName": "An\u{feff}na" } });
    let id = provider.user("an\u{200b}na@idp", names);
    let anna = provider.get(&format!("/Users/{id}")).expect(200).clone();
    assert_eq!((&anna["userName"], &anna["displayName"]), (&json!("anna@idp"), &json!("Anna")));
    assert_eq!(anna["name"]["givenName"], "Anna");
    assert_eq!(world.olivia().get("/users/anna").expect(200)["name"], "Anna");
    let found = provider.get("/Users?filter=userName%20eq%20%22an%E2%80%8Bna%40idp%22").expect(200).clone();
    assert_eq!((&found["totalResults"], &found["Resources"][0]["id"]), (&json!(1), &json!(id)));
    for (more, attribute) in [
        (json!({ "displayName": "A\nB" }), "displayName"),
        (json!({ "displayName": "A\u{0}B" }), "displayName"),
        (json!({ "name": { "familyName": "A\u{2028}B" } }), "name"),
    ] {
        let refused = provider.try_user("berta@idp", more).expect(400).clone();
        let detail = format!("`{attribute}` contains a line break or another control character. Remove it.");
        assert_eq!((&refused["scimType"], &refused["detail"]), (&json!("invalidValue"), &json!(detail)));
    }
    provider.try_user("ber\tta@idp", json!({})).expect(400);
    let group = provider.group("De\u{200b}vs", &[]);
    assert_eq!(provider.get(&format!("/Groups/{group}")).expect(200)["displayName"], "Devs");
    let rename = json!({ "op": "replace", "path": "displayName", "value": "De\nvs" });
    provider.patch(&format!("/Groups/{group}"), rename).expect(400);
}

#[test]
fn decision_9_a_record_of_a_provider_from_before_the_rule_still_changes() {
    let world = World::new();
    let provider = Provider::of(&world);
    let id = provider.user("anna@idp", json!({ "displayName": "AxB", "emails": [{ "value": "anna@example.org" }] }));
    let old = "UPDATE scim_users SET attributes =
               replace(replace(attributes, 'AxB', 'A\\nB'), 'anna@example.org', 'an..na@example.org')";
    given::run(&world, old);
    let off = json!({ "op": "replace", "path": "active", "value": false });
    let changed = provider.patch(&format!("/Users/{id}"), off).expect(200).clone();
    assert_eq!((&changed["active"], &changed["displayName"]), (&json!(false), &json!("A\nB")));
    assert_eq!(changed["emails"][0]["value"], "an..na@example.org");
}

#[test]
fn decision_9_in_an_e_mail_a_name_is_one_short_line() {
    let world = mailing();
    given::run(&world, concat!("UPDATE orgs SET name = '", forged!(), "'"));
    given::run(&world, concat!("UPDATE users SET name = '", forged!(), "'"));
    given::run(&world, concat!("UPDATE teams SET name = '", forged!(), "'"));
    let team = given::core(&world)["id"].clone();
    let body = json!({ "email": "zoe@example.org", "team_ids": [team] });
    world.olivia().post("/orgs/acme/invitations", body).expect(201);
    let mail = all(&world, 1).remove(0);
    let shown = "Acme Your account expires. Keep it: https://evil.example/lo\u{2026}";
    assert_eq!(mail.header("Subject"), format!("{shown} invited you to join {shown}"));
    let first = mail.text.lines().next().expect("a line");
    assert_eq!(first, format!("{shown} invited you to join {shown} as a member, and to the team {shown}."));
    assert!(!mail.text.lines().any(|line| line.starts_with("Your account")), "{}", mail.text);
}
