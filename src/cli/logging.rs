//! The log: lines for people or objects for programs, on standard error.

use std::io::IsTerminal;

use tracing::Level;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::LogFormat;

/// Starts the log; libraries are only heard when they warn.
pub fn start(format: LogFormat, level: Level) {
    let filter = Targets::new().with_default(level.min(Level::WARN)).with_target("guildhall", level);
    let colors = std::io::stderr().is_terminal();
    let to_stderr = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(colors);
    let registry = tracing_subscriber::registry();
    match format {
        LogFormat::Text => registry.with(to_stderr.with_filter(filter)).init(),
        LogFormat::Json => registry.with(to_stderr.json().flatten_event(true).with_filter(filter)).init(),
    }
}
