//! Time and randomness, real and for tests. The only file that reads the system's clock or its randomness.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::error::{Error, Result};

/// An instant: UTC microseconds since 1970, as the database stores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub i64);

impl Time {
    /// Whole seconds since 1970.
    #[must_use]
    pub fn seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// This instant and so many seconds more (or fewer, when negative).
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(1_000_000)))
    }
}

impl std::fmt::Display for Time {
    /// `YYYY-MM-DDTHH:MM:SSZ`, the form of every timestamp on the wire.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match jiff::Timestamp::from_second(self.seconds()) {
            Ok(timestamp) => timestamp.fmt(f),
            Err(_) => f.write_str("1970-01-01T00:00:00Z"),
        }
    }
}

impl serde::Serialize for Time {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl schemars::JsonSchema for Time {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Time".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "format": "date-time" })
    }
}

/// Where the time comes from.
#[derive(Debug, Clone, Default)]
pub enum Clock {
    /// The system's clock.
    #[default]
    System,
    /// A clock that tests advance by hand, in microseconds.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// The time now.
    #[must_use]
    pub fn now(&self) -> Time {
        match self {
            Self::System => {
                #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the clock")]
                let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
                Time(since.map_or(0, |d| i64::try_from(d.as_micros()).unwrap_or(i64::MAX)))
            }
            Self::Manual(micros) => Time(micros.load(Ordering::SeqCst)),
        }
    }
}

/// Bytes from the system's generator, for tokens, keys and identifiers.
pub fn random<const N: usize>() -> Result<[u8; N]> {
    use rand::TryRng;
    let mut bytes = [0; N];
    rand::rngs::SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|e| Error::Unavailable(format!("the system gives no randomness: {e}")))?;
    Ok(bytes)
}
