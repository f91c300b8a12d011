//! Decides which webhooks receive which events of a journal entry (decisions 44 and 68).

use std::sync::{Arc, Once};

use super::events::{ALL, GLOBAL};
use super::payload::{self, Scene};
use super::stored::{self, Hook};
use crate::db::{Cacheable, Tx};
use crate::error::Result;
use crate::journal::{About, EventEntry, EventKind, Facts, Part, PersonFacts, SITE};
use crate::links::Links;

/// The data that payloads depend on besides the database.
#[derive(Debug, Clone)]
pub struct Rendering {
    /// The beginning of URLs.
    pub links: Links,
    /// True if that is the listening address, because the operator has set no URL (decision 1).
    pub guessed: bool,
}

/// An event for receivers of one kind, as it is stored: for webhooks, or as an e-mail for people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The number of the event in the entry, from 0.
    pub part: i64,
    /// Its name.
    pub event: String,
    /// The action.
    pub action: Option<String>,
    /// The team concerned, or 0: deliveries to a webhook keep their order by it.
    pub order_key: i64,
    /// The change that it belongs to, whose events reach a webhook in order; none for e-mails.
    pub change: Option<String>,
    /// The payload, as JSON.
    pub payload: String,
    /// The team of the post, if these are e-mails about one.
    pub team: Option<i64>,
    /// The webhooks; or the recipients, each the identifier of a person or the negated one of an invitation.
    pub to: Vec<i64>,
}

/// The result of a step for one entry.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Planned {
    /// The events that at least one webhook wants.
    pub events: Vec<Wanted>,
    /// The first event that was not processed, if there are more.
    pub next: Option<i64>,
}

/// The webhooks that may want an event of an organization or of the site.
struct Hooks(Vec<Hook>);

impl Cacheable for Hooks {
    fn weight(&self) -> usize {
        self.0.iter().map(|hook| size_of::<Hook>() + hook.url.len() + 16 * hook.events.len()).sum()
    }
}

/// Processes up to this many events of an entry, beginning with one of them. Only events that a webhook wants are
/// rendered.
pub fn plan(
    tx: &mut Tx,
    rendering: &Rendering,
    org: i64,
    entry: &EventEntry,
    from: i64,
    limit: i64,
) -> Result<Planned> {
    let hooks = hooks(tx, org)?;
    let mut kinds = EventKind::named(&entry.event);
    let is_wanted = |event: &str| hooks.0.iter().any(|hook| wants(hook, org, entry, event));
    if !kinds.any(|kind| kind.is_for_one_webhook() || kind.webhooks.iter().any(|(event, _)| is_wanted(event))) {
        return Ok(Planned::default());
    }
    let Some(Facts { event, by_site_admin }) = entry.read(org) else { return Ok(Planned::default()) };
    let sender = entry.actor_id.zip(entry.actor_login.clone());
    let sender = sender.map(|(id, login)| PersonFacts { id, login, site_admin: by_site_admin });
    let scene = Scene { links: &rendering.links, org, entry: entry.number, sender };
    if rendering.guessed {
        warn_of(&rendering.links);
    }
    let mut planned = Planned::default();
    for (number, part) in (0..).zip(&event.parts()).skip_while(|(number, _)| *number < from) {
        if number - from >= limit {
            planned.next = Some(number);
            break;
        }
        planned.events.extend(one(tx, &scene, entry, &hooks, (number, part))?);
    }
    Ok(planned)
}

/// Warns once, because the setting does not change while the program runs.
fn warn_of(links: &Links) {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        tracing::warn!("links in webhooks begin with {}, because `public_url` is not set", links.origin);
    });
}

fn hooks(tx: &mut Tx, org: i64) -> Result<Arc<Hooks>> {
    tx.cached(&org.to_be_bytes(), |tx| stored::listening(tx, org).map(Hooks))
}

fn one(
    tx: &mut Tx,
    scene: &Scene<'_>,
    entry: &EventEntry,
    hooks: &Hooks,
    (number, part): (i64, &Part<'_>),
) -> Result<Option<Wanted>> {
    let alone = match part.about {
        About::Hook(id) => stored::by_id(tx, id)?.filter(|hook| receives_about_itself(hook, part.event)),
        _ => None,
    };
    let hooks: Vec<i64> = match (&part.about, &alone) {
        (About::Hook(_), alone) => alone.iter().map(|hook| hook.id).collect(),
        _ => hooks.0.iter().filter(|hook| wants(hook, scene.org, entry, part.event)).map(|hook| hook.id).collect(),
    };
    if hooks.is_empty() {
        return Ok(None);
    }
    Ok(Some(Wanted {
        part: number,
        event: part.event.to_owned(),
        action: part.action.map(str::to_owned),
        order_key: part.about.order_key(),
        change: Some(entry.request_id.clone()),
        payload: payload::payload(tx, scene, part, alone.as_ref())?,
        team: None,
        to: hooks,
    }))
}

/// True if a webhook receives its ping or its deletion.
fn receives_about_itself(hook: &Hook, event: &str) -> bool {
    match event {
        "ping" => hook.deleted_at.is_none(),
        _ => hook.active && asks_for(hook, event),
    }
}

fn asks_for(hook: &Hook, event: &str) -> bool {
    hook.events.iter().any(|wanted| wanted == event || wanted == ALL)
}

/// A webhook receives the events after its creation. A webhook of the site receives those of every organization, but
/// only some events.
fn wants(hook: &Hook, org: i64, entry: &EventEntry, event: &str) -> bool {
    let comes_after = if hook.org_id == org { entry.number > hook.after_entry } else { entry.at >= hook.created_at };
    let is_for_it = hook.org_id != SITE || GLOBAL.contains(&event);
    comes_after && is_for_it && asks_for(hook, event)
}
