//! The people of a provider, as accounts and in the organization (decision 49), over SCIM.

use crate::spec::given;
use crate::spec::hooks_told::in_steps;
use crate::spec::provider::{Provider, SCIM, address, link, people, refused};
use crate::support::{Value, World, json};

fn role(world: &World, login: &str) -> Option<String> {
    let answer = world.olivia().get(&format!("/orgs/acme/memberships/{login}"));
    (answer.status == 200).then(|| format!("{} {}", answer.json["state"], answer.json["role"]).replace('"', ""))
}

fn suspended(world: &World, login: &str) -> bool {
    let rows: Vec<(String,)> = world.rows("SELECT login FROM users WHERE suspended = TRUE");
    rows.iter().any(|(suspended,)| suspended == login)
}

#[test]
fn decision_49_scim_needs_the_token_of_an_owner() {
    let world = World::new();
    Provider::of(&world);
    for path in ["/Users", "/Groups", "/ServiceProviderConfig", "/Schemas", "/ResourceTypes", "/Users/u1"] {
        let path = format!("{SCIM}{path}");
        refused(&world.anonymous().get(&path), 401, None);
        refused(&world.anonymous().with("Authorization", "Bearer nothing").get(&path), 401, None);
        for client in [world.max(), world.nina(), world.sam()] {
            refused(&client.get(&path), 403, None);
        }
        refused(&world.limited("olivia", &["repo", "read:org"]).get(&path), 404, None);
        refused(&world.olivia().get(&path.replace("acme", "nowhere")), 404, None);
    }
    let body = json!({ "userName": "anna" });
    refused(&world.max().post(&format!("{SCIM}/Users"), body.clone()), 403, None);
    assert_eq!(world.olivia().under("/api/v3").post(&format!("{SCIM}/Users"), body).expect(201)["userName"], "anna");
}

#[test]
fn decision_49_a_new_person_gets_an_account_which_the_organization_manages() {
    let world = World::new();
    let provider = Provider::of(&world);
    let anna = provider.user("Anna.Ahl@idp.example", json!({ "displayName": "Anna Ahl", "externalId": "x-1" }));
    assert_eq!(role(&world, "anna.ahl").as_deref(), Some("active member"));
    assert_eq!(world.olivia().get("/users/anna.ahl").expect(200)["name"], "Anna Ahl");
    assert_eq!(provider.active(&anna, false).expect(200)["active"], false);
    let active = Some("active member");
    assert_eq!((role(&world, "anna.ahl").as_deref(), suspended(&world, "Anna.Ahl")), (active, true));
    assert_eq!(provider.active(&anna, true).expect(200)["active"], true);
    assert_eq!(role(&world, "anna.ahl").as_deref(), Some("active member"));
    assert!(!suspended(&world, "Anna.Ahl"));
    provider.delete(&format!("/Users/{anna}")).expect(204);
    assert_eq!((role(&world, "anna.ahl"), suspended(&world, "Anna.Ahl")), (None, true));
    let again = provider.user("anna.ahl@idp.example", json!({}));
    assert_ne!(again, anna);
    assert_eq!(role(&world, "anna.ahl").as_deref(), Some("active member"));
}

#[test]
fn decision_49_a_new_account_is_announced_like_any_other() {
    let world = World::new();
    let provider = Provider::of(&world);
    let config = json!({ "url": "https://ci.example.com" });
    world.sam().post("/admin/hooks", json!({ "name": "web", "config": config })).expect(201);
    provider.user("anna@idp.example", json!({}));
    let told = in_steps(&world, 0, 0, 500);
    let told: Vec<_> = told.iter().map(|event| (event.event.as_str(), event.action.as_deref())).collect();
    assert_eq!(told, [("ping", None), ("user", Some("created"))]);
    let entries = world.sam().get("/admin/audit-log?phrase=action:user.create+user:anna").expect(200).clone();
    assert_eq!((&entries[0]["user"], &entries[0]["actor"]), (&json!("anna"), &json!("olivia")));
    let of_org = world.olivia().get("/orgs/acme/audit-log?phrase=action:user.create");
    assert_eq!(of_org.expect(200), &json!([]));
}

#[test]
fn decision_49_a_user_name_in_use_is_409() {
    let world = World::new();
    let provider = Provider::of(&world);
    provider.user("anna", json!({}));
    let bert = provider.user("bert", json!({}));
    let before = given::written(&world);
    refused(&provider.try_user("ANNA", json!({})), 409, Some("uniqueness"));
    let rename = json!({ "op": "replace", "path": "userName", "value": "Anna" });
    refused(&provider.patch(&format!("/Users/{bert}"), rename), 409, Some("uniqueness"));
    assert_eq!(given::written(&world), before);
    assert_eq!(provider.get(&format!("/Users/{bert}")).expect(200)["userName"], "bert");
    assert_eq!(role(&world, "bert").as_deref(), Some("active member"));
}

#[test]
fn decision_49_an_equal_address_asks_the_person_who_is_tied_when_they_accept() {
    let world = World::new();
    let provider = Provider::of(&world);
    let nina = provider.user("nina.n@idp.example", address("nina"));
    assert_eq!(role(&world, "nina"), None, "owners do not learn whose the e-mail address is");
    let group = provider.group("Staff", &[&nina]);
    link(&world, "core", &[&group]).expect(200);
    assert_eq!(people(&world, "core"), Vec::<Value>::new());
    world.nina().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    assert_eq!(people(&world, "core"), ["nina"]);
    world.olivia().get("/users/nina.n").expect(404);
}

#[test]
fn decision_49_a_member_accepts_as_well_and_is_not_tied_before() {
    let world = World::new();
    let provider = Provider::of(&world);
    let tom = provider.user("tom.t@idp.example", address("tom"));
    assert_eq!(provider.active(&tom, false).expect(200)["active"], false);
    assert_eq!(role(&world, "tom").as_deref(), Some("active member"));
    provider.active(&tom, true).expect(200);
    world.tom().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    provider.active(&tom, false).expect(200);
    assert_eq!(role(&world, "tom"), None);
}

#[test]
fn decision_49_of_somebody_elses_account_only_the_membership_ends() {
    let world = World::new();
    let provider = Provider::of(&world);
    world.organization("globex", "nina", &["tom"]);
    let tom = provider.tied(&world, "tom");
    let before = world.tom().get("/user").expect(200).clone();
    let rename = json!({ "op": "replace", "value": { "userName": "thomas", "displayName": "Thomas" } });
    provider.patch(&format!("/Users/{tom}"), rename).expect(200);
    provider.active(&tom, false).expect(200);
    assert_eq!(world.tom().get("/user").expect(200), &before);
    assert_eq!(role(&world, "tom"), None);
    world.tom().get("/user/memberships/orgs/globex").expect(200);
    assert_eq!(provider.active(&tom, true).expect(200)["active"], true);
    assert_eq!(role(&world, "tom").as_deref(), Some("pending member"));
    provider.delete(&format!("/Users/{tom}")).expect(204);
    assert_eq!(world.tom().get("/user").expect(200), &before);
}

#[test]
fn decision_49_an_address_from_scim_is_nobodys_outside_the_organization() {
    let world = World::new();
    let provider = Provider::of(&world);
    provider.user("anna", json!({ "emails": [{ "value": "anna@elsewhere.example" }] }));
    let account = json!({ "login": "other-anna", "email": "anna@elsewhere.example" });
    world.sam().post("/admin/users", account).expect(201);
    let addresses: Vec<(i64,)> = world.rows("SELECT count(*) FROM emails WHERE email_key = 'anna@elsewhere.example'");
    assert_eq!(addresses, [(1,)]);
}

#[test]
fn decision_49_neither_the_last_owner_nor_a_site_administrator_is_removed() {
    let world = World::new();
    let provider = Provider::of(&world);
    let olivia = provider.tied(&world, "olivia");
    let eve = provider.tied(&world, "eve");
    world.sam().put("/users/eve/site_admin", json!({})).expect(204);
    for user in [&olivia, &eve] {
        refused(&provider.active(user, false), 422, None);
        refused(&provider.delete(&format!("/Users/{user}")), 422, None);
        assert_eq!(provider.get(&format!("/Users/{user}")).expect(200)["active"], true);
    }
    given::put(&world, "core", "eve", "member");
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    provider.active(&olivia, false).expect(200);
    assert_eq!(world.max().get("/orgs/acme/memberships/olivia").status, 404);
}

#[test]
fn decision_49_what_a_provider_does_is_in_the_audit() {
    let world = World::new();
    let provider = Provider::of(&world);
    let anna = provider.user("anna", json!({}));
    let group = provider.group("Staff", &[&anna]);
    provider.delete(&format!("/Groups/{group}")).expect(204);
    provider.delete(&format!("/Users/{anna}")).expect(204);
    let actions: Vec<(String,)> =
        world.rows("SELECT action FROM journal WHERE action LIKE 'scim.%' ORDER BY org_id, entry");
    let actions: Vec<&str> = actions.iter().map(|(action,)| action.as_str()).collect();
    let members = "scim.update_group_members";
    assert_eq!(
        actions,
        ["scim.create_user", "scim.create_group", members, members, "scim.delete_group", "scim.delete_user"]
    );
}

const ANNA: &str = "anna@corp.example";
const MINE: &str = "/user/memberships/orgs/acme";

/// A user invites an e-mail address to their organization, with these teams; returns what is listed of it.
fn invite(world: &World, owner: &str, org: &str, address: &str, teams: &[i64]) -> Value {
    let path = format!("/orgs/{org}/invitations");
    let body = json!({ "email": address, "team_ids": teams });
    world.client(owner).post(&path, body).expect(201);
    listed(world, owner, org)
}

fn listed(world: &World, owner: &str, org: &str) -> Value {
    world.client(owner).get(&format!("/orgs/{org}/invitations")).expect(200)[0].clone()
}

/// Anna, whose account the organization manages, and who is no member any more; her record.
fn anna_left(world: &World) -> (Provider, String) {
    let provider = Provider::of(world);
    let anna = provider.user("anna", json!({ "emails": [{ "value": ANNA }] }));
    world.olivia().delete("/orgs/acme/members/anna").expect(204);
    (provider, anna)
}

#[test]
fn decision_49_an_address_from_scim_counts_for_invitations_of_that_organization_alone() {
    let world = World::new();
    world.organization("globex", "nina", &[]);
    anna_left(&world);
    let core = given::id(&given::core(&world));
    assert_eq!(invite(&world, "olivia", "acme", "Anna@Corp.example", &[core])["login"], Value::Null);
    assert_eq!(invite(&world, "nina", "globex", ANNA, &[])["login"], Value::Null);
    let anna = world.client("anna");
    let pending = anna.get("/user/memberships/orgs?state=pending");
    assert_eq!(pending.expect(200)[0]["organization"]["login"], "acme");
    assert_eq!(pending.each("state"), ["pending"]);
    assert_eq!(role(&world, "anna"), None, "owners do not learn whose the e-mail address is");
    let accept = json!({ "state": "active" });
    anna.patch("/user/memberships/orgs/globex", accept.clone()).expect(404);
    anna.get("/user/memberships/orgs/globex").expect(404);
    anna.patch(MINE, accept).expect(200);
    assert_eq!(people(&world, "core"), ["max", "tom", "anna"]);
    assert_eq!(world.olivia().get("/orgs/acme/invitations").expect(200), &json!([]));
    let emails = anna.get("/user/emails");
    assert_eq!((emails.each("email"), emails.each("verified")), (vec![json!(ANNA)], vec![json!(false)]));
}

#[test]
fn decision_49_such_an_invitation_is_declined_and_is_nobodys_when_the_address_changes() {
    let world = World::new();
    let (provider, anna) = anna_left(&world);
    invite(&world, "olivia", "acme", ANNA, &[]);
    world.client("anna").delete(MINE).expect(204);
    assert_eq!(world.olivia().get("/orgs/acme/failed_invitations").expect(200)[0]["login"], Value::Null);
    invite(&world, "olivia", "acme", ANNA, &[]);
    let change = json!({ "op": "replace", "value": { "active": false, "emails": [{ "value": "a@corp.example" }] } });
    provider.patch(&format!("/Users/{anna}"), change).expect(200);
    assert_eq!(listed(&world, "olivia", "acme")["login"], Value::Null);
    assert_eq!(role(&world, "anna"), None);
}

#[test]
fn decision_27_an_address_that_an_account_has_verified_is_that_accounts_whatever_scim_says() {
    let world = World::new();
    anna_left(&world);
    world.sam().post("/admin/users", json!({ "login": "other", "email": ANNA })).expect(201);
    invite(&world, "olivia", "acme", ANNA, &[]);
    world.client("anna").get(MINE).expect(404);
    world.client("anna").patch(MINE, json!({ "state": "active" })).expect(404);
    world.client("other").patch(MINE, json!({ "state": "active" })).expect(200);
    assert_eq!(role(&world, "other").as_deref(), Some("active member"));
}

#[test]
fn decision_49_of_several_records_with_an_address_the_oldest_that_is_tied_counts() {
    let world = World::new();
    let (provider, _) = anna_left(&world);
    provider.user("berta", json!({ "emails": [{ "value": ANNA }] }));
    world.olivia().delete("/orgs/acme/members/berta").expect(204);
    invite(&world, "olivia", "acme", ANNA, &[]);
    world.client("berta").get(MINE).expect(404);
    world.client("anna").get(MINE).expect(200);
}

#[test]
fn decision_49_a_new_managed_account_has_what_an_invitation_to_its_address_gives() {
    let world = World::new();
    let provider = Provider::of(&world);
    let core = given::id(&given::core(&world));
    assert_eq!(invite(&world, "olivia", "acme", ANNA, &[core])["login"], Value::Null);
    provider.user("anna", json!({ "emails": [{ "value": ANNA }] }));
    assert_eq!(role(&world, "anna").as_deref(), Some("active member"));
    assert_eq!(people(&world, "core"), ["max", "tom", "anna"]);
    assert_eq!(world.olivia().get("/orgs/acme/invitations").expect(200), &json!([]));
    let again = world.olivia().post("/orgs/acme/invitations", json!({ "email": ANNA }));
    let message = &again.refused(422, "Validation Failed")["errors"][0]["message"];
    assert_eq!(message, "A user with this email addresss is already a part of this organization");
}

#[test]
fn decision_49_an_invitation_to_a_further_address_of_a_person_is_theirs_when_they_accept() {
    let world = World::new();
    let provider = Provider::of(&world);
    let core = given::id(&given::core(&world));
    invite(&world, "olivia", "acme", ANNA, &[core]);
    let addresses = json!([{ "value": "nina@example.com", "primary": true }, { "value": ANNA }]);
    provider.user("nina.n", json!({ "emails": addresses }));
    world.nina().patch(MINE, json!({ "state": "active" })).expect(200);
    assert_eq!(people(&world, "core"), ["max", "tom", "nina"]);
    assert_eq!(world.olivia().get("/orgs/acme/invitations").expect(200), &json!([]));
}

#[test]
fn decision_49_a_member_who_gets_an_invited_address_needs_the_invitation_no_more() {
    let world = World::new();
    let provider = Provider::of(&world);
    let anna = provider.user("anna", json!({}));
    invite(&world, "olivia", "acme", ANNA, &[]);
    let change = json!({ "op": "add", "path": "emails", "value": [{ "value": ANNA }] });
    provider.patch(&format!("/Users/{anna}"), change).expect(200);
    assert_eq!(world.olivia().get("/orgs/acme/invitations").expect(200), &json!([]));
}
