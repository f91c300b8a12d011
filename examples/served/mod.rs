//! Guildhall in the process of a measurement, without the settings and the data directory of `guildhall serve`. Only for data
//! that is thrown away, because audit entries are sealed with another key.

mod parts;

use std::error::Error;
use std::net::SocketAddr;

use guildhall::db::{Address, Db};
use guildhall::http::assemble::edge;
use guildhall::http::connection_limit::{ConnectionLimit, Limits};
use guildhall::http::server::Server;

use self::parts::limiters;
pub use self::parts::parts;

/// The database at this place: a URL of PostgreSQL or an SQLite file.
pub fn database(place: String) -> Address {
    if place.starts_with("postgres://") { Address::Postgres(place) } else { Address::Sqlite(place.into()) }
}

/// Serves the database until that has come to its end. Counting requests is part of the work.
pub async fn serve(db: Db, address: SocketAddr, end: impl Future<Output = ()>) -> Result<(), Box<dyn Error>> {
    let server = Server::bind(address, None).await?;
    let connections = ConnectionLimit::new(Limits::of_process(None, &[]), None);
    server.run(edge(db, parts(Some(limiters())))?, connections, end).await;
    Ok(())
}
