//! Webhooks and their deliveries as the rooms show them.

use serde::Deserialize;

use crate::clock::Time;
use crate::error::Result;
use crate::pages::guest::{Guest, body};

/// The events, each with its name and a sentence about it.
#[rustfmt::skip]
pub(super) const EVENTS: [(&str, &str, &str); 9] = [
    ("team",         "Teams",                 "Teams are created, changed and deleted, and get and lose repositories."),
    ("membership",   "People on teams",       "People join and leave teams."),
    ("team_add",     "Repositories of teams", "A team gets a repository. Older programs listen for this."),
    ("organization", "People here",           "People are invited, join and leave, and the organization is renamed or deleted."),
    ("member",       "People on repositories", "People get, change and lose access that was given to them alone."),
    ("repository",   "Repositories",          "Repositories are created, changed, renamed and deleted."),
    ("fork",         "Forks",                 "A repository is forked."),
    ("meta",         "This webhook",          "The webhook itself is deleted."),
    ("ping",         "Tests",                 "A test is sent in any case."),
];

/// A webhook.
#[derive(Deserialize)]
pub(super) struct Hook {
    pub id: i64,
    pub active: bool,
    pub events: Vec<String>,
    pub config: Config,
    pub updated_at: Time,
}

/// The configuration of its deliveries.
#[derive(Deserialize)]
pub(super) struct Config {
    pub url: String,
    pub content_type: String,
    /// Asterisks, if there is one.
    pub secret: Option<String>,
    pub insecure_ssl: String,
}

impl Hook {
    /// Looks up a webhook; 404 if the visitor is no owner.
    pub async fn find(guest: &Guest<'_>, [org, hook]: [&str; 2]) -> Result<Self> {
        guest.call("orgs.getWebhook", &[("org", org), ("hook_id", hook)], body([])).await
    }

    /// The host of the receiver, which is how pages name the webhook.
    pub fn host(&self) -> &str {
        let rest = self.config.url.split_once("://").map_or(self.config.url.as_str(), |(_, rest)| rest);
        rest.split(['/', '?', '#']).next().unwrap_or_default()
    }

    /// True if it gets all events.
    pub fn gets_all(&self) -> bool {
        self.events.iter().any(|event| event == "*")
    }

    /// The events in words.
    pub fn says(&self) -> String {
        if self.gets_all() {
            return "Everything".to_owned();
        }
        let names = EVENTS.iter().filter(|(event, ..)| self.events.iter().any(|wanted| wanted == event));
        names.map(|(_, name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    /// The path of its room below `/ui`.
    pub fn path(&self, login: &str) -> String {
        format!("/orgs/{login}/hooks/{}", self.id)
    }

    /// The newest delivery, if there is one.
    pub async fn newest(&self, guest: &Guest<'_>, org: &str) -> Result<Option<Delivery>> {
        Ok(Delivery::list(guest, org, self.id, (None, 1)).await?.into_iter().next())
    }
}

/// An attempt to deliver an event.
#[derive(Deserialize)]
pub(in crate::pages) struct Delivery {
    pub id: i64,
    pub guid: String,
    pub delivered_at: Time,
    pub redelivery: bool,
    pub duration: f64,
    pub status: String,
    pub status_code: i64,
    pub event: String,
    pub action: Option<String>,
}

impl Delivery {
    /// The newest deliveries before this one, at most this many.
    pub async fn list(
        guest: &Guest<'_>,
        org: &str,
        hook: i64,
        (before, most): (Option<i64>, usize),
    ) -> Result<Vec<Self>> {
        let mut fields = body([("per_page", most.into())]);
        if let Some(id) = before {
            fields.insert("cursor".to_owned(), format!("v1_{id}").into());
        }
        let hook = hook.to_string();
        guest.call("orgs.listWebhookDeliveries", &[("org", org), ("hook_id", &hook)], fields).await
    }

    /// True if the receiver has accepted it.
    pub fn is_accepted(&self) -> bool {
        (200..300).contains(&self.status_code)
    }

    /// The event with its action, such as `team.edited`.
    pub fn name(&self) -> String {
        match &self.action {
            Some(action) => format!("{}.{action}", self.event),
            None => self.event.clone(),
        }
    }

    /// The status or the failure that came back, and the time that this took.
    pub fn outcome(&self) -> String {
        let came: String = match self.status_code {
            0 => self.status.chars().take(120).collect(),
            code => code.to_string(),
        };
        format!("{came} after {:.2} s", self.duration)
    }
}
