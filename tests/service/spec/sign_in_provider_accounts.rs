//! The accounts of people whom the provider names for the first time (decision 61).

use guildhall::operation::IdentityProvider;

use super::sign_in_provider::{begun, connected, is_signed_out};
use crate::support::browser::Browser;
use crate::support::provider::{Login, Provider};
use crate::support::world::Settings;
use crate::support::{Value, World, json};

/// Changes what the site lets its provider do.
fn lets(creates: bool, trusts_email: bool) -> impl Fn(&mut Settings) {
    move |settings| {
        let issuer = settings.provider.as_ref().map(|known| known.issuer.clone()).unwrap_or_default();
        settings.provider = Some(IdentityProvider { issuer, creates, trusts_email });
    }
}

/// A person who comes back from the provider, with these claims.
fn came(world: &World, provider: &Provider, subject: &str, change: impl FnOnce(Login) -> Login) -> Browser {
    let (mut browser, login) = begun(world, provider, subject);
    browser.visit(&provider.send_back(change(login)));
    browser
}

/// The claims of a person whose e-mail address the provider has verified.
fn verified(address: &'static str) -> impl Fn(Login) -> Login {
    move |login| login.with("email", address).with("email_verified", true)
}

fn ties(world: &World) -> Vec<(String, String)> {
    world.rows("SELECT t.subject, u.login FROM provider_ties t JOIN users u ON u.id = t.user_id ORDER BY t.id")
}

#[test]
fn decision_61_an_unknown_person_gets_no_account_by_default() {
    let provider = Provider::new();
    let world = provider.world(|_| {});
    let browser = came(&world, &provider, "n", verified("nina@example.com"));
    assert_eq!(browser.page.status, 403);
    assert!(browser.page.text.contains("No account here is connected with you"), "{}", browser.page.text);
    assert!(browser.page.text.contains("Sign in with a code by e-mail."), "{}", browser.page.text);
    assert!(is_signed_out(&browser) && ties(&world).is_empty());
    assert_eq!(provider.count("/userinfo"), 0, "the site asks for no more than it needs");
}

#[test]
fn decision_61_a_verified_address_connects_an_account_only_if_the_operator_trusts_it() {
    let provider = Provider::new();
    let world = provider.world(lets(false, true));
    let wrong: [fn(Login) -> Login; 5] = [
        |login| login.with("email", "nina@example.com"),
        |login| login.with("email", "nina@example.com").with("email_verified", false),
        |login| login.with("email", "nina@example.com").with("email_verified", "true"),
        |login| login.with("email", "nobody@example.com").with("email_verified", true),
        |login| login.with("email", json!(["nina@example.com"])).with("email_verified", true),
    ];
    for change in wrong {
        assert!(is_signed_out(&came(&world, &provider, "n", change)));
    }
    world.execute("UPDATE emails SET verified = FALSE, email_key = NULL WHERE email = 'tom@example.com'");
    assert!(is_signed_out(&came(&world, &provider, "t", verified("tom@example.com"))));
    let browser = came(&world, &provider, "n", verified("Nina@Example.com"));
    assert!(browser.page.text.contains("Hello, <bdi>nina</bdi>"), "{}", browser.page.text);
    assert_eq!(ties(&world), [("n".to_owned(), "nina".to_owned())]);
    let log = world.sam().get("/admin/audit-log?phrase=action:provider_tie.create").json;
    assert!(log[0].to_string().contains("\"by\":\"email\"") && log[0]["actor"] == "nina", "{log}");
    // From now on the subject counts, whatever the address is.
    let browser = came(&world, &provider, "n", verified("tom@example.com"));
    assert!(browser.page.text.contains("Hello, <bdi>nina</bdi>"), "{}", browser.page.text);
}

#[test]
fn decision_61_an_address_that_the_provider_gives_to_another_person_signs_in_no_one() {
    let provider = Provider::new();
    let world = provider.world(lets(true, true));
    connected(&world, &provider, "nina", "n");
    let browser = came(&world, &provider, "later", verified("nina@example.com"));
    assert!(is_signed_out(&browser) && browser.page.status == 403, "{}", browser.page.text);
    assert_eq!(ties(&world), [("n".to_owned(), "nina".to_owned())]);
}

#[test]
fn decision_61_an_address_never_connects_a_site_administrator_or_a_suspended_person() {
    let provider = Provider::new();
    let world = provider.world(lets(true, true));
    world.sam().put("/users/nina/site_admin", json!({})).expect(204);
    world.sam().put("/users/tom/suspended", json!({})).expect(204);
    for login in ["nina", "tom"] {
        let address = if login == "nina" { "nina@example.com" } else { "tom@example.com" };
        let browser = came(&world, &provider, login, verified(address));
        assert!(is_signed_out(&browser) && browser.page.status == 403, "{}", browser.page.text);
    }
    assert_eq!(ties(&world), []);
    assert_eq!(world.rows::<(i64,)>("SELECT id FROM users u WHERE u.login LIKE 'nina-%' OR u.login LIKE 'user-%'"), []);
    // A connection that the administrator has made counts.
    connected(&world, &provider, "nina", "nina");
    assert!(!is_signed_out(&came(&world, &provider, "nina", |login| login)));
}

#[test]
fn decision_61_accounts_are_made_if_the_operator_wants_it() {
    let provider = Provider::new();
    let world = provider.world(lets(true, false));
    let browser = came(&world, &provider, "new", |mut login| {
        login.userinfo = json!({
            "sub": "new", "name": "Иван Петров", "preferred_username": "Иван.Петров@idp.example",
            "email": "nina@example.com", "email_verified": true,
        });
        login
    });
    assert!(browser.page.text.contains("<bdi>Иван Петров</bdi>"), "{}", browser.page.text);
    let made = world.sam().get("/users/Ivan.Petrov").expect(200).clone();
    assert_eq!(
        (&made["name"], &made["site_admin"], &made["email"]),
        (&json!("Иван Петров"), &json!(false), &Value::Null)
    );
    // The address belongs to nina, and reserves nothing here.
    let kept: Vec<(bool, Option<String>)> = world.rows(
        "SELECT e.verified, e.email_key FROM emails e JOIN users u ON u.id = e.user_id WHERE u.login = 'Ivan.Petrov'",
    );
    assert_eq!(kept, [(false, None)]);
    for (action, actor) in [("user.create", "Ivan.Petrov"), ("provider_tie.create", "Ivan.Petrov")] {
        let log = world.sam().get(&format!("/admin/audit-log?phrase=action:{action}")).json;
        assert_eq!(log[0]["actor"], actor, "{log}");
    }
    // The same person has one account, and another one with the same name has the next login.
    assert!(!is_signed_out(&came(&world, &provider, "new", |login| login)));
    came(&world, &provider, "other", |login| login.with("preferred_username", "ivan.petrov"));
    came(&world, &provider, "nameless", |login| login);
    let logins: Vec<String> = ties(&world).into_iter().map(|(_, login)| login).collect();
    assert_eq!(logins[..2], ["Ivan.Petrov", "ivan.petrov-2"]);
    assert!(logins[2].starts_with("user-"), "{logins:?}");
}

#[test]
fn decision_61_the_address_of_a_new_account_is_verified_only_if_the_operator_trusts_it() {
    let provider = Provider::new();
    let world = provider.world(lets(true, true));
    came(&world, &provider, "a", verified("Ann@Example.net"));
    came(&world, &provider, "b", |login| login.with("email", "ben@example.net"));
    came(&world, &provider, "c", |login| login.with("email", "no address").with("name", "\u{202e}x\n"));
    let kept: Vec<(String, String, bool)> = world.rows(
        "SELECT u.login, e.email, e.verified FROM emails e JOIN users u ON u.id = e.user_id
         JOIN provider_ties t ON t.user_id = u.id ORDER BY u.id",
    );
    let row = |login: &str, email: &str, verified| (login.to_owned(), email.to_owned(), verified);
    assert_eq!(kept, [row("Ann", "Ann@Example.net", true), row("ben", "ben@example.net", false)]);
    assert_eq!(world.sam().get("/users/no-address").expect(200)["name"], Value::Null);
}

#[test]
fn decision_61_further_claims_are_believed_about_the_same_person_only() {
    let provider = Provider::new();
    let world = provider.world(lets(true, true));
    let claims = |subject: &str| json!({ "sub": subject, "email": "nina@example.com", "email_verified": true });
    for userinfo in [claims("other"), json!({ "email": "nina@example.com", "email_verified": true }), json!([])] {
        let browser = came(&world, &provider, "n", |mut login| {
            login.userinfo = userinfo.clone();
            login
        });
        assert!(is_signed_out(&browser) && browser.page.status == 502, "{}", browser.page.text);
    }
    assert_eq!(ties(&world), []);
    let browser = came(&world, &provider, "n", |mut login| {
        login.userinfo = claims("n");
        login
    });
    assert!(browser.page.text.contains("Hello, <bdi>nina</bdi>"), "{}", browser.page.text);
}

#[test]
fn decision_61_of_two_who_come_at_once_one_account_is_made() {
    let provider = Provider::new();
    let world = provider.world(lets(true, false));
    let come = || {
        let (browser, login) = begun(&world, &provider, "n");
        (browser.with_cookie(), provider.send_back(login))
    };
    let visits = [come(), come(), come()];
    let answers: Vec<u16> = std::thread::scope(|scope| {
        let running: Vec<_> = visits.iter().map(|(client, path)| scope.spawn(|| client.get(path).status)).collect();
        running.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    assert_eq!(answers, [303, 303, 303]);
    assert_eq!(ties(&world).len(), 1);
}
