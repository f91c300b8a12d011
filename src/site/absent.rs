//! Missing features that clients request (decisions 59 and 82): the descriptions of the operations, and
//! the records of those that are not lists.

use schemars::JsonSchema;
use serde::Serialize;

use crate::operation::{Paged, Record};

/// Constants that are documented by what they say.
macro_rules! described {
    ($($name:ident $words:literal)+) => {$(
        #[doc = $words]
        pub const $name: &str = $words;
    )+};
}

described! {
    SSH_KEYS
    "List the SSH keys of an account. The list is always empty, because Guildhall stores no keys."
    GPG_KEYS
    "List the GPG keys of an account. The list is always empty, because Guildhall stores no keys."
    FOLLOWERS
    "List the followers of an account. The list is always empty, because accounts cannot be followed."
    FOLLOWING
    "List the accounts that an account follows. The list is always empty, because accounts cannot be followed."
    EVENTS
    "List the public events of an organization. The list is always empty: use the audit log, or webhooks."
    CUSTOM_PROPERTIES
    "List the custom properties of an organization's repositories. The list is always empty: they have none."
    EXTERNAL_GROUPS
    "List the external groups of an organization. There are never any: teams follow groups from SCIM."
    INSTALLATIONS
    "List the apps that are installed in an organization. There are never any, because Guildhall has no apps."
    INVITATIONS
    "List the open invitations to a repository. The list is always empty, because collaborators get access at once."
    OWN_INVITATIONS
    "List the caller's open repository invitations. The list is always empty, because collaborators get access at once."
    WEBHOOKS
    "List the webhooks of a repository. The list is always empty, because webhooks belong to organizations."
    LABELS
    "List the labels of a repository. The list is always empty, because Guildhall has no issues."
    DEPLOY_KEYS
    "List the deploy keys of a repository. The list is always empty, because Guildhall stores no keys."
    BRANCHES
    "List the branches of a repository. The list is always empty, because Guildhall hosts no Git data."
    CONTRIBUTORS
    "List the contributors of a repository. The list is always empty, because Guildhall hosts no Git data."
    RULESETS
    "List the rulesets of a repository. The list is always empty, because Guildhall hosts no Git data."
    REPORTS
    "Check whether vulnerabilities of a repository can be reported privately. They never can."
}

/// A list that never has an item.
pub type Empty = Paged<[(); 0]>;

/// Apps, page by page.
pub type Apps = Paged<Installations>;

/// The apps that are installed in an organization: none.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "app-installations")]
pub struct Installations {
    /// Always 0.
    pub total_count: u8,
    /// Always empty.
    pub installations: [&'static str; 0],
}

/// Groups, page by page.
pub type Groups = Paged<ExternalGroups>;

/// The groups of an enterprise that teams can be connected to: none.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "external-groups")]
pub struct ExternalGroups {
    /// Always empty.
    pub groups: [&'static str; 0],
}

/// The state of a feature.
pub type Reporting = Record<PrivateReporting>;

/// A feature of a repository that cannot be switched on.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "private-vulnerability-reporting")]
pub struct PrivateReporting {
    /// Always false.
    pub enabled: bool,
}
