//! The clock is set back: what has ended stays ended, no record's time runs backwards, and nothing is written with a
//! clock that cannot be right until an operator accepts it.

use std::sync::Arc;

use guildhall::access::token::{self, New};
use guildhall::clock::{Clock, ManualClock, Time};
use guildhall::db::{Db, Lock};
use guildhall::journal::clock::{self, ClockCheck};
use guildhall::journal::{self, Change};
use guildhall::limits::creation::CreationLimit;
use guildhall::limits::requests::Limiter;
use guildhall::links::Links;
use guildhall::memory::Organizations;
use guildhall::operation::{Caller, Compat, Cx, Mails, Moment, Page, Site};
use guildhall::scope::Scopes;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::faults::cut::must_be_unavailable;
use crate::faults::program::{Place, text};
use crate::support::{Client, Value, World, json, waiting};

const HOUR: i64 = 3_600;

/// A token of Tom that ends at this time.
fn ending(world: &World, at: Time) -> Client {
    let made = world.db.write(move |tx| {
        let (tom,): (i64,) = tx.one("SELECT id FROM users WHERE login = 'tom'", &[])?;
        let scopes = Scopes::parse("admin:org, repo").expect("scopes");
        let new = New {
            user: tom,
            kind: "personal",
            made_by: None,
            scopes,
            note: None,
            expires_at: Some(at),
            effective_teams: false,
            application: None,
        };
        token::create(tx, &new, None, "ghp_", Time(0)).map(|(_, text)| text)
    });
    Client::new(&world.base, Some(&world.block_on(made).expect("a token")))
}

#[test]
fn what_has_ended_stays_ended() {
    let world = World::new();
    let tom = ending(&world, world.edge.service.now().plus_seconds(HOUR));
    world.olivia().post("/orgs/acme/invitations", json!({ "email": "new@example.org" })).expect(201);
    tom.get("/user").expect(200);
    world.advance(8 * 24 * HOUR);
    world.olivia().post("/orgs/acme/teams", json!({ "name": "Later" })).expect(201);
    for back in [1, 60, 8 * 24 * HOUR] {
        world.advance(-back);
        tom.get("/user").refused(401, "Bad credentials");
        tom.post("/orgs/acme/teams", json!({ "name": "Never" })).refused(401, "Bad credentials");
        assert!(world.olivia().all("/orgs/acme/invitations").is_empty(), "an invitation is open again");
    }
}

/// Records of every kind, made by one node; their paths, and the changes that another node makes.
fn records(world: &World) -> Vec<(&'static str, &'static str, Value)> {
    let olivia = world.olivia();
    olivia.post("/orgs/acme/repos", json!({ "name": "web" })).expect(201);
    olivia.post("/orgs/acme/projects", json!({ "name": "Roadmap" })).expect(201);
    olivia.post("/orgs/acme/teams", json!({ "name": "New" })).expect(201);
    let posts = "/orgs/acme/teams/new/discussions";
    olivia.post(posts, json!({ "title": "Title", "body": "Body" })).expect(201);
    olivia.post("/orgs/acme/teams/new/discussions/1/comments", json!({ "body": "Body" })).expect(201);
    vec![
        ("/orgs/acme/teams/new", "/orgs/acme/teams/new", json!({ "name": "New", "description": "later" })),
        ("/repos/acme/web", "/repos/acme/web", json!({ "description": "later" })),
        ("/projects/1", "/projects/1", json!({ "body": "later" })),
        ("/orgs/acme", "/orgs/acme", json!({ "description": "later" })),
        ("/orgs/acme/teams/new/discussions/1", "/orgs/acme/teams/new/discussions/1", json!({ "body": "later" })),
        (
            "/orgs/acme/teams/new/discussions/1/comments/1",
            "/orgs/acme/teams/new/discussions/1/comments/1",
            json!({ "body": "later" }),
        ),
    ]
}

#[test]
fn no_record_is_older_after_a_change_by_a_node_whose_clock_is_behind() {
    let ahead = World::new();
    ahead.advance(2 * HOUR);
    let behind = ahead.second_server();
    let times = |record: &Value| -> Vec<String> {
        let names = ["created_at", "updated_at", "last_edited_at"];
        names.iter().filter_map(|name| record[*name].as_str().map(str::to_owned)).collect()
    };
    let sam = ahead.client("sam");
    sam.post("/admin/users", json!({ "login": "late" })).expect(201);
    ahead.olivia().patch("/orgs/acme", json!({ "description": "before" })).expect(200);
    for (shown, changed, change) in records(&ahead) {
        let before = times(ahead.olivia().get(shown).expect(200));
        let answer = behind.olivia().patch(changed, change).expect(200).clone();
        let after = behind.olivia().get(shown).expect(200).clone();
        assert_eq!(times(&answer), times(&after), "{shown}");
        let after = times(&after);
        assert!(before.iter().zip(&after).all(|(earlier, later)| earlier <= later), "{shown}: {before:?}, {after:?}");
        assert!(after.iter().all(|time| after[0] <= *time), "{shown}: {after:?}");
    }
    let before = times(sam.get("/users/late").expect(200));
    for (path, there) in
        [("/users/late/site_admin", true), ("/users/late/suspended", true), ("/users/late/suspended", false)]
    {
        let sam = behind.client("sam");
        let answer = if there { sam.put(path, json!({})) } else { sam.delete(path) };
        answer.expect(204);
        assert!(times(sam.get("/users/late").expect(200)) >= before, "{path}");
    }
}

/// Writes an entry of the journal as a server on this place would whose clock is wrong.
fn write_at(place: &Place, at: Time) {
    let key = std::fs::read_to_string(place.data_dir().join("guildhall.key")).expect("a key");
    let key: Vec<u8> = (0..32).map(|n| u8::from_str_radix(&key[2 * n..2 * n + 2], 16).expect("a digit")).collect();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key");
    mac.update(b"audit");
    let site = Arc::new(Site {
        compat: Compat::default(),
        invitation_seconds: HOUR,
        token_prefix: "ghp_".into(),
        audit_key: mac.finalize().into_bytes().into(),
        etag_key: [7; 192],
        seal_key: [8; 32],
        mail_key: [9; 32],
        signin_by_mail: true,
        signup_domains: Some(Vec::new()),
        mails: Mails::AreFiles,
        everyone_creates_organizations: false,
        applications_need_approval: true,
        provider: None,
        insecure_ssl: false,
        retry_seconds: 3 * 86_400,
        organizations: Organizations::default(),
        limiters: None,
        creation_limit: CreationLimit { per_minute: 80, per_hour: 500 },
        guesses: Limiter::of_persons(20),
    });
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let written = async {
        let db = Db::open(&place.database.address).await?;
        db.write(move |tx| {
            let (org,): (i64,) = tx.one("SELECT max(id) FROM orgs", &[])?;
            journal::lock(tx, &[Lock::Journal(org)])?;
            let links = Links { origin: String::new(), api: String::new() };
            let mut cx = Cx {
                tx,
                caller: &Caller::default(),
                moment: Moment::new(at, std::net::IpAddr::from([127, 0, 0, 1]), "a-wrong-clock"),
                links: &links,
                page: Page { number: 1, per_page: 1 },
                prepared: None,
                site: &site,
                mails: true,
                inviter: None,
            };
            cx.record(org, Change::new("org.update", &json!(null), &json!(null)))
        })
        .await
    };
    runtime.block_on(written).expect("an entry");
}

fn place() -> Place {
    let place = Place::new();
    let server = place.serve();
    let admin = server.admin();
    admin.post("/admin/users", json!({ "login": "olivia" })).expect(201);
    admin.post("/admin/organizations", json!({ "login": "acme", "admin": "olivia" })).expect(201);
    server.kill();
    place.until_forgotten();
    place
}

#[test]
fn a_clock_that_is_a_little_behind_is_waited_for() {
    let place = place();
    write_at(&place, Clock::System.now().plus_seconds(200));
    let server = place.serve();
    server.admin().get("/readyz").expect(200);
    let made = server.admin().post("/admin/users", json!({ "login": "later" })).expect(201)["id"].clone();
    assert!(made.is_i64());
    let shown = server.admin().get("/users/later").expect(200)["created_at"].as_str().expect("a time").to_owned();
    assert!(shown > Clock::System.now().to_string(), "{shown} is not before the newest entry");
    server.kill();
    place.until_forgotten();
    place.must_be_well();
}

#[test]
fn a_clock_that_is_far_behind_writes_nothing_until_it_is_reset() {
    let place = place();
    write_at(&place, Clock::System.now().plus_seconds(2 * HOUR));
    let server = place.serve();
    let admin = server.admin();
    admin.get("/user").expect(200);
    assert!(is_in_order(&place));
    let advice = "guildhall doctor --reset-clock";
    let readiness = admin.get("/readyz");
    assert!(
        readiness.expect(503)["status"].as_str().is_some_and(|status| status.contains(advice)),
        "{}",
        readiness.text
    );
    must_be_unavailable(&admin.post("/admin/users", json!({ "login": "never" })));
    let org = place.database.directory().join("org.yaml");
    std::fs::write(&org, "orgs: {beta: {admins: [olivia]}}\n").expect("to write");
    for command in [
        &["doctor"][..],
        &["token", "create", "--user", "olivia", "--scopes", "repo"],
        &["import", org.to_str().expect("text")],
    ] {
        let output = place.run(command);
        let printed = text(&output.stdout) + &text(&output.stderr);
        assert!(output.status.code() == Some(1) && printed.contains(advice), "{command:?}: {printed}");
    }
    let output = place.run(&["doctor", "--reset-clock"]);
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(!is_in_order(&place));
    waiting::until("the server notices it", || admin.get("/readyz").status == 200);
    admin.post("/admin/users", json!({ "login": "again" })).expect(201);
    admin.get("/users/never").expect(404);
    server.kill();
    place.until_forgotten();
    place.must_be_well();
}

/// True if searches of the audit log may rely on the order of its times.
fn is_in_order(place: &Place) -> bool {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let read = async { Db::open_present(&place.database.address).await?.read(journal::log::is_in_order).await };
    runtime.block_on(read).expect("a look")
}

/// The clock of PostgreSQL cannot be set for a test; that of a service can be moved, but not doubted, by hand.
#[test]
fn a_clock_that_is_far_from_that_of_postgresql_is_refused() {
    let world = World::new();
    let journal = ClockCheck::default();
    let moved = |hours: i64| {
        let micros = Clock::System.now().plus_seconds(hours * HOUR + 60).0;
        let manual = Clock::Manual(Arc::new(ManualClock::new(Time(micros), true)));
        let seen = world.block_on(world.db.read(clock::see)).expect("a look");
        journal.note(journal.known(), &seen, &manual);
        assert_eq!(journal.distrusts(&manual), None);
        journal.distrusts(&Clock::System).is_some()
    };
    let postgres = crate::support::database::Database::is_postgres();
    assert_eq!([0, 1, -2].map(moved), [false, postgres, postgres]);
}
