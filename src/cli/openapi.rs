//! `guildhall openapi`: the documents that are read off the table of operations.

use super::{Failure, answer};
use crate::operations::operations;

/// Print the OpenAPI document of the interface, or a reference that is generated with it.
#[derive(clap::Args)]
pub struct Args {
    /// Print the reference of the operations (Markdown) instead.
    #[arg(long, conflicts_with = "permissions")]
    operations: bool,
    /// Print the grid of who may do what instead.
    #[arg(long)]
    permissions: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let operations = operations();
    let text = if args.operations {
        crate::http::reference::operations(&operations)
    } else if args.permissions {
        crate::http::reference::permissions(&operations)
    } else {
        let document = crate::http::openapi::document(&operations);
        serde_json::to_string_pretty(&document).map_err(|error| Failure::Failed(error.to_string()))?
    };
    answer(text.trim_end())
}
