//! The cache of all readers of PostgreSQL in this process: one cache for one version of the data.
//!
//! The version is the text of `pg_current_snapshot()`. Two snapshots of one primary with the same text see the same
//! rows: every commit advances the end of the text or leaves its list of running transactions, and transaction numbers
//! never repeat. So the text is to PostgreSQL what `data_version` is to SQLite
//! (docs/decisions/0028-proof-of-freshness.md).
//!
//! The texts of two servers, or of one server before and after a restore, cannot be compared. So cached values also
//! belong to an incarnation: the time during which the connection that proves freshness has been open. A reader caches
//! a value only if its own connection was opened in the same incarnation, to the same server.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::lasting::Lasting;
#[cfg(debug_assertions)]
use crate::db::Flaw;
use crate::db::memo::{Cacheable, MadeOf, Memo};

/// A server whose snapshots can be compared: its system identifier and its timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::db) struct Server(pub(super) Arc<str>);

/// The origin of a snapshot: a server and an incarnation. Within one origin, no commit is lost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    incarnation: u64,
    server: Option<Server>,
}

impl Origin {
    pub(in crate::db) fn of(incarnation: u64, server: &Server) -> Self {
        Self { incarnation, server: Some(server.clone()) }
    }
}

/// The cache of a process. Clones share it.
#[derive(Clone, Default)]
pub(in crate::db) struct Shared(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    memo: Memo,
    /// Values that may be older than this version and are still valid.
    lasting: Lasting,
    /// The number of versions that were seen.
    number: i64,
    incarnation: u64,
    server: Option<Server>,
    text: String,
    /// Values that only authorize a write early, from snapshots that may be older.
    recent: Memo,
    recent_since: Option<Instant>,
    /// The longest time for which those are used.
    recent_age: Duration,
    #[cfg(debug_assertions)]
    flaw: Option<Flaw>,
}

impl Shared {
    /// An empty cache. What only authorizes a write early is cached for this long.
    pub(super) fn new(recent_age: Duration) -> Self {
        Self(Arc::new(Mutex::new(State { recent_age, ..State::default() })))
    }

    /// The current incarnation. Ask before opening a connection: the connection belongs to this incarnation.
    pub(super) fn incarnation(&self) -> u64 {
        self.look(|state| state.incarnation)
    }

    /// Begins an incarnation, because the connection that proves freshness was opened to this server. Returns its
    /// number.
    pub(super) fn begin(&self, server: Server) -> u64 {
        self.look(|state| state.reincarnate(Some(server)))
    }

    /// Ends an incarnation, because a different server was reached. Returns the number of the next one. The connection
    /// that proves freshness must be opened again.
    pub(super) fn end(&self) -> u64 {
        self.look(|state| state.reincarnate(None))
    }

    /// True if the proofs of this incarnation come from a different server.
    pub(super) fn is_elsewhere(&self, server: &Server) -> bool {
        self.look(|state| state.server.as_ref().is_some_and(|known| known != server))
    }

    /// Notes the text of a snapshot that was just taken on the connection of this incarnation. Returns the number of
    /// its version, or none if the incarnation has ended.
    pub(super) fn at(&self, incarnation: u64, text: &str) -> Option<i64> {
        self.look(|state| {
            if state.incarnation != incarnation {
                return None;
            }
            if state.text != text {
                let number = state.renew();
                state.lasting.follow(number, &state.text, text);
                text.clone_into(&mut state.text);
            }
            Some(state.number)
        })
    }

    /// The origin of this version's snapshots, unless there is a newer version.
    pub(in crate::db) fn origin(&self, number: i64) -> Option<Origin> {
        self.look(|state| {
            let server = state.server.as_ref().filter(|_| state.number == number)?;
            Some(Origin::of(state.incarnation, server))
        })
    }

    /// The number of the version that a reader sees, if it is the cached one.
    pub(in crate::db) fn number(&self, incarnation: u64, text: &str) -> Option<i64> {
        self.look(|state| (state.incarnation == incarnation && state.text == text).then_some(state.number))
    }

    /// The text of the version that was proven last.
    pub(in crate::db) fn text(&self, incarnation: u64) -> Option<String> {
        self.look(|state| (state.incarnation == incarnation && !state.text.is_empty()).then(|| state.text.clone()))
    }

    /// The cached value for this key, if it is valid at this version.
    pub(in crate::db) fn get<T: Cacheable>(&self, number: i64, key: &[u8]) -> Option<Arc<T>> {
        self.look(|state| {
            let lasting = state.lasting.get(number, key);
            lasting.or_else(|| state.memo.get(key).filter(|_| state.number == number))
        })
    }

    /// Caches what was made of this version, unless there is a newer one.
    pub(in crate::db) fn insert<T: Cacheable>(&self, number: i64, of: MadeOf, key: &[u8], answer: &Arc<T>) {
        self.look(|state| {
            if state.number == number {
                state.insert(of, key, answer);
            }
        });
    }

    /// Notes, before it commits, that a transaction of this incarnation is light, and in which journals it records.
    /// Values that it does not concern stay cached.
    pub(in crate::db) fn note_light(&self, incarnation: u64, transaction: &str, orgs: Vec<i64>) {
        self.look(|state| {
            if state.incarnation == incarnation {
                state.lasting.note(transaction, orgs);
            }
        });
    }

    /// True if values of [`MadeOf::Found`] that are cached now or later hold in a snapshot with this text as well. The
    /// transaction that has taken it has this number, and is not counted.
    pub(in crate::db) fn found_holds(&self, incarnation: u64, text: &str, own: &str) -> bool {
        self.look(|state| state.incarnation == incarnation && state.lasting.found_holds(&state.text, text, own))
    }

    /// The cached value of [`MadeOf::Found`] for this key.
    pub(in crate::db) fn found<T: Cacheable>(&self, incarnation: u64, key: &[u8]) -> Option<Arc<T>> {
        self.look(|state| if state.incarnation == incarnation { state.lasting.found(state.number, key) } else { None })
    }

    /// The cached value for this key. It was valid a moment ago.
    pub(in crate::db) fn guess<T: Cacheable>(&self, key: &[u8]) -> Option<Arc<T>> {
        let kept = self.look(|state| state.lasting.get(state.number, key).or_else(|| state.memo.get(key)));
        kept.or_else(|| self.recent(key))
    }

    /// The cached value for this key from a snapshot that may be older.
    pub(in crate::db) fn recent<T: Cacheable>(&self, key: &[u8]) -> Option<Arc<T>> {
        self.look(|state| {
            let fresh = state.recent_since.is_some_and(|since| since.elapsed() < state.recent_age);
            state.recent.get(key).filter(|_| fresh)
        })
    }

    /// Caches what was just made of a snapshot, to authorize writes early. All of these values expire together.
    pub(in crate::db) fn insert_recent<T: Cacheable>(&self, key: &[u8], answer: &Arc<T>) {
        self.look(|state| {
            if state.recent_since.is_none_or(|since| since.elapsed() >= state.recent_age) {
                state.recent_since = Some(Instant::now());
                state.recent.forget();
            }
            state.recent.insert(key, answer);
        });
    }

    #[cfg(debug_assertions)]
    pub(super) fn suffer(&self, flaw: Flaw) {
        self.look(|state| state.flaw = Some(flaw));
    }

    #[cfg(debug_assertions)]
    pub(super) fn suffers(&self, flaw: Flaw) -> bool {
        self.look(|state| state.flaw == Some(flaw))
    }

    /// With this fault, caches what a write has made.
    #[cfg(debug_assertions)]
    pub(in crate::db) fn insert_unproven<T: Cacheable>(&self, of: MadeOf, key: &[u8], answer: &Arc<T>) {
        if self.suffers(Flaw::FillWhileWriting) {
            self.look(|state| state.insert(of, key, answer));
        }
    }

    fn look<R>(&self, look: impl FnOnce(&mut State) -> R) -> R {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl State {
    fn reincarnate(&mut self, server: Option<Server>) -> u64 {
        self.incarnation += 1;
        self.server = server;
        let number = self.renew();
        self.lasting.restart(number);
        self.text.clear();
        self.incarnation
    }

    fn renew(&mut self) -> i64 {
        self.number += 1;
        self.memo.at(self.number);
        self.number
    }

    /// Caches what was made of the current version.
    fn insert<T: Cacheable>(&mut self, of: MadeOf, key: &[u8], answer: &Arc<T>) {
        match of {
            MadeOf::Anything => self.memo.insert(key, answer),
            of => self.lasting.insert(self.number, of, key, answer),
        }
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

    fn server() -> Server {
        Server("1/00000001".into())
    }

    #[test]
    fn only_the_version_that_was_proven_last_is_kept() {
        let shared = Shared::default();
        let began = shared.begin(server());
        let at = |text| shared.at(began, text).unwrap();
        let first = at("10:10:");
        shared.insert(first, MadeOf::Anything, b"a", &Arc::new(Answer));
        assert_eq!(at("10:10:"), first);
        assert!(shared.get::<Answer>(first, b"a").is_some());
        let second = at("10:11:");
        shared.insert(first, MadeOf::Anything, b"a", &Arc::new(Answer));
        assert!(shared.get::<Answer>(first, b"a").is_none() && shared.get::<Answer>(second, b"a").is_none());
    }

    #[test]
    fn a_reader_of_another_incarnation_or_snapshot_has_no_version() {
        let shared = Shared::default();
        let before = shared.incarnation();
        let now = shared.begin(server());
        let number = shared.at(now, "10:10:").unwrap();
        assert_eq!(shared.incarnation(), now);
        assert_eq!(shared.number(now, "10:10:"), Some(number));
        assert_eq!((shared.number(before, "10:10:"), shared.number(now, "10:11:")), (None, None));
        // The same text after a reconnect is a different version.
        let again = shared.begin(server());
        assert!(shared.at(again, "10:10:").is_some_and(|other| other != number));
        assert_eq!(shared.at(now, "10:10:"), None);
    }

    #[test]
    fn another_system_or_timeline_is_elsewhere_and_ends_the_incarnation() {
        let shared = Shared::default();
        let others = ["1/00000002", "2/00000001"].map(|name| Server(name.into()));
        assert!(!shared.is_elsewhere(&server()), "nothing was proven yet");
        let began = shared.begin(server());
        assert!(!shared.is_elsewhere(&server()));
        assert!(others.iter().all(|other| shared.is_elsewhere(other)));
        let number = shared.at(began, "10:10:").unwrap();
        assert_eq!(shared.origin(number), Some(Origin::of(began, &server())));
        let next = shared.end();
        assert_ne!(next, began);
        assert_eq!((shared.at(began, "10:10:"), shared.origin(number)), (None, None));
        assert_ne!(Origin::of(began, &server()), Origin::of(began, &others[0]));
    }
}
