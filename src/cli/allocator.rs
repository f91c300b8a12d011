//! Memory that the allocator keeps, given back to the system while the service is idle (decision 40).
//!
//! The allocator keeps the pages of each thread apart and returns free ones while that thread allocates. A thread that
//! has nothing to do keeps what the last rush of requests left with it, even when other threads have freed it since.

use std::hint::black_box;
use std::time::Duration;

use tokio::runtime::Handle;

use crate::db::Db;

/// How often the allocator is made to look for free pages.
const EVERY: Duration = Duration::from_secs(5);

/// After how many allocations of a thread that are not small the allocator looks through the thread's pages.
const LOOK_AFTER: usize = 10_000;

/// A size that counts as not small, in bytes.
const PIECE: usize = 2_048;

/// Has each thread that serves requests return what it does not need. It takes each about half a millisecond.
pub(super) async fn give_back(db: Db) {
    loop {
        tokio::time::sleep(EVERY).await;
        // A thread is busy for long enough that the others take their part of these.
        for _ in 0..Handle::current().metrics().num_workers() {
            tokio::spawn(async { look_through() });
        }
        db.on_each_thread(look_through);
    }
}

fn look_through() {
    for _ in 0..LOOK_AFTER {
        drop(black_box(Vec::<u8>::with_capacity(PIECE)));
    }
}
