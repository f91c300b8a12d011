//! What was made from a snapshot is made once: the memory of one reader (decision record 0005).
//!
//! On SQLite each worker keeps a snapshot open until something is committed. Within one snapshot the same question has
//! the same answer, so an answer may be kept for as long as the snapshot lasts, and no longer. The version of the data
//! decides that: SQLite's `data_version` differs as soon as any other connection, of this process or another, has
//! committed; by it SQLite itself decides whether the pages in its memory still hold. Nothing is told what to forget.
//!
//! What keeps this exact: an answer depends on nothing but the snapshot and the key (so not on the time, nor on who
//! asks unless the key says who), and neither a write nor PostgreSQL, which keep no snapshot, has a memo.

use std::any::{Any, TypeId};
use std::sync::Arc;

use foldhash::HashMap;

/// How much of a kind a reader keeps, in bytes; more than that and it begins anew.
const KEPT: usize = 8 << 20;

/// What keeping anything costs beside the thing itself, in bytes.
const PLACE: usize = 128;

/// Something that a reader may keep.
pub trait Kept: Any + Send + Sync {
    /// The largest that is kept, in bytes.
    const LARGEST: usize = KEPT / 32;

    /// About how many bytes it takes.
    fn weight(&self) -> usize;
}

/// Answers by their type, which is their kind.
#[derive(Default)]
pub(super) struct Memo {
    version: Option<i64>,
    kinds: HashMap<TypeId, Answers>,
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
            self.kinds.values_mut().for_each(Answers::forget);
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
