//! Webhooks and their deliveries as the rooms show them.

use serde::Deserialize;

use crate::clock::Time;
use crate::error::Result;
use crate::pages::guest::{Guest, body};
use crate::pages::organization::holder::{At, Holder};
use crate::pages::undelivered;

/// Events, each with its name and a sentence about it.
pub(super) type Events = &'static [(&'static str, &'static str, &'static str)];

#[rustfmt::skip]
const OF_ORGANIZATIONS: Events = &[
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

#[rustfmt::skip]
const OF_THE_SITE: Events = &[
    ("user",         "Accounts",              "Accounts are created and deleted."),
    ("organization", "Organizations",         "Organizations are created, renamed and deleted, and people are invited, join and leave."),
];

/// The events that webhooks of an organization, or of the site, can choose.
pub(super) fn events(of: &Holder) -> Events {
    if of.org().is_some() { OF_ORGANIZATIONS } else { OF_THE_SITE }
}

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
    /// Looks up a webhook; 404 if the visitor is no owner or, for one of the site, no administrator.
    pub async fn find(guest: &Guest<'_>, (at, id): (At<'_>, &str)) -> Result<Self> {
        let operations = ["orgs.getWebhook", "enterpriseAdmin.getGlobalWebhook"];
        let (operation, path) = at.operation(operations, &[("hook_id", id)]);
        guest.call(operation, &path, body([])).await
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
    pub fn says(&self, of: &Holder) -> String {
        if self.gets_all() {
            return "Everything".to_owned();
        }
        let names = events(of).iter().filter(|(event, ..)| self.events.iter().any(|wanted| wanted == event));
        names.map(|(_, name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    /// The path of its room below `/ui`, as one of its organization or of the site.
    pub fn path(&self, at: At<'_>) -> String {
        format!("{}/hooks/{}", at.path(), self.id)
    }

    /// The newest delivery, if there is one.
    pub async fn newest(&self, guest: &Guest<'_>, at: At<'_>) -> Result<Option<Delivery>> {
        Ok(Delivery::list(guest, at, self.id, (None, 1)).await?.into_iter().next())
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
        at: At<'_>,
        hook: i64,
        (before, most): (Option<i64>, usize),
    ) -> Result<Vec<Self>> {
        let mut fields = body([("per_page", most.into())]);
        if let Some(id) = before {
            fields.insert("cursor".to_owned(), format!("v1_{id}").into());
        }
        let hook = hook.to_string();
        let operations = ["orgs.listWebhookDeliveries", "administration.hookDeliveries"];
        let (operation, path) = at.operation(operations, &[("hook_id", &hook)]);
        guest.call(operation, &path, fields).await
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

    /// The status that came back, and the time that this took; a sentence that says why if none did.
    pub fn outcome(&self) -> String {
        match self.status_code {
            0 => undelivered::of("hook", &self.status).what.to_owned(),
            code => format!("{code} after {:.2} s", self.duration),
        }
    }
}
