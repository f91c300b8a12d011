//! Site administration (section 8 and decision 42): accounts, organizations and tokens.

use crate::spec::given;
use crate::support::{Client, World, json};

#[test]
fn operation_admin_create_user_answers_with_record_and_location() {
    let world = World::new();
    let made = world.sam().post("/admin/users", json!({ "login": "Una", "email": "una@example.com" }));
    assert_eq!(made.expect(201)["login"], "Una");
    assert_eq!(made.header("location"), Some(format!("{}/users/Una", world.base).as_str()));
    let emails = world.client("una").get("/user/emails").expect(200).clone();
    assert_eq!(emails[0]["email"], "una@example.com");
}

#[test]
fn operation_admin_create_user_refuses_a_login_or_address_in_use() {
    let world = World::new();
    let post = |body| world.sam().post("/admin/users", body);
    for login in ["tom", "TOM", "acme", "Acme", "\u{212a}im", "zo\u{e9}", "una\u{200b}"] {
        post(json!({ "login": login, "email": "free@example.com" })).expect(422);
    }
    post(json!({ "login": "free", "email": "Tom@example.com" })).expect(422);
    post(json!({ "email": "free@example.com" })).refused(422, "Invalid request.\n\n\"login\" wasn't supplied.");
    world.anonymous().get("/users/free").expect(404);
}

#[test]
fn operation_admin_create_user_can_make_a_suspended_account() {
    let world = World::new();
    world.sam().post("/admin/users", json!({ "login": "una", "suspended": true })).expect(201);
    world.client("una").get("/user").refused(403, "Sorry. Your account was suspended.");
}

#[test]
fn decision_57_only_site_administrators_see_since_when_a_person_is_suspended() {
    let world = World::new();
    let by_id = format!("/user/{}", given::user_id(&world, "tom"));
    world.sam().put_empty("/users/tom/suspended").expect(204);
    for path in ["/users/tom", &by_id] {
        assert!(world.sam().get(path).expect(200)["suspended_at"].is_string());
        assert_eq!(world.olivia().get(path).expect(200).get("suspended_at"), None);
    }
    assert_eq!(world.anonymous().get("/users/tom").expect(200).get("suspended_at"), None);
    world.sam().delete("/users/tom/suspended").expect(204);
    assert_eq!(world.sam().get("/users/tom").expect(200).get("suspended_at"), None);
}

#[test]
fn operation_admin_rename_user_keeps_everything_but_the_login() {
    let world = World::new();
    let tom = given::user_id(&world, "tom");
    let client = world.tom();
    let renamed = world.sam().patch("/admin/users/tom", json!({ "login": "thomas" }));
    assert!(renamed.expect(202)["message"].is_string());
    let url = format!("{}/user/{tom}", world.base);
    assert_eq!((&renamed.json["url"], renamed.header("location")), (&json!(url), Some(url.as_str())));
    assert_eq!(client.get("/user").expect(200)["login"], "thomas");
    assert_eq!(world.max().get("/orgs/acme/teams/core/memberships/thomas").expect(200)["state"], "active");
    world.max().get("/users/tom").refused(404, "Not Found");
}

#[test]
fn operation_admin_delete_user_takes_them_off_everything() {
    let world = World::new();
    let tom = world.tom();
    world.sam().delete("/admin/users/tom").expect(204);
    tom.get("/user").refused(401, "Bad credentials");
    world.olivia().get("/users/tom").refused(404, "Not Found");
    assert_eq!(given::each(&world.olivia(), "/orgs/acme/teams/core/members", "login"), ["max"]);
    assert_eq!(given::core(&world)["members_count"], 1);
    world.sam().delete("/admin/users/tom").expect(404);
}

#[test]
fn operation_admin_delete_user_is_not_for_oneself() {
    let world = World::new();
    let me = world.sam().get("/user").expect(200)["login"].as_str().expect("a login").to_owned();
    let answer = world.sam().delete(&format!("/admin/users/{me}"));
    assert!((400..500).contains(&answer.status), "{}", answer.status);
    world.sam().get("/user").expect(200);
}

#[test]
fn operation_admin_site_admin_is_given_and_taken() {
    let world = World::new();
    let olivia = world.limited("olivia", &["site_admin"]);
    olivia.get("/admin/tokens").expect(403);
    world.sam().put_empty("/users/olivia/site_admin").expect(204);
    assert_eq!(olivia.get("/user").expect(200)["site_admin"], true);
    olivia.get("/admin/tokens").expect(200);
    world.sam().delete("/users/olivia/site_admin").expect(204);
    olivia.get("/admin/tokens").expect(403);
    let me = world.sam().get("/user").expect(200)["login"].as_str().expect("a login").to_owned();
    let own = world.sam().delete(&format!("/users/{me}/site_admin"));
    assert!((400..500).contains(&own.status), "{}", own.status);
    world.sam().get("/admin/tokens").expect(200);
}

#[test]
fn operation_admin_create_org_answers_with_record_and_location() {
    let world = World::new();
    let body = json!({ "login": "Beta", "admin": "tom", "profile_name": "Beta, Inc." });
    let made = world.sam().post("/admin/organizations", body);
    assert_eq!(made.expect(201)["login"], "Beta");
    assert_eq!(made.header("location"), Some(format!("{}/orgs/Beta", world.base).as_str()));
    assert_eq!(world.tom().get("/orgs/beta").expect(200)["name"], "Beta, Inc.");
    assert_eq!(world.tom().get("/orgs/beta/memberships/tom").expect(200)["role"], "admin");
}

#[test]
fn operation_admin_create_org_needs_a_free_login_and_an_owner_who_exists() {
    let world = World::new();
    let post = |body| world.sam().post("/admin/organizations", body);
    post(json!({ "login": "tom", "admin": "tom" })).expect(422);
    post(json!({ "login": "ACME", "admin": "tom" })).expect(422);
    post(json!({ "login": "\u{212a}im", "admin": "tom" })).expect(422);
    assert!((400..500).contains(&post(json!({ "login": "beta", "admin": "nobody" })).status));
    post(json!({ "login": "beta" })).refused(422, "Invalid request.\n\n\"admin\" wasn't supplied.");
    world.anonymous().get("/orgs/beta").expect(404);
}

#[test]
fn operation_admin_rename_org_keeps_its_teams() {
    let world = World::new();
    let org = given::org_id(&world);
    let renamed = world.sam().patch("/admin/organizations/acme", json!({ "login": "apex" }));
    assert!(renamed.expect(202)["message"].is_string());
    assert_eq!(renamed.json["url"], format!("{}/organizations/{org}", world.base));
    assert_eq!(world.tom().get("/orgs/apex/teams/core").expect(200)["organization"]["login"], "apex");
    world.tom().get("/orgs/acme/teams/core").refused(404, "Not Found");
    world.tom().get(&format!("/organizations/{org}/teams/core")).expect(200);
}

#[test]
fn operation_admin_tokens_are_listed_without_their_text_and_revoked() {
    let world = World::new();
    let tom = world.tom();
    let tokens = world.sam().get("/admin/tokens?per_page=100").expect(200).clone();
    let tokens = tokens.as_array().expect("a list");
    assert!(tokens.len() >= 3 && tokens.iter().all(|token| token["token"] == ""));
    let last = tom.token.as_ref().map(|text| text[text.len() - 8..].to_owned()).expect("a token");
    let mine = tokens.iter().find(|token| token["token_last_eight"] == last.as_str()).expect("Tom's token");
    world.sam().delete(&format!("/admin/tokens/{}", mine["id"])).expect(204);
    tom.get("/user").refused(401, "Bad credentials");
    world.sam().delete(&format!("/admin/tokens/{}", mine["id"])).expect(404);
}

#[test]
fn operation_admin_the_token_in_use_cannot_revoke_itself() {
    let world = World::new();
    let tokens = world.sam().get("/admin/tokens?per_page=100").expect(200).clone();
    let own = tokens.as_array().expect("a list").iter().find(|token| token["token_last_eight"] == "istrator");
    let own = own.expect("Sam's token");
    world.sam().delete(&format!("/admin/tokens/{}", own["id"])).expect(403);
    world.sam().get("/user").expect(200);
}

#[test]
fn operation_admin_site_administration_is_for_site_administrators() {
    let world = World::new();
    let calls: [fn(&Client) -> u16; 5] = [
        |client| client.post("/admin/users", json!({ "login": "una" })).status,
        |client| client.patch("/admin/organizations/acme", json!({ "plan": "enterprise" })).status,
        |client| client.post("/admin/users/tom/authorizations", json!({})).status,
        |client| client.put_empty("/users/tom/suspended").status,
        |client| client.get("/admin/tokens").status,
    ];
    let (scoped, weak) = (world.limited("olivia", &["site_admin"]), world.limited("site-admin", &["admin:org"]));
    assert_eq!(calls.map(|call| call(&scoped)), [403; 5]);
    assert_eq!(calls.map(|call| call(&weak)), [404, 404, 404, 404, 403]);
    assert_eq!(calls.map(|call| call(&world.anonymous())), [401; 5]);
    world.anonymous().get("/users/una").expect(404);
}

#[test]
fn operation_admin_rename_a_renamed_person_is_listed_by_the_new_login_at_once() {
    let world = World::new();
    let logins = |path: &str| world.olivia().get(path).each("login");
    let (team, org) = ("/orgs/acme/teams/core/members", "/orgs/acme/members");
    assert!(logins(team).contains(&json!("tom")) && logins(org).contains(&json!("tom")));
    world.sam().patch("/admin/users/tom", json!({ "login": "tommy" })).expect(202);
    for path in [team, org] {
        let listed = logins(path);
        assert!(listed.contains(&json!("tommy")) && !listed.contains(&json!("tom")), "{listed:?}");
    }
    world.sam().put_empty("/users/tommy/site_admin").expect(204);
    let members = world.olivia().get(team);
    let tommy = members.json.as_array().and_then(|all| all.iter().find(|one| one["login"] == "tommy"));
    assert_eq!(tommy.expect("Tommy is listed")["site_admin"], true);
}

#[test]
fn operation_admin_create_org_refuses_a_name_that_no_update_could_set() {
    let world = World::new();
    let post = |login: &str, name: &str| {
        world.sam().post("/admin/organizations", json!({ "login": login, "admin": "tom", "profile_name": name }))
    };
    let answer = post("beta", &"ä".repeat(256));
    answer.refused(422, "Validation Failed");
    let item = &answer.json["errors"][0];
    assert_eq!((&item["field"], &item["code"]), (&json!("profile_name"), &json!("invalid")));
    world.olivia().get("/orgs/beta").expect(404);
    post("beta", &"ä".repeat(255)).expect(201);
}
