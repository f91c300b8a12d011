//! E-mail addresses: what cannot be mailed is refused, domains are stored in ASCII, and inviting an e-mail address tells
//! no one whose it is (decision 29).

use super::invitations::{FAILED, INVITATIONS, MINE, NINA, accept, invite, shown};
use super::provider::{Provider, address};
use crate::spec::given;
use crate::support::{World, json};

/// E-mail addresses that no e-mail can be sent to.
const BAD: [&str; 8] = [
    "a..b@x.org",
    ".a@x.org",
    "a.@x.org",
    "a@-x.org",
    "a@x_y.org",
    "\"a b\"@x.org",
    "a@[127.0.0.1]",
    "0123456789012345678901234567890123456789012345678901234567890123x@x.org",
];

#[test]
fn decision_29_an_address_that_cannot_be_mailed_is_refused_wherever_it_is_given() {
    let world = World::new();
    let provider = Provider::of(&world);
    let written = given::written(&world);
    for email in BAD {
        let refused = world.olivia().post(INVITATIONS, json!({ "email": email }));
        given::violates(&refused, json!({ "resource": "OrganizationInvitation", "code": "invalid", "field": "email" }));
        world.sam().post("/admin/users", json!({ "login": "una", "email": email })).expect(422);
        for field in ["email", "billing_email"] {
            world.olivia().patch("/orgs/acme", json!({ field: email })).expect(422);
        }
        let refused = provider.try_user("una@idp", json!({ "emails": [{ "value": email }] }));
        assert_eq!(refused.expect(400)["scimType"], "invalidValue", "{email}");
    }
    assert_eq!(given::written(&world), written);
}

#[test]
fn decision_29_a_domain_in_other_letters_is_stored_in_ascii_and_found_in_both_forms() {
    let world = World::new();
    let record = invite(&world, json!({ "email": "una@Ex\u{e4}mple.org" }));
    assert_eq!(record["email"], "una@xn--exmple-cua.org");
    let again = invite(&world, json!({ "email": "Una@xn--EXMPLE-cua.org" }));
    assert_eq!(again["id"], record["id"]);
    let una = json!({ "login": "una", "email": "una@ex\u{e4}mple.org" });
    world.sam().post("/admin/users", una).expect(201);
    assert_eq!(world.client("una").get("/user/emails").expect(200)[0]["email"], "una@xn--exmple-cua.org");
    accept(&world, "una").expect(200);
    let org = world.olivia().patch("/orgs/acme", json!({ "email": "all@ex\u{e4}mple.org" })).expect(200).clone();
    assert_eq!(org["email"], "all@xn--exmple-cua.org");
}

#[test]
fn decision_29_a_letter_that_resembles_another_is_another_address() {
    let world = World::new();
    world.sam().post("/admin/users", json!({ "login": "kim", "email": "kim@example.org" })).expect(201);
    let kelvin = "\u{212a}im@example.org";
    world.sam().post("/admin/users", json!({ "login": "other", "email": kelvin })).expect(201);
    world.sam().post("/admin/users", json!({ "login": "third", "email": "KIM@Example.org" })).expect(422);
    invite(&world, json!({ "email": kelvin }));
    accept(&world, "kim").refused(404, "Not Found");
    accept(&world, "other").expect(200);
}

#[test]
fn decision_29_inviting_an_address_tells_nobody_whose_it_is() {
    let world = World::new();
    given::listener(&world);
    let team = given::core(&world)["id"].clone();
    let record = invite(&world, json!({ "email": "nina@example.com", "team_ids": [team] }));
    assert_eq!(record["login"], json!(null));
    let seen = |path: &str| world.olivia().get(path).expect(200)[0]["login"].clone();
    assert_eq!(seen(INVITATIONS), json!(null));
    assert_eq!(seen("/orgs/acme/teams/core/invitations"), json!(null));
    let events: Vec<(String,)> = world.rows("SELECT facts FROM journal_facts WHERE facts LIKE '%nina@example.com%'");
    assert!(!events.is_empty() && events.iter().all(|(facts,)| !facts.contains("\"nina\"")), "{events:?}");
    // Who has the e-mail address is pending for themselves only.
    for path in ["/orgs/acme/memberships/nina", NINA] {
        world.olivia().get(path).refused(404, "Not Found");
    }
    world.olivia().delete("/orgs/acme/memberships/nina").refused(404, "Not Found");
    world.olivia().delete(NINA).expect(204);
    let put = world.max().put(NINA, json!({ "role": "maintainer" }));
    given::violates(&put, json!({ "resource": "TeamMember", "code": "no_permission", "field": "user" }));
    for path in [MINE, "/orgs/acme/memberships/nina"] {
        assert_eq!(world.nina().get(path).expect(200)["state"], "pending");
    }
    // Inviting the person is an invitation of its own.
    world.olivia().put("/orgs/acme/memberships/nina", json!({ "role": "admin" })).expect(200);
    let (address, person) = (json!("nina@example.com"), json!("nina"));
    let both = [(json!(null), address, json!("direct_member")), (person, json!(null), json!("admin"))];
    assert_eq!(shown(&world, INVITATIONS), both);
    invite(&world, json!({ "email": "NINA@example.com" }));
    assert_eq!(shown(&world, INVITATIONS).len(), 2);
    assert_eq!(accept(&world, "nina").expect(200)["role"], "member", "the oldest says the role");
    assert_eq!(given::each(&world.nina(), "/user/teams", "slug"), ["core"]);
}

#[test]
fn decision_29_a_record_of_a_provider_tells_nobody_whose_its_address_is() {
    let world = World::new();
    let provider = Provider::of(&world);
    given::listener(&world);
    let record = provider.user("n.n@idp", address("nina"));
    let invited = (json!(null), json!("nina@example.com"), json!("direct_member"));
    assert_eq!(shown(&world, INVITATIONS), std::slice::from_ref(&invited));
    let events: Vec<(String,)> = world.rows("SELECT facts FROM journal_facts WHERE facts LIKE '%nina@example.com%'");
    assert!(!events.is_empty() && events.iter().all(|(facts,)| !facts.contains("\"nina\"")), "{events:?}");
    world.olivia().get("/orgs/acme/memberships/nina").refused(404, "Not Found");
    assert_eq!(world.nina().get(MINE).expect(200)["state"], "pending");
    // What an owner has sent to the account is not of the record.
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    let account = (json!("nina"), json!(null), json!("direct_member"));
    provider.active(&record, false).expect(200);
    assert_eq!(shown(&world, INVITATIONS), std::slice::from_ref(&account));
    provider.active(&record, true).expect(200);
    assert_eq!(shown(&world, INVITATIONS), [account.clone(), invited]);
    provider.delete(&format!("/Users/{record}")).expect(204);
    assert_eq!(shown(&world, INVITATIONS), [account]);
}

#[test]
fn decision_29_who_declines_an_invited_address_is_not_told() {
    let world = World::new();
    given::run(&world, "UPDATE orgs SET audit_shows_addresses = TRUE");
    invite(&world, json!({ "email": "nina@example.com" }));
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    let log = || world.olivia().get("/orgs/acme/audit-log?phrase=action:org.decline_invitation&order=asc").json;
    world.nina().delete(MINE).expect(204);
    let failed = world.olivia().get(FAILED).expect(200)[0].clone();
    assert_eq!((&failed["login"], &failed["email"]), (&json!(null), &json!("nina@example.com")));
    let entry = log()[0].clone();
    for field in ["actor", "actor_id", "actor_ip", "token_id", "user"] {
        assert_eq!(entry[field], json!(null), "{field}: {entry}");
    }
    assert!(!entry.to_string().contains("nina"), "{entry}");
    // The other invitation is still open, so that two that end together are not known to be of one person.
    let account = (json!("nina"), json!(null), json!("direct_member"));
    assert_eq!(shown(&world, INVITATIONS), [account]);
    world.nina().delete(MINE).expect(204);
    world.nina().delete(MINE).refused(404, "Not Found");
    let entry = log()[1].clone();
    assert_eq!((&entry["actor"], &entry["user"]), (&json!("nina"), &json!("nina")), "{entry}");
}

#[test]
fn decision_29_a_suspended_person_gets_no_e_mail_about_an_invited_address() {
    let world = super::mail_invitations::world();
    world.sam().put("/users/nina/suspended", json!({})).expect(204);
    for email in ["nina@example.com", "zoe@example.org"] {
        invite(&world, json!({ "email": email }));
    }
    let mails = super::mail_invitations::all(&world, 1);
    assert_eq!(mails[0].to(), "zoe@example.org");
}
