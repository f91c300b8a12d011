//! Records of webhooks, with the fields and in the order that clients know.

use schemars::JsonSchema;
use serde::Serialize;

use super::config::MASK;
use super::stored::Hook;
use crate::clock::Time;
use crate::links::Links;

/// Where and how a hook delivers, as it is shown.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "webhook-config")]
pub struct HookConfig {
    /// `form` or `json`.
    pub content_type: String,
    /// Asterisks in place of the secret; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<&'static str>,
    /// The URL, without user and password.
    pub url: String,
    /// `"1"` if certificates are not verified.
    pub insecure_ssl: &'static str,
}

impl HookConfig {
    /// The configuration of a webhook.
    #[must_use]
    pub fn new(hook: &Hook) -> Self {
        Self {
            content_type: hook.content_type.clone(),
            secret: hook.secret.as_ref().map(|_| MASK),
            url: hook.url.clone(),
            insecure_ssl: if hook.insecure_ssl { "1" } else { "0" },
        }
    }
}

/// What every hook shows.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Head {
    /// `Organization` or `Global`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// ID.
    pub id: i64,
    /// Always `web`.
    pub name: &'static str,
    /// Whether it receives events.
    pub active: bool,
    /// The events that it wants; `*` stands for all.
    pub events: Vec<String>,
    /// Where and how it delivers.
    pub config: HookConfig,
    /// Time of the last change.
    pub updated_at: Time,
    /// Creation time.
    pub created_at: Time,
}

impl Head {
    /// The fields that every webhook shows.
    #[must_use]
    pub fn new(kind: &'static str, hook: &Hook) -> Self {
        Self {
            kind,
            id: hook.id,
            name: "web",
            active: hook.active,
            events: hook.events.clone(),
            config: HookConfig::new(hook),
            updated_at: hook.updated_at,
            created_at: hook.created_at,
        }
    }
}

/// A webhook of an organization.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "org-hook")]
pub struct OrgHook {
    /// What every hook shows.
    #[serde(flatten)]
    pub head: Head,
    /// URL of the record.
    pub url: String,
    /// URL that sends a ping.
    pub ping_url: String,
    /// URL of the deliveries.
    pub deliveries_url: String,
}

impl OrgHook {
    /// The record of a webhook of the organization with this login.
    #[must_use]
    pub fn new(links: &Links, login: &str, hook: &Hook) -> Self {
        let below = |path: &str| links.api(&format!("/orgs/{login}/hooks/{}{path}", hook.id));
        Self {
            head: Head::new("Organization", hook),
            url: below(""),
            ping_url: below("/pings"),
            deliveries_url: below("/deliveries"),
        }
    }
}

/// A webhook of the site.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "global-hook")]
pub struct GlobalHook {
    /// What every hook shows.
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
