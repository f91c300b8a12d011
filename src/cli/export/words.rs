//! The words in a file for stored words and ranks.

use crate::cli::import::desired::Level;
use crate::error::{Error, Result};

/// The word for a stored word.
pub fn known<T: Copy>(word: &str, choices: &[(&str, T)]) -> Result<T> {
    let found = choices.iter().find(|(known, _)| *known == word).map(|(_, value)| *value);
    found.ok_or_else(|| Error::Bug(format!("{word} is stored and is no word for anything")))
}

/// A stored level on a repository.
pub fn level(rank: i64) -> Result<Level> {
    Ok(match rank {
        1 => Level::Read,
        2 => Level::Triage,
        3 => Level::Write,
        4 => Level::Maintain,
        5 => Level::Admin,
        _ => return Err(Error::Bug(format!("{rank} is stored and is no level"))),
    })
}
