//! `guildhall dev`: the server for tests, as a test suite uses it.

#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

#[path = "../support/mod.rs"]
mod support;

mod calls;
mod clock;
mod faults;
mod guarded;
mod large;
mod observed;
mod refused;
mod reset;
mod server;
mod wire;
