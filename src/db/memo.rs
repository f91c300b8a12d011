//! What was made from a snapshot is made once: the memory of one reader (decision record 0005).
//!
//! On SQLite each worker keeps a snapshot open until something is committed. Within one snapshot the same question has
//! the same answer, so an answer may be kept for as long as the snapshot lasts, and no longer. The version of the data
//! decides that: SQLite's `data_version` differs as soon as any other connection, of this process or another, has
//! committed; by it SQLite itself decides whether the pages in its memory still hold. Nothing is told what to forget.
//!
//! What keeps this exact: an answer depends on nothing but the snapshot and the key (so not on the time, nor on who
//! asks unless the key says who), and PostgreSQL, which keeps no snapshot, has no memo.
//!
//! The writer has one too, for the few things that every write reads, and keeps it from batch to batch: nothing but its
//! own statements changes what it read, unless another process commits, and then it has another version as well. It
//! forgets what was read from a table as soon as a statement changes that table, and everything at a statement that
//! could reach further and when a transaction is undone.

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

    /// The tables it is read from, all of them, if it is kept within writes too.
    const READ_FROM: &'static [&'static str] = &[];

    /// About how many bytes it takes.
    fn weight(&self) -> usize;
}

/// Answers by their type, which is their kind.
#[derive(Default)]
pub(super) struct Memo {
    version: Option<i64>,
    kinds: HashMap<TypeId, Answers>,
    /// What each statement changes, by its place: a text of the program is always in the same.
    statements: HashMap<(usize, usize), Changed>,
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
    read_from: &'static [&'static str],
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

    /// Forgets what a statement may have changed: a deletion reaches further than its own table.
    pub fn forget_changed_by(&mut self, sql: &'static str) {
        match *self.statements.entry((sql.as_ptr().addr(), sql.len())).or_insert_with(|| changed_by(sql)) {
            Changed::Nothing => {}
            Changed::Rows(table) => {
                let of_table = |answers: &&mut Answers| answers.read_from.contains(&table);
                self.kinds.values_mut().filter(of_table).for_each(Answers::forget);
            }
            Changed::Anything => self.forget(),
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
        answers.read_from = T::READ_FROM;
        if answers.weight + weight > KEPT {
            answers.forget();
        }
        answers.weight += weight;
        answers.by_key.insert(key.into(), Arc::clone(answer) as Arc<dyn Any + Send + Sync>);
    }
}

/// What a statement changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Changed {
    Nothing,
    /// Rows of this table and of no other: no key is ever updated, so nothing follows it.
    Rows(&'static str),
    Anything,
}

fn changed_by(sql: &'static str) -> Changed {
    let sql = sql.trim_start();
    let rest = sql.strip_prefix("INSERT INTO ").or_else(|| sql.strip_prefix("UPDATE "));
    match rest.and_then(|rest| rest.split([' ', '\n', '(']).find(|word| !word.is_empty())) {
        Some(table) => Changed::Rows(table),
        None if sql.starts_with("SELECT ") => Changed::Nothing,
        None => Changed::Anything,
    }
}

/// The tables that a query reads.
pub(super) fn tables(sql: &'static str) -> impl Iterator<Item = &'static str> {
    let mut words = sql.split([' ', '\n', '(', ')', ',']).filter(|word| !word.is_empty());
    std::iter::from_fn(move || words.find(|word| matches!(*word, "FROM" | "JOIN")).and_then(|_| words.next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Text(usize);

    struct Person;

    impl Kept for Person {
        const READ_FROM: &'static [&'static str] = &["users", "tokens"];

        fn weight(&self) -> usize {
            0
        }
    }

    #[test]
    fn what_a_statement_may_change_is_forgotten() {
        let kept_after = |sql: &'static str| {
            let mut memo = Memo::default();
            memo.keep(b"a", &Arc::new(Person));
            memo.forget_changed_by(sql);
            memo.get::<Person>(b"a").is_some()
        };
        for sql in ["SELECT id FROM users", "\n  INSERT INTO teams (id) VALUES (1)", "UPDATE orgs SET version = 1"] {
            assert!(kept_after(sql), "{sql}");
        }
        for sql in [
            "INSERT INTO users (id) VALUES (1)",
            "INSERT INTO users(id) VALUES (1)",
            "\n  UPDATE tokens\n  SET id = 1",
            "DELETE FROM teams WHERE id = 1",
            "WITH x AS (SELECT 1) UPDATE teams SET id = 1",
            "INSERT OR REPLACE INTO teams (id) VALUES (1)",
        ] {
            assert!(!kept_after(sql), "{sql}");
        }
    }

    #[test]
    fn the_tables_of_a_query_are_those_it_reads() {
        let sql = "SELECT o.id, (SELECT count(*) FROM teams) FROM logins l\n JOIN orgs o ON o.id = l.org_id";
        assert_eq!(tables(sql).collect::<Vec<_>>(), ["teams", "logins", "orgs"]);
    }

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
