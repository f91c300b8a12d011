//! Invitations in the organization's own list: who is invited and how, what the lists show, and whose an invitation is
//! (decisions 5, 27 and 29).

use crate::spec::given;
use crate::support::{Answer, Value, World, json};

pub const INVITATIONS: &str = "/orgs/acme/invitations";
pub const FAILED: &str = "/orgs/acme/failed_invitations";
pub const MINE: &str = "/user/memberships/orgs/acme";
pub const NINA: &str = "/orgs/acme/teams/core/memberships/nina";

pub fn invite(world: &World, body: Value) -> Value {
    world.olivia().post(INVITATIONS, body).expect(201).clone()
}

pub fn by_id(world: &World, login: &str) -> Value {
    invite(world, json!({ "invitee_id": given::user_id(world, login) }))
}

pub fn accept(world: &World, login: &str) -> Answer {
    world.client(login).patch(MINE, json!({ "state": "active" }))
}

/// The fields of each invitation in a list: the invitee and the role.
pub fn shown(world: &World, path: &str) -> Vec<(Value, Value, Value)> {
    let list = world.olivia().get(path).expect(200).clone();
    let of = |item: &Value| (item["login"].clone(), item["email"].clone(), item["role"].clone());
    list.as_array().expect("a list").iter().map(of).collect()
}

fn refuses(answer: &Answer, message: &str) {
    let resource = "OrganizationInvitation";
    let item = json!({ "resource": resource, "code": "unprocessable", "field": "data", "message": message });
    given::violates(answer, item);
}

#[test]
fn decision_5_an_invitation_is_created_with_201_and_cancelled_with_204() {
    let world = World::new();
    let team = given::core(&world)["id"].clone();
    let body = json!({ "invitee_id": given::user_id(&world, "nina"), "role": "admin", "team_ids": [team, team] });
    let created = world.olivia().post(INVITATIONS, body);
    let record = created.expect(201);
    let id = given::id(record);
    let keys = "id node_id login email role created_at inviter team_count invitation_teams_url";
    assert_eq!(given::keys(record), keys.split(' ').collect::<Vec<_>>());
    assert_eq!((&record["login"], &record["email"], &record["role"]), (&json!("nina"), &json!(null), &json!("admin")));
    assert_eq!((&record["inviter"]["login"], &record["team_count"]), (&json!("olivia"), &json!(1)));
    assert_eq!(record["created_at"], "2026-01-01T00:00:00Z");
    assert_eq!(created.header("location"), None);
    let org = given::org_id(&world);
    let teams = format!("{}/organizations/{org}/invitations/{id}/teams", world.base);
    assert_eq!(record["invitation_teams_url"], teams);
    assert_eq!(given::each(&world.olivia(), &teams, "slug"), ["core"]);
    let mut listed = record.clone();
    (listed["failed_at"], listed["failed_reason"]) = (json!(null), json!(null));
    assert_eq!(world.olivia().get(INVITATIONS).expect(200), &json!([listed]));
    world.olivia().delete(&format!("{INVITATIONS}/{id}")).expect(204);
    world.olivia().delete(&format!("{INVITATIONS}/{id}")).refused(404, "Not Found");
}

#[test]
fn decision_29_only_owners_invite_and_see_invitations() {
    let world = World::new();
    let id = given::id(&by_id(&world, "nina"));
    let refusal = "You must be an admin to create an invitation to an organization.";
    for who in [world.max(), world.tom(), world.nina(), world.sam()] {
        who.post(INVITATIONS, json!({ "email": "una@example.com" })).refused(403, refusal);
        for path in [INVITATIONS.to_owned(), FAILED.to_owned(), format!("{INVITATIONS}/{id}/teams")] {
            who.get(&path).expect(403);
        }
        who.delete(&format!("{INVITATIONS}/{id}")).expect(403);
    }
    assert_eq!(shown(&world, INVITATIONS).len(), 1);
}

#[test]
fn decision_29_an_invitation_of_another_organization_is_not_found() {
    let world = World::new();
    world.organization("beta", "eve", &[]);
    let id = given::id(&by_id(&world, "nina"));
    for path in [format!("/orgs/beta/invitations/{id}"), "/orgs/acme/invitations/99".into()] {
        let who = if path.contains("beta") { world.eve() } else { world.olivia() };
        who.delete(&path).refused(404, "Not Found");
        who.get(&format!("{path}/teams")).refused(404, "Not Found");
    }
    assert_eq!(shown(&world, INVITATIONS).len(), 1);
}

#[test]
fn decision_29_a_person_or_an_address_is_invited_with_one_of_four_roles() {
    let world = World::new();
    for (n, role) in ["admin", "direct_member", "billing_manager", "reinstate"].into_iter().enumerate() {
        let record = invite(&world, json!({ "email": format!("p{n}@example.com"), "role": role }));
        assert_eq!((&record["role"], &record["login"]), (&json!(role), &json!(null)));
    }
    assert_eq!(invite(&world, json!({ "email": "x@example.com" }))["role"], "direct_member");
    for role in ["hiring_manager", "member", ""] {
        world.olivia().post(INVITATIONS, json!({ "email": "y@example.com", "role": role })).expect(422);
    }
    let nobody = world.olivia().post(INVITATIONS, json!({ "role": "admin" }));
    nobody.refused(422, "Invalid request.\n\n\"invitee_id\" or \"email\" wasn't supplied.");
    for (name, value) in [("invitee_id", json!(9_999)), ("invitee_id", json!(-1)), ("email", json!("no address"))] {
        let refused = world.olivia().post(INVITATIONS, json!({ name: value }));
        given::violates(&refused, json!({ "resource": "OrganizationInvitation", "code": "invalid", "field": name }));
    }
    assert_eq!(shown(&world, INVITATIONS).len(), 5);
}

#[test]
fn decision_29_an_invitation_goes_to_one_address() {
    let world = World::new();
    for address in ["a@b.c,d@e.f", "<a@b.c>", "a@b@c.d", "a@b.c\r\nBcc: d@e.f", "a@b.c\u{202e}", "a@b..c", "\"a\"@b.c"]
    {
        let refused = world.olivia().post(INVITATIONS, json!({ "email": address }));
        given::violates(&refused, json!({ "resource": "OrganizationInvitation", "code": "invalid", "field": "email" }));
    }
    assert_eq!(world.olivia().get(INVITATIONS).expect(200), &json!([]));
}

#[test]
fn decision_29_teams_of_an_invitation_belong_to_the_organization_and_to_no_billing_manager() {
    let world = World::new();
    world.organization("beta", "eve", &[]);
    let foreign = world.eve().post("/orgs/beta/teams", json!({ "name": "Beta" })).expect(201)["id"].clone();
    let core = given::core(&world)["id"].clone();
    for teams in [json!([core, foreign]), json!([9_999]), json!([0]), json!([-1])] {
        let refused = world.olivia().post(INVITATIONS, json!({ "email": "x@example.com", "team_ids": teams }));
        refuses(&refused, "Teams must belong to this organization");
    }
    let billing = |teams: Value| json!({ "email": "x@example.com", "role": "billing_manager", "team_ids": teams });
    let refused = world.olivia().post(INVITATIONS, billing(json!([core])));
    refuses(&refused, "A billing manager cannot be on teams. Omit team_ids.");
    assert_eq!(world.olivia().get(INVITATIONS).expect(200), &json!([]));
    invite(&world, billing(json!([])));
}

#[test]
fn decision_29_members_and_suspended_people_are_not_invited() {
    let world = World::new();
    world.sam().put("/users/nina/suspended", json!({})).expect(204);
    let post = |body: Value| world.olivia().post(INVITATIONS, body);
    let id = |login: &str| json!({ "invitee_id": given::user_id(&world, login) });
    refuses(&post(id("tom")), "Invitee is already a part of this organization");
    let known = "A user with this email addresss is already a part of this organization";
    refuses(&post(json!({ "email": "Tom@Example.com" })), known);
    let suspended =
        "This account is suspended. A site administrator must unsuspend it first: DELETE /users/{username}/suspended.";
    refuses(&post(id("nina")), suspended);
    // The owner does not learn that the e-mail address has an account.
    assert_eq!(post(json!({ "email": "nina@example.com" })).expect(201)["login"], json!(null));
}

#[test]
fn decision_29_a_former_role_comes_back_only_by_reinstate() {
    let world = World::new();
    for (role, back) in [("direct_member", "member"), ("reinstate", "admin")] {
        world.olivia().put("/orgs/acme/memberships/tom", json!({ "role": "admin" })).expect(200);
        world.olivia().delete("/orgs/acme/memberships/tom").expect(204);
        invite(&world, json!({ "invitee_id": given::user_id(&world, "tom"), "role": role }));
        assert_eq!(accept(&world, "tom").expect(200)["role"], back);
    }
    invite(&world, json!({ "invitee_id": given::user_id(&world, "nina"), "role": "reinstate" }));
    assert_eq!(accept(&world, "nina").expect(200)["role"], "member");
}

#[test]
fn decision_29_the_invitations_of_a_team_are_for_its_owners_and_maintainers() {
    let world = World::new();
    given::secret(&world, "Hidden");
    let team = given::core(&world)["id"].clone();
    given::put(&world, "core", "nina", "member");
    invite(&world, json!({ "email": "una@example.com", "team_ids": [team] }));
    invite(&world, json!({ "email": "elsewhere@example.com" }));
    let path = "/orgs/acme/teams/core/invitations";
    for client in [world.olivia(), world.max()] {
        let list = client.get(path);
        assert_eq!((list.expect(200), list.each("login")), (&list.json, vec![json!("nina"), json!(null)]));
        assert_eq!(list.each("email"), [json!(null), json!("una@example.com")]);
    }
    assert_eq!(world.max().all(&format!("{path}?per_page=1")).len(), 2);
    for client in [world.tom(), world.eve()] {
        client.get(path).expect(403);
    }
    world.nina().get(path).refused(404, "Not Found");
    world.max().get("/orgs/acme/teams/hidden/invitations").refused(404, "Not Found");
}

#[test]
fn decision_29_a_team_shows_all_five_roles_and_imported_ones_give_no_standing() {
    let world = World::new();
    let roles = ["direct_member", "admin", "billing_manager", "hiring_manager", "reinstate"];
    for n in 0..roles.len() {
        world.register(&format!("p{n}"));
        given::put(&world, "core", &format!("p{n}"), "member");
    }
    given::run(
        &world,
        "UPDATE invitations SET role = 'admin' WHERE user_id = (SELECT id FROM users WHERE login = 'p1')",
    );
    given::run(
        &world,
        "UPDATE invitations SET role = 'billing_manager' WHERE user_id = (SELECT id FROM users WHERE login = 'p2')",
    );
    given::run(
        &world,
        "UPDATE invitations SET role = 'hiring_manager' WHERE user_id = (SELECT id FROM users WHERE login = 'p3')",
    );
    given::run(
        &world,
        "UPDATE invitations SET role = 'reinstate' WHERE user_id = (SELECT id FROM users WHERE login = 'p4')",
    );
    let list = world.max().get("/orgs/acme/teams/core/invitations");
    assert_eq!(list.each("role"), roles);
    for login in ["p2", "p3"] {
        assert_eq!(accept(&world, login).expect(200)["role"], "billing_manager");
        world.client(login).get("/orgs/acme/teams/core").refused(404, "Not Found");
    }
}

#[test]
fn decision_27_an_address_that_an_account_has_verified_is_for_that_account() {
    let world = World::new();
    world.register("una");
    let team = given::core(&world)["id"].clone();
    let record = invite(&world, json!({ "email": "NINA@example.com", "team_ids": [team] }));
    assert_eq!((&record["login"], &record["email"]), (&json!(null), &json!("NINA@example.com")));
    assert_eq!(world.nina().get(MINE).expect(200)["state"], "pending");
    accept(&world, "una").refused(404, "Not Found");
    accept(&world, "nina").expect(200);
    assert_eq!(given::each(&world.nina(), "/user/teams", "slug"), ["core"]);
    assert_eq!(world.olivia().get(INVITATIONS).expect(200), &json!([]));
}

#[test]
fn decision_27_an_unverified_address_never_matches() {
    let world = World::new();
    given::run(&world, "UPDATE emails SET verified = FALSE WHERE email = 'nina@example.com'");
    let record = invite(&world, json!({ "email": "nina@example.com" }));
    assert_eq!(record["login"], json!(null));
    accept(&world, "nina").refused(404, "Not Found");
    world.nina().get(MINE).refused(404, "Not Found");
    assert_eq!(world.nina().get("/user/memberships/orgs").expect(200), &json!([]));
    given::run(&world, "UPDATE emails SET verified = TRUE WHERE email = 'nina@example.com'");
    assert_eq!(given::each(&world.nina(), "/user/memberships/orgs", "state"), ["pending"]);
    accept(&world, "nina").expect(200);
}

#[test]
fn decision_27_an_account_that_is_made_later_with_the_address_accepts() {
    let world = World::new();
    invite(&world, json!({ "email": "una@example.com", "team_ids": [given::core(&world)["id"]] }));
    world.register("una");
    assert_eq!(shown(&world, INVITATIONS)[0].0, json!(null));
    accept(&world, "una").expect(200);
    assert_eq!(given::each(&world.client("una"), "/user/teams", "slug"), ["core"]);
}

#[test]
fn decision_27_several_open_invitations_are_accepted_together() {
    let world = World::new();
    given::closed(&world, "Other");
    given::run(&world, "UPDATE emails SET verified = FALSE WHERE email = 'nina@example.com'");
    let other = world.olivia().get("/orgs/acme/teams/other").expect(200)["id"].clone();
    invite(&world, json!({ "email": "nina@example.com", "role": "admin", "team_ids": [other] }));
    given::put(&world, "core", "nina", "maintainer");
    given::run(&world, "UPDATE emails SET verified = TRUE WHERE email = 'nina@example.com'");
    assert_eq!(given::each(&world.nina(), "/user/memberships/orgs", "role"), ["admin"], "the oldest says the role");
    assert_eq!(accept(&world, "nina").expect(200)["role"], "admin");
    assert_eq!(given::each(&world.nina(), "/user/teams", "slug"), ["core", "other"]);
    assert_eq!(world.olivia().get(INVITATIONS).expect(200), &json!([]));
}

#[test]
fn decision_27_an_address_beside_a_person_only_says_where_the_mail_goes() {
    let world = World::new();
    let body = json!({ "invitee_id": given::user_id(&world, "nina"), "email": "max@example.com" });
    let record = invite(&world, body);
    assert_eq!((&record["login"], &record["email"]), (&json!("nina"), &json!("max@example.com")));
    accept(&world, "nina").expect(200);
}

#[test]
fn record_an_invitation_whose_inviter_is_gone_shows_the_organization() {
    let world = World::new();
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    world.max().post(INVITATIONS, json!({ "email": "una@example.com" })).expect(201);
    world.sam().delete("/admin/users/max").expect(204);
    let inviter = world.olivia().get(INVITATIONS).expect(200)[0]["inviter"].clone();
    assert_eq!((&inviter["login"], &inviter["type"]), (&json!("acme"), &json!("Organization")));
}
