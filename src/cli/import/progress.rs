//! The progress of an import, as a terminal shows it.

use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How often the terminal is redrawn, so that a long step is seen to continue.
const REDRAW: Duration = Duration::from_millis(100);

/// A step of an import.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// A file is read and parsed: its number, from 1, and how many there are.
    Reading(&'a Path, usize, usize),
    /// The files are compared with the database.
    Checking,
    /// A part of an organization is imported.
    Importing {
        /// The organization.
        login: &'a str,
        /// The part.
        part: &'static str,
        /// How many organizations are done.
        done: usize,
        /// How many there are.
        of: usize,
    },
    /// The database file is rewritten.
    Compacting,
}

/// The line on the terminal. It is drawn on standard error, and only if that is a terminal.
pub struct Meter {
    bar: ProgressBar,
}

impl Meter {
    /// Starts to draw the line.
    #[must_use]
    pub fn begin() -> Self {
        let bar = ProgressBar::new(0);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} [{elapsed}]") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(REDRAW);
        Self { bar }
    }

    /// Shows a step.
    pub fn show(&self, progress: Progress<'_>) {
        self.bar.set_message(match progress {
            Progress::Reading(file, 1, 1) => format!("reading {}", file.display()),
            Progress::Reading(file, nth, of) => format!("{nth}/{of} reading {}", file.display()),
            Progress::Checking => "checking the files against the database".to_owned(),
            Progress::Importing { login, part, done, of } => format!("{}/{of} importing {login}: {part}", done + 1),
            Progress::Compacting => "compacting the database file".to_owned(),
        });
        self.bar.tick();
    }

    /// Removes the line from the terminal.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.clear();
    }
}
