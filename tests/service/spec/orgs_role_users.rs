//! The role `security_manager` of people (section 8, "Roles of organizations").

use crate::spec::given;
use crate::support::{Client, Value, World, json};

const ROLES: &str = "/orgs/acme/organization-roles";
const USERS: &str = "/orgs/acme/organization-roles/138/users";
const EVE: &str = "/orgs/acme/organization-roles/users/eve/138";
const ALL_OF_EVE: &str = "/orgs/acme/organization-roles/users/eve";
const CORE: &str = "/orgs/acme/organization-roles/teams/core/138";
const VAULT: &str = "/repos/acme/vault";

/// `acme` with a private repository `vault`, which only owners read.
fn world() -> World {
    let world = World::new();
    world.olivia().patch("/orgs/acme", json!({ "default_repository_permission": "none" })).expect(200);
    world.olivia().post("/orgs/acme/repos", json!({ "name": "vault", "private": true })).expect(201);
    world
}

/// The entries of the audit log about roles and about people who leave, the oldest first.
fn recorded(world: &World) -> Vec<(Value, Value)> {
    let log = world.olivia().get("/orgs/acme/audit-log?order=asc&per_page=100");
    let shown = log.each("action").into_iter().zip(log.each("user"));
    shown.filter(|(action, _)| *action == "org.remove_member" || action.to_string().contains("_role.")).collect()
}

fn entries(actions: &[&str], user: &str) -> Vec<(Value, Value)> {
    actions.iter().map(|action| (json!(action), json!(user))).collect()
}

fn holders(client: &Client) -> Vec<Value> {
    given::each(client, USERS, "login")
}

#[test]
fn operation_assign_lets_a_person_read_everything() {
    let world = world();
    let (olivia, eve) = (world.olivia(), world.eve());
    // Often enough to be cached.
    for _ in 0..3 {
        eve.get(VAULT).refused(404, "Not Found");
        assert_eq!(given::each(&eve, "/orgs/acme/repos", "name"), Vec::<Value>::new());
    }
    olivia.put_empty(EVE).expect(204);
    assert_eq!(eve.get(VAULT).expect(200)["role_name"], "read");
    assert_eq!(given::each(&eve, "/orgs/acme/repos", "name"), ["vault"]);
    assert_eq!(given::each(&eve, "/user/repos", "name"), ["vault"]);
    eve.patch(VAULT, json!({ "description": "mine" })).expect(403);
    let level = olivia.get(&format!("{VAULT}/collaborators/eve/permission"));
    assert_eq!(level.expect(200)["permission"], "read");
    olivia.get(&format!("{VAULT}/collaborators/eve")).expect(204);
    assert_eq!(given::each(&olivia, &format!("{VAULT}/collaborators"), "login"), ["olivia", "eve"]);
    assert_eq!(
        given::each(&olivia, &format!("{VAULT}/collaborators?affiliation=direct"), "login"),
        Vec::<Value>::new()
    );
    // A later repository is read too, a higher level counts, and other people read nothing.
    olivia.post("/orgs/acme/repos", json!({ "name": "later", "private": true })).expect(201);
    assert_eq!(eve.get("/repos/acme/later").expect(200)["role_name"], "read");
    olivia.put("/repos/acme/later/collaborators/eve", json!({ "permission": "push" })).expect(204);
    assert_eq!(eve.get("/repos/acme/later").expect(200)["role_name"], "write");
    world.tom().get(VAULT).refused(404, "Not Found");
    olivia.delete(EVE).expect(204);
    eve.get(VAULT).refused(404, "Not Found");
    assert_eq!(given::each(&eve, "/user/repos", "name"), ["later"]);
}

#[test]
fn operation_assign_shows_over_graphql_and_in_searches() {
    let world = world();
    let seen = |client: &Client| {
        let query = r#"{ organization(login: "acme") { repositories(first: 10) { totalCount nodes { name } } } }"#;
        let answer = client.post("/graphql", json!({ "query": query })).expect(200).clone();
        answer["data"]["organization"]["repositories"].clone()
    };
    let searched =
        |query: &str| world.eve().get(&format!("/search/repositories?q={query}")).expect(200)["total_count"].clone();
    assert_eq!(seen(&world.eve()), json!({ "totalCount": 0, "nodes": [] }));
    assert_eq!([searched("vault"), searched("org:acme")], [0, 0]);
    world.olivia().put_empty(EVE).expect(204);
    assert_eq!(seen(&world.eve()), json!({ "totalCount": 1, "nodes": [{ "name": "vault" }] }));
    assert_eq!([searched("vault"), searched("org:acme")], [1, 1]);
}

#[test]
fn operation_assign_refuses_people_who_are_not_members() {
    let world = world();
    let olivia = world.olivia();
    for login in ["bea", "ivan", "walt"] {
        world.register(login);
    }
    world.join("acme", "olivia", "bea");
    world.join("acme", "olivia", "walt");
    given::run(
        &world,
        "UPDATE org_members SET role = 'billing_manager' WHERE user_id = (SELECT id FROM users WHERE login = 'bea')",
    );
    olivia.put("/orgs/acme/memberships/ivan", json!({})).expect(200);
    world.sam().put_empty("/users/walt/suspended").expect(204);
    let text = "This person is not a member of the organization. Make them a member first: \
                PUT /orgs/{org}/memberships/{username}.";
    for login in ["nina", "bea", "ivan"] {
        let refused = olivia.put_empty(&format!("{ROLES}/users/{login}/138"));
        let item = json!({ "resource": "OrganizationRole", "code": "unprocessable", "field": "data", "message": text });
        given::violates(&refused, item);
        olivia.delete(&format!("{ROLES}/users/{login}/138")).expect(204);
    }
    let suspended = olivia.put_empty(&format!("{ROLES}/users/walt/138"));
    let message = &suspended.refused(422, "Validation Failed")["errors"][0]["message"];
    assert!(message.as_str().is_some_and(|text| text.starts_with("This account is suspended.")), "{message}");
    for path in ["users/eve/1", "users/eve/139", "users/unknown/138", "users/acme/138"] {
        let path = format!("{ROLES}/{path}");
        olivia.put_empty(&path).refused(404, "Not Found");
        olivia.delete(&path).refused(404, "Not Found");
    }
    olivia.delete(&format!("{ROLES}/users/unknown")).refused(404, "Not Found");
    assert_eq!(holders(&olivia), Vec::<Value>::new());
    assert_eq!(recorded(&world), []);
}

#[test]
fn operation_roles_of_people_are_for_owners() {
    let world = world();
    world.olivia().put_empty(EVE).expect(204);
    for client in [world.max(), world.eve(), world.nina(), world.sam()] {
        for path in [EVE, "/orgs/acme/organization-roles/users/unknown/138"] {
            assert_eq!((client.put_empty(path).status, client.delete(path).status), (403, 403), "{path}");
        }
        client.delete(ALL_OF_EVE).expect(403);
    }
    let anonymous = world.anonymous();
    let statuses = [anonymous.put_empty(EVE).status, anonymous.delete(EVE).status, anonymous.delete(ALL_OF_EVE).status];
    assert_eq!(statuses, [401, 401, 401]);
    let reader = world.limited("olivia", &["read:org", "repo"]);
    let statuses = [reader.put_empty(EVE).status, reader.delete(EVE).status, reader.delete(ALL_OF_EVE).status];
    assert_eq!(statuses, [404, 404, 404]);
    assert_eq!(holders(&world.olivia()), ["eve"]);
}

#[test]
fn operation_people_with_the_role_say_how_they_have_it() {
    let world = world();
    let olivia = world.olivia();
    for login in ["eve", "tom"] {
        olivia.put_empty(&format!("{ROLES}/users/{login}/138")).expect(204);
    }
    let direct = olivia.get(USERS);
    assert_eq!((direct.each("login"), direct.each("assignment")), {
        (vec![json!("tom"), json!("eve")], vec![json!("direct"), json!("direct")])
    });
    assert_eq!(direct.each("inherited_from"), [json!([]), json!([])]);
    olivia.put_empty(CORE).expect(204);
    given::child(&world, &given::core(&world), "Below");
    olivia.put_empty(&format!("{ROLES}/teams/below/138")).expect(204);
    olivia.delete("/orgs/acme/teams/below/memberships/olivia").expect(204);
    given::put(&world, "below", "tom", "member");
    let users = olivia.get(USERS);
    assert_eq!(users.each("login"), ["max", "tom", "eve"]);
    assert_eq!(users.each("assignment"), ["indirect", "mixed", "direct"]);
    let through = |person: usize| -> Vec<Value> {
        let teams = users.json[person]["inherited_from"].as_array().expect("a list");
        teams.iter().map(|team| team["slug"].clone()).collect()
    };
    assert_eq!((through(0), through(1)), (vec![json!("core")], vec![json!("core"), json!("below")]));
    let pages = [1, 2, 3].map(|page| olivia.get(&format!("{USERS}?per_page=1&page={page}")));
    assert_eq!(
        pages.each_ref().map(|page| page.each("login")),
        [["max"], ["tom"], ["eve"]].map(|one| one.map(|login| json!(login)).to_vec())
    );
    assert!(
        pages[0].link("last").is_some_and(|link| link.ends_with("per_page=1&page=3")),
        "{:?}",
        pages[0].link("last")
    );
    // What a person has through a team stays, and so does what they have themselves.
    olivia.delete(&format!("{ROLES}/users/tom")).expect(204);
    assert_eq!(olivia.get(USERS).each("assignment"), ["indirect", "indirect", "direct"]);
    olivia.delete(CORE).expect(204);
    olivia.delete("/orgs/acme/teams/below").expect(204);
    assert_eq!((holders(&olivia), olivia.get(USERS).each("assignment")), (vec![json!("eve")], vec![json!("direct")]));
    assert_eq!(olivia.get(&format!("{ROLES}/138/teams")).expect(200), &json!([]));
}

#[test]
fn operation_a_role_of_a_person_is_given_and_taken_once_and_recorded() {
    let world = world();
    let olivia = world.olivia();
    let id = given::org_id(&world);
    let by_id = format!("/organizations/{id}/organization-roles/users/EVE");
    for path in [EVE, EVE, &format!("{by_id}/138")] {
        olivia.put_empty(path).expect(204);
    }
    for path in [EVE, EVE, ALL_OF_EVE, &by_id] {
        olivia.delete(path).expect(204);
    }
    let once = ["organization_role.assign", "organization_role.revoke"];
    assert_eq!(recorded(&world), entries(&once, "eve"));
    let after: String = given::value(&world, "SELECT after FROM journal WHERE action = 'organization_role.assign'");
    let after: Value = after.parse().expect("JSON");
    assert_eq!(after, json!({ "role": "security_manager", "role_id": 138, "user": "eve" }));
    olivia.put_empty(EVE).expect(204);
    olivia.delete(ALL_OF_EVE).expect(204);
    assert_eq!(recorded(&world).len(), 4);
    // A renamed person keeps the role.
    olivia.put_empty(EVE).expect(204);
    world.sam().patch("/admin/users/eve", json!({ "login": "eva" })).expect(202);
    assert_eq!(holders(&olivia), ["eva"]);
    world.eve().get(VAULT).expect(200);
    olivia.delete(EVE).refused(404, "Not Found");
    olivia.delete(&format!("{ROLES}/users/eva/138")).expect(204);
    world.eve().get(VAULT).refused(404, "Not Found");
}

/// A way of leaving an organization.
type Way = (&'static str, fn(&World));

#[test]
fn operation_a_role_of_a_person_ends_with_the_membership() {
    let ways: [Way; 5] = [
        ("removed", |world| {
            world.olivia().delete("/orgs/acme/members/eve").expect(204);
        }),
        ("membership deleted", |world| {
            world.olivia().delete("/orgs/acme/memberships/eve").expect(204);
        }),
        ("left", |world| {
            world.eve().delete("/user/memberships/orgs/acme").expect(204);
        }),
        ("outside", |world| {
            world.olivia().put_empty("/orgs/acme/outside_collaborators/eve").expect(204);
        }),
        ("deleted", |world| {
            world.sam().delete("/admin/users/eve").expect(204);
        }),
    ];
    for (way, leave) in ways {
        let world = world();
        world.olivia().put_empty(EVE).expect(204);
        world.eve().get(VAULT).expect(200);
        leave(&world);
        let left = ["organization_role.assign", "organization_role.revoke", "org.remove_member"];
        assert_eq!(recorded(&world), entries(&left, "eve"), "{way}");
        let rows: i64 = given::value(&world, "SELECT count(*) FROM user_security_managers");
        assert_eq!((rows, holders(&world.olivia())), (0, vec![]), "{way}");
        if way == "deleted" {
            world.eve().get(VAULT).expect(401);
            continue;
        }
        world.eve().get(VAULT).refused(404, "Not Found");
        let again = json!({ "invitee_id": given::user_id(&world, "eve"), "role": "reinstate" });
        world.olivia().post("/orgs/acme/invitations", again).expect(201);
        world.eve().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
        world.eve().get(VAULT).refused(404, "Not Found");
        assert_eq!(holders(&world.olivia()), Vec::<Value>::new(), "{way}");
    }
}

/// A server of the previous release knows nothing of the role when it removes a member.
#[test]
fn operation_a_role_of_a_person_ends_with_the_row_of_the_membership() {
    let world = world();
    world.olivia().put_empty(EVE).expect(204);
    given::run(&world, "DELETE FROM org_members WHERE user_id = (SELECT id FROM users WHERE login = 'eve')");
    let rows: i64 = given::value(&world, "SELECT count(*) FROM user_security_managers");
    assert_eq!(rows, 0);
    world.eve().get(VAULT).refused(404, "Not Found");
}

#[test]
fn operation_a_role_of_a_person_reaches_no_other_organization() {
    let world = world();
    world.organization("globex", "nina", &["eve"]);
    world.nina().patch("/orgs/globex", json!({ "default_repository_permission": "none" })).expect(200);
    world.nina().post("/orgs/globex/repos", json!({ "name": "safe", "private": true })).expect(201);
    world.olivia().put_empty(EVE).expect(204);
    world.eve().get("/repos/globex/safe").refused(404, "Not Found");
    assert_eq!(given::each(&world.eve(), "/user/repos", "full_name"), ["acme/vault"]);
    assert_eq!(given::each(&world.nina(), "/orgs/globex/organization-roles/138/users", "login"), Vec::<Value>::new());
    world.nina().delete("/orgs/globex/organization-roles/users/eve").expect(204);
    world.eve().get(VAULT).expect(200);
    // Nothing is taken by leaving another organization either.
    world.eve().delete("/user/memberships/orgs/globex").expect(204);
    world.eve().get(VAULT).expect(200);
}
