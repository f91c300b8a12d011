//! The attributes that a caller chooses for a repository on create and update, and their limits (decision 30).

use schemars::JsonSchema;
use serde::Deserialize;

use crate::error::{Error, Result};

/// The longest description, in characters.
pub const DESCRIPTION_MAX: usize = 65_535;

/// The longest URL of a repository's website and the longest name of a branch, in characters.
pub const LINE_MAX: usize = 255;

/// The visibility of a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Readable by everyone.
    Public,
    /// Readable only by people with access.
    Private,
}

/// True if a repository is to be private. A request can say that in two ways; 422 if they disagree.
pub fn is_private(private: Option<bool>, visibility: Option<Visibility>) -> Result<Option<bool>> {
    let chosen = visibility.map(|visibility| visibility == Visibility::Private);
    match (private, chosen) {
        (Some(one), Some(other)) if one != other => {
            let message = "private and visibility contradict each other. Send only one of them.";
            Err(Error::explained("Repository", "custom", "visibility", message))
        }
        (one, other) => Ok(one.or(other)),
    }
}

/// Returns the description; 422 if it is too long.
pub fn valid_description(text: Option<String>) -> Result<Option<String>> {
    no_longer(text, DESCRIPTION_MAX, "description", "description is too long (maximum is 65535 characters)")
}

/// Returns the URL of the website; 422 if it is too long.
pub fn valid_homepage(text: Option<String>) -> Result<Option<String>> {
    no_longer(text, LINE_MAX, "homepage", "homepage is too long (maximum is 255 characters)")
}

fn no_longer(text: Option<String>, max: usize, field: &'static str, why: &'static str) -> Result<Option<String>> {
    match text {
        Some(text) if text.chars().count() > max => Err(Error::explained("Repository", "custom", field, why)),
        text => Ok(text),
    }
}

/// Returns the name of a branch; 422 if no branch can have this name.
pub fn valid_branch(name: String) -> Result<String> {
    let allowed = |c: char| !c.is_whitespace() && !c.is_control() && !"~^:?*[\\".contains(c);
    if name.is_empty() || name.chars().count() > LINE_MAX || !name.chars().all(allowed) {
        return Err(Error::explained(
            "Repository",
            "invalid",
            "default_branch",
            "default_branch is not a valid branch name",
        ));
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn privacy_is_said_in_two_ways_that_agree() {
        assert_eq!(is_private(None, None).unwrap(), None);
        assert_eq!(is_private(Some(true), None).unwrap(), Some(true));
        assert_eq!(is_private(None, Some(Visibility::Public)).unwrap(), Some(false));
        assert_eq!(is_private(Some(true), Some(Visibility::Private)).unwrap(), Some(true));
        assert!(is_private(Some(false), Some(Visibility::Private)).is_err());
    }
}
