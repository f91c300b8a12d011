//! The people who may be named in `maintainers` of a new team, and how a refusal names the entry (decision 13).

use crate::spec::given;
use crate::support::{Value, World, json};

const TEAMS: &str = "/orgs/acme/teams";

fn maintainers(world: &World, slug: &str) -> Vec<Value> {
    given::each(&world.olivia(), &format!("{TEAMS}/{slug}/members?role=maintainer"), "login")
}

#[test]
fn decision_13_maintainers_are_logins_and_ids_of_members() {
    let world = World::new();
    let eve = given::user_id(&world, "eve");
    given::team(&world, json!({ "name": "A", "maintainers": ["Tom", eve, "tom", "olivia"] }));
    assert_eq!(maintainers(&world, "a"), ["olivia", "tom", "eve"]);
}

#[test]
fn decision_13_text_of_digits_is_an_id_if_no_account_has_it_as_login() {
    let world = World::new();
    let eve = given::user_id(&world, "eve");
    given::team(&world, json!({ "name": "A", "maintainers": [eve.to_string(), "tom", eve] }));
    assert_eq!(maintainers(&world, "a"), ["olivia", "tom", "eve"]);
    given::team(&world, json!({ "name": "B", "maintainers": [format!("00{eve}")] }));
    assert_eq!(maintainers(&world, "b"), ["olivia", "eve"]);
}

#[test]
fn decision_13_a_login_of_digits_comes_before_an_id() {
    let world = World::new();
    let (eve, tom) = (given::user_id(&world, "eve").to_string(), given::user_id(&world, "tom").to_string());
    world.register(&eve);
    world.join("acme", "olivia", &eve);
    given::team(&world, json!({ "name": "A", "maintainers": [eve] }));
    assert_eq!(maintainers(&world, "a"), ["olivia", eve.as_str()]);
    // An organization's login is an account's too.
    world.organization(&tom, "olivia", &[]);
    let answer = world.olivia().post(TEAMS, json!({ "name": "B", "maintainers": [tom] }));
    refused(&answer, &json!(tom));
}

#[test]
fn decision_13_a_former_login_of_digits_is_no_accounts() {
    let world = World::new();
    let eve = given::user_id(&world, "eve").to_string();
    world.register(&eve);
    world.sam().patch(&format!("/admin/users/{eve}"), json!({ "login": "renamed" })).expect(202);
    given::team(&world, json!({ "name": "A", "maintainers": [eve] }));
    assert_eq!(maintainers(&world, "a"), ["olivia", "eve"]);
}

#[test]
fn decision_13_a_refusal_names_the_entry_and_there_is_no_team() {
    let world = World::new();
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    let written = given::written(&world);
    let outsider = given::user_id(&world, "nina");
    for who in [
        json!("nobody"),
        json!(999_999),
        json!("999999"),
        json!("99999999999999999999"),
        json!("-1"),
        json!("+1"),
        json!("nina"),
        json!("acme"),
        json!(""),
        json!(outsider),
        json!(outsider.to_string()),
    ] {
        let answer = world.olivia().post(TEAMS, json!({ "name": "A", "maintainers": ["tom", who, "nobody else"] }));
        refused(&answer, &who);
    }
    let long = "x".repeat(70_000);
    let answer = world.olivia().post(TEAMS, json!({ "name": "A", "maintainers": [long] }));
    refused(&answer, &json!("x".repeat(100)));
    world.olivia().get("/orgs/acme/teams/a").expect(404);
    assert_eq!(given::written(&world), written);
}

#[track_caller]
fn refused(answer: &crate::support::Answer, value: &Value) {
    let message = "Invalid maintainers were specified.";
    let item = json!({
        "resource": "Team", "code": "unprocessable", "field": "data", "message": message, "value": value
    });
    given::violates(answer, item);
}
