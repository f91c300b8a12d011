//! What readers of PostgreSQL keep beyond a version of the data, because nothing that was committed since concerns it
//! (docs/decisions/0028-proof-of-freshness.md).
//!
//! The texts of two snapshots say which transactions have ended in between. This process knows what its own have recorded.
//! If all that ended are its own and light, which means that they concern nothing but who is in teams, what teams are
//! granted, and posts, then what [`Tx::found`] keeps is the same, and so is everything of organizations in whose
//! journals they have not recorded. After any other transaction, of another process or made by hand, everything is forgotten.
//!
//! [`Tx::found`]: crate::db::Tx::found

use std::sync::Arc;

use foldhash::HashMap;

use crate::db::memo::{Cacheable, MadeOf, Memo};

/// How many transactions, and how many organizations, are kept in mind.
const MOST: usize = 10_000;

/// How many transactions at most are looked at between two versions.
const ENDED: u64 = 1_000;

#[derive(Default)]
pub(super) struct Lasting {
    memo: Memo,
    /// The version at which everything was forgotten last.
    since: i64,
    /// For each organization that has changed after that, the version at which it did last.
    changed: HashMap<i64, i64>,
    /// Light transactions of this process that were not seen to end yet, with the journals that they recorded in.
    own: HashMap<u64, Vec<i64>>,
}

/// Something that is kept, with the version that it was made of.
struct Kept<T> {
    of: MadeOf,
    number: i64,
    answer: Arc<T>,
}

impl<T: Cacheable> Cacheable for Kept<T> {
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
        if self.own.len() >= MOST {
            self.own.clear();
        }
        self.own.insert(transaction, orgs);
    }

    /// What holds at the version of this number.
    pub fn get<T: Cacheable>(&self, number: i64, key: &[u8]) -> Option<Arc<T>> {
        let kept = self.memo.get::<Kept<T>>(key)?;
        let changed = match kept.of {
            MadeOf::Org(org) => self.changed.get(&org).copied().unwrap_or(self.since),
            MadeOf::Found => self.since,
            MadeOf::Anything => return None,
        };
        (changed..=number).contains(&kept.number).then(|| Arc::clone(&kept.answer))
    }

    /// Keeps what was made of the present version, which has this number.
    pub fn insert<T: Cacheable>(&mut self, number: i64, of: MadeOf, key: &[u8], answer: &Arc<T>) {
        self.memo.insert(key, &Arc::new(Kept { of, number, answer: Arc::clone(answer) }));
    }

    /// The version of this number and of this text follows the one of that text.
    pub fn follow(&mut self, number: i64, from: &str, to: &str) {
        match self.changed_between(from, to) {
            Some(orgs) if self.changed.len() < MOST => self.changed.extend(orgs.iter().map(|org| (*org, number))),
            _ => self.forget(number),
        }
    }

    /// Forgets everything that is older than the version of this number.
    pub fn forget(&mut self, number: i64) {
        self.since = number;
        self.changed.clear();
        self.memo.forget();
    }

    /// Begins again with another server, or after a restart: what transactions are called says nothing any more.
    pub fn restart(&mut self, number: i64) {
        self.own.clear();
        self.forget(number);
    }

    /// In which journals those recorded that have ended in between; none if anything else may have changed.
    fn changed_between(&mut self, from: &str, to: &str) -> Option<Vec<i64>> {
        let (from, to) = (Snapshot::read(from)?, Snapshot::read(to)?);
        if to.next.checked_sub(from.next)? > ENDED {
            return None;
        }
        let mut orgs = Vec::new();
        for transaction in from.running.iter().copied().chain(from.next..to.next) {
            if !to.running.contains(&transaction) {
                orgs.extend(self.own.remove(&transaction)?);
            }
        }
        Some(orgs)
    }
}

/// What the text of a snapshot says: every transaction has ended that is older than the next one and is not running.
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

    /// What is left of everything that was kept at version 1, at the version of this number.
    fn left(lasting: &Lasting, number: i64) -> [bool; 4] {
        [b"a", b"f", b"1", b"2"].map(|key| lasting.get::<Answer>(number, key).is_some())
    }

    /// A memory at version 1, in which everything is kept, and in which two transactions were noted.
    fn kept() -> Lasting {
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
        let mut lasting = kept();
        lasting.follow(2, "10:10:", "11:11:");
        assert_eq!(left(&lasting, 2), [false, true, false, true]);
        lasting.follow(3, "11:11:", "11:13:11");
        assert_eq!(left(&lasting, 3), [false, true, false, true]);
        lasting.insert(3, MadeOf::Org(1), b"1", &Arc::new(Answer));
        assert_eq!((left(&lasting, 3), left(&lasting, 2)), ([false, true, true, true], [false, true, false, true]));
    }

    #[test]
    fn any_other_transaction_leaves_nothing() {
        // Another one in between; one that ran before; one that another process has made after it; nonsense.
        for (from, to) in
            [("10:10:", "12:12:"), ("9:10:9", "11:11:"), ("10:10:", "11:12:"), ("10:10:", "9:9:"), ("", "11:11:")]
        {
            let mut lasting = kept();
            lasting.follow(2, from, to);
            assert_eq!(left(&lasting, 2), [false; 4], "{from} {to}");
        }
        // What goes on running changes nothing yet, and is not forgotten.
        let mut lasting = kept();
        lasting.follow(2, "9:10:9", "9:11:9");
        assert_eq!(left(&lasting, 2), [false, true, false, true]);
        lasting.follow(3, "9:11:9", "11:11:");
        assert_eq!(left(&lasting, 3), [false; 4]);
    }

    #[test]
    fn a_note_counts_once_and_only_for_the_server_that_it_was_made_of() {
        let mut lasting = kept();
        lasting.follow(2, "10:10:", "11:11:");
        lasting.follow(3, "10:10:", "11:11:");
        assert_eq!(left(&lasting, 3), [false; 4]);
        let mut lasting = kept();
        lasting.restart(2);
        lasting.insert(2, MadeOf::Found, b"f", &Arc::new(Answer));
        lasting.follow(3, "10:10:", "11:11:");
        assert_eq!(left(&lasting, 3), [false; 4]);
    }
}
