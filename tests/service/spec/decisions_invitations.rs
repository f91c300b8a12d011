//! Outsiders: how they are invited, accept, and cease to be pending (decisions 25, 26 and 28).

use crate::spec::given;
use crate::support::world::Settings;
use crate::support::{Value, World, json};

const NINA: &str = "/orgs/acme/teams/core/memberships/nina";
const MINE: &str = "/user/memberships/orgs/acme";
const WEEK: i64 = 7 * 86_400;

fn accept(world: &World) -> Value {
    world.nina().patch(MINE, json!({ "state": "active" })).expect(200).clone()
}

#[test]
fn decision_25_an_owner_invites_an_outsider_as_member_with_team_and_role() {
    let world = World::new();
    let put = world.olivia().put(NINA, json!({ "role": "maintainer" }));
    assert_eq!((&put.expect(200)["state"], &put.json["role"]), (&json!("pending"), &json!("maintainer")));
    assert_eq!(world.nina().get(MINE).expect(200)["role"], "member");
    assert_eq!(accept(&world)["role"], "member");
    assert_eq!(world.tom().get(NINA).expect(200)["role"], "maintainer");
}

#[test]
fn decision_25_an_open_invitation_gains_the_team_and_keeps_its_own_role() {
    let world = World::new();
    world.olivia().put("/orgs/acme/memberships/nina", json!({ "role": "admin" })).expect(200);
    assert_eq!(given::put(&world, "core", "nina", "member")["state"], "pending");
    assert_eq!(accept(&world)["role"], "admin");
    assert_eq!(world.tom().get(NINA).expect(200)["state"], "active");
}

#[test]
fn decision_25_repeating_the_put_changes_the_role_and_makes_no_second_invitation() {
    let world = World::new();
    given::put(&world, "core", "nina", "member");
    let again = given::put(&world, "core", "nina", "maintainer");
    assert_eq!((&again["state"], &again["role"]), (&json!("pending"), &json!("maintainer")));
    let count = "SELECT COUNT(*) FROM invitations WHERE user_id = (SELECT MAX(id) FROM users)";
    assert_eq!(given::value::<i64>(&world, count), 1);
}

#[test]
fn decision_25_a_maintainer_changes_the_role_of_somebody_pending_on_their_own_team_only() {
    let world = World::new();
    given::closed(&world, "Other");
    given::put(&world, "other", "max", "maintainer");
    given::put(&world, "core", "nina", "member");
    let put = world.max().put(NINA, json!({ "role": "maintainer" }));
    assert_eq!((&put.expect(200)["state"], &put.json["role"]), (&json!("pending"), &json!("maintainer")));
    let other = world.max().put("/orgs/acme/teams/other/memberships/nina", json!({}));
    given::violates(&other, json!({ "resource": "TeamMember", "code": "no_permission", "field": "user" }));
    assert_eq!(accept(&world)["state"], "active");
    assert_eq!(given::each(&world.nina(), "/user/teams", "slug"), ["core"]);
}

#[test]
fn decision_26_accepting_makes_all_teams_of_the_invitation_active() {
    let world = World::new();
    given::secret(&world, "Hidden");
    given::put(&world, "core", "nina", "member");
    given::put(&world, "hidden", "nina", "maintainer");
    assert_eq!(world.olivia().get("/orgs/acme/teams/hidden").expect(200)["members_count"], 1);
    let membership = accept(&world);
    assert_eq!((&membership["state"], &membership["organization"]["login"]), (&json!("active"), &json!("acme")));
    assert_eq!(given::each(&world.nina(), "/user/teams", "slug"), ["core", "hidden"]);
    assert_eq!(world.nina().get("/orgs/acme/teams/hidden").expect(200)["members_count"], 2);
    world.nina().patch("/orgs/acme/teams/hidden", json!({ "name": "Shown" })).expect(200);
}

#[test]
fn decision_26_only_the_invited_person_accepts() {
    let world = World::new();
    world.register("una");
    given::put(&world, "core", "nina", "member");
    world.client("una").patch(MINE, json!({ "state": "active" })).refused(404, "Not Found");
    world.client("una").get(MINE).refused(404, "Not Found");
    assert_eq!(world.olivia().get(NINA).expect(200)["state"], "pending");
}

#[test]
fn decision_26_an_invitation_is_open_for_7_days() {
    let world = World::new();
    given::put(&world, "core", "nina", "member");
    world.advance(WEEK - 1);
    assert_eq!(world.olivia().get(NINA).expect(200)["state"], "pending");
    assert_eq!(accept(&world)["state"], "active");
}

#[test]
fn decision_26_how_long_it_is_open_is_a_setting() {
    let world = World::with(Settings { invitation_seconds: 3_600, ..Settings::default() });
    given::put(&world, "core", "nina", "member");
    world.advance(3_600 - 1);
    assert_eq!(world.olivia().get(NINA).expect(200)["state"], "pending");
    world.advance(1);
    world.olivia().get(NINA).refused(404, "Not Found");
    world.nina().patch(MINE, json!({ "state": "active" })).refused(404, "Not Found");
}

#[test]
fn decision_26_an_expired_invitation_is_gone_with_its_pending_memberships() {
    let world = World::new();
    given::put(&world, "core", "nina", "member");
    world.advance(WEEK + 1);
    world.olivia().get(NINA).refused(404, "Not Found");
    world.olivia().delete(NINA).expect(204);
    world.nina().get(MINE).refused(404, "Not Found");
    world.nina().patch(MINE, json!({ "state": "active" })).refused(404, "Not Found");
    assert_eq!(world.nina().get("/user/memberships/orgs?state=pending").expect(200), &json!([]));
    let put = world.max().put(NINA, json!({}));
    given::violates(&put, json!({ "resource": "TeamMember", "code": "no_permission", "field": "user" }));
}

#[test]
fn decision_26_an_invitation_ends_though_nothing_was_written() {
    let world = World::new();
    given::put(&world, "core", "nina", "member");
    for (seconds, open) in [(0, 1), (WEEK - 1, 1), (2, 0)] {
        world.advance(seconds);
        let listed = world.olivia().get("/orgs/acme/invitations");
        assert_eq!(listed.expect(200).as_array().map(Vec::len), Some(open), "after {seconds} s");
        assert_eq!(world.olivia().get(NINA).status, if open == 1 { 200 } else { 404 });
    }
}

#[test]
fn decision_26_a_new_invitation_revives_without_the_teams_of_the_old_one() {
    let world = World::new();
    given::closed(&world, "Other");
    given::put(&world, "other", "nina", "member");
    world.advance(WEEK + 1);
    assert_eq!(given::put(&world, "core", "nina", "member")["state"], "pending");
    world.olivia().get("/orgs/acme/teams/other/memberships/nina").expect(404);
    world.advance(WEEK - 1);
    accept(&world);
    assert_eq!(given::each(&world.nina(), "/user/teams", "slug"), ["core"]);
}

#[test]
fn decision_28_deleting_a_pending_membership_leaves_the_invitation() {
    let world = World::new();
    given::closed(&world, "Other");
    given::put(&world, "core", "nina", "member");
    given::put(&world, "other", "nina", "member");
    world.max().delete(NINA).expect(204);
    world.olivia().get(NINA).refused(404, "Not Found");
    assert_eq!(world.nina().get(MINE).expect(200)["state"], "pending");
    accept(&world);
    assert_eq!(given::each(&world.nina(), "/user/teams", "slug"), ["other"]);
}

#[test]
fn decision_28_deleting_a_parent_takes_its_children_off_the_invitation() {
    let world = World::new();
    given::child(&world, &given::core(&world), "Child");
    given::closed(&world, "Other");
    given::put(&world, "child", "nina", "maintainer");
    given::put(&world, "other", "nina", "member");
    world.olivia().delete("/orgs/acme/teams/core").expect(204);
    accept(&world);
    assert_eq!(given::each(&world.nina(), "/user/teams", "slug"), ["other"]);
}

#[test]
fn decision_28_deleting_a_team_takes_it_off_the_invitation() {
    let world = World::new();
    given::put(&world, "core", "nina", "member");
    world.olivia().delete("/orgs/acme/teams/core").expect(204);
    assert_eq!(accept(&world)["state"], "active");
    assert_eq!(world.nina().get("/user/teams").expect(200), &json!([]));
}
