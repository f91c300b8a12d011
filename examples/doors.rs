//! Measures the two doors of the store with the first operations, without HTTP around them.
//!
//! `cargo run --release --example doors [postgres://...]`; without an address it uses a temporary SQLite file.
//! `docs/decisions/0001` says what was found.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a measurement prints, and stops at the first surprise")]
#![expect(clippy::cast_precision_loss, reason = "counts of requests are far below what a float holds")]

#[expect(dead_code, reason = "it listens on no port")]
mod served;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use guildhall::access::token::{self, New};
use guildhall::access::token_text;
use guildhall::clock::Clock;
use guildhall::db::{Address, Db, Tx};
use guildhall::dispatch::{Credentials, Request, Service};
use guildhall::error::Result;
use guildhall::http::assemble::edge;
use guildhall::journal;
use guildhall::links::Links;
use guildhall::operation::{Call, Page, Path, RequestId};
use guildhall::people::{login, user};
use guildhall::scope::Scopes;

const TEAMS: usize = 1_000;
const READS: usize = 20_000;

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let directory = tempfile::tempdir().expect("a directory");
        let address = match std::env::args().nth(1) {
            Some(url) => Address::Postgres(url),
            None => Address::Sqlite(directory.path().join("doors.db")),
        };
        let db = Db::open(&address).await.expect("a database");
        let now = Clock::System.now();
        let text = db.write(move |tx| seed(tx, now)).await.expect("an organization");
        let service = Arc::clone(&service(db));
        println!("| operation | clients | per second | mean |\n|---|---:|---:|---:|");
        run("teams.create (durable)", 1, TEAMS, &service, &text, create).await;
        run("teams.create (durable)", 64, TEAMS * 16 / 64, &service, &text, create_beside).await;
        for clients in [1, 64] {
            run("teams.getByName", clients, READS / clients, &service, &text, get).await;
            run("teams.list, 30", clients, READS / 4 / clients, &service, &text, list).await;
        }
    });
}

/// A person who owns an organization; the text of a token of theirs.
fn seed(tx: &mut Tx, now: guildhall::clock::Time) -> Result<String> {
    let stamp = now.0;
    let owner = user::create(tx, &format!("owner-{stamp}"), now)?.expect("a new login");
    let org_login = format!("org-{stamp}");
    let (org,): (i64,) = tx.run_one(
        "INSERT INTO orgs (login, created_at, updated_at) VALUES ($1, $2, $2) RETURNING id",
        &[&org_login, &stamp],
    )?;
    journal::open(tx, org)?;
    login::claim(tx, &org_login, login::Owner::Org(org))?;
    tx.run(
        "INSERT INTO org_members (org_id, user_id, role, created_at) VALUES ($1, $2, 'admin', $3)",
        &[&org, &owner.id, &stamp],
    )?;
    let scopes = Scopes::parse("admin:org, repo").expect("known scopes");
    let new = New {
        user: owner.id,
        kind: "personal",
        made_by: None,
        scopes,
        note: None,
        expires_at: None,
        effective_teams: false,
        application: None,
    };
    let (_, text) = token::create(tx, &new, None, "ghp_", now)?;
    Ok(format!("{text} {org_login}"))
}

fn service(db: Db) -> Arc<Service> {
    Arc::clone(&edge(db, served::parts(None)).expect("a server").service)
}

fn create(client: usize, n: usize) -> (&'static str, Option<String>, String) {
    ("teams.create", None, format!("Team {client} {n} of {}", std::process::id()))
}

fn create_beside(client: usize, n: usize) -> (&'static str, Option<String>, String) {
    ("teams.create", None, format!("Beside {client} {n} of {}", std::process::id()))
}

fn get(client: usize, n: usize) -> (&'static str, Option<String>, String) {
    let slug = format!("team-0-{}-of-{}", (client + n) % TEAMS, std::process::id());
    ("teams.getByName", Some(slug), String::new())
}

fn list(_: usize, _: usize) -> (&'static str, Option<String>, String) {
    ("teams.list", None, String::new())
}

type Next = fn(usize, usize) -> (&'static str, Option<String>, String);

async fn run(title: &str, clients: usize, per_client: usize, service: &Arc<Service>, text: &str, next: Next) {
    let (token, org) = text.split_once(' ').expect("a token and an organization");
    let rows: HashMap<&str, usize> = service.operations.iter().enumerate().map(|(row, o)| (o.name, row)).collect();
    let begun = Instant::now();
    let tasks: Vec<_> = (0..clients)
        .map(|client| {
            let (service, rows) = (Arc::clone(service), rows.clone());
            let (token, org) = (token.to_owned(), org.to_owned());
            tokio::spawn(async move {
                for n in 0..per_client {
                    let (name, slug, team) = next(client, n);
                    let mut path = vec![("org".into(), org.clone())];
                    path.extend(slug.map(|slug| ("team_slug".into(), slug)));
                    let request = request(rows[name], Path(path), &token);
                    let members = serde_json::Map::from_iter([("name".to_owned(), team.into())]);
                    let body = |room| async move { Ok((members, room)) };
                    service.serve(request, body).await.result.expect("an answer");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("a client");
    }
    report(title, clients, clients * per_client, begun.elapsed());
}

fn request(operation: usize, path: Path, token: &str) -> Request {
    Request {
        operation,
        call: Call { path, ..Call::default() },
        credentials: Credentials::Token(token_text::hash(token)),
        peer: std::net::Ipv4Addr::LOCALHOST.into(),
        links: Arc::new(Links { origin: "http://localhost".into(), api: "http://localhost".into() }),
        page: Page { number: 1, per_page: 30 },
        id: RequestId::new(0, 0),
        is_counted: false,
        condition: None,
        only_asks: false,
    }
}

fn report(title: &str, clients: usize, requests: usize, took: Duration) {
    let each = took.as_secs_f64() / requests as f64;
    println!("| {title} | {clients} | {:.0} | {:.1} us |", 1.0 / each, each * 1e6 * clients as f64);
}
