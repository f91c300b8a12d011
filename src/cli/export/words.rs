//! What stored words and ranks stand for in a file.

use crate::cli::import::desired::Level;
use crate::error::{Error, Result};

/// What a stored word stands for.
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
