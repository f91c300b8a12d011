//! A position in a document: its value, its line and the keys of its path. Every expectation about a value (a list, a
//! text, a known key) is a method that returns it or an error.

use super::document::{Node, Style, Value};
use super::fault::{Fault, shown};
use super::path::{Path, Step};

/// A value of the document with its position.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'p> {
    pub line: u32,
    pub path: Path<'p>,
    node: &'p Node<'p>,
}

impl<'p> Cursor<'p> {
    /// The whole document.
    pub fn top(node: &'p Node<'p>) -> Self {
        Self { line: node.line, path: Path::TOP, node }
    }

    /// An error at this position.
    pub fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.line, self.path, message)
    }

    /// Whether there is no value here.
    pub fn is_null(&self) -> bool {
        match &self.node.value {
            Value::Scalar(text, Style::Plain) => {
                matches!(text.as_ref(), "" | "~" | "null" | "Null" | "NULL")
            }
            Value::Scalar(text, Style::Literal) => text == "null",
            _ => false,
        }
    }

    /// The value under a key of this mapping, unless it is absent or null.
    pub fn get(&'p self, key: &str) -> Option<Cursor<'p>> {
        let Value::Map(entries) = &self.node.value else {
            return None;
        };
        let entry = entries.iter().find(|entry| entry.key == key)?;
        let path = self.path.child(Step::Key(&entry.key));
        Some(Cursor { line: entry.line, path, node: &entry.value }).filter(|value| !value.is_null())
    }

    /// The keys and values of a mapping; null counts as an empty mapping.
    pub fn entries(&'p self) -> Result<impl Iterator<Item = (&'p str, Cursor<'p>)>, Fault> {
        let entries = match &self.node.value {
            Value::Map(entries) => entries.as_slice(),
            _ if self.is_null() => &[],
            _ => return Err(self.expected("a mapping of keys to values")),
        };
        Ok(entries.iter().map(|entry| {
            let path = self.path.child(Step::Key(&entry.key));
            (entry.key.as_ref(), Cursor { line: entry.line, path, node: &entry.value })
        }))
    }

    /// The items of a list.
    pub fn items(&'p self) -> Result<impl Iterator<Item = Cursor<'p>>, Fault> {
        let Value::List(items) = &self.node.value else {
            return Err(self.expected("a list"));
        };
        Ok(items.iter().enumerate().map(|(index, node)| Cursor {
            line: node.line,
            path: self.path.child(Step::Index(index)),
            node,
        }))
    }

    /// The items of a list that must have exactly these columns.
    pub fn row<const N: usize>(&'p self, names: [&str; N]) -> Result<[Cursor<'p>; N], Fault> {
        let items: Vec<_> = self.items()?.collect();
        items.try_into().map_err(|_| self.fault(format!("expected a row of [{}]", names.join(", "))))
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
    pub fn only(&self, known: &[&[&str]]) -> Result<(), Fault> {
        for (key, value) in self.entries()? {
            if known.iter().any(|keys| keys.contains(&key)) {
                continue;
            }
            let nearest = known.iter().copied().flatten().min_by_key(|candidate| distance(key, candidate));
            let hint = nearest.map(|near| format!("; did you mean {}?", shown(near))).unwrap_or_default();
            return Err(value.fault(format!("unknown key{hint}")));
        }
        Ok(())
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
