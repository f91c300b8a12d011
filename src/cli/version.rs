//! `guildhall version`.

use super::{Failure, answer};
use crate::db;

/// Print the version of the program and of its database schema.
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_: &Args) -> Result<(), Failure> {
    answer(&format!("guildhall {} (schema {})", env!("CARGO_PKG_VERSION"), db::newest_schema()))
}
