//! The cache of readers of PostgreSQL is as fresh as the database (docs/decisions/0028-proof-of-freshness.md): each
//! kind of commit shows in the next response of any process. SQLite learns of commits in another way and has no such
//! tests here.

use guildhall::db::{Address, Options};
use postgres::{Client as Session, NoTls};

use crate::support::world::Settings;
use crate::support::{Client, World, json};

const TEAM: &str = "/orgs/acme/teams/core";

/// A world on PostgreSQL with sessions beside it; none on SQLite.
fn with_sessions<const N: usize>() -> Option<(World, [Session; N])> {
    let world = World::new();
    let Address::Postgres(url) = world.address() else { return None };
    let sessions = std::array::from_fn(|_| Session::connect(url, NoTls).expect("a session"));
    Some((world, sessions))
}

fn description(client: &Client) -> String {
    client.get(TEAM).expect(200)["description"].as_str().unwrap_or_default().to_owned()
}

/// Asks until the answer is kept: what is asked for once is not.
fn warm(client: &Client) {
    for _ in 0..4 {
        description(client);
    }
}

fn run(session: &mut Session, sql: &str) {
    session.batch_execute(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

fn describe(what: &str) -> String {
    format!("UPDATE teams SET description = '{what}' WHERE slug = 'core'")
}

const STORED: &str = "SELECT description FROM teams WHERE slug = 'core'";

#[test]
fn a_commit_of_any_kind_shows_in_the_next_answer() {
    let Some((world, [mut session, mut other])) = with_sessions() else { return };
    // One node proves that nothing has changed, the other asks the tables.
    let store = Options { shared_reads: false, ..Options::default() };
    let without = world.second_server_with(Settings { store, ..Settings::default() });
    let (olivia, unproven) = (world.olivia(), without.olivia());
    let commits = [
        describe("by hand"),
        format!("BEGIN; {}; COMMIT", describe("in a transaction")),
        format!("BEGIN; SAVEPOINT one; {}; RELEASE one; COMMIT", describe("in a subtransaction")),
        format!("BEGIN; SAVEPOINT one; SAVEPOINT two; {}; RELEASE two; COMMIT", describe("in a nested one")),
        format!(
            "BEGIN; SAVEPOINT one; {}; ROLLBACK TO one; {}; COMMIT",
            describe("undone"),
            describe("after one that was undone")
        ),
        format!("BEGIN; {}; PREPARE TRANSACTION 'prepared'; COMMIT PREPARED 'prepared'", describe("in two phases")),
        format!("DO $$ BEGIN BEGIN {}; EXCEPTION WHEN others THEN NULL; END; END $$", describe("in a block")),
        // More subtransactions than PostgreSQL keeps in the memory that snapshots are made of.
        format!(
            "DO $$ BEGIN FOR n IN 1..100 LOOP BEGIN {}; EXCEPTION WHEN others THEN NULL; END; END LOOP; END $$",
            "UPDATE teams SET description = 'block ' || n WHERE slug = 'core'"
        ),
    ];
    for (number, commit) in commits.iter().enumerate() {
        warm(&olivia);
        // A statement a message: the transaction of a message could not be prepared.
        let parts = if commit.starts_with("DO") { vec![commit.as_str()] } else { commit.split("; ").collect() };
        for sql in parts {
            run(&mut session, sql);
        }
        let wanted: String = session.query_one(STORED, &[]).expect("the team").get(0);
        assert_eq!(description(&olivia), wanted, "commit {number}");
        assert_eq!(description(&unproven), wanted, "commit {number}");
    }
    // Prepared long before it is committed, with other commits and warm answers in between.
    run(&mut session, &format!("BEGIN; {}", describe("prepared early")));
    run(&mut session, "PREPARE TRANSACTION 'early'");
    run(&mut other, "UPDATE orgs SET company = 'Else'");
    warm(&olivia);
    run(&mut other, "COMMIT PREPARED 'early'");
    assert_eq!(description(&olivia), "prepared early");
}

#[test]
fn a_long_transaction_that_commits_late_shows_in_the_next_answer() {
    let Some((world, [mut late, mut later, mut other])) = with_sessions() else { return };
    let olivia = world.olivia();
    // The second of them has the higher number and commits first.
    run(&mut late, &format!("BEGIN; {}", describe("late")));
    run(&mut later, "BEGIN; UPDATE orgs SET company = 'Later'");
    for n in 0..20 {
        run(&mut other, &format!("UPDATE users SET name = '{n}' WHERE login = 'max'"));
        warm(&olivia);
    }
    run(&mut later, "COMMIT");
    warm(&olivia);
    run(&mut late, "COMMIT");
    assert_eq!(description(&olivia), "late");
}

#[test]
fn what_is_rolled_back_or_not_committed_yet_never_shows() {
    let Some((world, [mut session])) = with_sessions() else { return };
    let olivia = world.olivia();
    run(&mut session, &describe("committed"));
    run(&mut session, &format!("BEGIN; {}", describe("open")));
    for _ in 0..10 {
        assert_eq!(description(&olivia), "committed");
    }
    run(&mut session, "ROLLBACK");
    assert_eq!(description(&olivia), "committed");
    // A write that the service refuses late leaves nothing in memory either.
    olivia.patch(TEAM, json!({ "name": "Core", "parent_team_id": 1 })).expect(422);
    assert_eq!(description(&olivia), "committed");
}

#[test]
fn memory_is_not_used_after_the_connection_that_proves_it_has_been_lost() {
    let Some((world, [mut session])) = with_sessions() else { return };
    let olivia = world.olivia();
    warm(&olivia);
    run(
        &mut session,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    run(&mut session, &describe("after the cut"));
    for _ in 0..10 {
        assert_eq!(description(&olivia), "after the cut");
    }
}

#[test]
fn a_token_that_is_revoked_ends_at_once_at_every_node() {
    let Some((first, [mut session])) = with_sessions() else { return };
    first.client("tom");
    let second = first.second_server();
    let clients = [first.client("tom"), second.client("tom")];
    for client in &clients {
        for _ in 0..4 {
            client.get("/user").expect(200);
        }
    }
    run(&mut session, "DELETE FROM tokens WHERE user_id = (SELECT id FROM users WHERE login = 'tom')");
    for client in &clients {
        client.get("/user").expect(401);
    }
}

/// Nothing is committed when a token expires: what is in memory of it says when that is.
#[test]
fn a_token_that_expires_ends_then_although_nothing_has_changed() {
    let Some((world, [mut session])) = with_sessions() else { return };
    let tom = world.client("tom");
    tom.get("/user").expect(200);
    let end = world.now().plus_seconds(60).0;
    run(
        &mut session,
        &format!("UPDATE tokens SET expires_at = {end} WHERE user_id = (SELECT id FROM users WHERE login = 'tom')"),
    );
    for _ in 0..4 {
        tom.get("/user").expect(200);
    }
    world.advance(61);
    tom.get("/user").expect(401);
}

/// The servers for tests have a weaker default.
#[test]
fn what_is_acknowledged_survives_a_crash_whatever_the_default_of_the_server() {
    const SETTING: &str = "SELECT current_setting('synchronous_commit')";
    let Some((world, [mut session])) = with_sessions() else { return };
    let name: String = session.query_one("SELECT CAST(current_database() AS TEXT)", &[]).expect("a name").get(0);
    for (default, wanted) in [("off", "on"), ("local", "on"), ("remote_write", "on"), ("remote_apply", "remote_apply")]
    {
        run(&mut session, &format!("ALTER DATABASE {name} SET synchronous_commit = '{default}'"));
        let node = world.second_server();
        assert_eq!(node.rows::<(String,)>(SETTING), [(wanted.to_owned(),)], "{default}");
        let written = node.db.write(|tx| tx.one::<(String,)>(SETTING, &[]));
        assert_eq!(node.block_on(written).expect("a setting").0, wanted, "{default}");
    }
}
