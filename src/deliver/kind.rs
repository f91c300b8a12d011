//! The kinds of receivers. Everything that differs between them is here: what they want of an entry, what is needed to
//! send to one, and how that is done.

use std::sync::Arc;

use super::Target;
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;
use crate::hooks;
use crate::hooks::plan::{Planned, Rendering};
use crate::journal::Told;
use crate::sender::{Attempt, Sender};

/// A kind of receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A webhook.
    Hook,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 1] = [Self::Hook];

    /// The word that is stored.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Hook => "hook",
        }
    }

    /// The kind of a stored word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// What it takes to send to receivers of every kind.
#[derive(Clone)]
pub struct Channels {
    /// Sends to hooks.
    pub sender: Arc<Sender>,
    /// The key that secrets of hooks are sealed with.
    pub seal_key: [u8; 32],
    /// What payloads are rendered with.
    pub rendering: Arc<Rendering>,
}

/// Everything to send with to one receiver.
pub(super) enum Route {
    /// A hook.
    Hook(Box<hooks::Job>),
}

impl Channels {
    /// Whether a receiver may want events of a journal.
    pub(super) fn wanted(tx: &mut Tx, org: i64) -> Result<bool> {
        hooks::stored::wanted(tx, org)
    }

    /// The wanted events of an entry from this part on, with the hooks that want them.
    pub(super) fn plan(&self, tx: &mut Tx, org: i64, entry: &Told, part: i64, limit: i64) -> Result<Planned> {
        hooks::plan::plan(tx, &self.rendering, org, entry, part, limit)
    }

    /// What it takes to send to a receiver; none if it is gone.
    pub(super) fn route(&self, tx: &mut Tx, target: Target, now: Time) -> Result<Option<Route>> {
        match target.kind {
            Kind::Hook => Ok(hooks::job(tx, &self.seal_key, target.id, now)?.map(Box::new).map(Route::Hook)),
        }
    }

    /// Whether a receiver is deleted, and only there to be told of that.
    pub(super) fn is_deleted(route: &Route) -> bool {
        match route {
            Route::Hook(job) => job.deleted,
        }
    }

    /// Whether a receiver gets an event now. One that is switched off gets hardly any.
    pub(super) fn takes(route: &Route, event: &str) -> bool {
        match route {
            Route::Hook(job) => job.takes(event),
        }
    }

    /// Sends an event. It takes ten seconds at most.
    pub(super) async fn send(&self, route: &Route, guid: &str, event: &str, payload: &str) -> Attempt {
        match route {
            Route::Hook(job) => self.sender.send(job, guid, event, payload).await,
        }
    }

    /// Notes for a receiver whether the newest delivery got through.
    pub(super) fn note(tx: &mut Tx, target: Target, ok: bool, at: Time) -> Result<()> {
        match target.kind {
            Kind::Hook => hooks::note_outcome(tx, target.id, ok, at),
        }
    }
}
