//! Searching what the service has (section 8 of `SPEC.md`, "Searching").
//!
//! Everything that a search shows or counts is something that the caller can list as well.

pub mod accounts;
pub mod found;
pub mod query;
pub mod repositories;
mod statements;
pub mod users;
pub mod words;
