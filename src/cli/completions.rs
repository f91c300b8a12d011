//! `guildhall completions`.

use clap::CommandFactory;

use super::{Failure, Line};

const EXAMPLES: &str = "\
Examples:
  guildhall completions bash > /etc/bash_completion.d/guildhall
  guildhall completions zsh > ~/.zfunc/_guildhall
  guildhall completions fish > ~/.config/fish/completions/guildhall.fish";

/// Print a completion script for your shell.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell.
    shell: clap_complete::Shell,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Line::command(), "guildhall", &mut script);
    std::io::Write::write_all(&mut std::io::stdout(), &script)?;
    Ok(())
}
