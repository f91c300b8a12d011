//! The links that verify e-mail addresses, what addresses are told, and attacks on both (decision 72).

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use guildhall::access::{session, token_text};
use guildhall::dispatch::{Credentials, FIRST, InnerCall};
use guildhall::error::{Error, Result};
use guildhall::links::Links;
use guildhall::operation::{Path, RequestId};
use guildhall::people::user;
use serde_json::Map;

use super::decisions_emails::{delete, give, listed};
use super::mail_invitations::{all, world};
use crate::support::browser::Browser;
use crate::support::mail::Mail;
use crate::support::{Client, Value, World, json};

/// The token of the link in an e-mail.
fn token(mail: &Mail) -> String {
    mail.link("/ui/emails/").trim_start_matches("/ui/emails/").to_owned()
}

fn credentials(client: &Client) -> Credentials {
    client.token.as_ref().map_or(Credentials::None, |token| Credentials::Token(token_text::hash(token)))
}

fn links(world: &World) -> Arc<Links> {
    Arc::new(Links { origin: world.base.clone(), api: world.base.clone() })
}

const PEER: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Calls an operation of pages with a link, signed in as this client.
async fn called(world: &World, operation: &str, token: &str, client: &Client) -> Result<Value> {
    let call = InnerCall {
        operation,
        path: Path(vec![("token".into(), token.to_owned())]),
        body: Map::new(),
        page: FIRST,
        credentials: credentials(client),
        peer: PEER,
        links: links(world),
        id: RequestId::new(1, 1),
        is_counted: false,
        condition: None,
    };
    world.edge.service.call(call).await?.record()
}

/// Verifies the address of a link, signed in as this client.
fn verify(world: &World, token: &str, client: &Client) -> Result<Value> {
    world.block_on(called(world, "emails.verify", token, client))
}

/// A browser in which this person is signed in, without an e-mail.
fn browser(world: &World, login: &'static str) -> Browser {
    let now = world.now();
    let begun = world.edge.service.db.write(move |tx| {
        let person = user::by_login(tx, login)?;
        session::create(tx, person.id, ("Firefox on Linux", "127.0.0.1"), now)
    });
    let (_, session) = world.block_on(begun).expect("a session");
    let mut browser = Browser::open(&world.base, "/login");
    browser.cookies.insert("guildhall-session".to_owned(), session);
    browser
}

/// The path of the page of a link.
fn page(token: &str) -> String {
    format!("/ui/emails/{token}")
}

/// Adds an address to the account of a client, and returns the e-mail to it, which is the one with this number.
fn asked(world: &World, client: &Client, address: &str, number: usize) -> Mail {
    client.post("/user/emails", json!([address])).expect(201);
    all(world, number).remove(number - 1)
}

#[test]
fn decision_72_the_link_verifies_the_address_for_the_account_that_asked() {
    let world = world();
    let mail = asked(&world, &world.tom(), "Tom@Example.net", 1);
    assert_eq!(mail.to(), "Tom@Example.net");
    assert_eq!(mail.header("Subject"), "Verify your e-mail address for the account tom");
    assert!(mail.html.contains(&mail.link("/ui/emails/")), "the same link in both forms");
    let token = token(&mail);
    for other in [world.max(), world.sam(), world.olivia()] {
        assert!(matches!(verify(&world, &token, &other), Err(Error::NotFound)));
    }
    assert!(matches!(verify(&world, &token, &world.anonymous()), Err(Error::Unauthenticated)));
    for forged in ["1-x", "", "7", &token.replacen('-', "-A", 1), &token[..token.len() - 1], &format!("9{token}")] {
        assert!(matches!(verify(&world, forged, &world.tom()), Err(Error::NotFound)), "{forged}");
    }
    assert!(listed(&world.tom()).iter().all(|(_, primary, verified)| primary == verified));
    verify(&world, &token, &world.tom()).expect("the address is verified");
    verify(&world, &token, &world.tom()).expect("it stays verified");
    assert_eq!(listed(&world.tom())[1], ("Tom@Example.net".into(), false, true));
    let told = all(&world, 2).remove(1);
    assert_eq!((told.to(), told.text.contains("Another e-mail address was added")), ("tom@example.com".into(), true));
    let entries = world.sam().get("/admin/audit-log?phrase=action:user.verify_email").expect(200).clone();
    assert_eq!(entries.as_array().map(Vec::len), Some(1));
    assert_eq!(entries[0]["actor"], "tom");
}

#[test]
fn decision_72_the_page_of_the_link_has_a_button_and_leads_through_signing_in() {
    let world = world();
    let path = page(&token(&asked(&world, &world.tom(), "tom@example.net", 1)));
    let guest = Browser::open(&world.base, &path);
    assert!(guest.path.starts_with("/login?return_to=%2Fui%2Femails%2F"), "{}", guest.path);
    // A token of the API is no session, and without a session no form is accepted.
    let sent = world.anonymous().send("POST", &path, Some("form=x".into()));
    for refused in [world.tom().get(&path), sent] {
        let to = refused.header("location").unwrap_or_default();
        assert!(refused.status == 303 && to.starts_with("/login"), "{} {to}", refused.status);
    }
    let mut tom = browser(&world, "tom");
    assert_eq!(tom.visit(&path).status, 200);
    assert!(tom.page.text.contains("Add tom@example.net to your account tom?"), "{}", tom.page.text);
    assert_eq!(tom.send_to(&path, "x", &[]).status, 403);
    assert!(!listed(&world.tom())[1].2, "GET and a forged form change nothing");
    assert_eq!(browser(&world, "max").visit(&path).status, 404);
    tom.visit(&path);
    let after = tom.send(&[]).text.clone();
    assert!(listed(&world.tom())[1].2);
    let main = after.split("<main").nth(1).unwrap_or_default();
    assert!(main.contains("tom@example.net is verified.") && !main.contains("<form"), "{after}");
}

#[test]
fn decision_72_the_link_ends_when_it_is_sent_again_and_with_the_address() {
    let world = world();
    let tom = world.tom();
    let first = token(&asked(&world, &tom, "tom@example.net", 1));
    let second = token(&asked(&world, &tom, "TOM@example.net", 2));
    assert!(matches!(verify(&world, &first, &tom), Err(Error::NotFound)));
    delete(&tom, "/user/emails", &json!(["tom@example.net"])).expect(204);
    assert!(matches!(verify(&world, &second, &tom), Err(Error::NotFound)));
    let third = token(&asked(&world, &tom, "tom@example.net", 3));
    assert!(matches!(verify(&world, &second, &tom), Err(Error::NotFound)));
    verify(&world, &third, &tom).expect("the address is verified");
    let mut browser = browser(&world, "tom");
    assert_eq!([&first, &second].map(|ended| browser.visit(&page(ended)).status), [404, 404]);
}

#[test]
fn decision_72_adding_an_address_tells_the_caller_nothing_about_other_accounts() {
    let world = World::new();
    let tom = world.tom();
    let statements = |address: &str| {
        world.faults.record();
        let answer = tom.post("/user/emails", json!([address]));
        let body = answer.expect(201).to_string().replace(address, "ADDRESS");
        (body, world.faults.recorded())
    };
    let (free, taken) = (statements("zoe@example.com"), statements("max@example.com"));
    assert_eq!(free.0, taken.0);
    assert_eq!(free.1, taken.1, "the same statements, and so the same time");
    let list = |address: &str| listed(&tom).into_iter().find(|(email, ..)| email == address).map(|(_, p, v)| (p, v));
    assert_eq!(list("zoe@example.com"), list("max@example.com"));
}

#[test]
fn decision_72_only_the_holder_of_an_address_is_told_that_another_account_asked_for_it() {
    let world = world();
    world.tom().post("/user/emails", json!(["zoe@example.com", "max@example.com"])).expect(201);
    let mails = all(&world, 2);
    assert_eq!(mails[0].header("Subject"), "Verify your e-mail address for the account tom");
    assert_eq!(
        (mails[1].to(), mails[1].header("Subject")),
        ("max@example.com".into(), "Another account asked for your e-mail address".into())
    );
    assert!(mails[1].text.contains("your account max") && !mails[1].text.contains("tom"), "{}", mails[1].text);
    assert!(!mails[1].text.contains("/ui/emails/") && !mails[1].html.contains("/ui/emails/"));
    assert_eq!(listed(&world.max()), [("max@example.com".into(), true, true)]);
}

#[test]
fn decision_72_of_two_accounts_that_verify_an_address_at_once_one_wins() {
    let world = world();
    let (tom, eve) = (world.tom(), world.eve());
    let for_tom = token(&asked(&world, &tom, "both@example.org", 1));
    let for_eve = token(&asked(&world, &eve, "both@example.org", 2));
    assert!(matches!(verify(&world, &for_eve, &tom), Err(Error::NotFound)), "a link is for one account");
    let results = world.block_on(async {
        let (one, other) =
            (called(&world, "emails.verify", &for_tom, &tom), called(&world, "emails.verify", &for_eve, &eve));
        let (one, other) = tokio::join!(one, other);
        [one, other]
    });
    let refused: Vec<String> =
        results.iter().filter_map(|result| result.as_ref().err().map(ToString::to_string)).collect();
    let text = "Validation Failed: Another account has verified the e-mail address both@example.org in the meantime.";
    assert_eq!(refused, [text]);
    let verified = [&tom, &eve].map(|client| listed(client)[1].2);
    assert_eq!(verified.into_iter().filter(|verified| *verified).count(), 1);
    let (loser, link) = if verified[0] { ("eve", &for_eve) } else { ("tom", &for_tom) };
    assert_eq!(browser(&world, loser).visit(&page(link)).status, 200);
}

#[test]
fn decision_72_changes_are_told_to_the_address_from_before() {
    let world = world();
    let tom = world.tom();
    give(&world, "tom", "tom@example.net");
    let told = |number: usize| {
        let mail = all(&world, number).remove(number - 1);
        assert_eq!(mail.header("Subject"), "The e-mail addresses of your account tom have changed");
        assert!(!mail.text.contains("tom@example"), "the other address is not named: {}", mail.text);
        (mail.to(), mail.text.replace('\n', " "))
    };
    let (to, text) = told(1);
    assert!(to == "tom@example.com" && text.contains("added to it and verified"), "{to}: {text}");
    tom.patch("/user", json!({ "email": "tom@example.net" })).expect(200);
    let (to, text) = told(2);
    assert!(to == "tom@example.com" && text.contains("is now the primary one"), "{to}: {text}");
    delete(&tom, "/user/emails", &json!(["tom@example.com"])).expect(204);
    let (to, text) = told(3);
    assert!(to == "tom@example.com" && text.contains("was removed from it"), "{to}: {text}");
    // An address that was never verified is told nothing.
    asked(&world, &tom, "stranger@example.org", 4);
    delete(&tom, "/user/emails", &json!(["stranger@example.org"])).expect(204);
    tom.patch("/user/email/visibility", json!({ "visibility": "public" })).expect(200);
    all(&world, 4);
}

#[test]
fn decision_72_a_suspended_account_gets_no_mail_and_its_links_do_nothing() {
    let world = world();
    let tom = world.tom();
    let link = token(&asked(&world, &tom, "tom@example.net", 1));
    world.sam().put("/users/tom/suspended", json!({})).expect(204);
    assert!(matches!(verify(&world, &link, &tom), Err(Error::Suspended)));
    give(&world, "tom", "tom@example.org");
    world.max().post("/user/emails", json!(["tom@example.com"])).expect(201);
    all(&world, 1);
    world.sam().delete("/users/tom/suspended").expect(204);
    verify(&world, &link, &tom).expect("the address is verified");
}

#[test]
fn decision_72_with_an_impersonation_token_no_link_verifies() {
    let world = world();
    let link = token(&asked(&world, &world.tom(), "tom@example.net", 1));
    let made = world.sam().post("/admin/users/tom/authorizations", json!({ "scopes": ["user"] })).expect(201).clone();
    let acting = Client::new(&world.base, made["token"].as_str());
    assert!(matches!(verify(&world, &link, &acting), Err(Error::Forbidden(_))));
    assert!(!listed(&world.tom())[1].2);
}

#[test]
fn decision_72_mails_to_one_address_are_limited_for_all_people_together() {
    let world = world();
    let ask = |client: &Client| client.post("/user/emails", json!(["victim@example.org"]));
    for client in [world.tom(), world.max(), world.eve(), world.tom(), world.max()] {
        ask(&client).expect(201);
    }
    let refused = ask(&world.eve());
    assert_eq!((refused.status, refused.header("retry-after")), (403, Some("3600")));
    let by_sam = world.sam().post("/admin/users/ray/emails", json!(["Victim@Example.org"]));
    assert_eq!(by_sam.status, 403, "{}", by_sam.text);
    world.tom().post("/user/emails", json!(["other@example.org"])).expect(201);
    for hour in 1..4 {
        world.advance(3600);
        for _ in 0..5 {
            ask(&world.client(["max", "eve", "ray"][hour - 1])).expect(201);
        }
    }
    world.advance(3600);
    let refused = ask(&world.tom());
    assert_eq!((refused.status, refused.header("retry-after")), (403, Some("72000")));
    world.advance(72_000);
    ask(&world.tom()).expect(201);
    // A refused request counts nothing and adds nothing.
    assert_eq!(world.rows::<(i64,)>("SELECT count(*) FROM mail_counts WHERE times > 5"), [(0,)]);
    assert!(listed(&world.ray()).iter().any(|(email, ..)| email == "victim@example.org"));
}

#[test]
fn decision_72_one_person_causes_few_mails() {
    let world = World::new();
    let tom = world.tom();
    let many = |from: usize| (from..from + 10).map(|n| format!("a{n}@example.org")).collect::<Vec<_>>();
    tom.post("/user/emails", json!(many(0))).expect(201);
    delete(&tom, "/user/emails", &json!(many(0))).expect(204);
    tom.post("/user/emails", json!(many(10))).expect(201);
    let refused = tom.post("/user/emails", json!(["more@example.org"]));
    assert_eq!((refused.status, refused.header("retry-after")), (403, Some("86400")));
    assert_eq!(listed(&tom).len(), 11, "a refused request changes nothing");
    world.max().post("/user/emails", json!(["more@example.org"])).expect(201);
}

#[test]
fn decision_72_addresses_from_a_provider_are_unverified_and_take_nothing_over() {
    let world = world();
    let provider = super::provider::Provider::of(&world);
    let anna =
        provider.user("anna", json!({ "emails": [{ "value": "anna@corp.example" }, { "value": "max@example.com" }] }));
    // Max has verified one of the addresses, so no account was made: he is asked.
    assert_eq!(world.anonymous().get("/users/anna").status, 404);
    provider.delete(&format!("/Users/{anna}")).expect(204);
    let user = |emails: &[&str]| {
        let emails: Vec<Value> = emails.iter().map(|email| json!({ "value": email })).collect();
        json!({ "emails": emails })
    };
    let berta = provider.user("berta", user(&["berta@corp.example", "b@corp.example"]));
    let client = world.client("berta");
    let unverified = |address: &str| (address.to_owned(), false, false);
    assert_eq!(listed(&client), [unverified("berta@corp.example"), unverified("b@corp.example")]);
    assert_eq!(client.get("/user").expect(200)["email"], Value::Null);
    let change = json!({ "op": "replace", "value": user(&["B@corp.example", "new@corp.example"]) });
    provider.patch(&format!("/Users/{berta}"), change).expect(200);
    assert_eq!(listed(&client), [unverified("b@corp.example"), unverified("new@corp.example")]);
    // What the person verified stays, whatever the provider says.
    let link = token(&asked(&world, &client, "b@corp.example", 1));
    verify(&world, &link, &client).expect("the address is verified");
    assert_eq!(listed(&client)[0], ("b@corp.example".into(), true, true));
    provider.delete(&format!("/Users/{berta}")).expect(204);
    let left = "SELECT e.email, e.verified FROM emails e WHERE e.email LIKE '%@corp.example'";
    assert_eq!(world.rows::<(String, bool)>(left), [("b@corp.example".into(), true)]);
    // Another account may verify what only a provider says.
    give(&world, "tom", "new@corp.example");
}
