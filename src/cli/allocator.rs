//! Returns memory that the allocator holds to the system while the service is idle (decision 40).
//!
//! The allocator manages the pages of each thread separately and returns free pages while that thread allocates. An
//! idle thread keeps the pages from its last burst of requests, even if other threads have freed them since.

use std::hint::black_box;
use std::time::Duration;

use tokio::runtime::Handle;

use crate::db::Db;

/// The interval at which the allocator is made to look for free pages.
const EVERY: Duration = Duration::from_secs(5);

/// The number of larger allocations of a thread after which the allocator checks the thread's pages.
const LOOK_AFTER: usize = 10_000;

/// A size that counts as larger, in bytes.
const PIECE: usize = 2_048;

/// Makes each thread that serves requests return unused pages. It takes each about half a millisecond.
pub(super) async fn give_back(db: Db) {
    loop {
        tokio::time::sleep(EVERY).await;
        // A thread is busy for long enough that the other threads get their share of these tasks.
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
