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
use std::collections::HashMap;
use std::sync::Arc;

/// How many answers of a kind are kept.
const KEPT: usize = 4_096;

type Answers = HashMap<Box<[u8]>, Arc<dyn Any + Send + Sync>>;

/// Answers by their type, which is their kind, and their key.
#[derive(Default)]
pub(super) struct Memo {
    version: Option<i64>,
    kinds: HashMap<TypeId, Answers>,
}

impl Memo {
    /// Says which version of the data is read from now on; answers from another one are forgotten.
    pub fn at(&mut self, version: i64) {
        if self.version != Some(version) {
            self.version = Some(version);
            self.kinds.values_mut().for_each(HashMap::clear);
        }
    }

    pub fn get<T: Any + Send + Sync>(&self, key: &[u8]) -> Option<Arc<T>> {
        let kept = self.kinds.get(&TypeId::of::<T>())?.get(key)?;
        Arc::clone(kept).downcast().ok()
    }

    pub fn keep<T: Any + Send + Sync>(&mut self, key: &[u8], answer: &Arc<T>) {
        let answers = self.kinds.entry(TypeId::of::<T>()).or_default();
        if answers.len() >= KEPT {
            answers.clear();
        }
        answers.insert(key.into(), Arc::clone(answer) as Arc<dyn Any + Send + Sync>);
    }
}
