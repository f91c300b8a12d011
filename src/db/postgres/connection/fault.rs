//! The meaning of the errors of PostgreSQL.

use tokio_postgres::error::SqlState;

use crate::error::Error;

/// True if another transaction has changed the data that this one decides on. A referenced row may also have been
/// deleted since it was read, under a lock that this request does not take.
pub(super) fn has_lost_race(error: &tokio_postgres::Error) -> bool {
    const RACES: [SqlState; 3] =
        [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED, SqlState::FOREIGN_KEY_VIOLATION];
    error.code().is_some_and(|code| RACES.contains(code))
}

/// Converts an error of the driver to an error of the service.
pub(super) fn fault(sql: &str, error: &tokio_postgres::Error) -> Error {
    let Some(db) = error.as_db_error() else {
        return Error::Unavailable(format!("PostgreSQL: {error} in {sql}"));
    };
    match *db.code() {
        SqlState::UNIQUE_VIOLATION => Error::Taken(db.constraint().unwrap_or_default().to_owned()),
        SqlState::T_R_SERIALIZATION_FAILURE
        | SqlState::T_R_DEADLOCK_DETECTED
        | SqlState::FOREIGN_KEY_VIOLATION
        | SqlState::LOCK_NOT_AVAILABLE
        | SqlState::QUERY_CANCELED
        | SqlState::ADMIN_SHUTDOWN
        | SqlState::CRASH_SHUTDOWN
        | SqlState::CANNOT_CONNECT_NOW
        | SqlState::TOO_MANY_CONNECTIONS
        | SqlState::DISK_FULL
        | SqlState::OUT_OF_MEMORY
        | SqlState::READ_ONLY_SQL_TRANSACTION => Error::Unavailable(format!("PostgreSQL: {}", db.message())),
        _ => Error::Bug(format!("PostgreSQL: {} ({}) in {sql}", db.message(), db.code().code())),
    }
}
