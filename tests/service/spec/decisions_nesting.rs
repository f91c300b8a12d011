//! Parents and children: what is allowed and who may set them (decisions 11 and 12).

use crate::spec::given;
use crate::support::{Value, World, json};

const TEAMS: &str = "/orgs/acme/teams";
const CORE: &str = "/orgs/acme/teams/core";

fn parent_of(world: &World, slug: &str) -> Value {
    world.olivia().get(&format!("{TEAMS}/{slug}")).expect(200)["parent"]["slug"].clone()
}

#[test]
fn decision_11_default_is_secret_and_closed_below_a_parent() {
    let world = World::new();
    assert_eq!(given::team(&world, json!({ "name": "A" }))["privacy"], "secret");
    assert_eq!(given::child(&world, &given::core(&world), "B")["privacy"], "closed");
}

#[test]
fn decision_11_a_secret_team_cannot_be_put_below_a_parent() {
    let world = World::new();
    given::secret(&world, "Hidden");
    let body = json!({ "name": "Shown", "parent_team_id": given::core(&world)["id"] });
    given::refuses_team_somehow(&world.olivia().patch("/orgs/acme/teams/hidden", body));
    let team = world.olivia().get("/orgs/acme/teams/hidden").expect(200).clone();
    assert_eq!((&team["name"], &team["parent"]), (&json!("Hidden"), &json!(null)));
}

#[test]
fn decision_11_only_the_state_after_the_whole_request_counts() {
    let world = World::new();
    given::secret(&world, "Hidden");
    let body = json!({ "name": "Hidden", "privacy": "closed", "parent_team_id": given::core(&world)["id"] });
    let nested = world.olivia().patch("/orgs/acme/teams/hidden", body);
    assert_eq!(nested.expect(200)["parent"]["slug"], "core");
    let body = json!({ "name": "Hidden", "privacy": "secret", "parent_team_id": null });
    let alone = world.olivia().patch("/orgs/acme/teams/hidden", body);
    assert_eq!((&alone.expect(200)["privacy"], &alone.json["parent"]), (&json!("secret"), &json!(null)));
}

#[test]
fn decision_11_a_null_parent_detaches_and_a_missing_one_changes_nothing() {
    let world = World::new();
    given::child(&world, &given::core(&world), "Child");
    world.olivia().patch("/orgs/acme/teams/child", json!({ "name": "Child", "description": "d" })).expect(200);
    assert_eq!(parent_of(&world, "child"), "core");
    world.olivia().patch("/orgs/acme/teams/child", json!({ "name": "Child", "parent_team_id": null })).expect(200);
    assert_eq!(parent_of(&world, "child"), json!(null));
    assert_eq!(world.olivia().get("/orgs/acme/teams/core/teams").expect(200), &json!([]));
}

#[test]
fn decision_11_a_team_is_never_below_itself() {
    let world = World::new();
    let core = given::core(&world);
    let child = given::child(&world, &core, "Child");
    let grandchild = given::child(&world, &child, "Grandchild");
    for parent in [&core, &child, &grandchild] {
        let body = json!({ "name": "Kernel", "parent_team_id": parent["id"] });
        given::refuses_team_somehow(&world.olivia().patch(CORE, body));
    }
    assert_eq!((parent_of(&world, "core"), given::core(&world)["name"].clone()), (json!(null), json!("Core")));
}

#[test]
fn decision_11_an_unknown_invisible_or_foreign_parent_is_refused() {
    let world = World::new();
    world.organization("beta", "max", &[]);
    let foreign = world.max().post("/orgs/beta/teams", json!({ "name": "A", "privacy": "closed" })).expect(201).clone();
    let hidden = given::secret(&world, "Hidden");
    for parent in [json!(999_999), json!(0), json!(-1), foreign["id"].clone(), hidden["id"].clone()] {
        let body = json!({ "name": "Child", "parent_team_id": parent });
        given::refuses_team_somehow(&world.max().post(TEAMS, body));
        let body = json!({ "name": "Core", "parent_team_id": parent });
        given::refuses_team_somehow(&world.max().patch(CORE, body));
    }
    world.olivia().get("/orgs/acme/teams/child").expect(404);
    assert_eq!(parent_of(&world, "core"), json!(null));
}

#[test]
fn decision_11_a_team_moves_with_all_that_is_below_it() {
    let world = World::new();
    let (a, b) = (given::closed(&world, "A"), given::closed(&world, "B"));
    let child = given::child(&world, &a, "Child");
    given::child(&world, &child, "Grandchild");
    given::put(&world, "grandchild", "eve", "member");
    world.olivia().patch("/orgs/acme/teams/child", json!({ "name": "Child", "parent_team_id": b["id"] })).expect(200);
    let members = |slug: &str| given::each(&world.olivia(), &format!("{TEAMS}/{slug}/members"), "login");
    assert_eq!((members("a"), members("b")), (vec!["olivia".into()], vec!["olivia".into(), "eve".into()]));
    given::refuses_team_somehow(
        &world.olivia().patch("/orgs/acme/teams/b", json!({ "name": "B", "parent_team_id": child["id"] })),
    );
}

#[test]
fn decision_12_a_maintainer_of_the_parent_creates_below_it() {
    let world = World::new();
    let core = given::core(&world);
    let made = world.max().post(TEAMS, json!({ "name": "Child", "parent_team_id": core["id"] }));
    assert_eq!(made.expect(201)["parent"]["slug"], "core");
}

#[test]
fn decision_12_nobody_else_creates_below_it() {
    let world = World::new();
    let core = given::core(&world);
    for login in ["tom", "eve"] {
        let answer = world.client(login).post(TEAMS, json!({ "name": "Child", "parent_team_id": core["id"] }));
        assert!(answer.expect(403)["message"].is_string());
    }
    world.olivia().get("/orgs/acme/teams/child").expect(404);
}

#[test]
fn decision_12_an_update_needs_the_team_and_both_parents() {
    for (of_team, of_old, of_new, status) in
        [(true, true, true, 200), (false, true, true, 403), (true, false, true, 403), (true, true, false, 403)]
    {
        let world = World::new();
        let (old, new) = (given::closed(&world, "Old"), given::closed(&world, "New"));
        given::child(&world, &old, "Team");
        for (slug, maintains) in [("team", of_team), ("old", of_old), ("new", of_new)] {
            given::put(&world, slug, "eve", if maintains { "maintainer" } else { "member" });
        }
        let body = json!({ "name": "Moved", "parent_team_id": new["id"] });
        world.eve().patch("/orgs/acme/teams/team", body).expect(status);
        let now = if status == 200 { ("moved", "new") } else { ("team", "old") };
        assert_eq!(parent_of(&world, now.0), now.1, "{of_team} {of_old} {of_new}");
    }
}

#[test]
fn decision_12_detaching_needs_the_team_and_its_parent() {
    let world = World::new();
    given::child(&world, &given::core(&world), "Child");
    given::put(&world, "child", "eve", "maintainer");
    let body = json!({ "name": "Child", "parent_team_id": null });
    world.eve().patch("/orgs/acme/teams/child", body.clone()).expect(403);
    assert_eq!(parent_of(&world, "child"), "core");
    given::put(&world, "core", "eve", "maintainer");
    assert_eq!(world.eve().patch("/orgs/acme/teams/child", body).expect(200)["parent"], json!(null));
}

#[test]
fn decision_12_naming_the_parent_that_is_there_already_changes_nothing() {
    let world = World::new();
    let core = given::core(&world);
    given::child(&world, &core, "Child");
    given::put(&world, "child", "eve", "maintainer");
    let body = json!({ "name": "Child", "description": "d", "parent_team_id": core["id"] });
    assert_eq!(world.eve().patch("/orgs/acme/teams/child", body).expect(200)["description"], "d");
    world.max().patch(CORE, json!({ "name": "Core", "parent_team_id": null })).expect(200);
}

#[test]
fn decision_12_an_owner_sets_any_parent() {
    let world = World::new();
    world.tom().post(TEAMS, json!({ "name": "Toms", "privacy": "closed" })).expect(201);
    let body = json!({ "name": "Toms", "parent_team_id": given::core(&world)["id"] });
    assert_eq!(world.olivia().patch("/orgs/acme/teams/toms", body).expect(200)["parent"]["slug"], "core");
}
