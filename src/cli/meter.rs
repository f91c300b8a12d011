//! The progress of what takes long, on a terminal.

use std::future::Future;
use std::pin::pin;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::import::progress::Progress;

/// The time after which a command shows that it waits, or how far it is.
const PATIENCE: Duration = Duration::from_secs(1);

/// The text while a command waits for its database.
pub const DATABASE: &str = "waiting for the database";

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

/// Waits for the end of work. A terminal shows this text if that takes longer than a second.
pub async fn waiting<T>(text: &str, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    if let Ok(done) = tokio::time::timeout(PATIENCE, &mut work).await {
        return done;
    }
    let meter = Meter::begin();
    meter.say(text.to_owned());
    work.await
}

/// The progress of work in many steps. A terminal shows it once it has taken longer than a second.
pub struct Steps {
    since: Instant,
    meter: Option<Meter>,
}

impl Default for Steps {
    fn default() -> Self {
        Self { since: Instant::now(), meter: None }
    }
}

impl Steps {
    /// Shows how far the work is.
    pub fn show(&mut self, text: impl FnOnce() -> String) {
        if self.since.elapsed() > PATIENCE {
            self.meter.get_or_insert_with(Meter::begin).say(text());
        }
    }

    /// Makes room for output on the terminal.
    pub fn clear(&mut self) {
        self.meter = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_takes_long_is_shown() {
        let mut shown = 0;
        let mut show = |since| {
            Steps { since, meter: None }.show(|| {
                shown += 1;
                String::new()
            });
            shown
        };
        assert_eq!(show(Instant::now() + PATIENCE), 0);
        assert_eq!(show(Instant::now().checked_sub(2 * PATIENCE).expect("a time")), 1);
    }
}
