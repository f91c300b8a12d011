//! The log on standard error: lines for people, or a JSON object per line for programs. With JSON, everything else
//! that `serve` prints is such an object too.

use std::io::IsTerminal;
use std::sync::OnceLock;

use serde_json::json;
use tracing::Level;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::clock::Clock;
use crate::config::LogFormat;

/// The format of the log, once it has started.
static FORMAT: OnceLock<LogFormat> = OnceLock::new();

/// Starts the log. Libraries appear only with warnings and errors.
pub fn start(format: LogFormat, level: Level) {
    let filter = Targets::new().with_default(level.min(Level::WARN)).with_target("guildhall", level);
    let colors = std::io::stderr().is_terminal();
    let to_stderr = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(colors);
    let registry = tracing_subscriber::registry();
    match format {
        LogFormat::Text => registry.with(to_stderr.with_filter(filter)).init(),
        LogFormat::Json => registry.with(to_stderr.json().flatten_event(true).with_filter(filter)).init(),
    }
    if format == LogFormat::Json {
        // The hook of the standard library prints plain text.
        std::panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
    }
    FORMAT.get_or_init(|| format);
}

/// A line that the program prints apart from the log, in the format of the log.
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
