//! Webhooks of the site, which site administrators manage (decision 68).

use schemars::JsonSchema;
use serde::Deserialize;

use super::change::{self, Wanted};
use super::config::Config;
use super::org::on_page;
use super::record::GlobalHook;
use super::stored::{self, Hook};
use crate::error::Result;
use crate::journal::SITE;
use crate::operation::{Cx, Done, List, Record};
use crate::policy::Granted;
use crate::site::Site;

/// List the webhooks of the site, in order of creation.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListThem {}

/// Lists the webhooks.
pub fn list(cx: &mut Cx, _: Granted<Site>, _: ListThem) -> Result<List<GlobalHook>> {
    let hooks = stored::of_org(cx.tx, SITE)?;
    let total = u64::try_from(hooks.len()).unwrap_or(u64::MAX);
    let items = on_page(&hooks, cx.page).map(|hook| GlobalHook::new(cx.links, hook));
    List::of(items, total)
}

/// Create a webhook of the site. It gets a `ping` at once, and then events of people and of every organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Create {
    /// Always `web`.
    #[schemars(extend("x-function-validates" = true))]
    pub name: String,
    /// Configuration of the deliveries; `url` is required.
    pub config: Config,
    /// The events to deliver: `user`, `organization`.
    #[schemars(extend("default" = ["user", "organization"]))]
    pub events: Option<Vec<String>>,
    /// True if events are delivered.
    #[schemars(extend("default" = true))]
    pub active: Option<bool>,
}

/// Creates a webhook.
pub fn create(cx: &mut Cx, _: Granted<Site>, p: Create) -> Result<Record<GlobalHook, 201>> {
    let wanted = Wanted { name: Some(&p.name), config: Some(&p.config), events: p.events, active: p.active };
    let hook = change::create(cx, SITE, wanted)?;
    let record = GlobalHook::new(cx.links, &hook);
    let location = record.url.clone();
    Ok(Record::from(record).at(location))
}

/// Get a webhook of the site.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {
    /// Id of the webhook.
    pub hook_id: i64,
}

/// Gets a webhook.
pub fn get(cx: &mut Cx, _: Granted<Site>, p: Get) -> Result<Record<GlobalHook>> {
    let hook = stored::one(cx.tx, SITE, p.hook_id)?;
    Ok(shown(cx, &hook))
}

fn shown(cx: &Cx, hook: &Hook) -> Record<GlobalHook> {
    Record::from(GlobalHook::new(cx.links, hook)).modified(hook.updated_at)
}

/// Update a webhook of the site. `config` and `events` replace the previous ones: a secret that `config` leaves out is
/// removed, and one of eight asterisks is kept.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Update {
    /// Id of the webhook.
    pub hook_id: i64,
    /// Configuration of the deliveries; `url` is required.
    pub config: Option<Config>,
    /// The events to deliver: `user`, `organization`.
    pub events: Option<Vec<String>>,
    /// True if events are delivered.
    pub active: Option<bool>,
}

/// Changes a webhook.
pub fn update(cx: &mut Cx, _: Granted<Site>, p: Update) -> Result<Record<GlobalHook>> {
    let hook = stored::one(cx.tx, SITE, p.hook_id)?;
    let wanted = Wanted { name: None, config: p.config.as_ref(), events: p.events, active: p.active };
    let hook = change::update(cx, hook, wanted)?;
    Ok(shown(cx, &hook))
}

/// Delete a webhook of the site.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {
    /// Id of the webhook.
    pub hook_id: i64,
}

/// Deletes a webhook.
pub fn delete(cx: &mut Cx, _: Granted<Site>, p: Delete) -> Result<Done> {
    let hook = stored::one(cx.tx, SITE, p.hook_id)?;
    change::delete(cx, &hook)?;
    Ok(Done)
}

/// Send a `ping` to a webhook of the site.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Ping {
    /// Id of the webhook.
    pub hook_id: i64,
}

/// Sends a ping.
pub fn ping(cx: &mut Cx, _: Granted<Site>, p: Ping) -> Result<Done> {
    let hook = stored::one(cx.tx, SITE, p.hook_id)?;
    change::ping(cx, &hook)?;
    Ok(Done)
}
