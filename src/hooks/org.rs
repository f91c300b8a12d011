//! Webhooks of an organization. Callers who are not owners get 404.

use schemars::JsonSchema;
use serde::Deserialize;

use super::HasHooks;
use super::change::{self, Wanted};
use super::config::{Config, ContentType, Switch};
use super::record::{HookConfig, OrgHook};
use super::stored::{self, Hook};
use crate::error::Result;
use crate::operation::{Cx, Done, List, Page, Record};
use crate::orgs::org::Org;
use crate::policy::Granted;

/// List the webhooks of an organization, in order of creation.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListThem {}

/// Lists the webhooks.
pub fn list(cx: &mut Cx, org: Granted<Org>, _: ListThem) -> Result<List<OrgHook>> {
    let hooks = stored::of_org(cx.tx, org.id)?;
    let total = u64::try_from(hooks.len()).unwrap_or(u64::MAX);
    let items = on_page(&hooks, cx.page).map(|hook| OrgHook::new(cx.links, &org.login, hook));
    List::of(items, total)
}

/// The webhooks of a page.
pub(super) fn on_page(hooks: &[Hook], page: Page) -> impl ExactSizeIterator<Item = &Hook> {
    let of = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    hooks.iter().skip(of(page.offset())).take(of(page.per_page))
}

/// Create a webhook of an organization. It gets a `ping` at once.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Create {
    /// Always `web`.
    #[schemars(extend("x-function-validates" = true))]
    pub name: String,
    /// Configuration of the deliveries; `url` is required.
    pub config: Config,
    /// The events to deliver; `*` stands for all.
    #[schemars(extend("default" = ["*"]))]
    pub events: Option<Vec<String>>,
    /// True if events are delivered.
    #[schemars(extend("default" = true))]
    pub active: Option<bool>,
}

/// Creates a webhook.
pub fn create(cx: &mut Cx, org: Granted<Org>, p: Create) -> Result<Record<OrgHook, 201>> {
    let wanted = Wanted { name: Some(&p.name), config: Some(&p.config), events: p.events, active: p.active };
    let hook = change::create(cx, org.id, wanted)?;
    let record = OrgHook::new(cx.links, &org.login, &hook);
    let location = record.url.clone();
    Ok(Record::from(record).at(location))
}

/// Get a webhook of an organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {
    /// Id of the webhook.
    pub hook_id: i64,
}

/// Gets a webhook.
pub fn get(cx: &mut Cx, org: Granted<Org>, p: Get) -> Result<Record<OrgHook>> {
    let hook = stored::one(cx.tx, org.id, p.hook_id)?;
    Ok(shown(cx, &org, &hook))
}

fn shown(cx: &Cx, org: &Org, hook: &Hook) -> Record<OrgHook> {
    Record::from(OrgHook::new(cx.links, &org.login, hook)).modified(hook.updated_at)
}

/// Update a webhook of an organization. `config` and `events` replace the previous ones: a secret that `config` leaves
/// out is removed, and one of eight asterisks is kept.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Update {
    /// Id of the webhook.
    pub hook_id: i64,
    /// Configuration of the deliveries; `url` is required.
    pub config: Option<Config>,
    /// The events to deliver; `*` stands for all.
    pub events: Option<Vec<String>>,
    /// True if events are delivered.
    pub active: Option<bool>,
    /// Always `web`.
    #[schemars(extend("x-function-validates" = true))]
    pub name: Option<String>,
}

/// Changes a webhook.
pub fn update(cx: &mut Cx, org: Granted<Org>, p: Update) -> Result<Record<OrgHook>> {
    let hook = stored::one(cx.tx, org.id, p.hook_id)?;
    let wanted = Wanted { name: p.name.as_deref(), config: p.config.as_ref(), events: p.events, active: p.active };
    let hook = change::update(cx, hook, wanted)?;
    Ok(shown(cx, &org, &hook))
}

/// Delete a webhook of an organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {
    /// Id of the webhook.
    pub hook_id: i64,
}

/// Deletes a webhook.
pub fn delete(cx: &mut Cx, org: Granted<Org>, p: Delete) -> Result<Done> {
    let hook = stored::one(cx.tx, org.id, p.hook_id)?;
    change::delete(cx, &hook)?;
    Ok(Done)
}

/// Send a `ping` to a webhook of an organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Ping {
    /// Id of the webhook.
    pub hook_id: i64,
}

/// Sends a ping.
pub fn ping(cx: &mut Cx, org: Granted<Org>, p: Ping) -> Result<Done> {
    let hook = stored::one(cx.tx, org.id, p.hook_id)?;
    change::ping(cx, &hook)?;
    Ok(Done)
}

/// Get the configuration of a webhook of an organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetConfig {
    /// Id of the webhook.
    pub hook_id: i64,
}

/// Gets the configuration of a webhook.
pub fn config(cx: &mut Cx, org: Granted<Org>, p: GetConfig) -> Result<Record<HookConfig>> {
    Ok(HookConfig::new(&stored::one(cx.tx, org.id, p.hook_id)?).into())
}

/// Update the configuration of a webhook of an organization. What is left out stays. For a day after a change of the
/// secret, `X-Hub-Signature-256-Previous` has the signature with the previous one.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Configure {
    /// Id of the webhook.
    pub hook_id: i64,
    /// The URL to deliver to. A user and a password in it are sent as Basic credentials and never shown.
    #[schemars(extend("x-function-validates" = true))]
    pub url: Option<String>,
    /// The format of the payload.
    pub content_type: Option<ContentType>,
    /// The key of the signatures; an empty one removes it.
    pub secret: Option<String>,
    /// `"1"` to accept any certificate, if the site allows that.
    #[schemars(extend("x-function-validates" = true))]
    pub insecure_ssl: Option<Switch>,
}

/// Changes the configuration of a webhook.
pub fn configure<S: HasHooks>(cx: &mut Cx, of: Granted<S>, p: Configure) -> Result<Record<HookConfig>> {
    let hook = stored::one(cx.tx, of.journal(), p.hook_id)?;
    let Configure { url, content_type, secret, insecure_ssl, .. } = p;
    let config = Config { url, content_type, secret, insecure_ssl, ..Config::default() };
    Ok(HookConfig::new(&change::configure(cx, hook, &config)?).into())
}
