//! Locks: writes never wait for each other in a circle, and decide on what holds once they have their locks.

use std::sync::atomic::{AtomicUsize, Ordering};

use guildhall::access::token;
use guildhall::clock::Time;
use guildhall::db::Address;

use crate::nodes::{all_is_well, at_once, nodes};
use crate::support::database::Database;
use crate::support::{Answer, Client, World, json};

/// Writes that need two organizations and the site lock them in the same order, whatever the order of the requests.
#[test]
fn writes_that_concern_two_organizations_never_wait_for_each_other_in_a_circle() {
    const ROUNDS: usize = 25;
    let nodes = nodes();
    nodes[0].organization("beta", "olivia", &["tom"]);
    nodes[0].olivia().post("/orgs/beta/teams", json!({ "name": "Other", "privacy": "closed" })).expect(201);
    let statuses = at_once(&nodes, "olivia", |number, olivia| {
        let (sam, mut statuses) = (nodes[number % 2].sam(), Vec::new());
        for round in 0..ROUNDS {
            let (first, second) = if (number + round) % 2 == 0 { ("acme", "beta") } else { ("beta", "acme") };
            let answers = match number % 3 {
                0 => vec![
                    sam.put("/users/tom/suspended", json!({})),
                    sam.delete("/users/tom/suspended"),
                    sam.patch("/admin/users/max", json!({ "login": format!("max-{number}-{round}") })),
                ],
                1 => [first, second]
                    .map(|org| {
                        olivia.put(&format!("/orgs/{org}/memberships/eve"), json!({ "role": "admin" }));
                        olivia.delete(&format!("/orgs/{org}/memberships/eve"))
                    })
                    .into(),
                _ => [first, second]
                    .map(|org| olivia.patch(&format!("/orgs/{org}"), json!({ "company": format!("{number} {round}") })))
                    .into(),
            };
            statuses.extend(answers.iter().map(|answer| answer.status));
        }
        statuses
    });
    let failed: Vec<u16> = statuses.into_iter().flatten().filter(|status| *status >= 500).collect();
    assert!(failed.is_empty(), "{failed:?}");
    all_is_well(&nodes);
}

/// Two people at two nodes change two organizations, each in another order, while both nodes note when tokens were last
/// used. A deadlock would be retried and not be seen in any answer, so the server is asked whether it has found one.
#[test]
fn two_people_who_alternate_between_two_organizations_meet_no_deadlock() {
    // SQLite has one writer, and no locks that could be taken in another order.
    let rounds = if Database::is_postgres() { 200 } else { 20 };
    let nodes = nodes();
    nodes[0].organization("beta", "olivia", &["max"]);
    nodes[0].olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    nodes[0].olivia().put("/orgs/beta/memberships/max", json!({ "role": "admin" })).expect(200);
    let clients = [nodes[0].olivia(), nodes[1].max()];
    let tokens: Vec<i64> = nodes[0].rows("SELECT id FROM tokens ORDER BY id").into_iter().map(|(id,)| id).collect();
    let changing = AtomicUsize::new(clients.len());
    std::thread::scope(|scope| {
        for (number, (node, client)) in nodes.iter().zip(&clients).enumerate() {
            let (mut orgs, changing) = (["acme", "beta"], &changing);
            orgs.rotate_left(number);
            scope.spawn(move || {
                let _one_less = OneLess(changing);
                for _ in 0..rounds {
                    for org in orgs {
                        let (path, member) = (format!("/orgs/{org}"), format!("/orgs/{org}/memberships/eve"));
                        let answers = [
                            client.patch(&path, json!({ "company": number.to_string() })),
                            client.put(&member, json!({ "role": "member" })),
                            client.delete(&member),
                        ];
                        // The other person may have removed the member first.
                        for answer in answers {
                            assert!(answer.status < 500, "{}", answer.text);
                        }
                    }
                }
            });
            let mut used: Vec<(i64, Time)> = tokens.iter().map(|id| (*id, node.now())).collect();
            let half = used.len() / 2;
            used.rotate_left(number * half);
            scope.spawn(move || {
                while changing.load(Ordering::SeqCst) > 0 {
                    let used = used.clone();
                    node.block_on(node.db.write(move |tx| token::touch(tx, &used))).expect("the time of the last use");
                }
            });
        }
    });
    if Database::is_postgres() {
        let found: Vec<(i64,)> =
            nodes[0].rows("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
        assert_eq!(found, [(0,)]);
    }
    all_is_well(&nodes);
}

/// Counts down when it ends, also when that is because something failed.
struct OneLess<'c>(&'c AtomicUsize);

impl Drop for OneLess<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// On PostgreSQL a write may wait for a lock. A caller who has lost their right meanwhile is refused, although readers
/// have found it shortly before.
#[test]
fn a_right_that_is_taken_away_while_a_write_waits_for_the_lock_is_gone() {
    let company = |client: &Client| client.patch("/orgs/acme", json!({ "company": "Late" }));
    let role = |client: &Client| client.put("/orgs/acme/teams/core/memberships/tom", json!({ "role": "maintainer" }));
    for (sql, status) in [
        ("UPDATE org_members SET role = 'member' WHERE role = 'admin'", 403),
        ("DELETE FROM tokens WHERE user_id = (SELECT id FROM users WHERE login = 'olivia')", 401),
        ("UPDATE users SET suspended = TRUE WHERE login = 'olivia'", 403),
        ("UPDATE logins SET current = FALSE WHERE login_key = 'acme'", 404),
    ] {
        is_refused(sql, status, company);
        is_refused(sql, status, role);
    }
    is_refused("UPDATE teams SET slug = 'moved' WHERE slug = 'core'", 404, role);
}

/// A write of the owner of `acme` waits for the lock while this is committed, and is refused then.
fn is_refused(sql: &str, status: u16, write: impl Fn(&Client) -> Answer + Sync) {
    let world = World::new();
    let Address::Postgres(url) = world.address() else { return };
    let session = || postgres::Client::connect(url, postgres::NoTls).expect("a session");
    // What a transaction sees of other sessions stays as it was.
    let (olivia, mut other, mut watching) = (world.olivia(), session(), session());
    for _ in 0..2 {
        olivia.put("/orgs/acme/teams/core/memberships/tom", json!({ "role": "member" })).expect(200);
    }
    other.batch_execute("BEGIN; SELECT entry FROM journal_heads WHERE org_id = 1 FOR UPDATE").expect("the lock");
    let answer = std::thread::scope(|scope| {
        let writing = scope.spawn(|| write(&olivia));
        while !watching.query_one(WAITS, &[]).expect("the sessions").get::<_, bool>(0) {
            std::thread::yield_now();
        }
        other.batch_execute(&format!("{sql}; COMMIT")).expect("to take it away");
        writing.join().expect("no panic")
    });
    assert_eq!(answer.status, status, "{sql}: {}", answer.text);
    assert_eq!(world.rows::<(Option<String>,)>("SELECT company FROM orgs WHERE id = 1"), [(None,)], "{sql}");
    assert_eq!(world.rows::<(String,)>(ROLE), [("member".to_owned(),)], "{sql}");
}

const ROLE: &str = "
    SELECT m.role FROM team_members m JOIN users u ON u.id = m.user_id WHERE u.login = 'tom' AND m.team_id = 1";

const WAITS: &str = "
    SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')";
