//! Deleting an organization (decision 73): what goes, what stays, and who is told.

use guildhall::hooks;

use super::given;
use crate::support::receiver::{Receiver, Reply};
use crate::support::world::Settings;
use crate::support::{World, json};

/// `acme` with something of every kind, and `globex`, which Tom owns.
fn world(settings: Settings) -> World {
    let world = World::with(settings);
    let olivia = world.olivia();
    world.organization("globex", "tom", &["olivia"]);
    world.tom().post("/orgs/globex/teams", json!({ "name": "Tools" })).expect(201);
    given::child(&world, &given::core(&world), "Child");
    given::repository(&world, "engine", Some("tom"));
    olivia.post("/orgs/acme/repos", json!({ "name": "vault", "private": true })).expect(201);
    olivia.put("/repos/acme/vault/collaborators/nina", json!({ "permission": "push" }));
    let project = given::project(&world, "Road");
    given::grant(&world, "core", &project, "write");
    given::post(&world.tom(), "Hello", false);
    olivia.post("/orgs/acme/invitations", json!({ "email": "new@example.com" })).expect(201);
    world
}

#[test]
fn decision_73_everything_of_an_organization_goes_and_accounts_stay() {
    let world = world(Settings::default());
    let olivia = world.olivia();
    let (org, team) = (given::org_id(&world), given::id(&given::core(&world)));
    let repo = given::id(olivia.get("/repos/acme/engine").expect(200));
    assert_eq!(olivia.delete("/orgs/ACME").expect(202), &json!({}));
    for path in [
        "/orgs/acme".to_owned(),
        format!("/organizations/{org}"),
        "/orgs/acme/teams".to_owned(),
        format!("/organizations/{org}/team/{team}"),
        format!("/teams/{team}"),
        "/orgs/acme/members".to_owned(),
        "/repos/acme/engine".to_owned(),
        format!("/repositories/{repo}"),
        "/orgs/acme/hooks".to_owned(),
        "/orgs/acme/audit-log".to_owned(),
        "/users/acme".to_owned(),
        "/user/memberships/orgs/acme".to_owned(),
    ] {
        olivia.get(&path).refused(404, "Not Found");
    }
    olivia.delete("/orgs/acme").refused(404, "Not Found");
    for login in ["olivia", "max", "tom", "nina"] {
        assert_eq!(world.client(login).get("/user").expect(200)["login"], login);
    }
    assert_eq!(olivia.get("/user/orgs").each("login"), ["globex"]);
    assert_eq!(world.tom().get("/user/teams").each("slug"), ["tools"]);
    assert_eq!(world.nina().get("/user/repos").each("name"), [""; 0]);
    assert_eq!(world.anonymous().get("/organizations").each("login"), ["globex"]);
    let query = json!({ "query": "{ organization(login: \"acme\") { login } }" });
    assert_eq!(olivia.post("/graphql", query).expect(200)["data"]["organization"], json!(null));
    for table in ["org_members", "team_members", "teams", "repos", "projects", "discussions", "invitations"] {
        let left = match table {
            "org_members" => 2,
            "team_members" | "teams" => 1,
            _ => 0,
        };
        let counted = format!("SELECT count(*) FROM {table}");
        assert_eq!(given::value::<i64>(&world, Box::leak(counted.into_boxed_str())), left, "{table}");
    }
}

#[test]
fn decision_73_only_an_owner_deletes_and_a_refusal_changes_nothing() {
    let world = world(Settings::default());
    let before = given::written(&world);
    for (client, status) in
        [(world.max(), 403), (world.eve(), 403), (world.nina(), 403), (world.sam(), 403), (world.anonymous(), 401)]
    {
        client.delete("/orgs/acme").expect(status);
    }
    world.limited("olivia", &["repo", "write:org"]).delete("/orgs/acme").expect(404);
    assert_eq!(given::written(&world), before);
    world.olivia().get("/orgs/acme/teams/core").expect(200);
}

#[test]
fn decision_73_the_login_stays_reserved_until_a_site_administrator_frees_it() {
    let world = world(Settings::default());
    world.olivia().delete("/orgs/acme").expect(202);
    let again = json!({ "login": "Acme", "admin": "olivia" });
    world.sam().post("/admin/organizations", again.clone()).expect(422);
    world.sam().post("/admin/users", json!({ "login": "acme", "email": "acme@example.com" })).expect(422);
    world.execute("DELETE FROM logins WHERE login_key = 'acme'");
    world.sam().post("/admin/organizations", again).expect(201);
    assert_eq!(world.olivia().get("/orgs/acme/teams").expect(200), &json!([]));
}

#[test]
fn decision_73_forks_are_counted_no_more_and_become_ordinary() {
    let world = world(Settings::default());
    let (olivia, nina) = (world.olivia(), world.nina());
    nina.post("/repos/acme/engine/forks", json!({})).expect(202);
    nina.post("/user/repos", json!({ "name": "diary" })).expect(201);
    olivia.post("/repos/nina/diary/forks", json!({ "organization": "acme" })).expect(202);
    assert_eq!(nina.get("/repos/nina/diary").expect(200)["forks_count"], 1);
    olivia.delete("/orgs/acme").expect(202);
    assert_eq!(nina.get("/repos/nina/diary").expect(200)["forks_count"], 0);
    assert_eq!(nina.get("/repos/nina/engine").expect(200)["fork"], false);
}

#[test]
fn decision_73_webhooks_get_what_was_under_way_and_the_deletion() {
    let world = world(Settings { delivers: true, ..Settings::default() });
    let (own, global) = (Receiver::new(|_, _| Reply::Status(200)), Receiver::accepting());
    let config = |receiver: &Receiver| json!({ "url": receiver.url, "content_type": "json" });
    let olivia = world.olivia();
    olivia.patch("/orgs/acme", json!({ "description": "Makes things" })).expect(200);
    let body = json!({ "name": "web", "config": config(&own), "events": ["organization", "team"] });
    olivia.post("/orgs/acme/hooks", body).expect(201);
    let body = json!({ "name": "web", "config": config(&global), "events": ["organization"] });
    world.sam().post("/admin/hooks", body).expect(201);
    olivia.patch("/orgs/acme/teams/core", json!({ "name": "Core", "description": "last" })).expect(200);
    olivia.delete("/orgs/acme").expect(202);
    let arrived = own.until(|arrivals| {
        ["edited", "deleted"].iter().all(|action| arrivals.iter().any(|one| one.body["action"] == *action))
    });
    let told = &arrived.iter().find(|one| one.body["action"] == "deleted").expect("the deletion").body;
    let organization = &told["organization"];
    assert_eq!((&organization["login"], &organization["description"]), (&json!("acme"), &json!("Makes things")));
    assert_eq!(told["sender"]["login"], "olivia");
    global.until(|arrivals| arrivals.iter().any(|one| one.body["action"] == "deleted"));
}

#[test]
fn decision_73_its_webhooks_and_their_secrets_are_removed_after_the_retention() {
    let world = world(Settings::default());
    let config = json!({ "url": "https://ci.example.com", "secret": "hush" });
    for org in ["acme", "globex"] {
        let owner = if org == "acme" { world.olivia() } else { world.tom() };
        owner.post(&format!("/orgs/{org}/hooks"), json!({ "name": "web", "config": config })).expect(201);
    }
    world.olivia().delete("/orgs/acme").expect(202);
    let purge = |world: &World, before| world.block_on(world.db.write(move |tx| hooks::purge(tx, before)));
    let stored = |world: &World| given::value::<i64>(world, "SELECT count(*) FROM hooks");
    purge(&world, world.now()).expect("a purge");
    assert_eq!(stored(&world), 2);
    world.advance(1);
    purge(&world, world.now()).expect("a purge");
    assert_eq!(stored(&world), 1);
}

#[test]
fn decision_73_site_administrators_read_the_audit_log_of_a_deleted_organization() {
    let world = world(Settings::default());
    let (sam, olivia) = (world.sam(), world.olivia());
    let refused = |path: &str| {
        let refusal = sam.get(path).refused(422, "Validation Failed")["errors"][0].clone();
        assert_eq!((&refusal["field"], &refusal["code"]), (&json!("org"), &json!("invalid")), "{path}");
    };
    refused("/admin/audit-log?org=acme");
    let before = olivia.get("/orgs/acme/audit-log?per_page=3").each("action");
    olivia.delete("/orgs/acme").expect(202);
    let actions = sam.get("/admin/audit-log?org=ACME&per_page=4").each("action");
    assert_eq!((&actions[0], &actions[1..]), (&json!("org.delete"), &before[..]));
    let first = sam.get("/admin/audit-log?org=acme&per_page=1");
    let next = first.link("next").expect("a next page");
    let path = &next[next.find("/admin").expect("a path")..];
    assert_eq!(sam.get(path).each("action"), before[..1]);
    let found = sam.get("/admin/audit-log?org=acme&phrase=action:team.create");
    assert!(!found.each("action").is_empty());
    let entry = sam.get("/admin/audit-log?phrase=action:org.delete").expect(200)[0].clone();
    assert_eq!((&entry["action"], &entry["actor"]), (&json!("org.delete"), &json!("olivia")));
    for path in ["/admin/audit-log?org=globex", "/admin/audit-log?org=none"] {
        refused(path);
    }
    olivia.get("/admin/audit-log?org=acme").expect(403);
}
