//! The kinds of receivers. Everything that differs between them is here: which events of an entry they want, what is
//! needed to send to them, and how to send.

use std::sync::Arc;

use super::mailing::Mailing;
use super::{Lane, Target};
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;
use crate::hooks;
use crate::hooks::plan::{Rendering, Wanted};
use crate::journal::{EventEntry, EventKind};
use crate::letters::{self, Hourly, Notices};
use crate::sender::{Attempt, Sender};
use crate::words::words;

words! {
    /// A kind of receiver.
    #[derive(Hash, PartialOrd, Ord)]
    pub enum Kind {
        /// A webhook.
        Hook = "hook",
        /// E-mail. Each recipient has a lane of their own.
        Mail = "mail",
    }
}

impl Lane {
    /// The lanes of an event of an organization, one for each receiver.
    pub(super) fn of(org: i64, (kind, wanted): &(Kind, Wanted)) -> impl Iterator<Item = Self> {
        wanted.to.iter().map(move |to| match kind {
            Kind::Hook => Self { target: Target { kind: *kind, id: *to }, key: wanted.order_key },
            Kind::Mail => Self { target: Target::of_mail(org, wanted.team.is_some()), key: *to },
        })
    }
}

impl Target {
    /// The e-mails of an organization: those about posts, or the others. An ID of them is never that of a webhook,
    /// because attempts are found by the ID alone. ID 0 has e-mails of the site, and those that an earlier release
    /// queued.
    fn of_mail(org: i64, about_posts: bool) -> Self {
        Self { kind: Kind::Mail, id: -2 * org - i64::from(about_posts) }
    }

    /// True if these are e-mails about posts.
    pub(super) fn is_about_posts(self) -> bool {
        self.kind == Kind::Mail && self.id % 2 != 0
    }
}

/// The first part of an entry that is for people: the part is this number plus the last recipient that was read. The
/// parts for webhooks come before it.
const PEOPLE: i64 = 1 << 40;

/// The number of recipients that are read for each event that a step may still expand, and the smallest and largest
/// number.
const RECIPIENTS: (i64, i64, i64) = (4, 20, 1_000);

/// The means of sending to receivers of every kind.
#[derive(Clone)]
pub struct Channels {
    /// Sends to webhooks.
    pub sender: Arc<Sender>,
    /// The key that seals the secrets of webhooks.
    pub seal_key: [u8; 32],
    /// The data that payloads are rendered with.
    pub rendering: Arc<Rendering>,
    /// Sends e-mail.
    pub mailing: Arc<Mailing>,
}

/// The data for sending to one receiver.
pub(super) enum Route {
    /// A webhook.
    Hook(Box<hooks::Job>),
    /// A recipient of e-mail.
    Mail(i64),
}

/// The result of a step for one entry.
#[derive(Default)]
pub(super) struct Plan {
    pub events: Vec<(Kind, Wanted)>,
    pub notices: Option<Notices>,
    /// The first part that was not read, if there are more.
    pub next: Option<i64>,
}

impl Channels {
    /// The wanted events of an entry from this part on, with their receivers, and the notices.
    pub(super) fn plan(
        &self,
        tx: &mut Tx,
        org: i64,
        entry: &EventEntry,
        (part, limit): (i64, i64),
        hourly: &mut Hourly,
    ) -> Result<Plan> {
        let mut plan = Plan::default();
        if part < PEOPLE {
            let planned = hooks::plan::plan(tx, &self.rendering, org, entry, part, limit)?;
            plan.events.extend(planned.events.into_iter().map(|wanted| (Kind::Hook, wanted)));
            plan.next = planned.next;
            if plan.next.is_some() || !EventKind::named(&entry.event).any(|kind| kind.notifies_people) {
                return Ok(plan);
            }
        }
        let left = limit - i64::try_from(plan.events.len()).unwrap_or(limit);
        if left <= 0 {
            plan.next = Some(PEOPLE);
            return Ok(plan);
        }
        let (each, least, most) = RECIPIENTS;
        let part = part.max(PEOPLE);
        let read = (part - PEOPLE, (left * each).clamp(least, most));
        let planned = letters::plan(tx, org, entry, read, hourly)?;
        // A second event has its part above those of all recipients.
        let parts = [part, part + PEOPLE];
        let mails = parts.into_iter().zip(planned.mails);
        plan.events.extend(mails.map(|(part, mails)| (Kind::Mail, Wanted { part, ..mails })));
        plan.notices = planned.notices;
        plan.next = planned.next.map(|last| PEOPLE + last);
        Ok(plan)
    }

    /// The data for sending to a receiver; none if it is gone.
    pub(super) fn route(&self, tx: &mut Tx, lane: Lane, now: Time) -> Result<Option<Route>> {
        match lane.target.kind {
            Kind::Hook => Ok(hooks::job(tx, &self.seal_key, lane.target.id, now)?.map(Box::new).map(Route::Hook)),
            Kind::Mail => Ok(Some(Route::Mail(lane.key))),
        }
    }

    /// True if a receiver is deleted, and only kept until it has been notified of that.
    pub(super) fn is_deleted(route: &Route) -> bool {
        match route {
            Route::Hook(job) => job.deleted,
            Route::Mail(_) => false,
        }
    }

    /// True if a receiver gets this event now. A receiver that is switched off gets almost none.
    pub(super) fn takes(route: &Route, event: &str) -> bool {
        match route {
            Route::Hook(job) => job.takes(event),
            Route::Mail(_) => true,
        }
    }

    /// Sends an event. This takes ten seconds at most, or a minute with a mail server that is slow to check the text.
    pub(super) async fn send(&self, route: &Route, guid: &str, (event, payload): (&str, &str), now: Time) -> Attempt {
        match route {
            Route::Hook(job) => self.sender.send(job, guid, event, payload).await,
            Route::Mail(to) => self.mailing.send((event, payload, *to), now).await,
        }
    }

    /// Records for a receiver whether the newest delivery succeeded.
    pub(super) fn note(tx: &mut Tx, target: Target, ok: bool, at: Time) -> Result<()> {
        match target.kind {
            Kind::Hook => hooks::note_outcome(tx, target.id, ok, at),
            Kind::Mail => Ok(()),
        }
    }
}
