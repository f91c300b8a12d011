//! Guildhall with a commit for each write: the baseline for what sharing commits is worth.
//!
//! `one_by_one DATABASE ADDR` serves the SQLite file or the `postgres://` database like `guildhall serve`, but its
//! writer runs and commits one request at a time. Only `scripts/bench` uses it, with data that is thrown away, because
//! audit entries are sealed with another key.

use std::error::Error;
use std::net::SocketAddr;

use guildhall::clock::Clock;
use guildhall::db::{Address, Db, Options};
use guildhall::dispatch;
use guildhall::http::assemble::{Parts, edge};
use guildhall::http::connection_limit::{ConnectionLimit, Limits};
use guildhall::http::server::Server;
use guildhall::limits::creation::CreationLimit;
use guildhall::limits::requests::Limiter;
use guildhall::memory::Organizations;
use guildhall::operation::Site;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Limits that no run reaches; counting requests is part of the work.
const OUT_OF_REACH: u32 = 1_000_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(place), Some(address)) = (words.next(), words.next()) else {
        return Err("usage: one_by_one DATABASE ADDR".into());
    };
    let database =
        if place.starts_with("postgres://") { Address::Postgres(place) } else { Address::Sqlite(place.into()) };
    tokio::runtime::Runtime::new()?.block_on(serve(&database, address.parse()?))
}

async fn serve(database: &Address, address: SocketAddr) -> Result<(), Box<dyn Error>> {
    let server = Server::bind(address, None).await?;
    let site = Site {
        partial_team_update: false,
        invitation_seconds: 604_800,
        token_prefix: "ghp_".into(),
        audit_key: [7; 32],
        etag_key: [7; 192],
        seal_key: [8; 32],
        mail_key: [9; 32],
        insecure_ssl: false,
        retry_seconds: 3 * 86_400,
        organizations: Organizations::default(),
        limiter: Some(Limiter::new(OUT_OF_REACH, OUT_OF_REACH, 1)),
        points: None,
        creation_limit: CreationLimit { per_minute: OUT_OF_REACH, per_hour: OUT_OF_REACH },
        guesses: Limiter::of_persons(OUT_OF_REACH),
    };
    let parts = Parts {
        site,
        clock: Clock::System,
        trusted_proxies: Vec::new(),
        public_url: None,
        metrics: None,
        memory: dispatch::Limits::default(),
    };
    let connections = ConnectionLimit::new(Limits::of_process(None, &[]), None);
    server
        .run(
            edge(Db::open_with(database, Options { batch: 1, ..Options::default() }).await?, parts)?,
            connections,
            std::future::pending(),
        )
        .await;
    Ok(())
}
