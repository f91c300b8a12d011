//! The attributes that a caller chooses for a team on create and update, and their limits (decisions 9, 11, 15 and 16).

use crate::error::{Error, Result};
use crate::name;
use crate::repos::level::Level;
use crate::rows::Permission;

/// The longest description, in characters.
pub const DESCRIPTION_MAX: usize = 65_535;

impl Permission {
    /// The level on a repository that this permission means.
    #[must_use]
    pub fn level(self) -> Level {
        match self {
            Self::Pull => Level::Pull,
            Self::Push => Level::Push,
            Self::Admin => Level::Admin,
        }
    }
}

/// Returns the name without surrounding whitespace; 422 if it is blank, too long or cannot be shown.
pub fn valid_name(name: &str) -> Result<&str> {
    name::valid(name).map_err(|why| Error::data("Team", why).at("name"))
}

/// Returns the description; 422 if it is too long.
pub fn valid_description(description: Option<&str>) -> Result<Option<&str>> {
    match description {
        Some(text) if text.chars().count() > DESCRIPTION_MAX => {
            let text = format!("Description is too long (maximum is {DESCRIPTION_MAX} characters)");
            Err(Error::data("Team", text).at("description"))
        }
        description => Ok(description),
    }
}
