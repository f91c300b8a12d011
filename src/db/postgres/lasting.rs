//! The values that readers of PostgreSQL keep in the cache across versions, because no later commit concerns them
//! (docs/decisions/0028-proof-of-freshness.md).
//!
//! The texts of two snapshots show which transactions have ended between them. This process knows what its own
//! transactions have recorded. A transaction is light if it only changes who is in teams, what teams are granted, and
//! posts. If all that ended are light and of this process, then what [`Tx::found`] caches is still valid, and so are
//! values of organizations in whose journals they have not recorded. After any other transaction, of another process or
//! run manually, everything is dropped.
//!
//! [`Tx::found`]: crate::db::Tx::found

use std::collections::BTreeMap;
use std::sync::Arc;

use foldhash::HashMap;

use crate::db::memo::{Cacheable, MadeOf, Memo};

/// The maximum number of transactions, and of organizations, that are remembered.
const MOST: usize = 10_000;

/// The maximum number of transactions between two versions that are checked.
const ENDED: u64 = 1_000;

#[derive(Default)]
pub(super) struct Lasting {
    memo: Memo,
    /// The version at which everything was dropped last.
    since: i64,
    /// The version at which each organization last changed after that.
    changed: HashMap<i64, i64>,
    /// The version at which every other organization may have changed.
    others_since: i64,
    /// Light transactions of this process that may not have ended yet, with the journals that they recorded in.
    own: BTreeMap<u64, Vec<i64>>,
}

/// A cached value, with the version that it was made of.
struct Versioned<T> {
    of: MadeOf,
    number: i64,
    answer: Arc<T>,
}

impl<T: Cacheable> Cacheable for Versioned<T> {
    const LARGEST: usize = T::LARGEST;
    const IF_ASKED_AGAIN: bool = T::IF_ASKED_AGAIN;

    fn weight(&self) -> usize {
        size_of::<Self>() + self.answer.weight()
    }
}

impl Lasting {
    /// Notes, before it commits, that a transaction is light, and in which journals it records.
    pub fn note(&mut self, transaction: &str, orgs: Vec<i64>) {
        let Ok(transaction) = transaction.parse() else { return };
        self.own.insert(transaction, orgs);
        if self.own.len() > MOST {
            self.own.pop_first();
        }
    }

    /// The cached value, if it is valid at the version with this number.
    pub fn get<T: Cacheable>(&mut self, number: i64, key: &[u8]) -> Option<Arc<T>> {
        let cached = self.memo.get::<Versioned<T>>(key)?;
        self.valid(number, &cached)
    }

    /// The same, only if it is made of [`MadeOf::Found`].
    pub fn found<T: Cacheable>(&mut self, number: i64, key: &[u8]) -> Option<Arc<T>> {
        let cached = self.memo.get::<Versioned<T>>(key).filter(|cached| cached.of == MadeOf::Found)?;
        self.valid(number, &cached)
    }

    fn valid<T>(&self, number: i64, cached: &Versioned<T>) -> Option<Arc<T>> {
        let changed = match cached.of {
            MadeOf::Org(org) => self.changed.get(&org).copied().unwrap_or(self.others_since),
            MadeOf::Found => self.since,
            MadeOf::Anything => return None,
        };
        (changed..=number).contains(&cached.number).then(|| Arc::clone(&cached.answer))
    }

    /// True if nothing that concerns [`MadeOf::Found`] has changed for a snapshot with the text `to` since one with the
    /// text `from`. `to` may also be the older one. The transaction with the number `own` has taken that snapshot.
    pub fn found_holds(&self, from: &str, to: &str, own: &str) -> bool {
        let (Some(from), Some(to), Ok(own)) = (Snapshot::read(from), Snapshot::read(to), own.parse::<u64>()) else {
            return false;
        };
        // A transaction does not see itself among those that are running.
        let mut ended = from.ended_until(&to).filter(|transaction| *transaction != own);
        to.next.saturating_sub(from.next) <= ENDED && ended.all(|transaction| self.own.contains_key(&transaction))
    }

    /// Caches what was made of the current version, which has this number.
    pub fn insert<T: Cacheable>(&mut self, number: i64, of: MadeOf, key: &[u8], answer: &Arc<T>) {
        self.memo.insert(key, &Arc::new(Versioned { of, number, answer: Arc::clone(answer) }));
    }

    /// Moves on to the version with this number. The texts are those of the previous and the new version.
    pub fn follow(&mut self, number: i64, from: &str, to: &str) {
        match self.changed_between(from, to) {
            Some(orgs) => {
                self.changed.extend(orgs.iter().map(|org| (*org, number)));
                self.forget_half();
            }
            None => self.forget(number),
        }
    }

    /// If too many organizations have changed, forgets when those did that changed longest ago.
    fn forget_half(&mut self) {
        if self.changed.len() <= MOST {
            return;
        }
        let mut versions: Vec<i64> = self.changed.values().copied().collect();
        let (_, half, _) = versions.select_nth_unstable(MOST / 2);
        self.others_since = *half;
        self.changed.retain(|_, version| *version > self.others_since);
    }

    /// Drops everything that is older than the version with this number.
    pub fn forget(&mut self, number: i64) {
        (self.since, self.others_since) = (number, number);
        self.changed.clear();
        self.memo.forget();
    }

    /// Starts over with another server or after a restart, when transaction numbers no longer mean the same.
    pub fn restart(&mut self, number: i64) {
        self.own.clear();
        self.forget(number);
    }

    /// The journals in which the transactions that ended in between have recorded, or none if anything else may have
    /// changed.
    fn changed_between(&mut self, from: &str, to: &str) -> Option<Vec<i64>> {
        let (from, to) = (Snapshot::read(from)?, Snapshot::read(to)?);
        if to.next.checked_sub(from.next)? > ENDED {
            return None;
        }
        let mut orgs = Vec::new();
        for transaction in from.ended_until(&to) {
            orgs.extend(self.own.remove(&transaction)?);
        }
        Some(orgs)
    }
}

/// The content of a snapshot's text: every transaction before `next` that is not running has ended.
struct Snapshot {
    next: u64,
    running: Vec<u64>,
}

impl Snapshot {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(':').skip(1);
        let next = parts.next()?.parse().ok()?;
        let running = parts.next()?.split(',').filter(|number| !number.is_empty());
        Some(Self { next, running: running.map(|number| number.parse().ok()).collect::<Option<_>>()? })
    }

    /// The transactions that have ended in the other snapshot and not in this one.
    fn ended_until<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = u64> + 's {
        let later = self.running.iter().copied().chain(self.next..other.next);
        later.filter(|transaction| *transaction < other.next && !other.running.contains(transaction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Answer;

    impl Cacheable for Answer {
        fn weight(&self) -> usize {
            1
        }
    }

    const OF: [MadeOf; 4] = [MadeOf::Anything, MadeOf::Found, MadeOf::Org(1), MadeOf::Org(2)];

    /// True for each value of [`cached`] that is still valid at the version with this number.
    fn left(lasting: &mut Lasting, number: i64) -> [bool; 4] {
        [b"a", b"f", b"1", b"2"].map(|key| lasting.get::<Answer>(number, key).is_some())
    }

    /// A cache at version 1 with one value of each kind, and two noted transactions.
    fn cached() -> Lasting {
        let mut lasting = Lasting::default();
        for (key, of) in [b"a", b"f", b"1", b"2"].into_iter().zip(OF) {
            lasting.insert(1, of, key, &Arc::new(Answer));
        }
        lasting.note("10", vec![1]);
        lasting.note("12", vec![]);
        lasting
    }

    #[test]
    fn light_transactions_of_this_process_leave_what_they_do_not_concern() {
        let mut lasting = cached();
        lasting.follow(2, "10:10:", "11:11:");
        assert_eq!(left(&mut lasting, 2), [false, true, false, true]);
        lasting.follow(3, "11:11:", "11:13:11");
        assert_eq!(left(&mut lasting, 3), [false, true, false, true]);
        lasting.insert(3, MadeOf::Org(1), b"1", &Arc::new(Answer));
        assert_eq!(
            (left(&mut lasting, 3), left(&mut lasting, 2)),
            ([false, true, true, true], [false, true, false, true])
        );
    }

    #[test]
    fn what_readers_have_found_holds_for_a_write_unless_something_else_has_ended() {
        let lasting = cached();
        let holds = |from, to| lasting.found_holds(from, to, "11");
        // Notes are left for readers. Neither transactions in progress nor the write itself count. Readers may be newer.
        for (from, to) in [
            ("10:10:", "11:11:"),
            ("10:10:", "10:13:11"),
            ("10:10:", "13:13:"),
            ("14:14:", "11:11:"),
            ("9:9:9", "9:10:9"),
        ] {
            assert!(holds(from, to), "{from} {to}");
        }
        for (from, to) in
            [("10:10:", "14:14:"), ("9:10:9", "11:11:"), ("9:14:9", "11:11:"), ("", "11:11:"), ("10:10:", "")]
        {
            assert!(!holds(from, to), "{from} {to}");
        }
    }

    #[test]
    fn what_is_remembered_has_a_bound_and_the_oldest_goes_first() {
        let mut lasting = cached();
        let most = i64::try_from(MOST).unwrap();
        for number in 0..2 * most {
            let (from, to) = (100 + number, 101 + number);
            lasting.note(&from.to_string(), vec![1_000 + number]);
            lasting.follow(number + 2, &format!("{from}:{from}:"), &format!("{to}:{to}:"));
            assert!(lasting.changed.len() <= MOST);
        }
        // What was found still holds. What was made of organizations 1 and 2 may have changed, as far as is known.
        assert_eq!(left(&mut lasting, 2 * most + 1), [false, true, false, false]);
        lasting.insert(2 * most + 1, MadeOf::Org(1), b"1", &Arc::new(Answer));
        assert!(left(&mut lasting, 2 * most + 1)[2]);
        for number in 0..2 * most {
            lasting.note(&(1_000_000 + number).to_string(), vec![]);
        }
        assert_eq!((lasting.own.len(), lasting.own.last_key_value().map(|(key, _)| *key)), (MOST, Some(1_019_999)));
    }

    #[test]
    fn any_other_transaction_leaves_nothing() {
        // One more transaction in between; one that was running before; a later one of another process; an invalid
        // text.
        for (from, to) in
            [("10:10:", "12:12:"), ("9:10:9", "11:11:"), ("10:10:", "11:12:"), ("10:10:", "9:9:"), ("", "11:11:")]
        {
            let mut lasting = cached();
            lasting.follow(2, from, to);
            assert_eq!(left(&mut lasting, 2), [false; 4], "{from} {to}");
        }
        // A transaction that is still running has changed nothing yet and is not forgotten.
        let mut lasting = cached();
        lasting.follow(2, "9:10:9", "9:11:9");
        assert_eq!(left(&mut lasting, 2), [false, true, false, true]);
        lasting.follow(3, "9:11:9", "11:11:");
        assert_eq!(left(&mut lasting, 3), [false; 4]);
    }

    #[test]
    fn a_note_counts_once_and_only_for_the_server_that_it_was_made_of() {
        let mut lasting = cached();
        lasting.follow(2, "10:10:", "11:11:");
        lasting.follow(3, "10:10:", "11:11:");
        assert_eq!(left(&mut lasting, 3), [false; 4]);
        let mut lasting = cached();
        lasting.restart(2);
        lasting.insert(2, MadeOf::Found, b"f", &Arc::new(Answer));
        lasting.follow(3, "10:10:", "11:11:");
        assert_eq!(left(&mut lasting, 3), [false; 4]);
    }
}
