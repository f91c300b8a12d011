//! A position in a document: its value, its line and the keys of its path. Every expectation about a value (a list, a
//! text, a known key) is a method. An error about a single value is returned; errors about lists and mappings are added
//! to those of the file, which is read to its end.

use std::collections::BTreeSet;

use super::document::{Node, Style, Value};
use super::fault::{Fault, Faults, shown};
use super::path::{Path, Step};

/// The keys of the lists that a part of a file has, also of empty ones. A plan removes nothing that belongs to a list
/// which the file does not have (decision 74).
pub type Lists = BTreeSet<&'static str>;

/// A value of the document with its position.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'p> {
    pub line: u32,
    pub path: Path<'p>,
    node: &'p Node<'p>,
    pub faults: &'p Faults,
}

/// The largest number of edits between an unknown key and the one that a message suggests.
const NEAR: usize = 2;

impl<'p> Cursor<'p> {
    /// The whole document.
    pub fn top(node: &'p Node<'p>, faults: &'p Faults) -> Self {
        Self { line: node.line, path: Path::TOP, node, faults }
    }

    /// The same value under a name of its own, which is its path.
    pub fn named(self, name: &'p str) -> Self {
        Self { path: Path::TOP.child(Step::Key(name)), ..self }
    }

    /// An error at this position.
    pub fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.line, self.path, message)
    }

    /// Adds an error at this position.
    pub fn wrong(&self, message: impl Into<String>) {
        self.faults.add(self.fault(message));
    }

    /// The value, or nothing after an error, which is added.
    pub fn keep<T>(&self, result: Result<T, Fault>) -> Option<T> {
        self.faults.keep(result)
    }

    /// The value that a function reads under a key of this mapping, if there is one. An error is added.
    pub fn read<T>(&self, key: &str, take: impl FnOnce(&Cursor) -> Result<T, Fault>) -> Option<T> {
        let at = self.get(key)?;
        self.keep(take(&at))
    }

    /// True if there is no value here.
    pub fn is_null(&self) -> bool {
        match &self.node.value {
            Value::Scalar(text, Style::Plain) => {
                matches!(text.as_ref(), "" | "~" | "null" | "Null" | "NULL")
            }
            Value::Scalar(text, Style::Literal) => text == "null",
            _ => false,
        }
    }

    /// The `true` or `false` under a key of this mapping, if there is a value; an error is added.
    pub fn flag(&self, key: &str) -> Option<bool> {
        let at = self.get(key)?;
        self.keep(at.truth())
    }

    /// The value under a key of this mapping, unless it is absent or null.
    pub fn get(&self, key: &str) -> Option<Cursor<'_>> {
        let Value::Map(entries) = &self.node.value else {
            return None;
        };
        let entry = entries.iter().find(|entry| entry.key == key)?;
        let path = self.path.child(Step::Key(&entry.key));
        Some(Cursor { line: entry.line, path, node: &entry.value, faults: self.faults })
            .filter(|value| !value.is_null())
    }

    /// Those of these keys that have a value in this mapping.
    pub fn present(&self, keys: &[&'static str]) -> Lists {
        keys.iter().filter(|key| self.get(key).is_some()).copied().collect()
    }

    /// The keys and values of a mapping; null counts as an empty mapping.
    pub fn entries(&self) -> impl Iterator<Item = (&str, Cursor<'_>)> {
        let entries = match &self.node.value {
            Value::Map(entries) => entries.as_slice(),
            _ if self.is_null() => &[],
            _ => {
                self.faults.add(self.expected("a mapping of keys to values"));
                &[]
            }
        };
        entries.iter().map(|entry| {
            let path = self.path.child(Step::Key(&entry.key));
            (entry.key.as_ref(), Cursor { line: entry.line, path, node: &entry.value, faults: self.faults })
        })
    }

    /// The items of a list; nothing if it is none.
    pub fn items(&self) -> Option<impl Iterator<Item = Cursor<'_>>> {
        let Value::List(items) = &self.node.value else {
            self.faults.add(self.expected("a list"));
            return None;
        };
        Some(items.iter().enumerate().map(|(index, node)| Cursor {
            line: node.line,
            path: self.path.child(Step::Index(index)),
            node,
            faults: self.faults,
        }))
    }

    /// Passes each item of the list under a key to a function.
    pub fn each(&self, key: &str, take: impl FnMut(Cursor)) {
        if let Some(list) = self.get(key) {
            list.items().into_iter().flatten().for_each(take);
        }
    }

    /// The items of a list that must have exactly these columns.
    pub fn row<const N: usize>(&self, names: [&str; N]) -> Option<[Cursor<'_>; N]> {
        let items: Vec<_> = self.items()?.collect();
        self.keep(items.try_into().map_err(|_| self.fault(format!("expected a row of [{}]", names.join(", ")))))
    }

    /// Text. An unquoted word or number in YAML counts as text.
    pub fn text(&self) -> Result<&'p str, Fault> {
        match &self.node.value {
            Value::Scalar(text, Style::Quoted | Style::Plain) if !self.is_null() => Ok(text),
            _ => Err(self.expected("text")),
        }
    }

    /// `true` or `false`.
    pub fn truth(&self) -> Result<bool, Fault> {
        match self.unquoted() {
            Some("true" | "True" | "TRUE") => Ok(true),
            Some("false" | "False" | "FALSE") => Ok(false),
            _ => Err(self.expected("true or false")),
        }
    }

    /// A whole number, at least 0.
    pub fn number(&self) -> Result<u64, Fault> {
        self.unquoted().and_then(|text| text.parse().ok()).ok_or_else(|| self.expected("a whole number"))
    }

    /// Refuses a value that is not a mapping, and every unknown key.
    pub fn only(&self, known: &[&[&str]]) {
        for (key, value) in self.unknown(known) {
            value.refuse_key(key, known);
        }
    }

    /// The keys and values of a mapping whose keys are not among these.
    pub fn unknown(&self, known: &[&[&str]]) -> impl Iterator<Item = (&str, Cursor<'_>)> {
        self.entries().filter(move |(key, _)| !known.iter().any(|keys| keys.contains(key)))
    }

    /// Refuses the unknown key of this value, and suggests the nearest known one if it is near.
    pub fn refuse_key(&self, key: &str, known: &[&[&str]]) {
        self.refuse_unknown("key", key, known);
    }

    /// The same for a key, or whatever else the value belongs to. To compare words takes time, so that it is only done for
    /// errors that are shown.
    pub fn refuse_unknown(&self, what: &str, word: &str, known: &[&[&str]]) {
        let known = known.iter().copied().flatten().copied();
        let nearest = if self.faults.is_full() { None } else { nearest(word, known, NEAR) };
        let hint = nearest.map(|near| format!("; did you mean {}?", shown(near))).unwrap_or_default();
        self.wrong(format!("unknown {what}{hint}"));
    }

    fn unquoted(&self) -> Option<&'p str> {
        match &self.node.value {
            Value::Scalar(text, Style::Plain | Style::Literal) => Some(text),
            _ => None,
        }
    }

    fn expected(&self, what: &str) -> Fault {
        let found = match &self.node.value {
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "a mapping".to_owned(),
            Value::Scalar(..) if self.is_null() => "nothing".to_owned(),
            Value::Scalar(text, _) => shown(text),
        };
        self.fault(format!("expected {what}, found {found}"))
    }
}

/// The login that was probably meant by another one.
pub fn nearest_login<'c>(login: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    // Short logins are often near each other.
    nearest(login, candidates, if login.len() < 6 { 1 } else { NEAR })
}

/// The word that is nearest to another one, with this number of edits at most.
fn nearest<'c>(word: &str, candidates: impl Iterator<Item = &'c str>, most: usize) -> Option<&'c str> {
    let edits = candidates.map(|candidate| (distance(word, candidate), candidate));
    edits.filter(|(edits, _)| *edits <= most).min_by_key(|(edits, _)| *edits).map(|(_, near)| near)
}

/// The number of letters to add, remove or replace to turn one word into another.
fn distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (i, a) in from.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in to.chars().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[row.len() - 1]
}
