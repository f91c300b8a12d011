//! Logins that no new account gets (decision 22).

use super::mail_invitations::{all, world as mailing};
use crate::spec::given;
use crate::support::browser::Browser;
use crate::support::{Answer, World, json};

fn refused(answer: &Answer, resource: &str, login: &str) {
    let message = format!("The login {login} is reserved for the service. Choose another one.");
    given::violates(answer, json!({ "resource": resource, "code": "invalid", "field": "login", "message": message }));
}

#[test]
fn decision_22_no_new_person_or_organization_gets_a_reserved_login() {
    let world = World::new();
    let sam = world.sam();
    let written = given::written(&world);
    for login in ["Settings", "orgs", "favicon.ico", "site-admin"] {
        refused(&sam.post("/admin/users", json!({ "login": login })), "User", login);
        refused(&sam.patch("/admin/users/nina", json!({ "login": login })), "User", login);
        let made = sam.post("/admin/organizations", json!({ "login": login, "admin": "nina" }));
        refused(&made, "Organization", login);
        refused(&sam.patch("/admin/organizations/acme", json!({ "login": login })), "Organization", login);
    }
    assert_eq!(given::written(&world), written);
    sam.post("/admin/users", json!({ "login": "settings-1" })).expect(201);
}

#[test]
fn decision_22_an_invited_person_does_not_choose_a_reserved_login() {
    let world = mailing();
    world.olivia().post("/orgs/acme/invitations", json!({ "email": "zoe@example.org" })).expect(201);
    let mut browser = Browser::open(&world.base, &all(&world, 1).remove(0).link("/ui/invitations/"));
    let page = browser.send(&[("answer", "accept"), ("login", "Docs")]);
    assert_eq!(page.status, 422, "{}", page.text);
    assert!(page.text.contains("The login Docs is reserved for the service."), "{}", page.text);
    assert_eq!(browser.send(&[("answer", "accept"), ("login", "zoe")]).status, 200);
}

#[test]
fn decision_22_an_account_keeps_a_login_that_was_not_reserved() {
    let world = World::new();
    given::run(&world, "UPDATE users SET login = 'support' WHERE login = 'nina'");
    given::run(&world, "UPDATE logins SET login_key = 'support' WHERE login_key = 'nina'");
    let rename = |from: &str, to: &str| world.sam().patch(&format!("/admin/users/{from}"), json!({ "login": to }));
    assert_eq!(world.olivia().get("/users/SUPPORT").expect(200)["login"], "support");
    for (from, to) in [("support", "Support"), ("Support", "nina-2"), ("nina-2", "support")] {
        rename(from, to).expect(202);
        assert_eq!(world.olivia().get(&format!("/users/{to}")).expect(200)["login"], to);
    }
    refused(&rename("tom", "support"), "User", "support");
}
