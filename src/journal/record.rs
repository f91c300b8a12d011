//! Records changes. There is no other way to record one.

use std::net::IpAddr;

use super::chain::{self, Entry};
use super::change::{Audited, Change, EventFacts, json};
use super::heads;
use crate::caller::{Person, Token};
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;

/// The author of a change, as the entry records it.
pub struct Author<'a> {
    /// The key of the hash chains.
    pub key: &'a [u8; 32],
    /// Time of the change.
    pub at: Time,
    /// The request.
    pub request_id: &'a str,
    /// The person.
    pub person: Option<&'a Person>,
    /// The token that was used.
    pub token: Option<&'a Token>,
    /// The site administrator who acted as the person.
    pub impersonator: Option<&'a str>,
    /// The client's IP address.
    pub peer: Option<IpAddr>,
}

impl<'a> Author<'a> {
    /// The operator or the program itself as author.
    #[must_use]
    pub fn program(key: &'a [u8; 32], at: Time, request_id: &'a str) -> Self {
        Self { key, at, request_id, person: None, token: None, impersonator: None, peer: None }
    }

    /// The same author, whom the entry does not name: only the time and the request are recorded.
    #[must_use]
    pub fn unnamed(self) -> Self {
        Self::program(self.key, self.at, self.request_id)
    }

    /// Records a change in the journal of an organization or of the site, which this transaction must have locked.
    pub fn record(&self, tx: &mut Tx, org: i64, change: Change) -> Result<()> {
        let light = change.leaves_found();
        if !light {
            tx.outdate_found();
        }
        let (end, previous) = heads::end(tx, org)?;
        let entry = end + 1;
        let event = match change.event {
            Some(event) => Some(self.event(event, heads::last_event(tx)?.filter(|(before, _)| *before != org))?),
            None => None,
        };
        let hashed = event.as_ref().map(|event| chain::of_facts(self.key, (org, entry), event.name, &event.facts));
        let (mut action, mut before, mut after) = (None, None, None);
        if let Some(audited) = change.audited {
            let Audited { action: name, before: was, after: is } = audited;
            (action, before, after) = (Some(name.to_owned()), Some(json(was)?), Some(json(is)?));
        }
        let mut entry = Entry {
            org,
            entry,
            at: self.at.0,
            folded: change.folded,
            actor_id: self.person.map(|person| person.id),
            actor_login: self.person.map(|person| person.login.to_string()),
            impersonator_login: self.impersonator.map(str::to_owned),
            token_id: self.token.map(|token| token.id),
            request_id: self.request_id.to_owned(),
            remote_address: self.peer.map(|peer| peer.to_string()),
            action,
            before,
            after,
            facts_hash: hashed.transpose()?,
            format: 0,
            hash: Vec::new(),
        };
        entry.seal(&previous, self.key)?;
        heads::collect(tx, entry, previous, event, light)
    }

    /// The event with its facts. The entry names the person who made the change; whether they administer the site is
    /// added here, and the entry of another journal that the event follows.
    fn event(&self, event: serde_json::Result<EventFacts>, follows: Option<(i64, i64)>) -> Result<EventFacts> {
        let mut event = json(event)?;
        let facts = &mut event.facts;
        facts.pop();
        if self.person.is_some_and(|person| person.site_admin) {
            facts.push_str(",\"by_site_admin\":true");
        }
        if let Some(follows) = follows {
            facts.push_str(",\"follows\":");
            facts.push_str(&json(serde_json::to_string(&follows))?);
        }
        facts.push('}');
        Ok(event)
    }
}

/// The part of a text that an entry keeps if the text may be an e-mail address: all before the `@`.
#[must_use]
pub fn without_address(text: &str) -> &str {
    text.split('@').next().unwrap_or_default()
}
