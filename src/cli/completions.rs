//! `guildhall completions`.

use clap_complete::Shell;
use clap_complete::env::Shells;

use super::{Failure, complete};

const EXAMPLES: &str = "\
Commands and flags are completed, and logins, organizations and teams of the database of this machine, if you may read it.

Examples:
  guildhall completions bash > /etc/bash_completion.d/guildhall
  guildhall completions zsh > ~/.zfunc/_guildhall
  guildhall completions fish > ~/.config/fish/completions/guildhall.fish";

/// Print the completions for your shell.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell.
    shell: Shell,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    const NAME: &str = "guildhall";
    let (name, shells) = (args.shell.to_string(), Shells::builtins());
    let shell = shells.completer(&name).ok_or_else(|| Failure::Usage(format!("{name} has no completions")))?;
    let mut script = Vec::new();
    shell.write_registration(complete::VARIABLE, NAME, NAME, NAME, &mut script)?;
    Ok(std::io::Write::write_all(&mut std::io::stdout(), &script)?)
}
