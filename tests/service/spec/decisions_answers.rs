//! Answers that clients of today look for: lists that are empty here, and another path to accept by (decisions 57 and
//! 59), with the texts of some refusals and answers.

use guildhall::operation::Compat;

use crate::spec::given;
use crate::support::world::Settings;
use crate::support::{Client, Value, World, json};

/// Statuses of olivia, max, tom, eve, nina and of a caller without a token.
fn statuses(world: &World, path: &str) -> [u16; 6] {
    let callers = [world.olivia(), world.max(), world.tom(), world.eve(), world.nina(), world.anonymous()];
    callers.map(|client| client.get(path).status)
}

#[track_caller]
fn is_empty(client: &Client, path: &str) {
    let answer = client.get(path);
    assert_eq!((answer.expect(200), answer.text.as_str()), (&json!([]), "[]"));
    assert_eq!(answer.header("link"), None);
    assert_eq!(*client.get(&format!("{path}?per_page=1&page=2")).expect(200), json!([]));
}

#[test]
fn decision_57_a_new_invitation_is_answered_without_its_failure() {
    let world = World::new();
    let olivia = world.olivia();
    let sent = json!({ "email": "una@example.org" });
    for _ in ["new", "sent again"] {
        let made = olivia.post("/orgs/acme/invitations", sent.clone()).expect(201).clone();
        let keys = "id node_id login email role created_at inviter team_count invitation_teams_url";
        assert_eq!(given::keys(&made), keys.split(' ').collect::<Vec<_>>());
    }
    let listed = olivia.get("/orgs/acme/invitations").expect(200)[0].clone();
    assert_eq!((listed.get("failed_at"), listed.get("failed_reason")), (Some(&Value::Null), Some(&Value::Null)));
}

#[test]
fn decision_57_discussions_are_filtered_by_whether_they_are_pinned() {
    let world = World::new();
    given::post(&world.max(), "One", false);
    given::post(&world.max(), "Two", true);
    let numbers =
        |query: &str| given::each(&world.tom(), &format!("/orgs/acme/teams/core/discussions{query}"), "number");
    let all = [json!(2), json!(1)];
    for query in ["", "?pinned=false", "?pinned=", "?pinned=maybe"] {
        assert_eq!(numbers(query), all, "{query}");
    }
    assert_eq!(numbers("?pinned=true"), Vec::<Value>::new());
    let page = world.tom().get("/orgs/acme/teams/core/discussions?pinned=true&per_page=1");
    assert_eq!(page.header("link"), None);
    let page = world.tom().get("/orgs/acme/teams/core/discussions?pinned=false&per_page=1");
    assert!(page.link("next").is_some_and(|link| link.contains("pinned=false")));
}

#[test]
fn decision_57_meta_has_lists_of_addresses() {
    let world = World::new();
    for client in [world.anonymous(), world.nina(), world.nina().under("/api/v3")] {
        let meta = client.get("/meta").expect(200).clone();
        for name in ["hooks", "web", "api"] {
            assert!(meta[name].is_array(), "{name}: {meta}");
        }
        assert_eq!(meta["verifiable_password_authentication"], false);
    }
}

#[test]
fn decision_57_meta_names_a_version_only_if_a_setting_does() {
    for enterprise_version in [None, Some("3.14.0")] {
        let compat = Compat { enterprise_version: enterprise_version.map(str::to_owned), ..Compat::default() };
        let world = World::with(Settings { compat, ..Settings::default() });
        for client in [world.anonymous(), world.nina().under("/api/v3")] {
            let answer = client.get("/meta");
            assert_eq!(answer.expect(200).get("installed_version"), enterprise_version.map(Value::from).as_ref());
            assert_eq!(answer.header("x-github-enterprise-version"), None);
        }
    }
}

#[test]
fn decision_57_people_are_listed_behind_an_identifier() {
    let world = World::new();
    let logins = ["sam", "olivia", "max", "tom", "eve", "ray", "nina"];
    let all = |client: &Client, path: &str| -> Vec<Value> {
        client.all(path).iter().map(|person| person["login"].clone()).collect()
    };
    for client in [world.anonymous(), world.nina(), world.nina().under("/api/v3")] {
        assert_eq!(all(&client, "/users").len(), logins.len());
        assert_eq!(all(&client, "/users?per_page=2"), all(&client, "/users"), "page by page");
    }
    let first = world.nina().get("/users?per_page=2");
    let people = first.expect(200).as_array().expect("a list").clone();
    let next = format!("{}/users?per_page=2&since={}", world.base, people[1]["id"]);
    assert_eq!((people.len(), first.link("next")), (2, Some(next)));
    let second = world.nina().get(&first.link("next").expect("a link"));
    assert!(second.expect(200)[0]["id"].as_i64() > people[1]["id"].as_i64());
    assert_eq!(second.link("first"), Some(format!("{}/users?per_page=2", world.base)));
    let first_login = people[0]["login"].as_str().expect("a login");
    let shown = world.nina().get(&format!("/users/{first_login}")).expect(200).clone();
    for (name, value) in people[0].as_object().expect("a person") {
        assert_eq!(shown[name], *value, "{name}");
    }
    for query in ["?since=-1", "?since=x", "?per_page=0", "?per_page=1000"] {
        assert_eq!(all(&world.nina(), &format!("/users{query}")).len(), logins.len(), "{query}");
    }
    assert_eq!(all(&world.nina(), "/users?since=9223372036854775807"), Vec::<Value>::new());
}

#[test]
fn decision_57_suspended_people_are_listed_for_site_administrators_alone() {
    let world = World::new();
    world.sam().put("/users/tom/suspended", json!({})).expect(204);
    let lists_tom = |client: &Client| client.all("/users?per_page=1").iter().any(|person| person["login"] == "tom");
    assert!(lists_tom(&world.sam()));
    for client in [world.olivia(), world.anonymous()] {
        assert!(!lists_tom(&client));
    }
    world.sam().delete("/users/tom/suspended").expect(204);
    assert!(lists_tom(&world.anonymous()));
}

#[test]
fn decision_59_a_repository_has_no_invitations_for_who_administers_it() {
    let world = World::new();
    let olivia = world.olivia();
    olivia.post("/orgs/acme/repos", json!({ "name": "vault", "private": true })).expect(201);
    olivia.put("/repos/acme/vault/collaborators/nina", json!({ "permission": "push" })).expect(204);
    for path in ["/repos/acme/vault/invitations", "/repos/ACME/Vault/invitations"] {
        is_empty(&olivia, path);
        assert_eq!(statuses(&world, path), [200, 403, 403, 403, 403, 404]);
    }
    olivia.patch("/repos/acme/vault", json!({ "private": false })).expect(200);
    assert_eq!(statuses(&world, "/repos/acme/vault/invitations"), [200, 403, 403, 403, 403, 401]);
    olivia.patch("/repos/acme/vault", json!({ "private": true })).expect(200);
    olivia.delete("/repos/acme/vault/collaborators/nina").expect(204);
    assert_eq!(statuses(&world, "/repos/acme/vault/invitations"), [200, 403, 403, 403, 404, 404]);
    assert_eq!(statuses(&world, "/repos/acme/nothing/invitations"), [404; 6]);
    let vault = olivia.get("/repos/acme/vault").expect(200)["id"].clone();
    is_empty(&olivia, &format!("/repositories/{vault}/invitations"));
    world.limited("olivia", &["read:org"]).get("/repos/acme/vault/invitations").expect(403);
}

#[test]
fn decision_59_a_collaborator_that_was_added_is_there_without_an_invitation() {
    let world = World::new();
    let olivia = world.olivia();
    olivia.post("/orgs/acme/repos", json!({ "name": "vault", "private": true })).expect(201);
    for level in ["push", "admin"] {
        let body = json!({ "permission": level });
        olivia.put("/repos/acme/vault/collaborators/nina", body).expect(204);
        is_empty(&olivia, "/repos/acme/vault/invitations");
        is_empty(&world.nina(), "/user/repository_invitations");
        let found = given::each(&olivia, "/repos/acme/vault/collaborators?affiliation=outside", "login");
        assert_eq!(found, ["nina"]);
    }
}

#[test]
fn decision_59_a_person_has_no_invitations_to_repositories() {
    let world = World::new();
    assert_eq!(statuses(&world, "/user/repository_invitations"), [200, 200, 200, 200, 200, 401]);
    is_empty(&world.nina(), "/user/repository_invitations");
}

#[test]
fn decision_59_an_account_has_no_keys() {
    let world = World::new();
    for kind in ["keys", "gpg_keys"] {
        for login in ["nina", "NINA", "acme"] {
            let path = format!("/users/{login}/{kind}");
            assert_eq!(statuses(&world, &path), [200; 6], "{path}");
            is_empty(&world.anonymous(), &path);
        }
        assert_eq!(statuses(&world, &format!("/users/nobody/{kind}")), [404; 6]);
    }
}

#[test]
fn decision_59_an_invited_person_accepts_under_the_path_of_the_membership() {
    let world = World::new();
    let (olivia, nina) = (world.olivia(), world.nina());
    let active = json!({ "state": "active" });
    nina.patch("/orgs/acme/memberships/nina", active.clone()).refused(404, "Not Found");
    olivia.put("/orgs/acme/teams/core/memberships/nina", json!({ "role": "maintainer" })).expect(200);
    for other in [&olivia, &world.max(), &world.eve()] {
        let text = "Only the invited person can accept an invitation.";
        other.patch("/orgs/acme/memberships/nina", active.clone()).refused(403, text);
    }
    let nobody = world.anonymous().patch("/orgs/acme/memberships/nina", active.clone());
    nobody.refused(401, "Requires authentication");
    for wrong in [json!({}), json!({ "state": "pending" }), json!({ "state": 1 })] {
        nina.patch("/orgs/acme/memberships/nina", wrong).expect(422);
    }
    assert_eq!(nina.get("/user/memberships/orgs/acme").expect(200)["state"], "pending");
    let accepted = nina.patch("/orgs/acme/memberships/Nina", active.clone()).expect(200).clone();
    assert_eq!((&accepted["state"], &accepted["role"]), (&json!("active"), &json!("member")));
    assert_eq!(accepted, *nina.get("/user/memberships/orgs/acme").expect(200));
    let of_team = olivia.get("/orgs/acme/teams/core/memberships/nina").expect(200).clone();
    assert_eq!((&of_team["state"], &of_team["role"]), (&json!("active"), &json!("maintainer")));
    let again = nina.patch("/orgs/acme/memberships/nina", active.clone());
    assert_eq!(*again.expect(200), *nina.patch("/user/memberships/orgs/acme", active.clone()).expect(200));
    let org = given::org_id(&world);
    nina.patch(&format!("/organizations/{org}/memberships/nina"), active.clone()).expect(200);
    nina.post("/orgs/acme/memberships/nina", active.clone()).expect(200);
    nina.patch("/orgs/nothing/memberships/nina", active).expect(404);
}

#[test]
fn operation_a_person_who_is_not_a_public_member_is_not_found_in_these_words() {
    let world = World::new();
    world.max().put("/orgs/acme/public_members/max", json!({})).expect(204);
    let text = "User does not exist or is not a public member of the organization";
    for client in [world.olivia(), world.nina(), world.anonymous()] {
        for login in ["tom", "nina", "nobody", "acme"] {
            client.get(&format!("/orgs/acme/public_members/{login}")).refused(404, text);
        }
        client.get("/orgs/acme/public_members/max").expect(204);
        client.get("/orgs/nothing/public_members/max").refused(404, "Not Found");
    }
}

#[test]
fn decision_42_a_rename_is_answered_in_the_words_that_clients_know() {
    let world = World::new();
    let (person, org) = (given::user_id(&world, "tom"), given::org_id(&world));
    let renamed = world.sam().patch("/admin/users/tom", json!({ "login": "thomas" }));
    let url = format!("{}/user/{person}", world.base);
    let message = "Job queued to rename user. It may take a few minutes to complete.";
    assert_eq!(*renamed.expect(202), json!({ "message": message, "url": url }));
    assert_eq!(renamed.header("location"), Some(url.as_str()));
    assert_eq!(world.sam().get("/users/thomas").expect(200)["id"], person);
    let url = format!("{}/organizations/{org}", world.base);
    let message = "Job queued to rename organization. It may take a few minutes to complete.";
    let renamed = world.sam().patch("/admin/organizations/acme", json!({ "login": "acme-two", "plan": "team" }));
    assert_eq!(*renamed.expect(202), json!({ "message": message, "url": url }));
    assert_eq!(renamed.header("location"), Some(url.as_str()));
    assert_eq!(world.sam().get("/orgs/acme-two").expect(200)["id"], org);
    let plan = world.sam().patch("/admin/organizations/acme-two", json!({ "plan": "free" }));
    assert_eq!(*plan.expect(202), json!({ "message": "The organization is now on the plan free.", "url": url }));
}
