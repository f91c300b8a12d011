//! Addresses that an identity provider gave, and others that no account has verified (decision 61).

use super::mail_invitations::{settle, world};
use super::provider::{Provider, SCIM};
use super::sign_in::{asked, code, newest, signed_in};
use crate::support::browser::Browser;
use crate::support::{Value, World, json, mail};

const VERA: &str = "vera@corp.example";

fn emails(addresses: &[&str]) -> Value {
    let values: Value = addresses.iter().map(|address| json!({ "value": address })).collect();
    json!({ "emails": values })
}

/// A provider that made the account `vera`; the identifier of her record.
fn provided(world: &World) -> (Provider, String) {
    let provider = Provider::of(world);
    let record = provider.user("vera@idp", emails(&[VERA]));
    (provider, record)
}

/// The addresses of an account, each with true if it is verified.
fn held(world: &World, login: &str) -> Vec<(Value, Value)> {
    let emails = world.client(login).get("/user/emails");
    emails.each("email").into_iter().zip(emails.each("verified")).collect()
}

/// True if a code is sent to an address. Nothing else tells.
fn is_sent(world: &World, address: &str) -> bool {
    let codes = || {
        settle(world);
        let is_code = |mail: &mail::Mail| mail.to() == address && mail.header("Subject") == "Sign in to Guildhall";
        mail::saved(world.mail.path()).iter().filter(|mail| is_code(mail)).count()
    };
    let before = codes();
    asked(world, address);
    codes() > before
}

fn enter(world: &World, browser: &mut Browser, address: &str) -> u16 {
    let sent = code(&newest(world, address));
    browser.send(&[("code", &sent)]).status
}

#[test]
fn decision_61_an_address_from_scim_signs_in_the_managed_account_and_is_verified_by_that() {
    let world = world();
    provided(&world);
    assert_eq!(held(&world, "vera"), [(json!(VERA), json!(false))]);
    let mut browser = asked(&world, "Vera@Corp.example");
    let mail = newest(&world, VERA);
    assert_eq!(held(&world, "vera"), [(json!(VERA), json!(false))], "asking and sending verify nothing");
    assert_eq!(browser.send(&[("code", &code(&mail))]).status, 200);
    assert!(browser.page.text.contains("Hello, <bdi>vera</bdi>"), "{}", browser.page.text);
    assert_eq!(held(&world, "vera"), [(json!(VERA), json!(true))]);
    assert_eq!(world.client("vera").get("/user/emails").json[0]["primary"], true);
    let log = world.sam().get("/admin/audit-log?phrase=action:user.verify_email").json;
    assert_eq!((&log[0]["actor"], log.as_array().map(Vec::len)), (&json!("vera"), Some(1)), "{log}");
}

#[test]
fn decision_61_the_link_verifies_an_address_from_scim_too() {
    let world = world();
    provided(&world);
    let mut browser = asked(&world, VERA);
    browser.visit(&newest(&world, VERA).link("/login/link/"));
    assert_eq!(held(&world, "vera"), [(json!(VERA), json!(false))], "GET changes nothing");
    browser.send(&[]);
    assert!(browser.page.text.contains("Hello, <bdi>vera</bdi>"), "{}", browser.page.text);
    assert_eq!(held(&world, "vera"), [(json!(VERA), json!(true))]);
}

/// The changes after which an address from SCIM no longer signs in: each also between asking and entering.
const ENDS: [&str; 7] =
    ["another organization", "site administrator", "suspended", "changed", "removed", "deleted", "verified elsewhere"];

fn end(world: &World, (provider, record): &(Provider, String), how: &str) {
    match how {
        "another organization" => {
            world.organization("beta", "eve", &[]);
            world.eve().put("/orgs/beta/memberships/vera", json!({})).expect(200);
            world.client("vera").patch("/user/memberships/orgs/beta", json!({ "state": "active" })).expect(200);
        }
        "site administrator" => drop(world.sam().put("/users/vera/site_admin", json!({})).expect(204)),
        "suspended" => drop(provider.active(record, false).expect(200)),
        "changed" => {
            let path = format!("{SCIM}/Users/{record}");
            let mut body = emails(&["other@corp.example"]);
            body["userName"] = json!("vera@idp");
            provider.client.put(&path, body).expect(200);
        }
        "removed" => {
            world.client("vera").send("DELETE", "/user/emails", Some(json!([VERA]).to_string())).expect(204);
        }
        "deleted" => drop(provider.delete(&format!("/Users/{record}")).expect(204)),
        _ => {
            let body = json!({ "emails": [VERA], "verified": true });
            world.sam().post("/admin/users/nina/emails", body).expect(201);
        }
    }
}

#[test]
fn decision_61_an_address_from_scim_signs_in_no_account_that_is_more_than_managed() {
    for how in ENDS {
        let world = world();
        let managed = provided(&world);
        let (mut by_code, mut by_link) = (asked(&world, VERA), asked(&world, "other@corp.example"));
        let link = newest(&world, VERA).link("/login/link/");
        let sent = code(&newest(&world, VERA));
        end(&world, &managed, how);
        assert_eq!(by_code.send(&[("code", &sent)]).status, 422, "{how}");
        by_link.cookies = by_code.cookies.clone();
        by_link.visit(&link);
        let form = by_link.code();
        by_link.send_to(&link, &form, &[]);
        for browser in [&by_code, &by_link] {
            assert!(!browser.cookies.contains_key("guildhall-session"), "{how}");
        }
        assert_eq!(world.rows::<(i64,)>("SELECT id FROM sessions"), [], "{how}");
        assert_eq!(is_sent(&world, VERA), how == "verified elsewhere", "{how}");
    }
}

#[test]
fn decision_61_the_account_that_verified_an_address_wins_over_a_record() {
    let world = world();
    let managed = provided(&world);
    end(&world, &managed, "verified elsewhere");
    let mut browser = asked(&world, VERA);
    assert_eq!(enter(&world, &mut browser, VERA), 200);
    assert!(browser.page.text.contains("Hello, <bdi>nina</bdi>"), "{}", browser.page.text);
    assert_eq!(held(&world, "vera"), [(json!(VERA), json!(false))]);
    // Its suspension does not give the address to the record.
    world.sam().put("/users/nina/suspended", json!({})).expect(204);
    assert!(!is_sent(&world, VERA));
}

#[test]
fn decision_61_a_record_signs_in_no_account_that_the_organization_does_not_manage() {
    let world = world();
    let provider = Provider::of(&world);
    provider.tied(&world, "nina");
    let mut both = emails(&["nina@example.com", "chosen@corp.example"]);
    both["userName"] = json!("nina@idp");
    let record = provider.get("/Users?filter=userName%20eq%20%22nina@idp%22").json["Resources"][0]["id"].clone();
    let path = format!("{SCIM}/Users/{}", record.as_str().expect("an identifier"));
    provider.client.put(&path, both).expect(200);
    assert!(!is_sent(&world, "chosen@corp.example"));
    assert!(is_sent(&world, "nina@example.com"));
}

#[test]
fn decision_61_an_unverified_address_from_elsewhere_signs_in_no_account() {
    let world = world();
    let mine = json!({ "emails": ["mine@corp.example"] });
    world.nina().post("/user/emails", mine).expect(201);
    world.sam().post("/admin/users/nina/emails", json!({ "emails": ["given@corp.example"] })).expect(201);
    world.olivia().post("/orgs/acme/invitations", json!({ "email": "invited@corp.example" })).expect(201);
    // A managed account adds an address that its record does not have.
    provided(&world);
    world.client("vera").post("/user/emails", json!(["added@corp.example"])).expect(201);
    for address in ["mine", "given", "invited", "added"] {
        assert!(!is_sent(&world, &format!("{address}@corp.example")), "{address}");
    }
}

#[test]
fn decision_61_the_oldest_of_several_records_counts() {
    let world = world();
    let (first, _) = provided(&world);
    first.user("vera-2@idp", emails(&[VERA]));
    let mut browser = asked(&world, VERA);
    assert_eq!(enter(&world, &mut browser, VERA), 200);
    assert!(browser.page.text.contains("Hello, <bdi>vera</bdi>"), "{}", browser.page.text);
    signed_in(&world, "nina");
}
