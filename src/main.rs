//! The program: reads the command line and calls one function of `cli`.

use std::process::ExitCode;

/// Measured in `docs/decisions/0001`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    guildhall::cli::main()
}
