//! The timeouts of all waits for PostgreSQL. The server cancels a statement before this side gives up the server. So a
//! slow statement can be told from a server that has stopped responding.

use std::time::Duration;

/// The kind of caller, which decides how long a door waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::db) enum Timeouts {
    /// A request over HTTP, which gets a response within five seconds in every case.
    Request,
    /// A command, whose statements may read all of the data.
    Command,
}

impl Timeouts {
    /// The timeout of connecting, including the handshake and the settings.
    pub(super) fn connect(self) -> Duration {
        match self {
            Self::Request => Duration::from_millis(1_500),
            Self::Command => Duration::from_secs(5),
        }
    }

    /// The timeout until a connection is free and its transaction has begun. It is a little longer than that of a
    /// statement, so that a silent server is noticed and logged before waiting requests give up.
    pub(super) fn turn(self) -> Duration {
        self.statement() + Duration::from_millis(100)
    }

    /// The timeout of a statement.
    pub(super) fn statement(self) -> Duration {
        match self {
            Self::Request => Duration::from_millis(4_500),
            Self::Command => Duration::from_secs(35),
        }
    }

    /// The settings of one transaction. A pooler may give each transaction a different session of the server.
    pub(super) fn transaction(self) -> &'static str {
        match self {
            Self::Request => {
                "SET LOCAL statement_timeout = '4200ms'; SET LOCAL lock_timeout = '4200ms'; SET LOCAL timezone = 'UTC'"
            }
            Self::Command => {
                "SET LOCAL statement_timeout = '30s'; SET LOCAL lock_timeout = '5s'; SET LOCAL timezone = 'UTC'"
            }
        }
    }

    /// The settings of a session. A statement or a lock that takes longer fails.
    pub(super) fn session(self) -> &'static str {
        match self {
            Self::Request => "SET statement_timeout = '4200ms'; SET lock_timeout = '4200ms'; SET timezone = 'UTC'",
            Self::Command => "SET statement_timeout = '30s'; SET lock_timeout = '5s'; SET timezone = 'UTC'",
        }
    }
}
