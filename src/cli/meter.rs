//! The progress of what takes long, on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::import::progress::Progress;

/// The time after which a command shows that it waits, or how far it is.
pub const PATIENCE: Duration = Duration::from_secs(1);

/// The interval at which the terminal is redrawn, so that a long step is seen to continue.
const REDRAW: Duration = Duration::from_millis(100);

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

    /// Shows a text.
    pub fn say(&self, text: String) {
        self.bar.set_message(text);
        self.bar.tick();
    }

    /// Shows a step of an import.
    pub fn show(&self, progress: Progress<'_>) {
        self.say(match progress {
            Progress::Reading(file, 1, 1) => format!("reading {}", file.display()),
            Progress::Reading(file, nth, of) => format!("{nth}/{of} reading {}", file.display()),
            Progress::Checking => "checking the files against the database".to_owned(),
            Progress::Importing { login, part, done, of } => format!("{}/{of} importing {login}: {part}", done + 1),
            Progress::Compacting => "compacting the database file".to_owned(),
        });
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
