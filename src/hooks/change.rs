//! Creates, changes and deletes a webhook, of an organization or of the site, with the journal entries.
//!
//! Implements the management part of decision 44. The audit log shows no secret, no user and no query of a URL.

use serde_json::{Value, json};

use super::config::{Config, Setting};
use super::events::{self, ALL};
use super::stored::{self, Hook};
use crate::error::{Error, Result};
use crate::journal::{self, Change, Event, SITE};
use crate::operation::Cx;

/// The largest number of webhooks with the same event.
const MOST: usize = 20;

/// The new state of a webhook.
pub struct Wanted<'a> {
    /// The kind of webhook; only `web` exists.
    pub name: Option<&'a str>,
    /// The configuration of its deliveries.
    pub config: Option<&'a Config>,
    /// The events.
    pub events: Option<Vec<String>>,
    /// True if it receives events.
    pub active: Option<bool>,
}

fn setting<'a>(cx: &Cx<'a, '_>) -> Result<Setting<'a>> {
    Ok(Setting { key: &cx.site.seal_key, insecure_ssl: cx.site.insecure_ssl, now: cx.now()? })
}

fn only_web(name: Option<&str>) -> Result<()> {
    match name {
        None | Some("web") => Ok(()),
        Some(_) => Err(Error::explained("Hook", "invalid", "name", "The name of a webhook is `web`.")),
    }
}

/// Creates a webhook of an organization or of the site, and sends it a ping.
pub fn create(cx: &mut Cx, org: i64, wanted: Wanted) -> Result<Hook> {
    only_web(wanted.name)?;
    let now = cx.now()?;
    let mut hook = Hook {
        id: 0,
        org_id: org,
        active: wanted.active.unwrap_or(true),
        url: String::new(),
        content_type: String::new(),
        insecure_ssl: false,
        secret: None,
        previous_secret: None,
        previous_until: None,
        credentials: None,
        events: events::wanted(wanted.events.unwrap_or_else(|| usual(org)), org == SITE)?,
        after_entry: journal::newest(cx.tx, org)?,
        created_at: now,
        updated_at: now,
        deleted_at: None,
    };
    wanted.config.unwrap_or(&Config::default()).replace(&mut hook, setting(cx)?)?;
    refuse_conflicts(cx, &hook)?;
    hook.id = stored::insert(cx.tx, &hook)?;
    let change = Change::new("hook.create", &json!(null), &facts(&hook));
    record(cx, org, change.with_event(&Event::HookPing { hook: hook.id }))?;
    Ok(hook)
}

fn usual(org: i64) -> Vec<String> {
    let names: &[&str] = if org == SITE { &["user", "organization"] } else { &[ALL] };
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Changes a webhook. If nothing differs, the row is not written.
pub fn update(cx: &mut Cx, hook: Hook, wanted: Wanted) -> Result<Hook> {
    only_web(wanted.name)?;
    let mut after = hook.clone();
    if let Some(config) = wanted.config {
        config.replace(&mut after, setting(cx)?)?;
    }
    if let Some(names) = wanted.events {
        after.events = events::wanted(names, hook.org_id == SITE)?;
    }
    after.active = wanted.active.unwrap_or(after.active);
    save(cx, hook, after)
}

/// Changes the parts of the configuration that were sent.
pub fn configure(cx: &mut Cx, hook: Hook, config: &Config) -> Result<Hook> {
    let mut after = hook.clone();
    config.change(&mut after, setting(cx)?)?;
    save(cx, hook, after)
}

fn save(cx: &mut Cx, before: Hook, after: Hook) -> Result<Hook> {
    if after == before {
        return Ok(before);
    }
    refuse_conflicts(cx, &after)?;
    stored::save(cx.tx, &after, cx.now()?)?;
    for change in changes(&before, &after) {
        record(cx, after.org_id, change)?;
    }
    stored::one(cx.tx, after.org_id, after.id)
}

/// One entry for each kind of change.
fn changes(before: &Hook, after: &Hook) -> Vec<Change> {
    let mut changes = Vec::new();
    let secrets = |hook: &Hook| (hook.secret.clone(), hook.credentials.clone());
    if config(before) != config(after) || secrets(before) != secrets(after) {
        let (mut was, mut is) = (config(before), config(after));
        (was["hook_id"], is["hook_id"]) = (before.id.into(), after.id.into());
        is["secret_changed"] = (before.secret != after.secret).into();
        changes.push(Change::new("hook.config_changed", &was, &is));
    }
    if before.events != after.events {
        let of = |hook: &Hook| json!({ "hook_id": hook.id, "events": hook.events });
        changes.push(Change::new("hook.events_changed", &of(before), &of(after)));
    }
    if before.active != after.active {
        let of = |hook: &Hook| json!({ "hook_id": hook.id, "active": hook.active });
        changes.push(Change::new("hook.active_changed", &of(before), &of(after)));
    }
    changes
}

/// Deletes a webhook. It is notified of that if it wants `meta`.
pub fn delete(cx: &mut Cx, hook: &Hook) -> Result<()> {
    stored::delete(cx.tx, hook.id, cx.now()?)?;
    let change = Change::new("hook.destroy", &facts(hook), &json!(null));
    record(cx, hook.org_id, change.with_event(&Event::HookDeleted { hook: hook.id }))
}

/// Sends a ping to a webhook.
pub fn ping(cx: &mut Cx, hook: &Hook) -> Result<()> {
    let change = Change::new("hook.ping", &json!(null), &json!({ "hook_id": hook.id }));
    record(cx, hook.org_id, change.with_event(&Event::HookPing { hook: hook.id }))
}

fn record(cx: &mut Cx, org: i64, change: Change) -> Result<()> {
    cx.record(org, change.of_hooks())
}

/// The configuration as the audit log shows it.
fn config(hook: &Hook) -> Value {
    json!({
        "url": hook.url.split(['?', '#']).next().unwrap_or_default(),
        "content_type": hook.content_type,
        "insecure_ssl": hook.insecure_ssl,
        "has_secret": hook.secret.is_some(),
    })
}

fn facts(hook: &Hook) -> Value {
    json!({ "hook_id": hook.id, "active": hook.active, "events": hook.events, "config": config(hook) })
}

/// A second webhook with the same configuration would receive everything twice, and too many webhooks with the same
/// event would make each change too expensive.
fn refuse_conflicts(cx: &mut Cx, hook: &Hook) -> Result<()> {
    let mut others = stored::of_org(cx.tx, hook.org_id)?;
    others.retain(|other| other.id != hook.id);
    let of = |hook: &Hook| (hook.url.clone(), hook.content_type.clone(), hook.insecure_ssl);
    if others.iter().any(|other| of(other) == of(hook)) {
        return Err(Error::custom("Hook", "Hook already exists on this organization"));
    }
    let has = |other: &&Hook, name: &str| other.events.iter().any(|event| event == name || event == ALL);
    let asked = hook.events.iter().filter(|name| *name != ALL);
    // A webhook that wants all events counts for each event that another webhook wants.
    let theirs = others.iter().filter(|_| hook.events == [ALL]).flat_map(|other| &other.events);
    let full = asked.chain(theirs).find(|name| others.iter().filter(|other| has(other, name)).count() >= MOST);
    match full {
        Some(name) => Err(Error::custom("Hook", format!("The \"{name}\" event cannot have more than {MOST} hooks"))),
        None => Ok(()),
    }
}
