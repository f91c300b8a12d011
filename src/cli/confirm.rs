//! The question before much changes or something is deleted.

use std::io::{BufRead, IsTerminal, Write};

use super::{Failure, in_one_line};

/// The flag that answers the question.
#[derive(Debug, clap::Args)]
pub struct Confirm {
    /// Do not ask. Without a terminal to ask at, this is needed.
    #[arg(long)]
    yes: bool,
}

impl Confirm {
    /// True if there is a question, and a terminal to ask at.
    pub fn asks(&self) -> bool {
        !self.yes && std::io::stdin().is_terminal()
    }

    /// Asks the question; only this word confirms it.
    pub fn ask(&self, question: &str, word: &str) -> Result<(), Failure> {
        if self.yes {
            return Ok(());
        }
        let refused = |why: &str| Err(Failure::Failed(format!("{why} Nothing was changed")));
        if !self.asks() {
            return refused("There is no terminal to ask at: pass --yes.");
        }
        let mut err = std::io::stderr().lock();
        write!(err, "{} Type \"{word}\" to continue: ", in_one_line(question)).and_then(|()| err.flush())?;
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line)?;
        if line.trim() == word { Ok(()) } else { refused("Not confirmed.") }
    }
}
