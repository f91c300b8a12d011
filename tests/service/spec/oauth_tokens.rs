//! The tokens of applications: how long they last, how many there are, and how they end (decision 62).

use guildhall::limits::requests::Caller;
use guildhall::limits::resources::Resource;
use guildhall::oauth::{Owner, Switched, Wanted, all, create, remove, update};

use super::decisions_effective::grown;
use super::mail_invitations::world;
use super::sign_in::signed_in;
use crate::support::application::{Application, CALLBACK, operate, register, wanted};
use crate::support::browser::{Browser, encoded};
use crate::support::world::Settings;
use crate::support::{Client, World, json};

const DAY: i64 = 24 * 60 * 60;

fn holder(world: &World, token: &str) -> Client {
    Client::new(&world.base, Some(token))
}

/// Stores the last uses now, as a worker does every minute.
pub fn store_uses(world: &World) {
    let used = world.edge.service.used_tokens.take();
    let store = world.db.write(move |tx| guildhall::access::token::touch(tx, &used));
    world.block_on(store).expect("last uses");
}

#[test]
fn decision_62_a_token_ends_after_a_year_unused() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    let [unused, used] = [(); 2].map(|()| app.token(&world, &mut browser, "repo"));
    for _ in 0..2 {
        world.advance(300 * DAY);
        holder(&world, &used).get("/user").expect(200);
        store_uses(&world);
    }
    holder(&world, &unused).get("/user").refused(401, "Bad credentials");
    holder(&world, &used).get("/user").expect(200);
    world.advance(365 * DAY);
    holder(&world, &used).get("/user").refused(401, "Bad credentials");
    // A personal token does not end.
    let personal = world.token("nina", &["repo"]);
    world.advance(400 * DAY);
    holder(&world, &personal).get("/user").expect(200);
}

#[test]
fn decision_62_a_stored_use_leaves_a_token_what_it_was() {
    let world = world();
    let olivia = world.olivia();
    for description in ["first", "second", "third"] {
        // What a refused request has looked up serves the next one.
        olivia.patch("/orgs/acme/teams/core", json!({ "privacy": "none" })).expect(422);
        world.advance(60);
        store_uses(&world);
        olivia.patch("/orgs/acme/teams/core", json!({ "name": "Core", "description": description })).expect(200);
    }
}

#[test]
fn decision_62_a_person_has_ten_tokens_of_an_application_and_scopes() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    let other = app.token(&world, &mut browser, "user");
    let tokens: Vec<String> = (0..11).map(|_| app.token(&world, &mut browser, "repo")).collect();
    holder(&world, &tokens[0]).get("/user").refused(401, "Bad credentials");
    for token in tokens[1..].iter().chain([&other]) {
        holder(&world, token).get("/user").expect(200);
    }
}

#[test]
fn decision_21_tokens_of_a_suspended_person_work_again_and_codes_do_not() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    let token = app.token(&world, &mut browser, "repo");
    let code = app.allowed(&mut browser, &[("scope", "repo")]);
    world.sam().put("/users/nina/suspended", json!({})).expect(204);
    holder(&world, &token).get("/user").refused(403, "Sorry. Your account was suspended.");
    assert_eq!(app.exchanges(&world, &code, &[]).json["error"], "bad_verification_code");
    app.on_token(&world, "POST", "token", &token).expect(404);
    world.sam().delete("/users/nina/suspended").expect(204);
    holder(&world, &token).get("/user").expect(200);
    assert_eq!(app.exchanges(&world, &code, &[]).json["error"], "bad_verification_code");
}

#[test]
fn decision_62_a_code_ends_with_its_session() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    let code = app.allowed(&mut browser, &[]);
    browser.visit("/ui");
    browser.sign_out();
    assert_eq!(app.exchanges(&world, &code, &[]).json["error"], "bad_verification_code");
}

#[test]
fn decision_62_an_application_checks_resets_and_revokes_its_tokens() {
    let world = world();
    let (app, other) = (Application::of(&world), register(&world, wanted("Other", Switched::default())));
    let mut browser = signed_in(&world, "nina");
    let [token, second] = [(); 2].map(|()| app.token(&world, &mut browser, "repo,read:org"));
    let checked = app.on_token(&world, "POST", "token", &token);
    checked.expect(200);
    assert_eq!((&checked.json["token"], &checked.json["user"]["login"]), (&json!(token), &json!("nina")));
    assert_eq!(checked.json["scopes"], json!(["read:org", "repo"]));
    assert_eq!(checked.json["app"]["client_id"], json!(app.id));
    assert_eq!(checked.json["app"]["name"], "Rota Planner");
    // Another application, a personal token and a wrong secret get nothing.
    other.on_token(&world, "POST", "token", &token).refused(404, "Not Found");
    app.on_token(&world, "POST", "token", &world.token("nina", &["repo"])).refused(404, "Not Found");
    for (client, status) in [
        (Application { secret: "0".repeat(64), ..app.clone() }, 401),
        (Application { id: "nothing".into(), ..app.clone() }, 404),
        (
            Application {
                id: "178c6fc778ccc68e1d6a".into(),
                secret: "34ddeff2b558a23d38fba8a6de74f086ede1cc0b".into(),
            },
            401,
        ),
    ] {
        for verb in ["POST", "PATCH", "DELETE"] {
            client.on_token(&world, verb, "token", &token).expect(status);
        }
    }
    let crossed = world.anonymous().with("Authorization", &other.basic());
    crossed.post(&format!("/applications/{}/token", app.id), json!({ "access_token": token })).expect(404);
    app.on_token(&world, "POST", "token", "").expect(422);
    let reset = app.on_token(&world, "PATCH", "token", &token);
    let fresh = reset.expect(200)["token"].as_str().expect("a token").to_owned();
    assert!(fresh.starts_with("gho_") && fresh != token);
    holder(&world, &token).get("/user").expect(401);
    holder(&world, &fresh).get("/user").expect(200);
    app.on_token(&world, "POST", "token", &token).expect(404);
    app.on_token(&world, "DELETE", "token", &fresh).expect(204);
    holder(&world, &fresh).get("/user").expect(401);
    app.on_token(&world, "DELETE", "token", &fresh).expect(404);
    // The grant goes with all tokens, and the person is asked again.
    app.on_token(&world, "DELETE", "grant", &second).expect(204);
    holder(&world, &second).get("/user").expect(401);
    assert_eq!(browser.visit(&app.asks(&[("scope", "repo")])).status, 200);
}

#[test]
fn decision_62_an_application_has_two_secrets_while_one_replaces_the_other() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    let renewed = |id: &str| {
        let (id, more) = (id.to_owned(), Wanted { new_secret: true, ..Wanted::default() });
        let made = operate(&world, move |cx| update(cx, &id, &more)).expect("a secret");
        Application { secret: made.secret.expect("a secret"), id: made.client_id }
    };
    let works = |browser: &mut Browser, app: &Application| {
        let code = app.allowed(browser, &[]);
        app.exchanges(&world, &code, &[]).json["access_token"].is_string()
    };
    let second = renewed(&app.id);
    assert!(works(&mut browser, &app) && works(&mut browser, &second));
    let third = renewed(&app.id);
    assert!(!works(&mut browser, &app) && works(&mut browser, &second) && works(&mut browser, &third));
}

#[test]
fn decision_62_an_application_that_is_removed_takes_its_tokens_along() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    let token = app.token(&world, &mut browser, "repo");
    holder(&world, &token).get("/user").expect(200);
    let id = app.id.clone();
    operate(&world, move |cx| remove(cx, &id)).expect("gone");
    holder(&world, &token).get("/user").refused(401, "Bad credentials");
    assert_eq!(browser.visit(&app.asks(&[])).status, 404);
}

#[test]
fn decision_63_effective_teams_are_listed_for_an_application_that_is_marked() {
    let world = world();
    grown(&world);
    let marked = Switched { effective_teams: Some(true), trusted: Some(true), ..Switched::default() };
    let app = register(&world, wanted("Wiki", marked));
    let mut browser = signed_in(&world, "tom");
    let token = app.token(&world, &mut browser, "read:org");
    let listed = |token: &str| holder(&world, token).get("/user/teams").expect(200).as_array().map_or(0, Vec::len);
    assert_eq!((listed(&token), listed(&world.token("tom", &["read:org"]))), (4, 2));
    // What an application loses, its tokens lose.
    let (id, off) = (app.id, Switched { effective_teams: Some(false), ..Switched::default() });
    operate(&world, move |cx| update(cx, &id, &Wanted { switched: off, ..Wanted::default() })).expect("a change");
    assert_eq!(listed(&token), 2);
}

#[test]
fn decision_62_what_is_registered_is_checked() {
    let world = world();
    let refused = |wanted: Wanted, client_id: Option<&'static str>, why: &str| {
        let error = operate(&world, move |cx| create(cx, Owner::Site, client_id, &wanted)).expect_err(why).to_string();
        assert!(error.contains(why), "{error}");
    };
    for name in ["Guildhall", " guildhall ", "GitHub CLI", "GITHUB cli"] {
        refused(wanted(name, Switched::default()), None, "No application may be called");
    }
    refused(wanted("", Switched::default()), None, "Name cannot be blank");
    refused(wanted("a\u{202e}b", Switched::default()), None, "cannot be shown");
    for uri in
        ["http://app.example/x", "https://app.example/#x", "https://*.example/x", "https://u@app.example/x", "app:/x"]
    {
        let one = Wanted { redirect_uris: vec![uri.to_owned()], ..wanted("X", Switched::default()) };
        refused(one, None, "The redirect URI");
    }
    let none = Wanted { redirect_uris: Vec::new(), ..wanted("X", Switched::default()) };
    refused(none, None, "needs a redirect URI");
    let many = Wanted { redirect_uris: vec![CALLBACK.to_owned(); 21], ..wanted("X", Switched::default()) };
    refused(many, None, "at most 20");
    let silent = Switched { public: Some(true), skip_consent: Some(true), ..Switched::default() };
    refused(wanted("X", silent), None, "people must be asked");
    refused(wanted("X", Switched::default()), Some("178c6fc778ccc68e1d6a"), "of another application");
    for id in ["a b", ".", ".."] {
        refused(wanted("X", Switched::default()), Some(id), "A client ID has letters");
    }
    let weak = Wanted { secret: Some("short".to_owned()), ..wanted("X", Switched::default()) };
    refused(weak, None, "A secret has 20 to 255");
    assert_eq!(world.rows::<(i64,)>("SELECT count(*) FROM applications"), [(1,)], "a refusal changes nothing");
    let given = Wanted { secret: Some("a-secret-of-the-operator".to_owned()), ..wanted("Dex", Switched::default()) };
    let made = operate(&world, move |cx| create(cx, Owner::Site, Some("dex"), &given)).expect("an application");
    assert_eq!((made.client_id.as_str(), made.secret), ("dex", None));
}

#[test]
fn decision_62_gh_is_there_from_the_start_and_can_be_removed() {
    let world = world();
    let known = world.block_on(world.db.read(all)).expect("applications");
    let gh = &known[0].application;
    assert_eq!((known.len(), gh.client_id.as_str(), gh.name.as_str()), (1, "178c6fc778ccc68e1d6a", "GitHub CLI"));
    assert!(gh.switches.public && gh.switches.trusted && gh.switches.device_flow && !gh.switches.skip_consent);
    operate(&world, |cx| remove(cx, "178c6fc778ccc68e1d6a")).expect("gone");
    assert_eq!(world.block_on(world.db.read(all)).expect("applications").len(), 0);
    // The name stays reserved.
    let named = wanted("GitHub CLI", Switched::default());
    operate(&world, move |cx| create(cx, Owner::Site, None, &named)).expect_err("the name is reserved");
}

#[test]
fn decision_62_applications_have_a_limit_of_their_own() {
    let world = World::with(Settings { limits: Some((5_000, 60)), ..Settings::default() });
    let limiter = world.edge.service.site.limiters.as_ref().expect("limits").of(Resource::Application);
    let now = world.now().seconds();
    let exchange = || {
        let client = world.anonymous().with("Accept", "application/json");
        client.send("POST", "/login/oauth/access_token", Some(encoded(&[("client_id", "nothing")])))
    };
    assert_eq!(exchange().expect(200)["error"], "incorrect_client_credentials");
    for _ in 0..4_999 {
        limiter.charge(Caller::Address(std::net::Ipv4Addr::LOCALHOST.into()), now);
    }
    exchange().expect(403);
    assert_eq!(world.anonymous().get("/rate_limit").expect(200)["resources"]["core"]["used"], 0);
    world.advance(3600);
    exchange().expect(200);
}
