//! Converts errors of the driver to errors of the service.

use super::open::DAMAGED;
use crate::error::Error;

/// Converts an error of the driver. A busy, full or broken database is `Unavailable`. A violated unique constraint says
/// which one.
pub(super) fn fault(sql: &str, error: rusqlite::Error) -> Error {
    use rusqlite::ErrorCode as Code;
    let Some(code) = error.sqlite_error_code() else { return Error::Bug(format!("{error} in {sql}")) };
    match code {
        Code::ConstraintViolation => match error.to_string().strip_prefix("UNIQUE constraint failed: ") {
            Some(columns) => Error::Taken(constraint_name(columns)),
            None => Error::Bug(format!("{error} in {sql}")),
        },
        Code::DatabaseBusy
        | Code::DatabaseLocked
        | Code::OperationInterrupted
        | Code::DiskFull
        | Code::SystemIoFailure
        | Code::CannotOpen
        | Code::ReadOnly
        | Code::OutOfMemory => Error::Unavailable(error.to_string()),
        Code::DatabaseCorrupt | Code::NotADatabase => Error::Unavailable(format!("{error}{DAMAGED}")),
        _ => Error::Bug(format!("{error} in {sql}")),
    }
}

/// Converts `teams.org_id, teams.slug` to the name of the constraint in the schema, `teams_org_id_slug`.
fn constraint_name(columns: &str) -> String {
    let mut parts = columns.split(", ").map(|column| column.split_once('.').unwrap_or(("", column)));
    let Some((table, first)) = parts.next() else { return columns.to_owned() };
    parts.fold(format!("{table}_{first}"), |name, (_, column)| format!("{name}_{column}"))
}
