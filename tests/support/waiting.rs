//! Waiting until something has happened. No test waits for a fixed time, and none judges how long anything has taken.

use std::fmt::Debug;
use std::time::{Duration, Instant};

/// Only a hang reaches this, on however busy a machine.
pub const HANG: Duration = Duration::from_mins(2);

/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(10);

/// Looks until this is so.
#[track_caller]
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    found(|| if is_so() { Ok(()) } else { Err(what) });
}

/// Looks until something is found. An error is what was seen instead.
#[track_caller]
pub fn found<T, E: Debug>(mut look: impl FnMut() -> Result<T, E>) -> T {
    let since = Instant::now();
    loop {
        match look() {
            Ok(found) => return found,
            Err(seen) => assert!(since.elapsed() < HANG, "waited in vain: {seen:?}"),
        }
        std::thread::sleep(PAUSE);
    }
}
