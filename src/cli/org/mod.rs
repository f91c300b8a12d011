//! `guildhall org`: organizations (decisions 21, 22, 42, 48 and 73).

mod change;
mod people;
mod show;

use clap::Subcommand;

use super::Failure;

/// Create, show and change organizations.
#[derive(Subcommand)]
pub enum Command {
    Create(change::Create),
    List(show::List),
    Show(show::Show),
    Add(people::Add),
    Remove(people::Remove),
    Plan(change::SetPlan),
    Rename(change::Rename),
    Delete(change::Delete),
}

/// Runs the command.
pub async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Create(args) => args.run().await,
        Command::List(args) => args.run().await,
        Command::Show(args) => args.run().await,
        Command::Add(args) => args.run().await,
        Command::Remove(args) => args.run().await,
        Command::Plan(args) => args.run().await,
        Command::Rename(args) => args.run().await,
        Command::Delete(args) => args.run().await,
    }
}

/// The message for a login that no organization has.
pub fn unknown(login: &str) -> String {
    format!("no organization has the login {login}")
}
