//! What a caller may do how often: one file a limit.

pub mod creation;
pub mod guesses;
pub mod requests;
