//! Snapshot memory: whatever was made from one snapshot of a reader is made once (docs/decisions/0023).
//!
//! On SQLite each worker keeps a snapshot open until something is committed. Within one snapshot the same question has
//! the same answer, so an answer may be kept for as long as the snapshot lasts. The version of the data decides that:
//! SQLite's `data_version` differs as soon as any other connection, of this process or another, has committed. SQLite
//! itself decides by it whether the pages in its memory still hold. So code that writes does not say what to forget.
//!
//! What keeps this exact: an answer depends on nothing but the snapshot and the key (so not on the time, nor on the caller
//! unless the key says who), and reads of PostgreSQL, which keeps no snapshot, have no memo.
//!
//! The writer has one too, for the few rows that every write reads to find its subject and its caller ([`Tx::found`]). It
//! keeps them across batches: only its own requests change these rows, unless another process commits, and then the
//! version differs. It forgets them when a change is recorded that may concern them, and when a request is undone. On
//! PostgreSQL each write has one of its own, and also forgets when it has taken its locks.
//!
//! [`Tx::found`]: super::Tx::found

use std::any::{Any, TypeId};
use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::HashMap;

/// How much of a kind a reader keeps, in bytes. If there would be more, the kind is forgotten.
const MOST: usize = 8 << 20;

/// How much of all kinds together, in bytes.
const MOST_OF_ALL: usize = 2 * MOST;

/// What keeping anything costs beside the thing itself, in bytes.
const PLACE: usize = 128;

/// How many marks there are of what was asked for.
const MARKS: usize = 1 << 13;

/// Something that a reader may keep. Its type is its kind.
pub trait Cacheable: Any + Send + Sync {
    /// The largest that is kept, in bytes.
    const LARGEST: usize = MOST / 32;

    /// Whether it is kept only when it is asked for again: most is asked for once, and keeping it would cost as much as
    /// making it.
    const IF_ASKED_AGAIN: bool = false;

    /// About how many bytes it takes.
    fn weight(&self) -> usize;
}

/// What something that is kept was made of: that says after which changes it is still the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MadeOf {
    /// Of anything.
    #[default]
    Anything,
    /// Of callers, organizations, rows of teams, roles in organizations, and whether teams follow groups, and of nothing
    /// else. These are what [`Tx::found`] keeps, and no change is light that concerns them.
    ///
    /// [`Tx::found`]: super::Tx::found
    Found,
    /// Of these, and of what is recorded in the journal of this organization.
    Org(i64),
}

/// What was made from one version of the data.
#[derive(Default)]
pub(super) struct Memo {
    version: Option<i64>,
    kinds: HashMap<TypeId, Answers>,
    /// What was asked for at this version: hashes of keys, of which the newest stays where two share a place.
    marks: Vec<u64>,
    /// Differs for each version, so that marks of another one do not count.
    epoch: u64,
}

/// Answers of a kind by their key.
#[derive(Default)]
struct Answers {
    by_key: HashMap<Box<[u8]>, Arc<dyn Any + Send + Sync>>,
    weight: usize,
}

impl Answers {
    fn forget(&mut self) {
        self.weight = 0;
        self.by_key.clear();
    }
}

impl Memo {
    /// Says which version of the data is read from now on; answers from another one are forgotten.
    pub fn at(&mut self, version: i64) {
        if self.version != Some(version) {
            self.version = Some(version);
            self.epoch = self.epoch.wrapping_add(1 << 16);
            self.forget();
        }
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.kinds.values_mut().for_each(Answers::forget);
    }

    pub fn get<T: Cacheable>(&self, key: &[u8]) -> Option<Arc<T>> {
        let answer = self.kinds.get(&TypeId::of::<T>())?.by_key.get(key)?;
        Arc::clone(answer).downcast().ok()
    }

    pub fn insert<T: Cacheable>(&mut self, key: &[u8], answer: &Arc<T>) {
        let weight = PLACE + key.len() + answer.weight();
        if weight > T::LARGEST || T::IF_ASKED_AGAIN && !self.asked_before(key) {
            return;
        }
        if self.kinds.values().map(|answers| answers.weight).sum::<usize>() + weight > MOST_OF_ALL {
            // Pages that many callers ask for must not cost what those pages are made of.
            self.kinds.values_mut().max_by_key(|answers| answers.weight).into_iter().for_each(Answers::forget);
        }
        let answers = self.kinds.entry(TypeId::of::<T>()).or_default();
        if answers.weight + weight > MOST {
            answers.forget();
        }
        answers.weight += weight;
        answers.by_key.insert(key.into(), Arc::clone(answer) as Arc<dyn Any + Send + Sync>);
    }

    /// Whether this was asked for before. Now and then a yes is wrong: then something is kept that is asked for once.
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
            assert!(memo.kinds.values().all(|answers| answers.weight <= MOST && answers.by_key.len() <= 64));
            assert!(memo.kinds.values().map(|answers| answers.weight).sum::<usize>() <= MOST_OF_ALL);
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
        assert!(memo.get::<Of<1>>(b"a").is_none() && memo.kinds.values().all(|answers| answers.weight == 0));
    }
}
