//! `guildhall user`: people and their accounts (decisions 22, 42, 61 and 72).

mod change;
mod show;
mod ways_in;

use clap::Subcommand;

use super::Failure;
use super::api::{Api, Names};

/// Create, show and change people.
#[derive(Subcommand)]
pub enum Command {
    Create(change::Create),
    List(show::List),
    Show(show::Show),
    Email(ways_in::Email),
    SignIn(ways_in::SignIn),
    Suspend(change::Suspend),
    Unsuspend(change::Unsuspend),
    Rename(change::Rename),
    Delete(change::Delete),
}

/// Runs the command.
pub async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Create(args) => args.run().await,
        Command::List(args) => args.run().await,
        Command::Show(args) => args.run().await,
        Command::Email(args) => ways_in::email(args).await,
        Command::SignIn(args) => ways_in::sign_in(args).await,
        Command::Suspend(args) => args.run().await,
        Command::Unsuspend(args) => args.run().await,
        Command::Rename(args) => args.run().await,
        Command::Delete(args) => args.run().await,
    }
}

fn unknown(login: &str) -> String {
    format!("no person has the login {login}")
}

/// Refuses an account that is not of a person.
pub async fn refuse_unknown(api: &Api, login: &str) -> Result<(), Failure> {
    let names: Names<'_> = &[("username", login)];
    let account = api.call("users.getByUsername", names, super::api::Fields::new()).await;
    let account = account.map_err(|refused| refused.or_missing(|| unknown(login)))?;
    if account["type"] == "User" { Ok(()) } else { Err(Failure::Failed(unknown(login))) }
}
