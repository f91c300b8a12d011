//! How often a caller may do what: one file per limit.

pub mod creation;
pub mod guesses;
pub mod requests;
pub mod resources;
