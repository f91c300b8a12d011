//! Members who leave teams, where the organization lets them (decision 66).

use crate::spec::given;
use crate::spec::provider::{Provider, link};
use crate::support::{Client, World, json};

const WHY: &str = "You must be an organization owner or team maintainer to remove a team membership.";

fn let_leave(world: &World, may: bool) {
    world.olivia().patch("/orgs/acme", json!({ "members_can_leave_teams": may })).expect(200);
}

/// The path of a membership of `core`, in the newer and in the older form.
fn paths(login: &str) -> [String; 2] {
    ["memberships", "members"].map(|kind| format!("/orgs/acme/teams/core/{kind}/{login}"))
}

fn is_member(client: &Client, login: &str) -> bool {
    client.get(&format!("/orgs/acme/teams/core/memberships/{login}")).status == 200
}

#[test]
fn decision_66_the_switch_is_off_until_an_owner_turns_it_on() {
    let world = World::new();
    let shown = || world.olivia().get("/orgs/acme").expect(200)["members_can_leave_teams"].clone();
    assert_eq!(shown(), false);
    assert_eq!(world.eve().get("/orgs/acme").expect(200).get("members_can_leave_teams"), None);
    world.max().patch("/orgs/acme", json!({ "members_can_leave_teams": true })).expect(403);
    let_leave(&world, true);
    assert_eq!(shown(), true);
    world.olivia().patch("/orgs/acme", json!({ "company": "c" })).expect(200);
    assert_eq!(shown(), true);
    let log = world.olivia().get("/orgs/acme/audit-log?phrase=action:org.update&order=asc").json;
    assert_eq!(log[0]["after"], json!({ "members_can_leave_teams": true }), "{log}");
    let_leave(&world, false);
    assert_eq!(shown(), false);
}

#[test]
fn decision_66_off_a_member_cannot_leave_and_on_they_can() {
    let world = World::new();
    for form in given::forms(&given::core(&world)) {
        for kind in ["memberships", "members"] {
            let tom = format!("{form}/{kind}/tom");
            let before = given::written(&world);
            world.tom().delete(&tom).refused(403, WHY);
            assert_eq!(given::written(&world), before);
            let_leave(&world, true);
            // Logins are compared without case.
            world.tom().delete(&tom.replace("/tom", "/Tom")).expect(204);
            assert!(!is_member(&world.max(), "tom"));
            let_leave(&world, false);
            given::put(&world, "core", "tom", "member");
        }
    }
    let log = world.olivia().get("/orgs/acme/audit-log?phrase=action:team.remove_member").json;
    assert_eq!((&log[0]["actor"], &log[0]["before"]["user"]), (&json!("tom"), &json!("tom")), "{log}");
}

#[test]
fn decision_66_on_members_remove_only_themselves() {
    let world = World::new();
    let_leave(&world, true);
    given::put(&world, "core", "eve", "member");
    let before = given::written(&world);
    for path in paths("eve") {
        world.tom().delete(&path).refused(403, WHY);
        world.client("ray").delete(&path).refused(403, WHY);
        world.nina().delete(&path).refused(404, "Not Found");
        world.anonymous().delete(&path).refused(401, "Requires authentication");
    }
    world.tom().put("/orgs/acme/teams/core/memberships/tom", json!({ "role": "maintainer" })).expect(403);
    // A person who is not on the team leaves nothing.
    world.client("ray").delete(&paths("ray")[0]).expect(204);
    world.client("ray").delete(&paths("ray")[1]).refused(404, "Not Found");
    world.client("ray").delete(&paths("no-such-person")[0]).expect(403);
    assert_eq!(given::written(&world), before);
}

#[test]
fn decision_66_the_last_maintainer_leaves_either_way() {
    let world = World::new();
    world.max().delete(&paths("max")[0]).expect(204);
    assert!(!is_member(&world.olivia(), "max"));
    given::put(&world, "core", "max", "maintainer");
    let_leave(&world, true);
    world.max().delete(&paths("max")[1]).expect(204);
    assert!(!is_member(&world.olivia(), "max"));
}

#[test]
fn decision_66_a_member_leaves_a_secret_team_which_is_then_not_found() {
    let world = World::new();
    let_leave(&world, true);
    given::secret(&world, "Hidden");
    given::put(&world, "hidden", "tom", "member");
    let path = "/orgs/acme/teams/hidden/memberships";
    world.eve().delete(&format!("{path}/eve")).refused(404, "Not Found");
    world.tom().delete(&format!("{path}/tom")).expect(204);
    world.tom().delete(&format!("{path}/tom")).refused(404, "Not Found");
}

#[test]
fn decision_66_nobody_leaves_a_synchronized_team_and_pending_people_see_none() {
    let world = World::new();
    let_leave(&world, true);
    given::put(&world, "core", "nina", "member");
    for path in paths("nina") {
        world.nina().delete(&path).refused(404, "Not Found");
    }
    let provider = Provider::of(&world);
    let tom = provider.tied(&world, "tom");
    let group = provider.group("Staff", &[&tom]);
    link(&world, "core", &[&group]).expect(200);
    let [newer, older] = paths("tom");
    let answer = world.tom().delete(&newer);
    assert!(answer.expect(403)["message"].as_str().is_some_and(|text| text.contains("identity provider")));
    world.tom().delete(&older).refused(404, "Not Found");
    assert!(is_member(&world.tom(), "tom"));
}

#[test]
fn decision_66_the_switch_of_one_organization_says_nothing_about_another() {
    let world = World::new();
    world.organization("globex", "nina", &["tom"]);
    world.nina().patch("/orgs/globex", json!({ "members_can_leave_teams": true })).expect(200);
    world.tom().delete(&paths("tom")[0]).refused(403, WHY);
}
