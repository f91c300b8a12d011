//! `guildhall openapi`: the documents that are generated from the table of operations.

use super::{Failure, answer};
use crate::operations::operations;

/// Print the OpenAPI document of the API, or a reference in Markdown.
#[derive(clap::Args)]
pub struct Args {
    /// Print the reference of all operations instead.
    #[arg(long, conflicts_with = "permissions")]
    operations: bool,
    /// Print the table of permissions instead.
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
