//! The limits on how often a caller may do something: one file per limit.

pub mod creation;
pub mod devices;
pub mod fixed;
pub mod guesses;
pub mod mails;
pub mod requests;
pub mod resources;
mod windows;
