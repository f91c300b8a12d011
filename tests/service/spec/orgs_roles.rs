//! The role `security_manager` of teams (section 8, "Roles of organizations").

use crate::spec::given;
use crate::support::{Client, Value, World, json};

const ROLES: &str = "/orgs/acme/organization-roles";
const TEAMS: &str = "/orgs/acme/organization-roles/138/teams";
const USERS: &str = "/orgs/acme/organization-roles/138/users";
const CORE: &str = "/orgs/acme/organization-roles/teams/core/138";
const OLDER: &str = "/orgs/acme/security-managers";
const VAULT: &str = "/repos/acme/vault";

/// `acme` with a private repository `vault`, which only owners read, and a team `below` of Eve below `core`.
fn world() -> World {
    let world = World::new();
    world.olivia().patch("/orgs/acme", json!({ "default_repository_permission": "none" })).expect(200);
    world.olivia().post("/orgs/acme/repos", json!({ "name": "vault", "private": true })).expect(201);
    given::child(&world, &given::core(&world), "Below");
    world.olivia().delete("/orgs/acme/teams/below/memberships/olivia").expect(204);
    given::put(&world, "below", "eve", "member");
    world
}

fn names(client: &Client, path: &str) -> Vec<Value> {
    given::each(client, path, "name")
}

#[test]
fn operation_an_organization_has_one_role_that_can_be_given() {
    let world = world();
    let all = world.olivia().get(ROLES).expect(200).clone();
    let role = world.olivia().get(&format!("{ROLES}/138")).expect(200).clone();
    assert_eq!((&all["total_count"], &all["roles"][0]), (&json!(6), &role));
    assert_eq!(
        (&role["id"], &role["name"], &role["source"]),
        (&json!(138), &json!("security_manager"), &json!("Predefined"))
    );
    assert_eq!((&role["base_role"], &role["permissions"]), (&json!("read"), &json!([])));
    assert_eq!(role["organization"], Value::Null);
    assert_eq!(role["created_at"], world.olivia().get("/orgs/acme").expect(200)["created_at"]);
    for path in ["1", "1/teams", "1/users", "0", "139"] {
        world.olivia().get(&format!("{ROLES}/{path}")).refused(404, "Not Found");
    }
    for path in [format!("{ROLES}/teams/core/1"), format!("{ROLES}/teams/nowhere/138")] {
        world.olivia().put_empty(&path).refused(404, "Not Found");
        world.olivia().delete(&path).refused(404, "Not Found");
    }
    world.olivia().delete(&format!("{ROLES}/teams/nowhere")).refused(404, "Not Found");
    world.olivia().put_empty(&format!("{OLDER}/teams/nowhere")).refused(404, "Not Found");
}

#[test]
fn operation_roles_are_for_owners() {
    let world = world();
    given::secret(&world, "Hidden");
    for (client, of_closed) in [(world.max(), 403), (world.nina(), 404), (world.sam(), 404)] {
        for path in [ROLES, TEAMS, USERS, OLDER, "/orgs/acme/organization-roles/138"] {
            client.get(path).expect(403);
        }
        for (slug, status) in [("core", of_closed), ("hidden", 404), ("nowhere", 404)] {
            let path = format!("{ROLES}/teams/{slug}/138");
            assert_eq!((client.put_empty(&path).status, client.delete(&path).status), (status, status), "{slug}");
            let older = format!("{OLDER}/teams/{slug}");
            assert_eq!((client.put_empty(&older).status, client.delete(&older).status), (status, status), "{slug}");
            assert_eq!(client.delete(&format!("{ROLES}/teams/{slug}")).status, status);
        }
    }
    world.anonymous().put_empty(CORE).expect(401);
    let reader = world.limited("olivia", &["read:org"]);
    reader.get(OLDER).expect(200);
    reader.get(TEAMS).expect(403);
    reader.put_empty(CORE).expect(404);
}

#[test]
fn operation_assign_lets_a_team_and_those_below_read_everything() {
    let world = world();
    for login in ["max", "tom", "eve", "ray"] {
        world.client(login).get(VAULT).refused(404, "Not Found");
    }
    world.olivia().put_empty(CORE).expect(204);
    for login in ["max", "tom", "eve"] {
        let client = world.client(login);
        let vault = client.get(VAULT).expect(200).clone();
        assert_eq!(vault["role_name"], "read", "{login}");
        assert_eq!(names(&client, "/orgs/acme/repos"), ["vault"], "{login}");
        assert_eq!(names(&client, "/user/repos"), ["vault"], "{login}");
        let level = world.olivia().get(&format!("{VAULT}/collaborators/{login}/permission")).expect(200).clone();
        assert_eq!(level["permission"], "read", "{login}");
        world.olivia().get(&format!("{VAULT}/collaborators/{login}")).expect(204);
    }
    world.ray().get(VAULT).refused(404, "Not Found");
    assert_eq!(names(&world.ray(), "/orgs/acme/repos"), Vec::<Value>::new());
    let people = given::each(&world.olivia(), &format!("{VAULT}/collaborators"), "login");
    assert_eq!(people, ["olivia", "max", "tom", "eve"]);
    // A later repository is read too, and a higher level counts.
    world.olivia().post("/orgs/acme/repos", json!({ "name": "later", "private": true })).expect(201);
    world.olivia().put("/repos/acme/later/collaborators/tom", json!({ "permission": "push" })).expect(204);
    assert_eq!(world.eve().get("/repos/acme/later").expect(200)["role_name"], "read");
    assert_eq!(world.tom().get("/repos/acme/later").expect(200)["role_name"], "write");
    world.olivia().delete(CORE).expect(204);
    world.eve().get(VAULT).refused(404, "Not Found");
    assert_eq!(names(&world.max(), "/user/repos"), Vec::<Value>::new());
}

#[test]
fn operation_assign_shows_in_the_lists_of_the_team_and_of_the_repository() {
    let world = world();
    let olivia = world.olivia();
    olivia.put_empty(CORE).expect(204);
    for (team, client) in [("core", world.tom()), ("below", world.eve())] {
        let path = format!("/orgs/acme/teams/{team}/repos");
        let repos = client.get(&path).expect(200).clone();
        assert_eq!((&repos[0]["name"], &repos[0]["role_name"]), (&json!("vault"), &json!("read")), "{team}");
        client.get(&format!("{path}/acme/vault")).expect(204);
        assert_eq!(olivia.get(&format!("/orgs/acme/teams/{team}")).expect(200)["repos_count"], 0);
    }
    let of_repo = olivia.get(&format!("{VAULT}/teams"));
    assert_eq!((of_repo.each("slug"), of_repo.each("role_name")), {
        (vec![json!("core"), json!("below")], vec![json!("read"), json!("read")])
    });
    olivia.put("/orgs/acme/teams/core/repos/acme/vault", json!({ "permission": "push" })).expect(204);
    assert_eq!(olivia.get(&format!("{VAULT}/teams")).each("role_name"), ["write", "write"]);
    let refusal = "You cannot remove repositories from a security manager team.";
    olivia.delete("/orgs/acme/teams/core/repos/acme/vault").refused(403, refusal);
    olivia.delete("/orgs/acme/teams/below/repos/acme/vault").expect(204);
    olivia.delete(CORE).expect(204);
    olivia.delete("/orgs/acme/teams/core/repos/acme/vault").expect(204);
    olivia.get("/orgs/acme/teams/core/repos/acme/vault").refused(404, "Not Found");
}

#[test]
fn operation_the_role_reaches_no_other_organization_and_ends_with_membership() {
    let world = world();
    world.organization("globex", "nina", &["tom"]);
    world.nina().patch("/orgs/globex", json!({ "default_repository_permission": "none" })).expect(200);
    world.nina().post("/orgs/globex/repos", json!({ "name": "safe", "private": true })).expect(201);
    world.olivia().put_empty(CORE).expect(204);
    world.tom().get("/repos/globex/safe").refused(404, "Not Found");
    world.olivia().put_empty("/orgs/acme/outside_collaborators/tom").expect(204);
    world.tom().get(VAULT).refused(404, "Not Found");
    world.olivia().delete("/orgs/acme/teams/below/memberships/eve").expect(204);
    world.eve().get(VAULT).refused(404, "Not Found");
}

#[test]
fn operation_teams_and_people_with_the_role_say_how_they_have_it() {
    let world = world();
    let olivia = world.olivia();
    assert_eq!(olivia.get(TEAMS).expect(200), &json!([]));
    olivia.put_empty(CORE).expect(204);
    let teams = olivia.get(TEAMS);
    assert_eq!((teams.each("slug"), teams.each("assignment")), {
        (vec![json!("core"), json!("below")], vec![json!("direct"), json!("indirect")])
    });
    assert_eq!(teams.json[1]["parent"]["slug"], "core");
    let users = olivia.get(USERS);
    assert_eq!(users.each("login"), ["max", "tom", "eve"]);
    assert_eq!(users.each("assignment"), ["indirect", "indirect", "indirect"]);
    assert_eq!(users.json[2]["inherited_from"][0]["slug"], "core");
    olivia.put_empty(&format!("{OLDER}/teams/Below")).expect(204);
    assert_eq!(olivia.get(TEAMS).each("assignment"), ["direct", "mixed"]);
    let eve = olivia.get(USERS).json[2]["inherited_from"].clone();
    assert_eq!(eve.as_array().expect("a list").iter().map(|team| &team["slug"]).collect::<Vec<_>>(), ["core", "below"]);
    assert_eq!(given::each(&olivia, OLDER, "slug"), ["core", "below"]);
    let page = olivia.get(&format!("{USERS}?per_page=2"));
    assert!(page.link("last").is_some_and(|link| link.ends_with("per_page=2&page=2")), "{:?}", page.link("last"));
    assert_eq!(page.each("login"), ["max", "tom"]);
    olivia.delete(CORE).expect(204);
    assert_eq!((olivia.get(TEAMS).each("slug"), olivia.get(TEAMS).each("assignment")), {
        (vec![json!("below")], vec![json!("direct")])
    });
    assert_eq!(olivia.get(USERS).each("login"), ["eve"]);
}

#[test]
fn operation_the_people_of_a_page_are_looked_up_together() {
    let world = world();
    let (olivia, faults) = (world.olivia(), &world.faults);
    olivia.put_empty(CORE).expect(204);
    let statements = |people: usize| {
        faults.record();
        assert_eq!(olivia.get(&format!("{USERS}?per_page={people}")).each("login").len(), people);
        faults.recorded().iter().filter(|sql| sql.contains("reading_teams")).count()
    };
    // On PostgreSQL, a commit of another test may make a read run again.
    let least = |people| (0..4).map(|_| statements(people)).min();
    assert_eq!((least(1), least(3)), (Some(2), Some(2)));
}

#[test]
fn operation_a_role_is_given_and_taken_once_and_recorded() {
    let world = world();
    let olivia = world.olivia();
    for path in [CORE, "/orgs/acme/security-managers/teams/core"] {
        olivia.put_empty(path).expect(204);
    }
    for path in [CORE, "/orgs/acme/organization-roles/teams/core", "/orgs/acme/security-managers/teams/core"] {
        olivia.delete(path).expect(204);
    }
    let recorded = || {
        let log = olivia.get("/orgs/acme/audit-log?phrase=action:organization_role&order=asc");
        (log.each("action"), log.each("team"), log.each("user"))
    };
    let (actions, teams, _) = recorded();
    assert_eq!(actions, ["organization_role.assign", "organization_role.revoke"]);
    assert_eq!(teams, ["acme/core", "acme/core"]);
    // A team that is renamed keeps the role; one that is deleted loses it first.
    olivia.put_empty(CORE).expect(204);
    olivia.patch("/orgs/acme/teams/core", json!({ "name": "Kernel" })).expect(200);
    olivia.put_empty(CORE).refused(404, "Not Found");
    assert_eq!(given::each(&olivia, OLDER, "slug"), ["kernel"]);
    olivia.delete("/orgs/acme/teams/kernel").expect(204);
    let (actions, ..) = recorded();
    assert_eq!(actions.last(), Some(&json!("organization_role.revoke")));
    assert_eq!(actions.len(), 4);
    assert_eq!(given::each(&olivia, OLDER, "slug"), Vec::<Value>::new());
    world.eve().get(VAULT).refused(404, "Not Found");
}
