//! What a caller chooses of a team on create and update, and the limits of it (decisions 9, 11, 15 and 16).

use schemars::JsonSchema;
use serde::Deserialize;

use crate::error::{Error, Result};
use crate::orgs::repos::level::Level;

/// The longest name, in characters.
pub const NAME_MAX: usize = 255;

/// The longest description, in characters.
pub const DESCRIPTION_MAX: usize = 65_535;

/// Who sees a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Privacy {
    /// Owners and the team's own members.
    Secret,
    /// Every member of the organization.
    Closed,
}

impl Privacy {
    /// As it is stored.
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
    /// Pull only.
    #[default]
    Pull,
    /// Pull and push.
    Push,
    /// Pull, push and administer.
    Admin,
}

impl Permission {
    /// As it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pull => "pull",
            Self::Push => "push",
            Self::Admin => "admin",
        }
    }

    /// The level on a repository that it stands for.
    #[must_use]
    pub fn level(self) -> Level {
        match self {
            Self::Pull => Level::Pull,
            Self::Push => Level::Push,
            Self::Admin => Level::Admin,
        }
    }
}

/// Whether the members of a team are notified.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotificationSetting {
    /// They are.
    #[default]
    NotificationsEnabled,
    /// They are not.
    NotificationsDisabled,
}

impl NotificationSetting {
    /// As it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotificationsEnabled => "notifications_enabled",
            Self::NotificationsDisabled => "notifications_disabled",
        }
    }
}

/// The name without blanks around it; 422 if nothing or too much is left (decision 9).
pub fn valid_name(name: &str) -> Result<&str> {
    let name = name.trim();
    match name.chars().count() {
        0 => Err(Error::data("Team", "Name cannot be blank")),
        1..=NAME_MAX => Ok(name),
        _ => Err(Error::data("Team", format!("Name is too long (maximum is {NAME_MAX} characters)"))),
    }
}

/// The description; 422 if it is too long.
pub fn valid_description(description: Option<&str>) -> Result<Option<&str>> {
    match description {
        Some(text) if text.chars().count() > DESCRIPTION_MAX => {
            Err(Error::data("Team", format!("Description is too long (maximum is {DESCRIPTION_MAX} characters)")))
        }
        description => Ok(description),
    }
}
