//! The log on standard error: lines for people, or a JSON object per line for programs. With JSON, everything else that
//! `serve` prints is such an object too.
//!
//! A separate thread writes the lines, many at a time. If the reader of the log stops reading, lines are dropped and
//! counted, and requests are still served.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Stderr, Write};
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::json;
use tracing::Level;
use tracing::field::Field;
use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::{self, debug_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, reload};

use crate::clock::Clock;
use crate::config::LogFormat;

/// The number of lines that may wait to be written.
const WAITING: usize = 10_000;

/// The time for which lines are gathered before they are written. Under load a line by itself costs a request more than
/// its text does: the thread wakes up, writes, and waits for the next.
const GATHERED: Duration = Duration::from_millis(5);

/// The format of the log, once it has started.
static FORMAT: OnceLock<LogFormat> = OnceLock::new();

/// Changes the level of the log, once it has started.
static LEVEL: OnceLock<reload::Handle<Targets, Registry>> = OnceLock::new();

/// Counts the lines that were dropped, once the log has started.
static DROPPED: OnceLock<ErrorCounter> = OnceLock::new();

/// Starts the log. Libraries only log warnings and errors. Waiting lines are written when the guard is dropped.
pub fn start(format: LogFormat, level: Level) -> WorkerGuard {
    let (filter, handle) = reload::Layer::new(filter(level));
    LEVEL.get_or_init(|| handle);
    let colors = std::io::stderr().is_terminal();
    let waiting = NonBlockingBuilder::default().lossy(true).buffered_lines_limit(WAITING).thread_name("log");
    let (lines, guard) = waiting.finish(Gathering(BufWriter::new(io::stderr())));
    DROPPED.get_or_init(|| lines.error_counter());
    let to_stderr = tracing_subscriber::fmt::layer().with_writer(lines).with_ansi(colors);
    let registry = tracing_subscriber::registry();
    match format {
        LogFormat::Text => {
            let fields = debug_fn(write_field).delimited(" ");
            registry.with(to_stderr.fmt_fields(fields).with_filter(filter)).init();
        }
        LogFormat::Json => registry.with(to_stderr.json().flatten_event(true).with_filter(filter)).init(),
    }
    if format == LogFormat::Json {
        // The panic hook of the standard library prints plain text.
        std::panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
    }
    FORMAT.get_or_init(|| format);
    guard
}

/// Changes the level of the log.
pub fn set_level(level: Level) {
    if let Some(Err(error)) = LEVEL.get().map(|handle| handle.reload(filter(level))) {
        tracing::error!(%error, "the level of the log stays as it is");
    }
}

fn filter(level: Level) -> Targets {
    Targets::new().with_default(level.min(Level::WARN)).with_target("guildhall", level)
}

/// Writes a field without the styles of the library. Applying them takes longer than the rest of the line, even where
/// there are no colors. A message may contain what a client has sent, so a terminal must not interpret it.
fn write_field(line: &mut format::Writer<'_>, field: &Field, value: &dyn fmt::Debug) -> fmt::Result {
    match field.name() {
        "message" => line.write_str(&format!("{value:?}").replace(|c: char| c.is_control() && c != '\n', "\u{fffd}")),
        name => write!(line, "{name}={value:?}"),
    }
}

/// Standard error, written to at most every few milliseconds: the thread flushes when no line waits.
struct Gathering(BufWriter<Stderr>);

impl Write for Gathering {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()?;
        std::thread::sleep(GATHERED);
        Ok(())
    }
}

/// The number of lines of the log that were dropped because the reader was too slow.
pub fn dropped() -> u64 {
    DROPPED.get().map_or(0, |counter| counter.dropped_lines() as u64)
}

/// A line that the program prints outside the log, in the format of the log.
pub fn line(level: Level, text: &str) -> String {
    match FORMAT.get() {
        Some(LogFormat::Json) => {
            let timestamp = Clock::System.now().to_string();
            let level = level.as_str();
            json!({ "timestamp": timestamp, "level": level, "message": text, "target": "guildhall" }).to_string()
        }
        _ => text.to_owned(),
    }
}
