//! What was made from a snapshot is made once: the memory of one reader (decision record 0023).
//!
//! On SQLite each worker keeps a snapshot open until something is committed. Within one snapshot the same question has
//! the same answer, so an answer may be kept for as long as the snapshot lasts, and no longer. The version of the data
//! decides that: SQLite's `data_version` differs as soon as any other connection, of this process or another, has
//! committed; by it SQLite itself decides whether the pages in its memory still hold. Nothing is told what to forget.
//!
//! What keeps this exact: an answer depends on nothing but the snapshot and the key (so not on the time, nor on who
//! asks unless the key says who), and reads of PostgreSQL, which keeps no snapshot, have no memo.
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

/// How much of a kind a reader keeps, in bytes; more than that and it begins anew.
const KEPT: usize = 8 << 20;

/// How much of all kinds together, in bytes.
const KEPT_OF_ALL: usize = 2 * KEPT;

/// What keeping anything costs beside the thing itself, in bytes.
const PLACE: usize = 128;

/// Something that a reader may keep.
pub trait Kept: Any + Send + Sync {
    /// The largest that is kept, in bytes.
    const LARGEST: usize = KEPT / 32;

    /// Whether it is kept only when it is asked for again: most is asked for once, and keeping it would cost as much as
    /// making it.
    const IF_ASKED_AGAIN: bool = false;

    /// About how many bytes it takes.
    fn weight(&self) -> usize;
}

/// Answers by their type, which is their kind.
#[derive(Default)]
pub(super) struct Memo {
    version: Option<i64>,
    kinds: HashMap<TypeId, Answers>,
    asked: Asked,
}

/// What was asked for at this version of the data: marks of keys, of which the newest stays where two share a place.
#[derive(Default)]
struct Asked {
    marks: Vec<u64>,
    version: u64,
}

/// How many marks there are.
const MARKS: usize = 1 << 13;

impl Asked {
    /// Whether this was asked for before. Now and then a yes is wrong: then something is kept that is asked for once.
    fn before(&mut self, hash: u64) -> bool {
        self.marks.resize(MARKS, 0);
        let [low, high, ..] = hash.to_le_bytes();
        let place = &mut self.marks[usize::from(u16::from_le_bytes([low, high])) % MARKS];
        let mark = hash ^ self.version;
        std::mem::replace(place, mark) == mark
    }
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
            self.asked.version = self.asked.version.wrapping_add(1 << 16);
            self.forget();
        }
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.kinds.values_mut().for_each(Answers::forget);
    }

    /// Forgets the kind that takes most: pages that many callers ask for must not cost what those pages are made of.
    fn forget_largest(&mut self) {
        if let Some(largest) = self.kinds.values_mut().max_by_key(|answers| answers.weight) {
            largest.forget();
        }
    }

    pub fn get<T: Kept>(&self, key: &[u8]) -> Option<Arc<T>> {
        let kept = self.kinds.get(&TypeId::of::<T>())?.by_key.get(key)?;
        Arc::clone(kept).downcast().ok()
    }

    pub fn keep<T: Kept>(&mut self, key: &[u8], answer: &Arc<T>) {
        let weight = PLACE + key.len() + answer.weight();
        if weight > T::LARGEST {
            return;
        }
        let answers = self.kinds.entry(TypeId::of::<T>()).or_default();
        if T::IF_ASKED_AGAIN && !self.asked.before(answers.by_key.hasher().hash_one(key)) {
            return;
        }
        if self.kinds.values().map(|kind| kind.weight).sum::<usize>() + weight > KEPT_OF_ALL {
            self.forget_largest();
        }
        let answers = self.kinds.entry(TypeId::of::<T>()).or_default();
        if answers.weight + weight > KEPT {
            answers.forget();
        }
        answers.weight += weight;
        answers.by_key.insert(key.into(), Arc::clone(answer) as Arc<dyn Any + Send + Sync>);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Text(usize);

    impl Kept for Text {
        fn weight(&self) -> usize {
            self.0
        }
    }

    struct Again;

    impl Kept for Again {
        const IF_ASKED_AGAIN: bool = true;

        fn weight(&self) -> usize {
            0
        }
    }

    #[test]
    fn what_is_asked_for_once_is_not_kept() {
        let mut memo = Memo::default();
        let kept_after = |memo: &mut Memo| {
            memo.keep(b"a", &Arc::new(Again));
            memo.get::<Again>(b"a").is_some()
        };
        assert_eq!((kept_after(&mut memo), kept_after(&mut memo)), (false, true));
        memo.at(2);
        assert_eq!((kept_after(&mut memo), kept_after(&mut memo)), (false, true));
        let keys = (0..1_000_u32).map(u32::to_be_bytes);
        let mut kept = |key: &[u8; 4]| {
            memo.keep(key, &Arc::new(Again));
            memo.get::<Again>(key).is_some()
        };
        assert_eq!(keys.clone().filter(&mut kept).count(), 0);
        assert!(keys.filter(kept).count() > 500);
    }

    #[test]
    fn what_is_kept_has_a_bound() {
        let mut memo = Memo::default();
        for n in 0..10_000_u32 {
            memo.keep(&n.to_be_bytes(), &Arc::new(Text(Text::LARGEST / 2)));
            assert!(memo.get::<Text>(&n.to_be_bytes()).is_some());
            assert!(memo.kinds.values().all(|kept| kept.weight <= KEPT && kept.by_key.len() <= 64));
        }
        memo.keep(b"large", &Arc::new(Text(Text::LARGEST)));
        assert!(memo.get::<Text>(b"large").is_none());
    }

    #[test]
    fn what_is_kept_of_all_kinds_has_a_bound() {
        struct Of<const KIND: u8>;

        impl<const KIND: u8> Kept for Of<KIND> {
            fn weight(&self) -> usize {
                Self::LARGEST / 2
            }
        }

        let mut memo = Memo::default();
        memo.keep(b"small", &Arc::new(Of::<4>));
        for n in 0..60_u32 {
            memo.keep(&n.to_be_bytes(), &Arc::new(Of::<1>));
            memo.keep(&n.to_be_bytes(), &Arc::new(Of::<2>));
            memo.keep(&n.to_be_bytes(), &Arc::new(Of::<3>));
            assert!(memo.get::<Of<3>>(&n.to_be_bytes()).is_some());
            assert!(memo.kinds.values().map(|kept| kept.weight).sum::<usize>() <= KEPT_OF_ALL);
        }
        assert!(memo.get::<Of<4>>(b"small").is_some(), "only the largest kind makes room");
    }

    #[test]
    fn another_version_has_other_answers() {
        let mut memo = Memo::default();
        memo.at(1);
        memo.keep(b"a", &Arc::new(Text(1)));
        memo.at(1);
        assert!(memo.get::<Text>(b"a").is_some());
        memo.at(2);
        assert!(memo.get::<Text>(b"a").is_none() && memo.kinds.values().all(|kept| kept.weight == 0));
    }
}
