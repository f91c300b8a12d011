//! What a caller chooses for a team on create and update, and its limits (decisions 9, 11, 15 and 16).

use schemars::JsonSchema;
use serde::Deserialize;

use crate::error::{Error, Result};
use crate::name;
use crate::repos::level::Level;

/// The longest description, in characters.
pub const DESCRIPTION_MAX: usize = 65_535;

/// The visibility of a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Privacy {
    /// Visible only to owners and the members of the team.
    Secret,
    /// Visible to all members of the organization.
    Closed,
}

impl Privacy {
    /// The value as it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Secret => "secret",
            Self::Closed => "closed",
        }
    }
}

/// The default permission of a team.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// Read and clone.
    #[default]
    Pull,
    /// Read and push.
    Push,
    /// Read, push and administer.
    Admin,
}

impl Permission {
    /// The value as it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pull => "pull",
            Self::Push => "push",
            Self::Admin => "admin",
        }
    }

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

/// The notification setting of a team.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotificationSetting {
    /// Members are notified.
    #[default]
    NotificationsEnabled,
    /// Members are not notified.
    NotificationsDisabled,
}

impl NotificationSetting {
    /// The value as it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotificationsEnabled => "notifications_enabled",
            Self::NotificationsDisabled => "notifications_disabled",
        }
    }
}

/// Returns the name without surrounding whitespace; 422 if it is blank, too long or cannot be shown.
pub fn valid_name(name: &str) -> Result<&str> {
    name::valid(name).map_err(|why| Error::data("Team", why))
}

/// Returns the description; 422 if it is too long.
pub fn valid_description(description: Option<&str>) -> Result<Option<&str>> {
    match description {
        Some(text) if text.chars().count() > DESCRIPTION_MAX => {
            Err(Error::data("Team", format!("Description is too long (maximum is {DESCRIPTION_MAX} characters)")))
        }
        description => Ok(description),
    }
}
