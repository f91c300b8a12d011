//! Guildhall with a commit for each write: the baseline for what sharing commits is worth.
//!
//! `one_by_one DATABASE ADDR` serves the SQLite file or the `postgres://` database like `guildhall serve`, but its
//! writer runs and commits one request at a time. Only `scripts/bench` uses it.

mod served;

use std::error::Error;

use guildhall::db::{Db, Options};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(place), Some(address)) = (words.next(), words.next()) else {
        return Err("usage: one_by_one DATABASE ADDR".into());
    };
    tokio::runtime::Runtime::new()?.block_on(async {
        let db = Db::open_with(&served::database(place), Options { batch: 1, ..Options::default() }).await?;
        served::serve(db, address.parse()?, std::future::pending()).await
    })
}
