//! Expands journal entries into events and deliveries, in bounded steps. Payloads are rendered from a snapshot, so that
//! no write waits for that. The result is stored only if the cursor has not moved since.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Channels, Kind, Lane, Target, queue};
use crate::clock::Time;
use crate::db::{Bind, Bulk, Tx};
use crate::error::{Error, Result};
use crate::hooks::plan::Wanted;
use crate::journal::chain;
use crate::journal::cursors::{self, Behind, Place};
use crate::letters::{Hourly, Notices};
use crate::notices;

/// The number of notices that count as much of a step as one event.
const NOTICES: usize = 4;

/// The number of bytes of payloads that count as much of a step as one event, so that the memory of a step is bounded.
const BYTES: usize = 32 << 10;

/// The number of entries that are read at a time. Each may be as long as a post.
const ENTRIES: i64 = 20;

/// The journals with unread entries, each with the last entry that was read before the step.
type Unread = BTreeMap<i64, i64>;

/// The result of a step for one journal, which is then stored.
pub(super) struct Found {
    pub org: i64,
    /// The current position of the cursor.
    pub cursor: Place,
    /// The new position of the cursor.
    pub to: Place,
    /// True if there are more entries after that.
    pub more: bool,
    /// The wanted events, each with its entry.
    pub events: Vec<(i64, (Kind, Wanted))>,
    /// The notices for inboxes.
    pub notices: Vec<Notices>,
    /// The e-mails about posts that this contains.
    hourly: Hourly,
}

/// The result of reading the journals.
#[derive(Default)]
pub(super) struct Look {
    pub found: Vec<Found>,
    /// The journals with unread entries, each with the last entry that was read.
    pub behind: Vec<(i64, i64)>,
    /// The number of unread entries.
    pub entries_behind: i64,
    /// True if any journal is followed.
    pub followed: bool,
}

/// Reads further in each journal, up to so many entries or events in all. `places` holds the positions of journals that
/// were read beyond their cursors.
pub(super) fn look(
    tx: &mut Tx,
    channels: &Channels,
    places: &HashMap<i64, Place>,
    events: i64,
    now: Time,
) -> Result<Look> {
    let (mut look, mut left) = (Look::default(), events);
    let mut behind = cursors::behind(tx)?;
    look.followed = !behind.is_empty() || cursors::any(tx)?;
    let place = |behind: &Behind| places.get(&behind.org).copied().unwrap_or(behind.cursor).max(behind.cursor);
    behind.retain(|behind| place(behind).entry < behind.head);
    let unread = behind.iter().map(|behind| (behind.org, place(behind).entry)).collect();
    // Each journal gets an equal share of a step.
    let share = (events / i64::try_from(behind.len()).unwrap_or(1).max(1)).max(1);
    for journal in behind {
        let mut reached = place(&journal);
        if left > 0 {
            let found =
                Found::nothing(&journal, reached, now).read(tx, channels, &unread, (share.min(left), journal.head))?;
            left -= found.work();
            reached = found.to;
            look.found.push(found);
        }
        if reached.entry < journal.head {
            look.behind.push((journal.org, reached.entry));
            look.entries_behind += journal.head - reached.entry;
        }
    }
    Ok(look)
}

impl Found {
    fn nothing(behind: &Behind, from: Place, now: Time) -> Self {
        let Behind { org, cursor, .. } = *behind;
        let hourly = Hourly::until(now);
        Self { org, cursor, to: from, more: true, events: Vec::new(), notices: Vec::new(), hourly }
    }

    fn read(mut self, tx: &mut Tx, channels: &Channels, unread: &Unread, (limit, head): (i64, i64)) -> Result<Self> {
        for _ in 0..=limit / ENTRIES {
            if !self.extend(tx, channels, unread, (limit, head))? {
                break;
            }
        }
        self.more = self.to.entry < head;
        Ok(self)
    }

    /// Reads a few more entries. Returns whether the step may continue. An event that follows one of another journal waits
    /// until an earlier step has read that one.
    fn extend(&mut self, tx: &mut Tx, channels: &Channels, unread: &Unread, (limit, head): (i64, i64)) -> Result<bool> {
        let (org, from, most) = (self.org, self.to, ENTRIES.min(limit));
        let entries = cursors::events(tx, org, from.entry, head, most)?;
        for entry in &entries {
            let part = if entry.number == from.entry + 1 { from.part } else { 0 };
            self.to = Place { entry: entry.number - 1, part };
            let left = limit - self.work();
            let follows = entry.follows();
            if left <= 0 || follows.is_some_and(|(org, number)| unread.get(&org).is_some_and(|read| *read < number)) {
                return Ok(false);
            }
            let planned = channels.plan(tx, org, entry, (part, left), &mut self.hourly)?;
            self.events.extend(planned.events.into_iter().map(|event| (entry.number, event)));
            self.notices.extend(planned.notices);
            if let Some(next) = planned.next {
                self.to.part = next;
                return Ok(false);
            }
        }
        // Fewer than the limit: the remaining entries are not relevant.
        let last = entries.last().filter(|_| i64::try_from(entries.len()).is_ok_and(|read| read == most));
        self.to = Place { entry: last.map_or(head, |last| last.number), part: 0 };
        Ok(self.to.entry < head)
    }

    /// The receivers of its events.
    pub(super) fn targets(&self) -> BTreeSet<Target> {
        self.events.iter().flat_map(|(_, event)| Lane::of(self.org, event)).map(|lane| lane.target).collect()
    }

    /// True if there is anything to store except the cursor.
    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty() && self.notices.is_empty()
    }

    /// The size of this in a step, in events.
    fn work(&self) -> i64 {
        let notices: usize = self.notices.iter().map(|notices| notices.recipients.len()).sum();
        let bytes: usize = self.events.iter().map(|(_, (_, event))| event.payload.len()).sum();
        i64::try_from(self.events.len() + notices / NOTICES + bytes / BYTES).unwrap_or(i64::MAX)
    }

    /// Stores the events and their deliveries, unless another node has stored them, and returns whether it did. The
    /// leases of the receivers are locked.
    pub(super) fn store(&self, tx: &mut Tx, key: &[u8; 32], now: Time, expires: Time) -> Result<bool> {
        if !cursors::advance(tx, self.org, self.cursor, self.to)? {
            return Ok(false);
        }
        let guids = self.events.iter().map(|(entry, (_, wanted))| guid(key, self.org, *entry, wanted.part));
        let guids: Vec<String> = guids.collect::<Result<_>>()?;
        let rows = self.events.iter().zip(&guids).map(|((entry, (_, wanted)), guid)| -> [&dyn Bind; 9] {
            let Wanted { part, event, action, order_key, payload, .. } = wanted;
            [&self.org, entry, part, guid, event, action, order_key, payload, &now.0]
        });
        let rows: Vec<[&dyn Bind; 9]> = rows.collect();
        let stored: Vec<(i64, i64, i64)> = STORE.all(tx, &rows)?;
        let ids: HashMap<(i64, i64), i64> = stored.into_iter().map(|(id, entry, part)| ((entry, part), id)).collect();
        let mut new = Vec::new();
        for (entry, wanted) in &self.events {
            let Wanted { part, team, change, .. } = &wanted.1;
            let event = ids.get(&(*entry, *part)).copied();
            let event = event.ok_or_else(|| Error::Bug("an event was stored without an identifier".into()))?;
            let new_of = |lane| queue::New { lane, event, team: *team, change: change.as_deref() };
            new.extend(Lane::of(self.org, wanted).map(new_of));
        }
        queue::put(tx, &new, now, expires, false)?;
        for Notices { discussion, comment, at, recipients } in &self.notices {
            notices::put(tx, *discussion, *comment, recipients, *at)?;
        }
        Ok(true)
    }
}

static STORE: Bulk<9> = Bulk::new(
    "INSERT INTO delivery_events (org_id, entry, part, guid, event, action, order_key, payload, created_at)
     VALUES {rows} RETURNING id, entry, part",
);

/// The identifier of an event for its receivers, which is the same whenever it is expanded.
pub fn guid(key: &[u8; 32], org: i64, entry: i64, part: i64) -> Result<String> {
    let hash = chain::of_delivery(key, (org, entry), part)?;
    let mut text = String::with_capacity(36);
    for (number, byte) in hash.iter().take(16).enumerate() {
        // A UUID of the version whose content is chosen by its issuer.
        let byte = match number {
            6 => byte & 0x0f | 0x80,
            8 => byte & 0x3f | 0x80,
            _ => *byte,
        };
        if [4, 6, 8, 10].contains(&number) {
            text.push('-');
        }
        for digit in [byte >> 4, byte & 0x0f] {
            text.push(char::from_digit(digit.into(), 16).unwrap_or('0'));
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::guid;

    #[test]
    fn an_event_has_the_same_uuid_each_time_and_no_other_has_it() {
        let first = guid(&[7; 32], 3, 12, 0).unwrap();
        assert_eq!(first, guid(&[7; 32], 3, 12, 0).unwrap());
        let bytes = first.as_bytes();
        assert_eq!(
            (bytes.len(), bytes[14], bytes[8], bytes[13], bytes[18], bytes[23]),
            (36, b'8', b'-', b'-', b'-', b'-')
        );
        assert!(b"89ab".contains(&bytes[19]), "{first}");
        for other in
            [guid(&[7; 32], 3, 12, 1), guid(&[7; 32], 3, 13, 0), guid(&[7; 32], 4, 12, 0), guid(&[8; 32], 3, 12, 0)]
        {
            assert_ne!(first, other.unwrap());
        }
    }
}
