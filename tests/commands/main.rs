//! The program as an operator meets it: its commands, its settings, and what `serve` offers around the interface.

#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

#[path = "../support/mod.rs"]
mod support;

#[path = "../support/place.rs"]
mod place;

mod audit;
mod cli;
mod import;
mod missing_store;
mod operating;
mod serving;

use support::database;
