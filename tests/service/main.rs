//! The promises to callers of the interface: the rules of `SPEC.md`, what holds for every row of the table, GraphQL and
//! provisioning over SCIM.

#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

#[path = "../support/mod.rs"]
mod support;

mod every_operation;
mod graphql;
mod scim;
mod spec;
