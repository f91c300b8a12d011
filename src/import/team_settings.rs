//! The settings of a team that a file has below the key `guildhall`. Imports and exports name them in this file alone.

use serde::Serialize;

use super::cursor::Cursor;
use super::values::word;
use crate::rows::{NotificationSetting, Permission, TeamRow};

/// Those that a file gives, or that differ from those of a new team.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TeamSettings {
    /// The default permission of the team's repositories: `pull`, `push` or `admin`.
    pub permission: Option<&'static str>,
    /// `notifications_enabled` or `notifications_disabled`.
    pub notification_setting: Option<&'static str>,
}

impl TeamSettings {
    /// Their names.
    pub const KEYS: &'static [&'static str] = &["notification_setting", "permission"];

    /// Reads them below the key.
    #[must_use]
    pub fn read(at: &Cursor) -> Self {
        Self {
            permission: at.read("permission", |at| word(at, &Permission::WORDS)),
            notification_setting: at.read("notification_setting", |at| word(at, &NotificationSetting::WORDS)),
        }
    }

    /// Those of a stored team that differ from those of a new team.
    #[must_use]
    pub fn unusual(team: &TeamRow) -> Self {
        let (permission, notifications) = (Permission::default(), NotificationSetting::default());
        Self {
            permission: unless(team.permission, &permission.word()),
            notification_setting: unless(team.notification_setting, &notifications.word()),
        }
    }

    /// Gives them to a team. Returns what changes, in the words of the report.
    pub fn give(&self, team: &mut TeamRow) -> Vec<String> {
        let mut changed = Vec::new();
        if let Some(new) = self.permission.and_then(|new| unless(new, &team.permission)) {
            team.permission = new;
            changed.push(format!("permission {new}"));
        }
        if let Some(new) = self.notification_setting.and_then(|new| unless(new, &team.notification_setting)) {
            team.notification_setting = new;
            changed.push(new.to_owned());
        }
        changed
    }
}

/// The value, if it is another one than this.
fn unless<T: PartialEq>(value: T, other: &T) -> Option<T> {
    (value != *other).then_some(value)
}
