//! What is kept: that doctor finds and mends damage to it, that a store of an older schema is brought to this one, and
//! that the state of an organization in memory is what a naive model says.

#![expect(dead_code, reason = "the support modules serve other test programs too")]
#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

#[path = "../support/client.rs"]
mod client;
#[path = "../support/database.rs"]
mod database;
#[path = "../support/fault_injector.rs"]
mod fault_injector;
#[path = "../support/place.rs"]
mod place;
#[path = "../support/store.rs"]
mod store;

mod doctor;
mod doctor_file;
mod memory;
mod migrated;
mod older_schema;
