//! The deadlines of all waits for PostgreSQL. The server gives up a statement before this side gives up the server, so that a
//! slow statement is told from a server that has stopped answering.

use std::time::Duration;

/// How long the caller of a door waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::db) enum Timeouts {
    /// For a request over HTTP, which is answered within five seconds whatever happens.
    Request,
    /// For a command, whose statements may go through all of the data.
    Command,
}

impl Timeouts {
    /// Until a connection is made, with everything that belongs to that.
    pub(super) fn connect(self) -> Duration {
        match self {
            Self::Request => Duration::from_millis(1_500),
            Self::Command => Duration::from_secs(5),
        }
    }

    /// Until one of the connections is free and has begun. It is a little longer than for a statement: that the server is
    /// silent is noticed, and logged, before the requests that wait for a connection give up.
    pub(super) fn turn(self) -> Duration {
        self.statement() + Duration::from_millis(100)
    }

    /// Until a statement is answered.
    pub(super) fn statement(self) -> Duration {
        match self {
            Self::Request => Duration::from_millis(4_500),
            Self::Command => Duration::from_secs(35),
        }
    }

    /// The same for one transaction. A pooler may give each transaction another session of the server.
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

    /// Settings of a session: a statement or a lock that takes longer than this fails.
    pub(super) fn session(self) -> &'static str {
        match self {
            Self::Request => "SET statement_timeout = '4200ms'; SET lock_timeout = '4200ms'; SET timezone = 'UTC'",
            Self::Command => "SET statement_timeout = '30s'; SET lock_timeout = '5s'; SET timezone = 'UTC'",
        }
    }
}
