//! Snapshot cache: what was computed from one snapshot of a reader is computed once (docs/decisions/0023).
//!
//! On SQLite, each worker keeps a snapshot open until something is committed. Within one snapshot, the same question
//! has the same answer, so an answer can be cached for as long as the snapshot lasts. The version of the data decides
//! that: SQLite's `data_version` changes as soon as any other connection, of this process or another, has committed.
//! SQLite itself uses it to decide whether its cached pages are still valid. So code that writes does not need to
//! invalidate anything.
//!
//! This is exact because an answer depends only on the snapshot and the key. It does not depend on the time, and on the
//! caller only if the key contains the caller. Reads of PostgreSQL keep no snapshot open; `postgres/shared.rs` has
//! their cache.
//!
//! The writer has a cache too, for the few rows that every write reads to find its subject and its caller
//! ([`Tx::found`]). The cache lasts across batches, because only the writer's own requests change these rows, unless
//! another process commits, and then the version differs. It is cleared when a recorded change may concern these rows,
//! and when a request is rolled back. On PostgreSQL each write has a cache of its own, which is also cleared when the
//! write has taken its locks.
//!
//! [`Tx::found`]: super::Tx::found

use std::any::{Any, TypeId};
use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::HashMap;

use crate::cache::Cache;

/// The most that a reader caches of one type, in bytes.
const MOST: usize = 8 << 20;

/// The most that a reader caches of all types together, in bytes.
const MOST_OF_ALL: usize = 2 * MOST;

/// The overhead of a cached value, in bytes.
const PLACE: usize = 128;

/// The number of marks for keys that were requested.
const MARKS: usize = 1 << 13;

/// Something that a reader can cache.
pub trait Cacheable: Any + Send + Sync {
    /// The largest value that is cached, in bytes.
    const LARGEST: usize = MOST / 32;

    /// True if a value is cached only when it is requested again. Most values are requested once, and caching them
    /// would cost as much as computing them.
    const IF_ASKED_AGAIN: bool = false;

    /// Its approximate size in bytes.
    fn weight(&self) -> usize;
}

/// The data that a cached value was made of. This says after which changes it is still valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MadeOf {
    /// Anything.
    #[default]
    Anything,
    /// Only callers, organizations, rows of teams, roles in organizations, whether teams follow groups, and the next end of
    /// a membership of a team. These are what [`Tx::found`] caches, and no change that concerns them is light.
    ///
    /// [`Tx::found`]: super::Tx::found
    Found,
    /// The same, and what is recorded in the journal of this organization.
    Org(i64),
}

/// The values that were computed from one version of the data.
#[derive(Default)]
pub(super) struct Memo {
    version: Option<i64>,
    kinds: HashMap<TypeId, Answers>,
    /// The keys that were requested at this version, as hashes. If two have the same position, the newer one stays.
    marks: Vec<u64>,
    /// Differs for each version, so that marks of another version do not match.
    epoch: u64,
}

/// Cached values of one type by key.
type Answers = Cache<Box<[u8]>, Arc<dyn Any + Send + Sync>>;

impl Memo {
    /// Sets the version of the data that is read from now on. Values of another version are dropped.
    pub fn at(&mut self, version: i64) {
        if self.version != Some(version) {
            self.version = Some(version);
            self.epoch = self.epoch.wrapping_add(1 << 16);
            self.forget();
        }
    }

    /// Drops everything.
    pub fn forget(&mut self) {
        self.kinds.values_mut().for_each(Answers::clear);
    }

    pub fn get<T: Cacheable>(&mut self, key: &[u8]) -> Option<Arc<T>> {
        self.kinds.get_mut(&TypeId::of::<T>())?.get(key)?.downcast().ok()
    }

    pub fn insert<T: Cacheable>(&mut self, key: &[u8], answer: &Arc<T>) {
        let weight = PLACE + key.len() + answer.weight();
        if weight > T::LARGEST || T::IF_ASKED_AGAIN && !self.asked_before(key) {
            return;
        }
        while self.kinds.values().map(Answers::weight).sum::<usize>() + weight > MOST_OF_ALL {
            // The largest type makes room, so that pages for many callers do not displace the parts that they are made
            // of.
            self.kinds.values_mut().max_by_key(|answers| answers.weight()).into_iter().for_each(Answers::age);
        }
        let answers = self.kinds.entry(TypeId::of::<T>()).or_insert_with(|| Answers::new(MOST));
        answers.insert(key.into(), Arc::clone(answer) as Arc<dyn Any + Send + Sync>, weight);
    }

    /// True if this key was requested before. A rare false positive only caches a value that is requested once.
    fn asked_before(&mut self, key: &[u8]) -> bool {
        self.marks.resize(MARKS, 0);
        let hash = self.kinds.hasher().hash_one(key);
        let [low, high, ..] = hash.to_le_bytes();
        let place = &mut self.marks[usize::from(u16::from_le_bytes([low, high])) % MARKS];
        let mark = hash ^ self.epoch;
        std::mem::replace(place, mark) == mark
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Of<const KIND: u8>(usize);

    impl<const KIND: u8> Cacheable for Of<KIND> {
        const IF_ASKED_AGAIN: bool = KIND == 9;

        fn weight(&self) -> usize {
            self.0
        }
    }

    const LARGEST: usize = Of::<1>::LARGEST;

    fn is_kept<const KIND: u8>(memo: &mut Memo, key: &[u8], weight: usize) -> bool {
        memo.insert(key, &Arc::new(Of::<KIND>(weight)));
        memo.get::<Of<KIND>>(key).is_some()
    }

    #[test]
    fn what_is_asked_for_once_is_not_kept() {
        let mut memo = Memo::default();
        for version in 1..3 {
            memo.at(version);
            assert_eq!([is_kept::<9>(&mut memo, b"a", 0), is_kept::<9>(&mut memo, b"a", 0)], [false, true]);
        }
        let keys = (0..1_000_u32).map(u32::to_be_bytes);
        assert_eq!(keys.clone().filter(|key| is_kept::<9>(&mut memo, key, 0)).count(), 0);
        assert!(keys.filter(|key| is_kept::<9>(&mut memo, key, 0)).count() > 500);
    }

    #[test]
    fn what_is_kept_has_a_bound() {
        let mut memo = Memo::default();
        assert!(!is_kept::<1>(&mut memo, b"large", LARGEST));
        assert!(is_kept::<4>(&mut memo, b"small", LARGEST / 2));
        for n in 0..10_000_u32 {
            let key = n.to_be_bytes();
            assert!(is_kept::<1>(&mut memo, &key, LARGEST / 2));
            assert!(is_kept::<2>(&mut memo, &key, LARGEST / 2) && is_kept::<3>(&mut memo, &key, LARGEST / 2));
            assert!(memo.kinds.values().all(|answers| answers.weight() <= MOST));
            assert!(memo.kinds.values().map(Answers::weight).sum::<usize>() <= MOST_OF_ALL);
        }
        assert!(memo.get::<Of<4>>(b"small").is_some(), "only the largest kind makes room");
    }

    #[test]
    fn another_version_has_other_answers() {
        let mut memo = Memo::default();
        memo.at(1);
        assert!(is_kept::<1>(&mut memo, b"a", 1));
        memo.at(1);
        assert!(memo.get::<Of<1>>(b"a").is_some());
        memo.at(2);
        assert!(memo.get::<Of<1>>(b"a").is_none() && memo.kinds.values().all(|answers| answers.weight() == 0));
    }
}
