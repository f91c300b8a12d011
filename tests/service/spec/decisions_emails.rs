//! Names and e-mail addresses of people, as the operations change them (decision 72).

use crate::spec::given;
use crate::support::{Answer, Client, Value, World, json};

/// Adds an e-mail address to a person's account, verified.
pub fn give(world: &World, login: &str, address: &str) {
    let body = json!({ "emails": [address], "verified": true });
    world.sam().post(&format!("/admin/users/{login}/emails"), body).expect(201);
}

/// Sends a DELETE with this body.
pub fn delete(client: &Client, path: &str, body: &Value) -> Answer {
    client.send("DELETE", path, Some(body.to_string()))
}

/// The e-mail addresses that a person sees as theirs; the flags say that it is primary, and that it is verified.
pub fn listed(client: &Client) -> Vec<(String, bool, bool)> {
    let emails = client.get("/user/emails").expect(200).clone();
    let of = |email: &Value| {
        let is = |member: &str| email[member].as_bool().expect("a boolean");
        (email["email"].as_str().expect("a text").to_owned(), is("primary"), is("verified"))
    };
    emails.as_array().expect("a list").iter().map(of).collect()
}

fn email(address: &str, primary: bool, verified: bool) -> (String, bool, bool) {
    (address.to_owned(), primary, verified)
}

/// The entries of the site's audit log about e-mail addresses, the oldest first.
fn audited(world: &World) -> Vec<(String, Value, Value)> {
    let entries = world.sam().get("/admin/audit-log?order=asc&per_page=100").expect(200).clone();
    let entries = entries.as_array().expect("entries").clone().into_iter();
    let about = entries.filter(|entry| entry["action"].as_str().is_some_and(|action| action.contains("email")));
    about
        .map(|e| (e["action"].as_str().expect("an action").to_owned(), e["before"].clone(), e["after"].clone()))
        .collect()
}

#[test]
fn decision_72_a_person_changes_their_name() {
    let world = World::new();
    let tom = world.tom();
    let before = tom.get("/user").expect(200).clone();
    world.advance(10);
    let changed = tom.patch("/user", json!({ "name": "  Tom T\u{e9}st " })).expect(200).clone();
    assert_eq!(changed["name"], "Tom T\u{e9}st");
    assert_ne!(changed["updated_at"], before["updated_at"]);
    assert_eq!(world.anonymous().get("/users/tom").expect(200)["name"], "Tom T\u{e9}st");
    assert_eq!(tom.patch("/user", json!({})).expect(200)["name"], "Tom T\u{e9}st");
    assert_eq!(tom.patch("/user", json!({ "bio": "x" })).expect(200)["bio"], Value::Null, "nothing else is changed");
    for bad in ["a\nb", "\u{202e}evil", &"x".repeat(256)] {
        tom.patch("/user", json!({ "name": bad })).refused(422, "Validation Failed");
    }
    for none in [json!(""), json!(null)] {
        tom.patch("/user", json!({ "name": "Tom" })).expect(200);
        assert_eq!(tom.patch("/user", json!({ "name": none })).expect(200)["name"], Value::Null);
    }
    let entries = world.sam().get("/admin/audit-log?phrase=action:user.update&order=asc").expect(200).clone();
    assert_eq!((&entries[0]["actor"], &entries[0]["after"]["name"]), (&json!("tom"), &json!("Tom T\u{e9}st")));
}

#[test]
fn decision_72_a_new_name_is_shown_where_the_person_is_listed() {
    let world = World::new();
    let query =
        json!({ "query": "{ organization(login: \"acme\") { membersWithRole(first: 9) { nodes { login name } } } }" });
    let names = || {
        let nodes = world.olivia().post("/graphql", query.clone()).expect(200)["data"]["organization"]["membersWithRole"]
            ["nodes"]
            .clone();
        let tom = nodes.as_array().expect("nodes").iter().find(|node| node["login"] == "tom").cloned();
        tom.expect("Tom")["name"].clone()
    };
    names();
    world.tom().patch("/user", json!({ "name": "Thomas" })).expect(200);
    assert_eq!(names(), "Thomas");
}

#[test]
fn decision_72_the_scope_user_changes_and_user_email_only_reads() {
    let world = World::new();
    let reader = world.limited("tom", &["user:email"]);
    reader.get("/user/emails").expect(200);
    let emails = json!({ "emails": ["tom@example.net"] });
    for scopes in [&["user:email"][..], &["read:user"], &["repo", "admin:org"]] {
        let client = world.limited("tom", scopes);
        assert!([403, 404].contains(&client.post("/user/emails", emails.clone()).status), "{scopes:?}");
        assert!([403, 404].contains(&delete(&client, "/user/emails", &emails).status), "{scopes:?}");
        assert!([403, 404].contains(&client.patch("/user", json!({ "name": "x" })).status), "{scopes:?}");
        let shown = client.patch("/user/email/visibility", json!({ "visibility": "public" }));
        assert!([403, 404].contains(&shown.status), "{scopes:?}");
    }
    world.anonymous().post("/user/emails", emails.clone()).expect(401);
    assert_eq!(listed(&world.tom()), [email("tom@example.com", true, true)]);
    world.limited("tom", &["user"]).post("/user/emails", emails).expect(201);
}

#[test]
fn decision_72_an_added_address_is_unverified_and_in_every_form_of_body() {
    let world = World::new();
    let tom = world.tom();
    let added = tom.post("/user/emails", json!({ "emails": ["Tom@Example.net", "tom@ex\u{e4}mple.org"] }));
    let record = |email: &str| json!({ "email": email, "primary": false, "verified": false, "visibility": null });
    assert_eq!(added.expect(201), &json!([record("Tom@Example.net"), record("tom@xn--exmple-cua.org")]));
    assert_eq!(tom.post("/user/emails", json!(["a@example.org"])).expect(201), &json!([record("a@example.org")]));
    assert_eq!(tom.post("/user/emails", json!("b@example.org")).expect(201), &json!([record("b@example.org")]));
    assert_eq!(tom.get("/user").expect(200)["email"], "tom@example.com");
    assert_eq!(listed(&tom).len(), 5);
    // The same in other letters is the same address, and one that is verified stays as it is.
    tom.post("/user/emails", json!(["tom@EXAMPLE.net", "tom@xn--exmple-cua.org"])).expect(201);
    assert_eq!(tom.post("/user/emails", json!(["TOM@example.com"])).expect(201)[0]["verified"], true);
    assert_eq!(listed(&tom).len(), 5);
    for body in [json!(["a@example.org"]), json!("b@example.org"), json!({ "emails": ["TOM@example.NET"] })] {
        delete(&tom, "/user/emails", &body).expect(204);
    }
    assert_eq!(listed(&tom).len(), 2);
}

#[test]
fn decision_72_what_is_no_address_changes_nothing() {
    let world = World::new();
    let tom = world.tom();
    let long = format!("{}@example.org", "x".repeat(65));
    for bad in ["", "tom", "a@b@c", "<a@example.org>", "a@example.org\r\nBcc: b@c", "a\u{0}@example.org", &long] {
        let body = json!({ "emails": ["good@example.org", bad] });
        assert_eq!(tom.post("/user/emails", body).status, 422, "{bad:?}");
    }
    for body in [json!({}), json!({ "emails": [] }), json!([]), json!({ "emails": "a@b.org" }), json!([1])] {
        assert_eq!(tom.post("/user/emails", body.clone()).status, 422, "{body}");
        assert_eq!(delete(&tom, "/user/emails", &body).status, 422, "{body}");
    }
    let many: Vec<String> = (0..30_000).map(|n| format!("tom{n}@example.net")).collect();
    let text = "Invalid request.\n\n\"emails\" must have 1 to 50 e-mail addresses.";
    tom.post("/user/emails", json!(many)).refused(422, text);
    delete(&tom, "/user/emails", &json!(many)).refused(422, text);
    tom.post("/user/emails", json!(1)).expect(400);
    assert_eq!(listed(&tom), [email("tom@example.com", true, true)]);
}

#[test]
fn decision_72_the_primary_address_is_one_of_the_verified_ones() {
    let world = World::new();
    let tom = world.tom();
    give(&world, "tom", "tom@example.net");
    tom.post("/user/emails", json!(["new@example.org"])).expect(201);
    for address in ["new@example.org", "max@example.com", "x", ""] {
        let refused = tom.patch("/user", json!({ "name": "Changed", "email": address }));
        assert_eq!(refused.refused(422, "Validation Failed")["errors"][0]["field"], "email", "{address}");
    }
    assert_eq!(tom.get("/user").expect(200)["name"], Value::Null, "a refused request changes nothing");
    let changed = tom.patch("/user", json!({ "email": "Tom@Example.NET" }));
    assert_eq!(changed.expect(200)["email"], "tom@example.net");
    let rest = [email("tom@example.com", false, true), email("tom@example.net", true, true)];
    assert_eq!(listed(&tom)[..2], rest);
}

#[test]
fn decision_72_the_last_verified_address_cannot_be_removed() {
    let world = World::new();
    let tom = world.tom();
    tom.post("/user/emails", json!(["new@example.org"])).expect(201);
    delete(&tom, "/user/emails", &json!(["tom@example.com"])).refused(422, "Validation Failed");
    world.sam().send("DELETE", "/admin/users/tom/emails", Some(json!(["tom@example.com"]).to_string())).expect(422);
    give(&world, "tom", "tom@example.net");
    give(&world, "tom", "tom@example.org");
    let all = json!(["tom@example.com", "tom@example.net", "tom@example.org", "new@example.org"]);
    delete(&tom, "/user/emails", &all).expect(422);
    assert_eq!(listed(&tom).len(), 4, "a refused request changes nothing");
    delete(&tom, "/user/emails", &json!(["new@example.org", "TOM@example.com"])).expect(204);
    let left = [email("tom@example.net", true, true), email("tom@example.org", false, true)];
    assert_eq!(listed(&tom), left, "the oldest verified one is primary");
}

#[test]
fn decision_72_only_addresses_of_the_account_are_removed() {
    let world = World::new();
    let tom = world.tom();
    give(&world, "tom", "tom@example.net");
    for body in
        [json!(["max@example.com"]), json!(["nobody@example.com"]), json!(["tom@example.net", "max@example.com"])]
    {
        delete(&tom, "/user/emails", &body).refused(404, "The account has no such e-mail address.");
    }
    assert_eq!((listed(&tom).len(), listed(&world.max()).len()), (2, 1));
}

#[test]
fn decision_72_an_address_that_is_named_twice_is_removed_once() {
    let world = World::new();
    let tom = world.tom();
    give(&world, "tom", "tom@example.net");
    delete(&tom, "/user/emails", &json!(["tom@example.net", "Tom@EXAMPLE.net "])).expect(204);
    assert_eq!(listed(&tom), [email("tom@example.com", true, true)]);
    let log = world.sam().get("/admin/audit-log?phrase=action:user.remove_email").json;
    assert_eq!(log.as_array().map(Vec::len), Some(1), "{log}");
}

#[test]
fn decision_72_the_primary_address_is_shown_only_if_the_person_wants_it() {
    let world = World::new();
    let tom = world.tom();
    give(&world, "tom", "tom@example.net");
    let shown = || {
        let profile = world.anonymous().get("/users/tom").expect(200)["email"].clone();
        let query = json!({ "query": "{ user(login: \"tom\") { email } }" });
        let graphql = world.olivia().post("/graphql", query).expect(200)["data"]["user"]["email"].clone();
        let own = world.limited("tom", &["repo"]).get("/user").expect(200)["email"].clone();
        assert_eq!(graphql, profile.as_str().unwrap_or_default());
        assert_eq!(own, profile);
        profile
    };
    assert_eq!(shown(), Value::Null);
    let public = tom.patch("/user/email/visibility", json!({ "visibility": "public" })).expect(200).clone();
    let record = json!([{ "email": "tom@example.com", "primary": true, "verified": true, "visibility": "public" }]);
    assert_eq!(public, record);
    assert_eq!(tom.get("/user/emails").each("visibility"), [json!("public"), Value::Null]);
    assert_eq!(shown(), "tom@example.com");
    tom.patch("/user/email/visibility", json!({ "visibility": "private" })).expect(200);
    assert_eq!(shown(), Value::Null);
    tom.patch("/user/email/visibility", json!({ "visibility": "public" })).expect(200);
    tom.patch("/user", json!({ "email": "tom@example.net" })).expect(200);
    assert_eq!(shown(), Value::Null, "another primary address is hidden");
    tom.patch("/user/email/visibility", json!({ "visibility": "public" })).expect(200);
    delete(&tom, "/user/emails", &json!(["tom@example.net"])).expect(204);
    assert_eq!(shown(), Value::Null);
    tom.patch("/user/email/visibility", json!({ "visibility": "friends" })).expect(422);
    tom.patch("/user/email/visibility", json!({})).expect(422);
    world.sam().post("/admin/users", json!({ "login": "zoe" })).expect(201);
    let zoe = world.client("zoe");
    zoe.patch("/user/email/visibility", json!({ "visibility": "public" })).refused(422, "Validation Failed");
}

#[test]
fn decision_72_site_administrators_change_names_and_addresses_of_people() {
    let world = World::new();
    let sam = world.sam();
    sam.patch("/admin/users/tom", json!({ "name": "Tom" })).expect(202);
    assert_eq!(world.tom().get("/user").expect(200)["name"], "Tom");
    sam.patch("/admin/users/tom", json!({ "login": "thomas", "name": null })).expect(202);
    assert_eq!(world.tom().get("/user").expect(200)["name"], Value::Null);
    sam.patch("/admin/users/thomas", json!({})).refused(422, "Invalid request.\n\n\"login\" wasn't supplied.");
    sam.patch("/admin/users/thomas", json!({ "login": "eve", "name": "Tom" })).expect(422);
    assert_eq!(world.tom().get("/user").expect(200)["name"], Value::Null);
    let path = "/admin/users/thomas/emails";
    sam.post(path, json!({ "emails": ["a@example.org"] })).expect(201);
    assert_eq!(listed(&world.tom())[1], email("a@example.org", false, false));
    assert_eq!(
        sam.post(path, json!({ "emails": ["A@example.org"], "verified": true })).expect(201)[0]["verified"],
        true
    );
    assert_eq!(listed(&world.tom())[1], email("a@example.org", false, true));
    delete(&sam, path, &json!(["a@example.org"])).expect(204);
    assert_eq!(listed(&world.tom()).len(), 1);
    for client in [world.olivia(), world.tom()] {
        assert!([403, 404].contains(&client.post(path, json!(["b@example.org"])).status));
        assert!([403, 404].contains(&delete(&client, path, &json!(["tom@example.com"])).status));
    }
    sam.post("/admin/users/nobody/emails", json!(["b@example.org"])).expect(404);
    sam.post("/admin/users/acme/emails", json!(["b@example.org"])).expect(404);
}

#[test]
fn decision_72_a_verified_address_of_another_account_is_refused_by_name() {
    let world = World::new();
    let body = json!({ "emails": ["free@example.org", "MAX@example.com"], "verified": true });
    let refused = world.sam().post("/admin/users/tom/emails", body);
    let text = "The account max has verified the e-mail address MAX@example.com. Remove it there first.";
    assert_eq!(refused.expect(422)["errors"][0]["message"], text);
    assert_eq!(listed(&world.tom()).len(), 1, "a refused request changes nothing");
    // One that the other account has not verified reserves nothing.
    world.max().post("/user/emails", json!(["free@example.org"])).expect(201);
    give(&world, "tom", "free@example.org");
    world.sam().post("/admin/users", json!({ "login": "zoe", "email": "other@example.org" })).expect(201);
}

#[test]
fn decision_72_the_audit_log_has_hashes_and_no_addresses() {
    let world = World::new();
    let tom = world.tom();
    tom.post("/user/emails", json!(["tom@example.net"])).expect(201);
    give(&world, "tom", "TOM@example.net");
    tom.patch("/user", json!({ "email": "tom@example.net" })).expect(200);
    tom.patch("/user/email/visibility", json!({ "visibility": "public" })).expect(200);
    delete(&tom, "/user/emails", &json!(["tom@example.net"])).expect(204);
    let entries = audited(&world);
    let actions: Vec<&str> = entries.iter().map(|(action, ..)| action.as_str()).collect();
    let (add, primary) = ("user.add_email", "user.change_primary_email");
    assert_eq!(actions, [add, add, primary, "user.change_email_visibility", "user.remove_email"]);
    let hash = &entries[0].2["email_hash"];
    assert_eq!(hash.as_str().map(str::len), Some(64));
    assert_eq!(
        (hash, hash, hash),
        (&entries[1].2["email_hash"], &entries[2].2["email_hash"], &entries[4].1["email_hash"])
    );
    assert_ne!(&entries[2].1["email_hash"], hash);
    assert!(entries.iter().all(|(_, before, after)| before["user"] == "tom" || after["user"] == "tom"));
    let stored = world.rows::<(String, String)>("SELECT coalesce(before, ''), coalesce(after, '') FROM journal");
    assert!(stored.iter().all(|(before, after)| !before.contains("@example") && !after.contains("@example")));
    let found = world.sam().get("/admin/audit-log?phrase=user:tom+action:user.remove_email").expect(200).clone();
    assert_eq!(found.as_array().map(Vec::len), Some(1));
}

#[test]
fn decision_72_a_person_has_at_most_fifty_addresses() {
    let world = World::new();
    let many: Vec<String> = (1..50).map(|n| format!("tom{n}@example.net")).collect();
    let path = "/admin/users/tom/emails";
    world.sam().post(path, json!({ "emails": many, "verified": true })).expect(201);
    world.tom().post("/user/emails", json!(["one@example.org"])).refused(422, "Validation Failed");
    world.sam().post(path, json!({ "emails": ["one@example.org"], "verified": true })).expect(422);
    // Those that the person has are no more.
    world.tom().post("/user/emails", json!(["tom1@example.net"])).expect(201);
    delete(&world.tom(), "/user/emails", &json!(["tom1@example.net"])).expect(204);
    world.tom().post("/user/emails", json!(["one@example.org"])).expect(201);
}

#[test]
fn decision_72_with_an_impersonation_token_no_address_is_changed() {
    let world = World::new();
    give(&world, "tom", "tom@example.net");
    let made = world.sam().post("/admin/users/tom/authorizations", json!({ "scopes": ["user"] })).expect(201).clone();
    let acting = Client::new(&world.base, made["token"].as_str());
    acting.get("/user/emails").expect(200);
    let text = "A site administrator who acts as a person makes no tokens for them, and changes their e-mail addresses \
                under their own name: /admin/users/{username}/emails.";
    acting.post("/user/emails", json!(["mine@example.org"])).refused(403, text);
    delete(&acting, "/user/emails", &json!(["tom@example.net"])).refused(403, text);
    acting.patch("/user", json!({ "email": "tom@example.net" })).refused(403, text);
    acting.patch("/user/email/visibility", json!({ "visibility": "public" })).refused(403, text);
    acting.patch("/user", json!({ "name": "Tom" })).expect(200);
    assert_eq!(listed(&world.tom()).len(), 2);
}

#[test]
fn decision_72_a_suspended_person_changes_nothing() {
    let world = World::new();
    let tom = world.tom();
    world.sam().put("/users/tom/suspended", json!({})).expect(204);
    tom.post("/user/emails", json!(["new@example.org"])).refused(403, "Sorry. Your account was suspended.");
    tom.patch("/user", json!({ "name": "x" })).refused(403, "Sorry. Your account was suspended.");
    // A site administrator may prepare the account for its return.
    give(&world, "tom", "tom@example.net");
}

#[test]
fn decision_72_an_unverified_address_accepts_no_invitation() {
    let world = World::new();
    world.nina().post("/user/emails", json!(["zoe@example.org"])).expect(201);
    world.olivia().post("/orgs/acme/invitations", json!({ "email": "zoe@example.org" })).expect(201);
    world.nina().get("/user/memberships/orgs/acme").expect(404);
    let accept = json!({ "state": "active" });
    world.nina().patch("/user/memberships/orgs/acme", accept.clone()).expect(404);
    give(&world, "nina", "zoe@example.org");
    world.nina().patch("/user/memberships/orgs/acme", accept).expect(200);
    assert!(given::each(&world.olivia(), "/orgs/acme/members", "login").contains(&json!("nina")));
}
