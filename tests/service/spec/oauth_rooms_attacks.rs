//! Attacks on the pages on which people register applications: floods, forged forms, stolen sessions (decision 62).

use guildhall::oauth::{Owner, Switched, create};

use super::mail_invitations::world;
use super::oauth_rooms::{NEW, ROOM, counts, fill, page, registered};
use super::sign_in::signed_in;
use crate::support::application::{CALLBACK, operate, wanted};
use crate::support::browser::encoded;
use crate::support::world::Settings;
use crate::support::{World, json};

/// Registers so many applications of this account as the operator, who has no limit.
fn flood(world: &World, owner: Owner, count: usize) {
    let work = move |cx: &mut guildhall::operation::Cx<'_, '_>| {
        (0..count)
            .try_for_each(|n| create(cx, owner, None, &wanted(&format!("App {n}"), Switched::default())).map(drop))
    };
    operate(world, work).expect("applications");
}

#[test]
fn decision_62_a_person_and_an_organization_have_at_most_a_hundred_applications() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    let id = |path: &str| world.olivia().get(path).expect(200)["id"].as_i64().expect("an ID");
    let (person, org) = (id("/user"), id("/orgs/acme"));
    flood(&world, Owner::User(person), 99);
    assert_eq!(fill(&mut olivia, &[]), 200);
    assert_eq!(fill(&mut olivia, &[]), 422);
    assert!(olivia.page.text.contains("There are 100 applications of this account."), "{}", olivia.page.text);
    assert_eq!(fill(&mut olivia, &[("owner", "acme")]), 200, "those of an organization count apart");
    flood(&world, Owner::Org(org), 99);
    assert_eq!(fill(&mut olivia, &[("owner", "acme")]), 422);
    assert_eq!(counts(&world).0, 200);
    let mut page = |number: u64| olivia.visit(&format!("{ROOM}?page=1&registered-page={number}")).text.clone();
    for (number, range) in [(1, "1 to 20 of 200"), (10, "181 to 200 of 200"), (11, "181 to 200 of 200")] {
        let text = page(number);
        assert!(text.contains(range) && text.matches("/registered/").count() == 20, "{number}: {text}");
    }
    assert!(page(1).contains("?page=1&#38;registered-page=2\" rel=\"next\""), "{}", page(1));
    // Another person is not concerned.
    assert_eq!(fill(&mut signed_in(&world, "nina"), &[]), 200);
}

#[test]
fn decision_39_registering_an_application_is_a_creation() {
    let world = World::with(Settings { delivers: true, creation_limit: (2, 3), ..Settings::default() });
    let mut nina = signed_in(&world, "nina");
    for name in ["A", "Guildhall", "B"] {
        assert_eq!(fill(&mut nina, &[("name", name)]), if name == "Guildhall" { 422 } else { 200 }, "{name}");
    }
    let refused = fill(&mut nina, &[("name", "C")]);
    assert!(refused == 403 || refused == 429, "{refused}");
    assert_eq!(counts(&world), (2, 2));
    world.advance(60);
    assert_eq!(fill(&mut nina, &[("name", "C")]), 200);
    assert_ne!(fill(&mut nina, &[("name", "D")]), 200, "three an hour");
    assert_eq!(counts(&world), (3, 3));
}

#[test]
fn decision_62_secrets_and_applications_change_only_after_a_recent_sign_in() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    let app = registered(&mut nina, &[]);
    nina.visit(&page(&app));
    let code = nina.code();
    nina.send(&[("do", "add")]);
    let (id,) = world.rows::<(i64,)>("SELECT id FROM application_secrets")[0];
    let (id, state) = (id.to_string(), "SELECT name, (SELECT count(*) FROM application_secrets) FROM applications");
    let before = world.rows::<(String, i64)>(state);
    world.advance(15 * 60);
    let evil = [("name", "Evil"), ("redirect_uris", "https://evil.example/"), ("secret", id.as_str())];
    for (path, word) in
        [(page(&app), "add"), (page(&app), "change"), (page(&app), "remove"), (page(&app), "delete"), (NEW.into(), "")]
    {
        let fields: Vec<_> = evil.into_iter().chain([("do", word)]).collect();
        let answer = nina.send_to(&path, &code, &fields);
        assert!(answer.status == 403 && answer.text.contains("Nothing was changed"), "{word}: {}", answer.text);
    }
    assert_eq!(world.rows::<(String, i64)>(state), before);
    // The pages say so before anything is typed, and offer nothing.
    for path in [page(&app), NEW.to_owned()] {
        let text = &nina.visit(&path).text;
        let back = format!("href=\"/login?return_to={}\"", path.replace('/', "%2F"));
        assert!(text.contains(&back) && !text.contains("<form class=\"form\""), "{path}: {text}");
        assert!(!text.contains("?secret=") && !text.contains("?delete=") && !text.contains("value=\"add\""), "{text}");
    }
}

#[test]
fn decision_62_forms_of_applications_are_not_forged() {
    let world = world();
    let (mut nina, mut eve) = (signed_in(&world, "nina"), signed_in(&world, "eve"));
    let app = registered(&mut nina, &[]);
    app.token(&world, &mut nina, "repo");
    nina.visit(NEW);
    let own = nina.code();
    eve.visit(NEW);
    let of_eve = eve.code();
    nina.visit("/ui/settings/tokens");
    let of_room = nina.code();
    for path in [NEW.to_owned(), page(&app), ROOM.to_owned()] {
        let fields = |code: &str| {
            let evil = [("name", "Evil"), ("redirect_uris", CALLBACK), ("application", app.id.as_str())];
            let words = [("form", code), ("do", if path == ROOM { "revoke" } else { "delete" })];
            Some(encoded(&[&words[..], &evil].concat()))
        };
        for code in ["", "x", &of_eve, &of_room] {
            assert_eq!(nina.with_cookie().send("POST", &path, fields(code)).status, 403, "{path} {code}");
        }
        for (name, value) in [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")] {
            assert_eq!(nina.with_cookie().with(name, value).send("POST", &path, fields(&own)).status, 403, "{path}");
        }
        // A GET changes nothing, and a token of the API opens no page.
        assert_eq!(nina.with_cookie().get(&format!("{path}?{}", fields(&own).expect("fields"))).status, 200, "{path}");
        let client = world.client("nina").send("POST", &path, fields(&own));
        assert!(client.header("location").is_some_and(|to| to.starts_with("/login")), "{path}: {}", client.status);
    }
    assert_eq!(counts(&world), (1, 1));
    assert_eq!(world.rows::<(i64,)>("SELECT count(*) FROM consents"), [(1,)]);
}

#[test]
fn decision_62_an_application_of_an_account_that_is_deleted_goes_with_it() {
    let world = world();
    let (mut nina, mut tom) = (signed_in(&world, "nina"), signed_in(&world, "tom"));
    let app = registered(&mut nina, &[]);
    let token = app.token(&world, &mut tom, "repo");
    world.sam().delete("/admin/users/nina").expect(204);
    crate::support::Client::new(&world.base, Some(&token)).get("/user").refused(401, "Bad credentials");
    assert_eq!((counts(&world), tom.visit(&app.asks(&[])).status), ((0, 0), 404));
    assert_eq!(world.tom().get("/user").expect(200)["login"], json!("tom"));
}
