//! The program as an operator runs it: its commands, the server for tests, everything that goes wrong, several servers on
//! one database, and deliveries to webhooks.

#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

#[path = "../support/place.rs"]
mod place;
#[path = "../support/mod.rs"]
mod support;

mod commands;
mod dev;
mod faults;
mod nodes;
mod sender;
