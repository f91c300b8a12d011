//! Records of webhooks, with the fields and in the order that clients know.

use schemars::JsonSchema;
use serde::Serialize;

use super::config::MASK;
use super::stored::Hook;
use crate::clock::Time;
use crate::links::Links;
use crate::record::record;

record! {
    /// The configuration of a webhook's deliveries, as it is shown.
    #[schemars(rename = "webhook-config")]
    pub struct HookConfig {
        /// `form` or `json`.
        pub content_type: String = hook.content_type.clone(),
        /// Asterisks in place of the secret; absent if there is none.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub secret: Option<&'static str> = hook.secret.as_ref().map(|_| MASK),
        /// The URL, without user and password.
        pub url: String = hook.url.clone(),
        /// `"1"` if certificates are not verified.
        pub insecure_ssl: &'static str = if hook.insecure_ssl { "1" } else { "0" },
    }

    /// The configuration of a webhook.
    pub fn new(hook: &Hook) {}
}

record! {
    /// The fields that every webhook shows.
    pub struct Head {
        /// `Organization` or `Global`.
        #[serde(rename = "type")]
        pub kind: &'static str = kind,
        /// ID.
        pub id: i64 = hook.id,
        /// Always `web`.
        pub name: &'static str = "web",
        /// True if it receives events.
        pub active: bool = hook.active,
        /// The events that it wants; `*` stands for all.
        pub events: Vec<String> = hook.events.clone(),
        /// The configuration of its deliveries.
        pub config: HookConfig = HookConfig::new(hook),
        /// Time of the last change.
        pub updated_at: Time = hook.updated_at,
        /// Creation time.
        pub created_at: Time = hook.created_at,
    }

    /// The fields that every webhook shows.
    pub fn new(kind: &'static str, hook: &Hook) {}
}

record! {
    /// A webhook of an organization.
    #[schemars(rename = "org-hook")]
    pub struct OrgHook {
        /// The fields that every webhook shows.
        #[serde(flatten)]
        pub head: Head = Head::new("Organization", hook),
        /// URL of the record.
        pub url: String = below(""),
        /// URL that sends a ping.
        pub ping_url: String = below("/pings"),
        /// URL of the deliveries.
        pub deliveries_url: String = below("/deliveries"),
    }

    /// The record of a webhook of the organization with this login.
    pub fn new(links: &Links, login: &str, hook: &Hook) {
        let below = |path: &str| links.api(&format!("/orgs/{login}/hooks/{}{path}", hook.id));
    }
}

/// A webhook of the site.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "global-hook")]
pub struct GlobalHook {
    /// The fields that every webhook shows.
    #[serde(flatten)]
    pub head: Head,
    /// URL of the record.
    pub url: String,
    /// URL that sends a ping.
    pub ping_url: String,
}

impl GlobalHook {
    /// The record of a webhook of the site.
    #[must_use]
    pub fn new(links: &Links, hook: &Hook) -> Self {
        let below = |path: &str| links.api(&format!("/admin/hooks/{}{path}", hook.id));
        Self { head: Head::new("Global", hook), url: below(""), ping_url: below("/pings") }
    }
}
