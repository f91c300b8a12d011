//! The program: reads the command line and calls one function of `cli`.

use std::process::ExitCode;

/// Requests are many small pieces of memory on many threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    guildhall::cli::main()
}
