//! Privacy of a team (section 6).

use crate::spec::given;
use crate::support::{World, json};

#[test]
fn privacy_1_a_secret_team_is_seen_by_owners_and_its_own_people() {
    let world = World::new();
    given::secret(&world, "Hidden");
    given::put(&world, "hidden", "tom", "member");
    for login in ["olivia", "tom"] {
        world.client(login).get("/orgs/acme/teams/hidden").expect(200);
    }
    for login in ["max", "eve", "ray", "nina", "sam"] {
        world.client(login).get("/orgs/acme/teams/hidden").refused(404, "Not Found");
    }
    world.anonymous().get("/orgs/acme/teams/hidden").refused(404, "Not Found");
}

#[test]
fn privacy_1_a_secret_team_is_listed_for_those_who_see_it() {
    let world = World::new();
    given::secret(&world, "Hidden");
    given::put(&world, "hidden", "tom", "member");
    assert_eq!(given::each(&world.olivia(), "/orgs/acme/teams", "slug"), ["core", "hidden"]);
    assert_eq!(given::each(&world.tom(), "/orgs/acme/teams", "slug"), ["core", "hidden"]);
    assert_eq!(given::each(&world.max(), "/orgs/acme/teams", "slug"), ["core"]);
}

#[test]
fn privacy_1_a_list_never_has_what_it_had_for_another_member() {
    let world = World::new();
    for (name, slug, login) in [("A hidden", "a-hidden", "tom"), ("Z hidden", "z-hidden", "eve")] {
        given::secret(&world, name);
        given::put(&world, slug, login, "member");
    }
    let expected: [(_, &[&str]); 3] =
        [("tom", &["a-hidden", "core"]), ("max", &["core"]), ("eve", &["core", "z-hidden"])];
    let clients = expected.map(|(login, slugs)| (world.client(login), slugs));
    // Nothing is written from here on, so that what a reader keeps is kept to the end.
    for round in 0..20 {
        for (client, slugs) in &clients {
            assert_eq!(given::each(client, "/orgs/acme/teams", "slug"), *slugs, "{round}");
        }
    }
}

#[test]
fn privacy_1_a_secret_team_has_no_parent() {
    let world = World::new();
    let core = given::core(&world);
    let body = json!({ "name": "Hidden", "privacy": "secret", "parent_team_id": core["id"] });
    given::refuses_team_somehow(&world.olivia().post("/orgs/acme/teams", body));
    world.olivia().get("/orgs/acme/teams/hidden").expect(404);
}

#[test]
fn privacy_1_a_secret_team_has_no_children() {
    let world = World::new();
    let hidden = given::secret(&world, "Hidden");
    let body = json!({ "name": "Child", "parent_team_id": hidden["id"] });
    given::refuses_team_somehow(&world.olivia().post("/orgs/acme/teams", body));
    world.olivia().get("/orgs/acme/teams/child").expect(404);
}

#[test]
fn privacy_1_a_new_team_is_secret_unless_the_request_says_otherwise() {
    let world = World::new();
    assert_eq!(given::team(&world, json!({ "name": "One" }))["privacy"], "secret");
    assert_eq!(given::team(&world, json!({ "name": "Two", "privacy": null }))["privacy"], "secret");
    assert_eq!(given::team(&world, json!({ "name": "Three", "privacy": "closed" }))["privacy"], "closed");
}

#[test]
fn privacy_2_every_member_sees_a_closed_team_and_nobody_else() {
    let world = World::new();
    for login in ["olivia", "max", "tom", "eve", "ray"] {
        world.client(login).get("/orgs/acme/teams/core").expect(200);
    }
    for login in ["nina", "sam"] {
        world.client(login).get("/orgs/acme/teams/core").refused(404, "Not Found");
    }
    world.anonymous().get("/orgs/acme/teams/core").refused(404, "Not Found");
}

#[test]
fn privacy_2_a_team_with_a_parent_cannot_become_secret() {
    let world = World::new();
    let child = given::child(&world, &given::core(&world), "Child");
    assert_eq!(child["privacy"], "closed");
    let answer = world.olivia().patch("/orgs/acme/teams/child", json!({ "name": "Other", "privacy": "secret" }));
    given::refuses_team_somehow(&answer);
    assert_eq!(world.olivia().get("/orgs/acme/teams/child").expect(200)["name"], "Child");
}

#[test]
fn privacy_2_a_team_created_below_a_parent_is_closed_unless_the_request_says_otherwise() {
    let world = World::new();
    let core = given::core(&world);
    assert_eq!(given::child(&world, &core, "Child")["privacy"], "closed");
    let closed = given::team(&world, json!({ "name": "Said", "privacy": "closed", "parent_team_id": core["id"] }));
    assert_eq!(closed["privacy"], "closed");
}

#[test]
fn privacy_3_an_update_that_does_not_name_it_keeps_it() {
    let world = World::new();
    given::secret(&world, "Hidden");
    let kept = world.olivia().patch("/orgs/acme/teams/hidden", json!({ "name": "Hidden", "description": "x" }));
    assert_eq!(kept.expect(200)["privacy"], "secret");
    let kept = world.olivia().patch("/orgs/acme/teams/core", json!({ "name": "Core", "description": "x" }));
    assert_eq!(kept.expect(200)["privacy"], "closed");
}

#[test]
fn privacy_3_an_update_that_names_it_changes_it() {
    let world = World::new();
    let hidden = world.olivia().patch("/orgs/acme/teams/core", json!({ "name": "Core", "privacy": "secret" }));
    assert_eq!(hidden.expect(200)["privacy"], "secret");
    world.eve().get("/orgs/acme/teams/core").expect(404);
    let shown = world.olivia().patch("/orgs/acme/teams/core", json!({ "name": "Core", "privacy": "closed" }));
    assert_eq!(shown.expect(200)["privacy"], "closed");
    world.eve().get("/orgs/acme/teams/core").expect(200);
}

#[test]
fn privacy_3_a_parent_cannot_be_made_secret() {
    let world = World::new();
    given::child(&world, &given::core(&world), "Child");
    let answer = world.max().patch("/orgs/acme/teams/core", json!({ "name": "Core", "privacy": "secret" }));
    given::refuses_team_somehow(&answer);
    assert_eq!(given::core(&world)["privacy"], "closed");
}
