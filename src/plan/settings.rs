//! The organization itself: its profile and its settings.

use serde_json::json;

use super::Kind;
use super::comparison::Comparison;
use crate::import::stored_settings::stated;
use crate::orgs::update::difference;

impl Comparison<'_> {
    /// Compares the profile and the settings, each field by itself.
    pub(super) fn settings(&mut self) {
        if !self.stored.exists {
            let login = self.file.login.as_str();
            self.add((Kind::Organization, None, login), json!(null), None);
        }
        let was = &self.stored.settings;
        let (before, after) = difference(&json!(was), &json!(stated(self.file, was)));
        for (key, after) in after.as_object().into_iter().flatten() {
            self.change((Kind::Setting, None, key), (before[key].clone(), after.clone()), None);
        }
    }
}
