//! A world in which people have written the worst texts that are allowed into every field, and in which every list has
//! more than one page.

use guildhall::access::session;
use guildhall::oauth::Switched;
use guildhall::people::user;

use super::given;
use super::mail_invitations::{settle, world as usual};
use super::sign_in::signed_in;
use super::sign_in_recent::call;
use crate::support::application::{answers, granted, operate, register, wanted};
use crate::support::browser::Browser;
use crate::support::{Value, World, json};

/// More than any list shows on a page.
const MANY: usize = 55;

/// The characters that take most bytes in HTML, and one of four bytes.
const WORST: [char; 4] = ['<', '&', '"', '\u{1f600}'];

/// A text of so many characters, all of them bad, that no other one is equal to.
pub fn text(number: usize, length: usize) -> String {
    let begun = WORST[number % WORST.len()].to_string().repeat(length - 4);
    format!("{begun}{number:04}")
}

/// A name.
pub fn name(number: usize) -> String {
    text(number, 255)
}

/// The login of one of many people.
fn login(number: usize) -> String {
    format!("person-{number}-{}", "x".repeat(20))
}

/// The world with its browsers: of an owner who administers the site, and of a member.
pub fn hostile() -> (World, [Browser; 2]) {
    let world = usual();
    world.sam().put("/users/olivia/site_admin", json!({})).expect(204);
    let browsers = ["olivia", "tom"].map(|login| signed_in(&world, login));
    people(&world);
    places(&world);
    teams(&world);
    invitations(&world);
    programs(&world, &browsers);
    posts(&world, &browsers[0]);
    settle(&world);
    hooks(&world);
    world.settle();
    (world, browsers)
}

fn people(world: &World) {
    for number in 0..MANY {
        let login = login(number);
        world.register(&login);
        world.join("acme", "olivia", &login);
        given::put(world, "core", &login, "member");
        about(world, &login, number);
    }
    for (number, login) in ["olivia", "max", "tom", "eve", "ray"].into_iter().enumerate() {
        about(world, login, number);
    }
    let org = json!({
        "name": name(1), "description": text(1, 65_000), "blog": name(2), "location": name(3), "company": name(4),
    });
    world.olivia().patch("/orgs/acme", org).expect(200);
    for number in 0..MANY {
        let suspended = login(number);
        if number % 10 == 9 {
            world.sam().put(&format!("/users/{suspended}/suspended"), json!({ "reason": name(number) })).expect(204);
        }
    }
}

/// The profile of a person.
fn about(world: &World, login: &str, number: usize) {
    let of = |n: usize| name(100 * n + number);
    let about = json!({ "name": of(1), "bio": text(number, 160), "company": of(2), "location": of(3), "blog": of(4) });
    world.client(login).patch("/user", about).expect(200);
}

fn teams(world: &World) {
    let core = given::core(world);
    let mut about = json!({ "name": "Core", "description": text(1, 65_000) });
    world.olivia().patch("/orgs/acme/teams/core", about.clone()).expect(200);
    for number in 0..2 * MANY {
        about = json!({
            "name": name(number), "description": text(number, 1_000), "privacy": "closed",
            "parent_team_id": if number % 2 == 0 { core["id"].clone() } else { Value::Null },
        });
        let slug = given::team(world, about)["slug"].as_str().expect("a slug").to_owned();
        given::put(world, &slug, "tom", if number % 3 == 0 { "maintainer" } else { "member" });
        if number < 20 {
            let push = json!({ "permission": "push" });
            let first = format!("/orgs/acme/teams/{slug}/repos/acme/0-{}", "r".repeat(90));
            world.olivia().put(&first, push).expect(204);
        }
        if number < MANY - 1 && number % 10 != 9 {
            let asks = json!({ "message": text(number, 500) });
            world.client(&login(number)).post(&format!("/orgs/acme/teams/{slug}/join_requests"), asks).expect(201);
        }
    }
    // Names of letters have long slugs.
    for number in 0..5 {
        let long = format!("{}{number}", "x".repeat(250));
        given::child(world, &core, &long);
    }
}

fn places(world: &World) {
    let olivia = world.olivia();
    for number in 0..MANY {
        let name_of_repo = format!("{number}-{}", "r".repeat(90));
        let repo = json!({ "name": name_of_repo, "description": text(number, 1_000), "private": true });
        olivia.post("/orgs/acme/repos", repo).expect(201);
        let push = json!({ "permission": "push" });
        olivia.put(&format!("/orgs/acme/teams/core/repos/acme/{name_of_repo}"), push.clone()).expect(204);
        let first = format!("/repos/acme/0-{}/collaborators/{}", "r".repeat(90), login(number));
        olivia.put(&first, push);
    }
    for number in 0..2 * MANY {
        let project = json!({ "name": name(number), "body": text(number, 1_000) });
        let project = olivia.post("/orgs/acme/projects", project).expect(201).clone();
        if number < MANY {
            given::grant(world, "core", &project, "admin");
        }
    }
}

fn invitations(world: &World) {
    for number in 0..MANY {
        // 254 characters, of which 64 are before the sign.
        let domain = [format!("a{number:03}"), "b".repeat(60), "c".repeat(60), "d".repeat(59)].join(".");
        let address = format!("{}@{domain}", "&".repeat(64));
        world.olivia().post("/orgs/acme/invitations", json!({ "email": address })).expect(201);
    }
}

fn programs(world: &World, [olivia, _]: &[Browser; 2]) {
    for number in 0..MANY {
        let token = json!({ "note": name(number), "scopes": ["admin:org", "repo", "user"] });
        call(world, olivia, "tokens.create", &[], &token).expect("a token");
        let app = register(world, wanted(&name(200 + number), Switched::default()));
        granted(world, &app, "olivia", "repo,admin:org");
        answers(world, &app, ["asked", "approved", "refused"][number % 3]);
        let own = json!({
            "name": name(400 + number), "redirect_uris": ["https://app.example/&&&&&&&&&&&&&&&&"], "public": false,
            "device_flow": false, "effective_teams": false,
        });
        call(world, olivia, "ownApplications.create", &[], &own).expect("an application");
    }
    operate(world, |cx| {
        let (user, now) = (user::by_login(cx.tx, "olivia")?.id, cx.now()?);
        (0..MANY).try_for_each(|_| session::create(cx.tx, user, ("Firefox on Linux", "192.0.2.7"), now).map(drop))
    })
    .expect("sessions");
}

fn posts(world: &World, olivia: &Browser) {
    let (max, board) = (world.max(), "/orgs/acme/teams/core/discussions");
    for number in 1..=MANY {
        let body = text(number, if number == 1 { 60_000 } else { 1_000 });
        max.post(board, json!({ "title": name(number), "body": body })).expect(201);
        if number <= 10 {
            let at = [("org", "acme"), ("team_slug", "core"), ("discussion_number", &*number.to_string())];
            call(world, olivia, "discussions.pin", &at, &json!({ "pinned": true })).expect("a pinned post");
        }
    }
    world.advance(61);
    for number in 0..16 {
        max.post(&format!("{board}/1/comments"), json!({ "body": text(number, 60_000) })).expect(201);
    }
}

fn hooks(world: &World) {
    for number in 0..20 {
        let url = format!("http://127.0.0.1:9/?{number}{}", "&".repeat(1_900));
        let hook = json!({ "name": "web", "config": { "url": url } });
        world.olivia().post("/orgs/acme/hooks", hook).expect(201);
    }
}
