//! The path of a position in a document.

use std::fmt;

use super::fault::plain;

/// The keys of a path, stored on the stack of the reader and formatted only for a message.
#[derive(Clone, Copy, Debug)]
pub struct Path<'p> {
    up: Option<&'p Path<'p>>,
    step: Step<'p>,
    pub depth: usize,
}

/// One step of a path.
#[derive(Clone, Copy, Debug)]
pub enum Step<'p> {
    Key(&'p str),
    Index(usize),
}

impl<'p> Path<'p> {
    /// The document itself.
    pub const TOP: Path<'static> = Path { up: None, step: Step::Key(""), depth: 0 };

    /// The position one step below.
    pub fn child(&'p self, step: Step<'p>) -> Path<'p> {
        Path { up: Some(self), step, depth: self.depth + 1 }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(up) = self.up else { return Ok(()) };
        up.fmt(f)?;
        match self.step {
            Step::Index(index) => write!(f, "[{index}]"),
            Step::Key(key) if up.depth == 0 => f.write_str(&plain(key)),
            Step::Key(key) => write!(f, ".{}", plain(key)),
        }
    }
}
