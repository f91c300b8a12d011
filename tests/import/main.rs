//! `guildhall import`: reading files, what an import does to a store, and what the interface shows afterwards
//! (decisions 9 to 11, 21, 22, 25 to 29, 32, 33 and 50).

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "each test program uses its own part of this")]
#[path = "../support/store.rs"]
mod store;
#[path = "../support/mod.rs"]
mod support;

mod extension;
mod faults;
mod files;
mod rules;
mod served;
mod stored;

use support::{database, fault_injector};
