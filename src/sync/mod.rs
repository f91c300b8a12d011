//! Identity providers: what they provision over SCIM 2.0 (RFC 7643 and 7644), and the teams that follow their groups.
//!
//! Implements decisions 48 and 49. A crate parses filters and paths (docs/decisions/0007).

mod account;
mod discovery;
mod document;
mod filter;
mod groups;
pub mod mapping;
mod members;
mod operations;
mod patch;
mod provider;
mod query;
mod resource;
pub mod routes;
mod schema;
mod user;
mod users;
