//! People: last owners, suspension, plans, logins (decisions 21 and 22).

use crate::spec::given;
use crate::support::{Answer, Client, World, json};

/// Every way in which Olivia could cease to be an active owner.
const ENDS: [fn(&World) -> Answer; 4] = [
    |world| world.olivia().put("/orgs/acme/memberships/olivia", json!({ "role": "member" })),
    |world| world.olivia().delete("/orgs/acme/memberships/olivia"),
    |world| world.olivia().delete("/orgs/acme/members/olivia"),
    |world| world.sam().delete("/admin/users/olivia"),
];

#[test]
fn decision_21_the_last_owner_stays_and_the_answer_names_a_way_out() {
    let world = World::new();
    for end in ENDS {
        let answer = end(&world);
        answer.expect(422);
        assert!(answer.text.contains("owner"), "{}", answer.text);
    }
    assert_eq!(world.olivia().get("/orgs/acme/memberships/olivia").expect(200)["role"], "admin");
}

#[test]
fn decision_21_an_owner_who_is_not_the_last_may_go() {
    for end in ENDS {
        let world = World::new();
        world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
        assert!((200..300).contains(&end(&world).status));
        assert_eq!(given::each(&world.max(), "/orgs/acme/members?role=admin", "login"), ["max"]);
    }
}

#[test]
fn decision_21_a_pending_owner_does_not_count() {
    let world = World::new();
    world.olivia().put("/orgs/acme/memberships/nina", json!({ "role": "admin" })).expect(200);
    world.olivia().delete("/orgs/acme/memberships/olivia").expect(422);
}

#[test]
fn decision_21_a_suspended_owner_does_not_count() {
    let world = World::new();
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    world.sam().put_empty("/users/max/suspended").expect(204);
    for end in ENDS {
        end(&world).expect(422);
    }
    world.sam().delete("/users/max/suspended").expect(204);
    world.olivia().delete("/orgs/acme/memberships/olivia").expect(204);
}

#[test]
fn decision_21_a_suspended_person_keeps_memberships_and_is_listed_and_counted() {
    let world = World::new();
    world.sam().put_empty("/users/tom/suspended").expect(204);
    assert_eq!(world.max().get("/orgs/acme/teams/core/memberships/tom").expect(200)["state"], "active");
    assert_eq!(given::each(&world.max(), "/orgs/acme/teams/core/members", "login"), ["max", "tom"]);
    assert_eq!(given::core(&world)["members_count"], 2);
    world.max().get("/orgs/acme/members/tom").expect(204);
}

#[test]
fn decision_21_a_suspended_person_cannot_be_added() {
    let world = World::new();
    for login in ["eve", "nina"] {
        world.sam().put_empty(&format!("/users/{login}/suspended")).expect(204);
        world.olivia().put(&format!("/orgs/acme/teams/core/memberships/{login}"), json!({})).expect(422);
    }
    world.olivia().put_empty("/orgs/acme/teams/core/members/eve").expect(422);
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(422);
    assert_eq!(given::core(&world)["members_count"], 2);
}

#[test]
fn decision_21_a_site_administrator_can_lock_out_the_last_owner() {
    let world = World::new();
    let olivia = world.olivia();
    world.sam().put_empty("/users/olivia/suspended").expect(204);
    olivia.get("/user").refused(403, "Sorry. Your account was suspended.");
    world.sam().delete("/users/olivia/suspended").expect(204);
    olivia.get("/user").expect(200);
}

#[test]
fn decision_21_the_plan_is_set_by_a_site_administrator() {
    let world = World::new();
    assert_eq!(world.olivia().get("/orgs/acme").expect(200)["plan"]["name"], "free");
    world.sam().patch("/admin/organizations/acme", json!({ "plan": "enterprise" })).expect(202);
    assert_eq!(world.olivia().get("/orgs/acme").expect(200)["plan"]["name"], "enterprise");
    world.olivia().patch("/orgs/acme", json!({ "plan": "free" })).expect(200);
    assert_eq!(world.olivia().get("/orgs/acme").expect(200)["plan"]["name"], "enterprise");
}

fn register(world: &World, login: &str) -> Answer {
    world.sam().post("/admin/users", json!({ "login": login }))
}

#[test]
fn decision_22_a_site_administrator_may_use_100_letters_digits_dots_dashes_and_underscores() {
    let world = World::new();
    for login in ["a", "a-b", "a_b.c-d", "42", &"x".repeat(100)] {
        assert_eq!(register(&world, login).expect(201)["login"], login);
        assert_eq!(world.anonymous().get(&format!("/users/{login}")).expect(200)["login"], login);
    }
    for login in ["", " ", &"x".repeat(101), "a b", "a/b", "é", "a@b", "a\nb"] {
        register(&world, login).expect(422);
    }
}

#[test]
fn decision_22_what_no_address_can_hold_is_no_login() {
    let world = World::new();
    for login in [".", ".."] {
        register(&world, login).refused(422, "Validation Failed");
        world.sam().post("/admin/organizations", json!({ "login": login, "admin": "tom" })).expect(422);
        world.sam().patch("/admin/users/tom", json!({ "login": login })).expect(422);
        world.sam().patch("/admin/organizations/acme", json!({ "login": login })).expect(422);
    }
    register(&world, "...").expect(201);
}

#[test]
fn decision_22_people_and_organizations_share_one_name_space() {
    let world = World::new();
    register(&world, "ACME").expect(422);
    register(&world, "Tom").expect(422);
    world.sam().post("/admin/organizations", json!({ "login": "TOM", "admin": "tom" })).expect(422);
    world.sam().patch("/admin/users/tom", json!({ "login": "acme" })).expect(422);
    world.sam().patch("/admin/organizations/acme", json!({ "login": "Max" })).expect(422);
    assert_eq!(world.tom().get("/user").expect(200)["login"], "tom");
}

#[test]
fn decision_22_a_former_login_is_found_by_nobody_and_given_to_nobody() {
    let world = World::new();
    world.sam().patch("/admin/users/nina", json!({ "login": "nora" })).expect(202);
    world.sam().patch("/admin/organizations/acme", json!({ "login": "apex" })).expect(202);
    world.olivia().get("/users/nina").refused(404, "Not Found");
    world.olivia().get("/orgs/acme").refused(404, "Not Found");
    world.olivia().put("/orgs/apex/memberships/nina", json!({})).refused(404, "Not Found");
    for login in ["nina", "Nina", "acme"] {
        register(&world, login).expect(422);
        world.sam().post("/admin/organizations", json!({ "login": login, "admin": "tom" })).expect(422);
    }
    world.sam().patch("/admin/users/nora", json!({ "login": "nina" })).expect(202);
    world.olivia().get("/users/nina").expect(200);
}

#[test]
fn decision_22_the_login_of_a_deleted_account_is_kept_from_others() {
    let world = World::new();
    world.sam().delete("/admin/users/nina").expect(204);
    register(&world, "nina").expect(422);
    world.olivia().get("/users/nina").refused(404, "Not Found");
}

#[test]
fn decision_22_no_identifier_comes_back() {
    let world = World::new();
    let last = given::closed(&world, "Last");
    world.olivia().delete("/orgs/acme/teams/last").expect(204);
    let next = given::closed(&world, "Last");
    assert!(given::id(&next) > given::id(&last));
    world.olivia().get(&format!("/teams/{}", last["id"])).expect(404);
    let una = given::id(register(&world, "una").expect(201));
    world.sam().delete("/admin/users/una").expect(204);
    assert!(given::id(register(&world, "ulla").expect(201)) > una);
}

#[test]
fn decision_22_a_renamed_person_is_the_same_person() {
    let world = World::new();
    let token = world.tom();
    world.sam().patch("/admin/users/tom", json!({ "login": "Tim" })).expect(202);
    let renamed = Client::new(&world.base, token.token.as_deref());
    assert_eq!(given::each(&renamed, "/user/teams", "slug"), ["core"]);
    assert_eq!(given::each(&world.max(), "/orgs/acme/teams/core/members", "login"), ["max", "Tim"]);
}
