//! The words in a file for stored words and ranks.

use crate::error::{Error, Result};
use crate::repos::level::Level;

/// The word for a stored word.
pub fn known<T: Copy>(word: &str, choices: &[(&str, T)]) -> Result<T> {
    let found = choices.iter().find(|(known, _)| *known == word).map(|(_, value)| *value);
    found.ok_or_else(|| Error::Bug(format!("{word} is stored and is no word for anything")))
}

/// A stored level on a repository.
pub fn level(rank: i64) -> Result<Level> {
    Level::of_rank(rank).ok_or_else(|| Error::Bug(format!("{rank} is stored and is no level")))
}
