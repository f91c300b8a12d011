//! Guildhall in the process of a measurement, without the settings and the data directory of `guildhall serve`. Only for data
//! that is thrown away, because audit entries are sealed with another key.

use std::error::Error;
use std::net::SocketAddr;

use guildhall::clock::Clock;
use guildhall::db::{Address, Db};
use guildhall::dispatch;
use guildhall::http::assemble::{Parts, edge};
use guildhall::http::connection_limit::{ConnectionLimit, Limits};
use guildhall::http::server::Server;
use guildhall::limits::creation::CreationLimit;
use guildhall::limits::requests::Limiter;
use guildhall::memory::Organizations;
use guildhall::operation::Site;

/// Limits that no run reaches.
const OUT_OF_REACH: u32 = 1_000_000_000;

/// The database at this place: a URL of PostgreSQL or an SQLite file.
pub fn database(place: String) -> Address {
    if place.starts_with("postgres://") { Address::Postgres(place) } else { Address::Sqlite(place.into()) }
}

/// Serves the database until that has come to its end. Counting requests is part of the work.
pub async fn serve(db: Db, address: SocketAddr, end: impl Future<Output = ()>) -> Result<(), Box<dyn Error>> {
    let server = Server::bind(address, None).await?;
    let connections = ConnectionLimit::new(Limits::of_process(None, &[]), None);
    let limiter = Limiter::new(OUT_OF_REACH, OUT_OF_REACH, 1);
    server.run(edge(db, parts(Some(limiter)))?, connections, end).await;
    Ok(())
}

/// What answers requests, besides the database.
pub fn parts(limiter: Option<Limiter>) -> Parts {
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
        limiter,
        points: None,
        creation_limit: CreationLimit { per_minute: OUT_OF_REACH, per_hour: OUT_OF_REACH },
        guesses: Limiter::of_persons(OUT_OF_REACH),
    };
    Parts {
        site,
        clock: Clock::System,
        trusted_proxies: Vec::new(),
        public_url: None,
        metrics: None,
        memory: dispatch::Limits::default(),
    }
}
