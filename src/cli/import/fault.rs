//! An error in a file, and where it is: the message of `guildhall import` when it refuses its input (decision 50).

use std::fmt;

/// Something in a file that cannot be imported, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file, as it was named on the command line.
    pub file: String,
    /// The line, counted from 1; 0 for the whole file.
    pub line: u32,
    /// The keys of the path, such as `orgs.acme.teams.Core`; empty for the whole file.
    pub key: String,
    /// What is wrong and what is expected instead.
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
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if !self.key.is_empty() {
            write!(f, ": {}", self.key)?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for Fault {}

/// A text of the file as a message shows it: quoted, escaped and cut to a readable length.
pub(super) fn shown(text: &str) -> String {
    format!("\"{}\"", plain(text))
}

/// As [`shown`], without the quotes: no control character of a file reaches the terminal.
pub(super) fn plain(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut out = String::new();
    for (at, c) in text.chars().enumerate() {
        if at == LONGEST {
            out.push('…');
            break;
        }
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}
