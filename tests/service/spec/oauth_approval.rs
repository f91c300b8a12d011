//! The applications that an organization lets in: what one that is not let in gets (decision 81).

use guildhall::oauth::{self, Owner, Switched, Wanted, update};

use super::decisions_effective::grown;
use super::given;
use super::mail_invitations::world;
use crate::support::application::{Application, answers, granted, operate, register, wanted};
use crate::support::{Answer, Client, Value, json};

const WORDS: &str = "Although you appear to have the correct authorization credentials, the `acme` organization has \
                     enabled OAuth App access restrictions, meaning that data access to third-parties is limited.";

/// Scopes that an application may be granted.
const SCOPES: &str = "repo,admin:org,admin:org_hook,user,write:discussion,notifications";

/// Asserts that an application is refused by name.
#[track_caller]
fn restricted(answer: &Answer) {
    let message = answer.expect(403)["message"].as_str().expect("a message");
    assert!(message.starts_with(WORDS) && message.ends_with("/ui/docs#applications"), "{message}");
}

fn logins(list: &Answer) -> Vec<String> {
    let login =
        |one: &Value| one["login"].as_str().or(one["organization"]["login"].as_str()).expect("a login").to_owned();
    list.expect(200).as_array().expect("a list").iter().map(login).collect()
}

#[test]
fn decision_81_lists_leave_an_organization_out_until_it_lets_the_application_in() {
    let world = world();
    world.organization("globex", "tom", &[]);
    world.tom().patch("/orgs/globex", json!({ "applications_need_approval": false })).expect(200);
    world.tom().put("/orgs/acme/public_members/tom", json!({})).expect(204);
    world.olivia().post("/orgs/acme/repos", json!({ "name": "vault", "private": true })).expect(201);
    world.olivia().put("/repos/acme/vault/collaborators/tom", json!({ "permission": "push" }));
    let app = Application::of(&world);
    let tom = granted(&world, &app, "tom", SCOPES);
    for path in ["/user/orgs", "/user/memberships/orgs", "/users/tom/orgs"] {
        assert_eq!(logins(&tom.get(path)), ["globex"], "{path}");
        assert_eq!(logins(&world.tom().get(path)), ["acme", "globex"], "{path}");
    }
    for path in ["/user/teams", "/user/teams?effective=true", "/user/repos", "/search/repositories?q=vault+is:private"]
    {
        assert_ne!(world.tom().get(path).text, tom.get(path).text, "{path}");
        let list = tom.get(path);
        let list = list.json.get("items").unwrap_or(&list.json);
        assert_eq!(list, &json!([]), "{path}");
    }
    // What is public is found, with the permissions of an outsider.
    given::repository(&world, "engine", Some("tom"));
    let found = tom.get("/search/repositories?q=engine");
    assert_eq!(found.expect(200), world.nina().get("/search/repositories?q=engine").expect(200));
    assert_ne!(found.json["items"][0]["permissions"], json!(null));
    // A fork of one's own does not show where it comes from.
    world.olivia().post("/repos/acme/vault/forks", json!({})).expect(202);
    let fork = granted(&world, &app, "olivia", SCOPES).get("/repos/olivia/vault").expect(200).clone();
    assert_eq!((&fork["fork"], fork.get("parent")), (&json!(true), None), "{fork}");
    let queries = [
        "{ viewer { organizations(first: 9) { nodes { login } } repositories(first: 9) { nodes { name } } } }",
        "{ viewer { organization(login: \"acme\") { login } } }",
        "{ organization(login: \"acme\") { viewerIsAMember teams(first: 9) { totalCount } team(slug: \"core\") { name } \
         membersWithRole(first: 9) { totalCount } repositories(first: 9) { totalCount } } }",
    ];
    let ask =
        |client: &Client, query: &str| client.post("/graphql", json!({ "query": query })).expect(200)["data"].clone();
    assert_eq!(
        ask(&tom, queries[0])["viewer"],
        json!({ "organizations": { "nodes": [{ "login": "globex" }] }, "repositories": { "nodes": [] } })
    );
    assert_eq!(ask(&tom, queries[1])["viewer"]["organization"], json!(null));
    assert_eq!(ask(&tom, queries[2]), ask(&world.nina(), queries[2]), "as for an outsider");
    assert_ne!(ask(&tom, queries[2]), ask(&world.tom(), queries[2]));
    answers(&world, &app, "approved");
    for query in queries {
        assert_eq!(ask(&tom, query), ask(&world.tom(), query));
    }
    for path in ["/user/orgs", "/user/memberships/orgs", "/user/teams", "/user/repos"] {
        assert_eq!(tom.get(path).text, world.tom().get(path).text, "{path}");
    }
}

#[test]
fn decision_81_what_the_person_could_do_is_refused_by_name_and_all_else_as_for_an_outsider() {
    let world = world();
    given::secret(&world, "Hidden");
    let app = Application::of(&world);
    let [olivia, eve] = ["olivia", "eve"].map(|login| granted(&world, &app, login, SCOPES));
    restricted(&olivia.get("/orgs/acme/teams"));
    restricted(&eve.get("/orgs/acme/teams/core"));
    restricted(&eve.get("/user/memberships/orgs/acme"));
    restricted(&eve.get("/orgs/acme/memberships/eve"));
    restricted(&eve.delete("/user/memberships/orgs/acme"));
    restricted(&olivia.patch("/orgs/acme/teams/core", json!({ "name": "Other" })));
    restricted(&olivia.get("/orgs/acme/hooks"));
    let scim = olivia.get("/scim/v2/organizations/acme/Users");
    assert!(scim.expect(403)["detail"].as_str().is_some_and(|detail| detail.starts_with(WORDS)), "{}", scim.text);
    restricted(&olivia.get("/orgs/acme/teams/hidden"));
    // Eve does not see the secret team, and may not change the other one.
    eve.get("/orgs/acme/teams/hidden").refused(404, "Not Found");
    eve.patch("/orgs/acme/teams/core", json!({ "name": "Other" })).refused(404, "Not Found");
    eve.get("/orgs/acme/hooks").refused(404, "Not Found");
    eve.get("/orgs/nothing").refused(404, "Not Found");
    // Everyone sees the profile; its owner sees no more through the application.
    assert_eq!(olivia.get("/orgs/acme").expect(200), world.nina().get("/orgs/acme").expect(200));
    assert_eq!(olivia.get("/orgs/acme/members").status, world.nina().get("/orgs/acme/members").status);
    // The old name of a team is no way to learn of it.
    world.olivia().patch("/orgs/acme/teams/core", json!({ "name": "Heart" })).expect(200);
    eve.get("/orgs/acme/teams/core").refused(404, "Not Found");
    assert_eq!(world.eve().get("/orgs/acme/teams/core").status, 302);
    // Personal tokens are not concerned.
    world.eve().get("/orgs/acme/teams/heart").expect(200);
}

#[test]
fn decision_81_approval_is_part_of_what_responses_depend_on() {
    let world = world();
    let app = Application::of(&world);
    answers(&world, &app, "approved");
    let tom = granted(&world, &app, "tom", SCOPES);
    for path in ["/orgs/acme/teams", "/orgs/acme/teams/core", "/user/teams", "/user/orgs"] {
        let tag = tom.get(path).header("etag").expect("a tag").to_owned();
        tom.with("If-None-Match", &tag).get(path).expect(304);
        answers(&world, &app, "refused");
        let after = tom.with("If-None-Match", &tag).get(path);
        if path.starts_with("/user") {
            assert_eq!(after.expect(200), &json!([]), "{path}");
        } else {
            restricted(&after);
        }
        answers(&world, &app, "approved");
        tom.with("If-None-Match", &tag).get(path).expect(304);
    }
}

#[test]
fn decision_81_its_own_and_trusted_applications_need_no_approval() {
    let world = world();
    let acme = given::org_id(&world);
    let own = operate(&world, move |cx| oauth::create(cx, Owner::Org(acme), None, &wanted("Own", Switched::default())));
    let own = own.map(|made| Application { id: made.client_id, secret: made.secret.unwrap_or_default() }).expect("one");
    let trusted = Switched { trusted: Some(true), ..Switched::default() };
    let trusted = register(&world, wanted("Trusted", trusted));
    for app in [&own, &trusted] {
        let tom = granted(&world, app, "tom", SCOPES);
        tom.get("/orgs/acme/teams/core").expect(200);
        // Owners may refuse any.
        answers(&world, app, "refused");
        restricted(&tom.get("/orgs/acme/teams/core"));
        assert_eq!(tom.get("/user/teams").expect(200), &json!([]));
        answers(&world, app, "approved");
        tom.get("/orgs/acme/teams/core").expect(200);
    }
    // What is not trusted any more is not let in from the next request on.
    let other = register(&world, wanted("Other", Switched { trusted: Some(true), ..Switched::default() }));
    let tom = granted(&world, &other, "tom", SCOPES);
    assert_eq!(tom.get("/orgs/acme/teams").expect(200)[0]["slug"], "core");
    let (id, off) = (other.id.clone(), Switched { trusted: Some(false), ..Switched::default() });
    let distrusted = Wanted { switched: off, ..Wanted::default() };
    operate(&world, move |cx| update(cx, &id, &distrusted)).expect("a change");
    restricted(&tom.get("/orgs/acme/teams"));
}

#[test]
fn decision_81_an_organization_may_do_without_approval_and_no_application_decides_that() {
    let world = world();
    let app = Application::of(&world);
    let [olivia, tom] = ["olivia", "tom"].map(|login| granted(&world, &app, login, SCOPES));
    assert_eq!(world.olivia().get("/orgs/acme").expect(200)["applications_need_approval"], true);
    world.olivia().patch("/orgs/acme", json!({ "applications_need_approval": false })).expect(200);
    tom.get("/orgs/acme/teams/core").expect(200);
    let why = "An application cannot change which applications an organization lets in.";
    olivia.patch("/orgs/acme", json!({ "applications_need_approval": true })).refused(403, why);
    olivia.patch("/orgs/acme", json!({ "applications_need_approval": false, "company": "A" })).expect(200);
    world.olivia().patch("/orgs/acme", json!({ "applications_need_approval": true })).expect(200);
    restricted(&tom.get("/orgs/acme/teams/core"));
    let log = world.olivia().get("/orgs/acme/audit-log?phrase=action:org.update").json;
    assert_eq!(log[0]["after"], json!({ "applications_need_approval": true }), "{log}");
}

#[test]
fn decision_81_an_application_never_has_the_rights_of_a_site_administrator() {
    let world = world();
    let app = Application::of(&world);
    world.execute("UPDATE users SET site_admin = TRUE WHERE login = 'eve'");
    let why = "You must be a site administrator to do this.";
    let eve = granted(&world, &app, "eve", SCOPES);
    eve.post("/user/organizations", json!({ "login": "other" })).refused(403, why);
    world.eve().post("/user/organizations", json!({ "login": "other" })).expect(201);
}

#[test]
fn decision_81_an_invitation_is_accepted_by_the_person_alone() {
    let world = world();
    let app = Application::of(&world);
    let nina = granted(&world, &app, "nina", SCOPES);
    nina.get("/user/memberships/orgs/acme").refused(404, "Not Found");
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    for answer in [
        nina.patch("/user/memberships/orgs/acme", json!({ "state": "active" })),
        nina.patch("/orgs/acme/memberships/nina", json!({ "state": "active" })),
        nina.delete("/user/memberships/orgs/acme"),
    ] {
        restricted(&answer);
    }
    assert_eq!(nina.get("/user/memberships/orgs").expect(200), &json!([]));
    world.nina().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
}

#[test]
fn decision_81_teams_above_are_left_out_too() {
    let world = world();
    grown(&world);
    let app = Application::of(&world);
    let tom = granted(&world, &app, "tom", SCOPES);
    assert_eq!(tom.get("/user/teams?effective=true").expect(200), &json!([]));
    answers(&world, &app, "approved");
    let path = "/user/teams?effective=true";
    assert_eq!(tom.get(path).expect(200), world.tom().get(path).expect(200));
}

#[test]
fn decision_81_the_inbox_of_an_organization_is_not_marked_by_an_application_that_is_not_let_in() {
    let world = world();
    given::post(&world.max(), "Hello", false);
    super::mail_invitations::settle(&world);
    let app = Application::of(&world);
    let tom = granted(&world, &app, "tom", SCOPES);
    let unread = || world.tom().get("/notifications?all=true").expect(200)[0]["unread"].clone();
    assert_eq!(unread(), true);
    tom.put("/notifications", json!({})).expect(205);
    assert_eq!(unread(), true);
    world.tom().put("/notifications", json!({})).expect(205);
    tom.put("/notifications", json!({ "read": false })).expect(205);
    assert_eq!(unread(), false);
    answers(&world, &app, "approved");
    tom.put("/notifications", json!({ "read": false })).expect(205);
    assert_eq!(unread(), true);
    tom.put("/notifications", json!({})).expect(205);
    assert_eq!(unread(), false);
}
