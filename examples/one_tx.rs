//! Measures the gain from sharing commits for the disk and SQLite alone: the limit of Guildhall's batched writes.
//!
//! `one_tx FILE SECONDS SHARING` makes a database of 500,000 memberships in FILE and then, for that long, does
//! for each imagined request what PUT membership does at least - read token, caller, team, person and
//! the old state, write the membership, an audit entry, an event and the organization's version - and
//! commits so many of them at once to the disk before it begins the next. It prints the number of requests per second.
//! The log is copied back as seldom as Guildhall has it start again.

use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const TEAMS: u64 = 10_000;
const PEOPLE: u64 = 100_000;

const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = OFF;
    CREATE TABLE orgs (id INTEGER PRIMARY KEY, version BIGINT NOT NULL);
    CREATE TABLE users (id INTEGER PRIMARY KEY, login_key TEXT NOT NULL UNIQUE);
    CREATE TABLE tokens (hash TEXT PRIMARY KEY, user_id BIGINT NOT NULL) WITHOUT ROWID;
    CREATE TABLE teams (id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE);
    CREATE TABLE team_members (
        team_id BIGINT NOT NULL, user_id BIGINT NOT NULL, role TEXT NOT NULL,
        PRIMARY KEY (team_id, user_id)) WITHOUT ROWID;
    CREATE INDEX team_members_by_user ON team_members (user_id, team_id);
    CREATE TABLE audit (id INTEGER PRIMARY KEY, at BIGINT NOT NULL, entry TEXT NOT NULL);
    CREATE TABLE events (id INTEGER PRIMARY KEY, at BIGINT NOT NULL, payload TEXT NOT NULL);
    INSERT INTO orgs VALUES (1, 1);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
        INSERT INTO users SELECT i, 'person-' || i FROM n;
    INSERT INTO tokens SELECT 'hash-' || id, id FROM users WHERE id <= 2000;
    INSERT INTO teams SELECT id, 'team-' || id FROM users WHERE id <= 10000;
    WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 5)
        INSERT OR IGNORE INTO team_members
            SELECT (users.id * 7919 + k.i * 104729) % 10000 + 1, users.id, 'member' FROM users, k;
    PRAGMA wal_checkpoint(TRUNCATE);
    PRAGMA wal_autocheckpoint = 16384;
    PRAGMA synchronous = FULL;";

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(file), Some(seconds), Some(sharing)) = (words.next(), words.next(), words.next()) else {
        return Err("usage: one_tx FILE SECONDS SHARING".into());
    };
    let mut db = Connection::open(file)?;
    db.execute_batch(SCHEMA)?;
    let (length, sharing) = (Duration::from_secs(seconds.parse()?), sharing.parse::<u64>()?);
    let begin = Instant::now();
    let mut done = 0_u64;
    while begin.elapsed() < length {
        let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        (done..done + sharing).try_for_each(|turn| put(&tx, turn))?;
        tx.commit()?;
        done += sharing;
    }
    let rate = u128::from(done) * 1_000_000 / begin.elapsed().as_micros().max(1);
    writeln!(std::io::stdout(), "{rate}")?;
    Ok(())
}

/// The reads and writes of one request, for a team and a person that look random.
fn put(tx: &Transaction, turn: u64) -> rusqlite::Result<()> {
    let team = format!("team-{}", turn.wrapping_mul(2_654_435_761) % TEAMS + 1);
    let person = format!("person-{}", turn.wrapping_mul(40_503_000_017) % PEOPLE + 1);
    let caller: i64 = one(tx, "SELECT user_id FROM tokens WHERE hash = ?1", "hash-1")?;
    tx.prepare_cached("SELECT login_key FROM users WHERE id = ?1")?
        .query_row([caller], |row| row.get::<_, String>(0))?;
    let team_id: i64 = one(tx, "SELECT id FROM teams WHERE slug = ?1", &team)?;
    let user_id: i64 = one(tx, "SELECT id FROM users WHERE login_key = ?1", &person)?;
    let before: Option<String> = tx
        .prepare_cached("SELECT role FROM team_members WHERE team_id = ?1 AND user_id = ?2")?
        .query_row(params![team_id, user_id], |row| row.get(0))
        .optional()?;
    tx.prepare_cached(
        "INSERT INTO team_members (team_id, user_id, role) VALUES (?1, ?2, 'member')
         ON CONFLICT (team_id, user_id) DO UPDATE SET role = excluded.role",
    )?
    .execute(params![team_id, user_id])?;
    let entry =
        format!("{{\"action\":\"team.add_member\",\"team\":{team_id},\"user\":{user_id},\"before\":{before:?}}}");
    tx.prepare_cached("INSERT INTO audit (at, entry) VALUES (?1, ?2)")?.execute(params![caller, entry])?;
    tx.prepare_cached("INSERT INTO events (at, payload) VALUES (?1, ?2)")?.execute(params![caller, entry])?;
    tx.prepare_cached("UPDATE orgs SET version = version + 1 WHERE id = 1")?.execute([])?;
    Ok(())
}

fn one(tx: &Transaction, sql: &str, key: &str) -> rusqlite::Result<i64> {
    tx.prepare_cached(sql)?.query_row([key], |row| row.get(0))
}
