//! Long audit logs (decision 47): what bounds a request, searches by time, and what retention leaves.

use std::sync::Arc;
use std::time::Duration;

use guildhall::clock::Time;
use guildhall::config::Retention;
use guildhall::journal::cursors;
use guildhall::journal::retention::{self, Cutoff};
use guildhall::server::retention::{self as server, Schedule};

use crate::spec::given;
use crate::support::{Answer, Client, Value, World, json, waiting};

const LOG: &str = "/orgs/acme/audit-log?per_page=100";

/// Every page of a search, each with its answer.
fn pages(client: &Client, query: &str) -> Vec<(Vec<Value>, Answer)> {
    let (mut pages, mut next) = (Vec::new(), Some(format!("{LOG}&{query}")));
    while let Some(path) = next {
        let answer = client.get(&path);
        let entries = answer.expect(200).as_array().expect("a list").clone();
        next = answer.link("next");
        pages.push((entries, answer));
        assert!(pages.len() < 20, "{query} has no end");
    }
    pages
}

/// Makes the log 45,000 entries longer, a minute from one to the next: the first is `far`, the others are `near`.
fn lengthen(world: &World) {
    given::run(world, MANY);
    given::run(world, "UPDATE journal_heads SET entry = entry + 45000 WHERE org_id = 1");
}

const MANY: &str = "
    INSERT INTO journal (org_id, entry, at, kind, request_id, action, after, format, hash)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 45000)
    SELECT j.org_id, j.entry + n.i, j.at + CAST(60000000 AS BIGINT) * n.i, 'other', 'many',
           CASE WHEN n.i = 1 THEN 'team.far' ELSE 'team.near' END, '{\"team\":1,\"user\":\"max\"}', 2, j.hash
    FROM n, journal j JOIN journal_heads h ON h.org_id = j.org_id AND h.entry = j.entry WHERE j.org_id = 1";

#[test]
fn decision_47_a_request_looks_at_a_bounded_number_of_entries() {
    let world = World::new();
    lengthen(&world);
    let olivia = world.olivia();
    for order in ["desc", "asc"] {
        let pages = pages(&olivia, &format!("phrase=action:team.far+user:max&order={order}"));
        let found: Vec<usize> = pages.iter().map(|(entries, _)| entries.len()).collect();
        assert_eq!(found, if order == "desc" { [0, 0, 1] } else { [1, 0, 0] }, "{order}");
        // The pages lead back in the same way, and an empty one is passed over.
        let last = &pages[2].1;
        let back = olivia.get(&last.link("prev").expect("a page before"));
        assert!(back.expect(200).as_array().is_some_and(Vec::is_empty) && back.link("next").is_some(), "{order}");
    }
}

#[test]
fn decision_47_a_search_by_time_begins_where_that_time_is() {
    let world = World::new();
    lengthen(&world);
    let count = |query: &str| -> Vec<usize> {
        pages(&world.olivia(), query).iter().map(|(entries, _)| entries.len()).collect()
    };
    // 45,000 minutes are 31 days and 6 hours.
    assert_eq!(count("phrase=created:%3C=2026-01-01T00:01:00Z+action:team.far"), [1]);
    assert_eq!(count("phrase=created:2026-01-20T10:00:00Z..2026-01-20T11:00:00Z"), [61]);
    assert_eq!(count("phrase=created:2026-01-20T10:00:00Z..2026-01-20T11:00:00Z&order=asc"), [61]);
    assert_eq!(count("phrase=created:%3E2026-02-02"), [0]);
    assert_eq!(count("phrase=created:%3C2026-01-01"), [0]);
    // After the clock was set back, the order of entries says nothing of their times.
    given::run(
        &world,
        "UPDATE journal SET at = at + CAST(315360000000000 AS BIGINT) WHERE org_id = 1 AND entry = 20000",
    );
    given::run(&world, "INSERT INTO site (name, value) VALUES ('clock_was_reset', 'yes')");
    assert_eq!(count("phrase=created:%3E2030-01-01").iter().sum::<usize>(), 1);
    assert_eq!(count("phrase=created:2026-01-20T10:00:00Z..2026-01-20T11:00:00Z").iter().sum::<usize>(), 61);
}

#[test]
fn decision_47_a_page_ends_before_its_values_are_too_long() {
    let world = World::new();
    let olivia = world.olivia();
    let all: usize = pages(&olivia, "").iter().map(|(entries, _)| entries.len()).sum();
    let text = "x".repeat(300_000);
    let sql = format!("UPDATE journal SET after = '{{\"name\":\"{text}\"}}' WHERE org_id = 1 AND entry > 3");
    given::run(&world, sql.leak());
    let pages = pages(&olivia, "");
    assert!(pages.len() > 2 && pages[0].0.len() < 6, "{}", pages.len());
    assert!(pages.iter().all(|(_, answer)| answer.text.len() < 2 << 20));
    assert_eq!(pages.iter().map(|(entries, _)| entries.len()).sum::<usize>(), all);
}

#[test]
fn decision_47_a_cursor_survives_what_retention_deletes() {
    let world = World::new();
    let olivia = world.olivia();
    let first = olivia.get("/orgs/acme/audit-log?per_page=3");
    let next = first.expect(200).as_array().map(Vec::len).and(first.link("next")).expect("a second page");
    let all = Cutoff { entries: Time(i64::MAX), facts: Time(i64::MAX) };
    let trimmed = world.db.write(move |tx| retention::trim(tx, &[7; 32], 1, all));
    world.block_on(trimmed).expect("a shorter log");
    let answer = olivia.get(&next);
    assert_eq!(answer.expect(200).as_array().map(Vec::len), Some(0));
    assert_eq!(answer.link("next"), None);
    assert_eq!(pages(&olivia, "").iter().map(|(entries, _)| entries.len()).sum::<usize>(), 1);
    assert_eq!(pages(&olivia, "order=asc&phrase=created:%3E=2026-01-01").len(), 1);
}

/// A server with a short schedule deletes what is too old, and again what has become too old since.
#[test]
fn decision_47_a_server_deletes_old_entries_again_and_again() {
    const DAY: i64 = 24 * 60 * 60;
    let world = World::new();
    given::listener(&world);
    let keep = Retention { audit_days: 365, facts_days: 30, deliveries_days: 30, dead_letters_days: 90 };
    let moment = Duration::from_millis(20);
    let trimming = server::trim(Arc::clone(&world.edge.service), keep, Schedule { first: moment, every: moment });
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let left = |table: &str| -> i64 {
        let counted: Vec<(i64,)> = world.rows(format!("SELECT count(*) FROM {table} WHERE org_id = 1").leak());
        counted[0].0
    };
    std::thread::scope(|scope| {
        let world = &world;
        scope.spawn(move || {
            world.block_on(async {
                tokio::select! { () = trimming => {}, _ = stopped => {} }
            });
        });
        for number in 0..2 {
            world.olivia().post("/orgs/acme/teams", json!({ "name": format!("Team {number}") })).expect(201);
            world.advance(31 * DAY);
            waiting::until("facts are deleted", || left("journal_facts") == 0);
            assert!(left("journal") > 1, "entries are kept longer than facts");
            world.advance(335 * DAY);
            // The clock is checked against the newest one.
            waiting::until("entries are deleted", || left("journal") == 1);
        }
        drop(stop);
    });
}

/// The cursor of deliveries does not move while no entry has an event that anything listens to.
#[test]
fn decision_47_retention_also_deletes_entries_of_an_organization_that_sends_nothing() {
    let world = World::new();
    world.block_on(world.db.write(cursors::follow_all)).expect("followed journals");
    for number in 0..3 {
        world.olivia().post("/orgs/acme/teams", json!({ "name": format!("Quiet {number}") })).expect(201);
    }
    given::listener(&world);
    let cutoff = Cutoff { entries: Time(i64::MAX), facts: Time(i64::MAX) };
    let trim = || {
        world.block_on(world.db.write(move |tx| retention::trim(tx, &[7; 32], 1, cutoff))).expect("a shorter log");
        world.rows::<(i64, i64, i64)>(
            "SELECT h.first_entry, h.entry, c.entry FROM journal_heads h JOIN delivery_cursors c ON c.org_id = h.org_id
             WHERE h.org_id = 1",
        )[0]
    };
    let (first, newest, cursor) = trim();
    assert_eq!((first, cursor), (newest, newest - 1), "the newest one stays, and the cursor passes what is gone");
    // What is listened to is kept until it is read.
    world.olivia().post("/orgs/acme/teams", json!({ "name": "Heard" })).expect(201);
    let (first, last, cursor) = trim();
    assert_eq!((first, cursor), (newest + 1, newest));
    assert!(last > first, "entries are left");
}
