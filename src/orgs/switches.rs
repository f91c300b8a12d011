//! The switches of an organization that clients write and read and that have no effect here (decision 52).
//!
//! They share one column, which stores those that differ from the defaults as JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

macro_rules! switches {
    ($($(#[doc = $doc:literal])+ $name:ident: $default:literal;)+) => {
        /// Switches of an organization.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
        pub struct Switches {
            $($(#[doc = $doc])+ pub $name: bool,)+
        }

        impl Default for Switches {
            fn default() -> Self {
                Self { $($name: $default,)+ }
            }
        }

        /// Some switches of an organization.
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(default)]
        pub struct Given {
            $(
                $(#[doc = $doc])+
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $name: Option<bool>,
            )+
        }

        impl Switches {
            /// These switches, with the given ones replaced.
            #[must_use]
            pub fn with(self, given: &Given) -> Self {
                Self { $($name: given.$name.unwrap_or(self.$name),)+ }
            }

            /// The switches that differ from the defaults.
            fn unusual(&self) -> Given {
                let usual = Self::default();
                Given { $($name: (self.$name != usual.$name).then_some(self.$name),)+ }
            }
        }
    };
}

switches! {
    /// Whether members may create internal repositories, of which there are none.
    members_can_create_internal_repositories: false;
    /// Whether members may publish pages.
    members_can_create_pages: true;
    /// Whether members may publish public pages.
    members_can_create_public_pages: true;
    /// Whether members may publish private pages.
    members_can_create_private_pages: true;
    /// Whether commits made in the web interface must be signed off.
    web_commit_signoff_required: false;
    /// Whether new repositories have advanced security.
    advanced_security_enabled_for_new_repositories: false;
    /// Whether new repositories have Dependabot alerts.
    dependabot_alerts_enabled_for_new_repositories: false;
    /// Whether new repositories have Dependabot security updates.
    dependabot_security_updates_enabled_for_new_repositories: false;
    /// Whether new repositories have the dependency graph.
    dependency_graph_enabled_for_new_repositories: false;
    /// Whether new repositories have secret scanning.
    secret_scanning_enabled_for_new_repositories: false;
    /// Whether new repositories have push protection of secret scanning.
    secret_scanning_push_protection_enabled_for_new_repositories: false;
}

impl Switches {
    /// The value to store in the column.
    #[must_use]
    pub fn stored(&self) -> Option<String> {
        let unusual = self.unusual();
        if unusual == Given::default() { None } else { serde_json::to_string(&unusual).ok() }
    }

    /// Reads the switches from the column.
    pub fn read(column: Option<&str>) -> Result<Self> {
        let Some(text) = column else { return Ok(Self::default()) };
        let given = serde_json::from_str(text).map_err(|e| Error::Bug(format!("switches of an organization: {e}")))?;
        Ok(Self::default().with(&given))
    }
}
