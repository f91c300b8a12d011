//! The errors in files, and where they are: the message of `guildhall import` when it refuses its input (decision 50).
//!
//! A reader goes on after an error, so that one run shows all of them. What it has read by then is only good for finding
//! more.

use std::cell::{Cell, RefCell};
use std::fmt;

use crate::name;

/// Something in a file that cannot be imported, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file, as it was named on the command line.
    pub file: String,
    /// The line, counted from 1; 0 for the whole file.
    pub line: u32,
    /// The keys of the path, such as `orgs.acme.teams.Core`; empty for the whole file.
    pub key: String,
    /// The error, and what is expected instead.
    pub message: String,
}

impl Fault {
    /// An error whose file is filled in by the reader of that file.
    pub(super) fn new(line: u32, key: impl fmt::Display, message: impl Into<String>) -> Self {
        Self { file: String::new(), line, key: key.to_string(), message: message.into() }
    }

    /// The same error, with its file.
    pub(super) fn in_file(self, file: &str) -> Self {
        Self { file: file.to_owned(), ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escaped(self.file.chars()))?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if !self.key.is_empty() {
            write!(f, ": {}", self.key)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// The number of errors that a message shows.
const MOST_SHOWN: usize = 20;

/// The errors that were found: the first of them, and the number of the others.
#[derive(Debug, Default)]
pub struct Faults {
    first: RefCell<Vec<Fault>>,
    others: Cell<usize>,
}

impl Faults {
    /// True if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first.borrow().is_empty()
    }

    /// True if no more errors are shown.
    pub(super) fn is_full(&self) -> bool {
        self.first.borrow().len() >= MOST_SHOWN
    }

    /// Adds an error, unless it is known already.
    pub(crate) fn add(&self, fault: Fault) {
        let mut first = self.first.borrow_mut();
        if first.contains(&fault) {
            return;
        }
        if first.len() < MOST_SHOWN {
            first.push(fault);
        } else {
            self.others.set(self.others.get() + 1);
        }
    }

    /// The value, or nothing after an error, which is added.
    pub(super) fn keep<T>(&self, result: Result<T, Fault>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(fault) => {
                self.add(fault);
                None
            }
        }
    }

    /// Adds the errors of a file or a part of the work.
    pub fn extend(&self, more: Self) {
        more.first.into_inner().into_iter().for_each(|fault| self.add(fault));
        self.others.set(self.others.get() + more.others.get());
    }

    /// The same errors, with their file.
    pub(super) fn in_file(self, file: &str) -> Self {
        let first = self.first.into_inner().into_iter().map(|fault| fault.in_file(file)).collect();
        Self { first: RefCell::new(first), others: self.others }
    }

    /// Nothing, or these errors if there are any.
    pub fn ended(self) -> Result<(), Self> {
        if self.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl fmt::Display for Faults {
    /// One line for each, in the order of the files and their lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = self.first.borrow().clone();
        let files: Vec<String> = first.iter().map(|fault| fault.file.clone()).collect();
        first.sort_by_key(|fault| (files.iter().position(|file| *file == fault.file), fault.line));
        let lines: Vec<String> = first.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))?;
        match self.others.get() {
            0 => Ok(()),
            1 => f.write_str("\nand 1 more error"),
            n => write!(f, "\nand {n} more errors"),
        }
    }
}

/// A text of the file as a message shows it: quoted, escaped and cut to a readable length.
pub(crate) fn shown(text: &str) -> String {
    format!("\"{}\"", plain(text))
}

/// As [`shown`], without the quotes: no character of a file reaches the terminal that controls it, turns the text round or
/// cannot be seen.
pub(crate) fn plain(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut chars = text.chars();
    let mut out = escaped(chars.by_ref().take(LONGEST));
    if chars.next().is_some() {
        out.push('…');
    }
    out
}

/// As [`plain`], and not cut.
pub(crate) fn whole(text: &str) -> String {
    escaped(text.chars())
}

fn escaped(chars: impl Iterator<Item = char>) -> String {
    let mut out = String::new();
    for c in chars {
        if name::is_invisible(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn what_controls_a_terminal_or_cannot_be_seen_is_escaped() {
        assert_eq!(plain("a\u{1b}[1m\u{202e}b\u{200b}\u{2028}\u{e9}"), "a\\u{1b}[1m\\u{202e}b\\u{200b}\\u{2028}\u{e9}");
    }
}
