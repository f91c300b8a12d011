//! The data, and how it gets in and out: the two doors of the store, damage and older schemas, files of organizations,
//! and random changes against a model.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

#[expect(dead_code, reason = "each test program uses its own part of this")]
#[path = "../support/place.rs"]
mod place;
#[path = "../support/mod.rs"]
mod support;

mod doors;
mod exported;
mod import;
mod plan;
mod properties;
mod store;
