//! `guildhall user`: what the operator does for one person (decision 72).

use clap::Subcommand;

use super::settings::StoreFlags;
use super::{Failure, say};
use crate::error::{Error, Result};
use crate::operation::Cx;
use crate::people::email_changes::{self as changes, Person};
use crate::people::user;

const EMAIL: &str = "\
Without --verified, the address gets an e-mail with a link that the person opens. Works while the server is running.

Examples:
  guildhall user email olivia olivia@example.com
  guildhall user email olivia olivia@example.com --verified";

/// Change the account of a person.
#[derive(Subcommand)]
pub enum Command {
    Email(Email),
}

/// Add an e-mail address to the account of a person.
#[derive(clap::Args)]
#[command(after_help = EMAIL)]
pub struct Email {
    /// Login of the person.
    #[arg(value_name = "LOGIN")]
    login: String,
    /// The e-mail address.
    #[arg(value_name = "ADDRESS")]
    address: String,
    /// Count the address as verified.
    #[arg(long)]
    verified: bool,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub async fn run(command: Command) -> std::result::Result<(), Failure> {
    let Command::Email(Email { login, address, verified, flags }) = command;
    let store = flags.store().await?;
    let (of, added) = (login.clone(), [address.clone()]);
    store.write(move |cx| email(cx, &of, &added, verified)).await?;
    // When the command succeeds, a running server knows the change.
    tokio::time::sleep(store.db.seen_after()).await;
    say(&if verified {
        format!("{address} is a verified e-mail address of {login}")
    } else {
        format!("the server sends {address} an e-mail; {login} opens its link to verify the address")
    });
    Ok(())
}

fn email(cx: &mut Cx, login: &str, addresses: &[String], verified: bool) -> Result<()> {
    let person = user::by_login(cx.tx, login).map_err(|error| match error {
        Error::NotFound => Error::sentence(format!("no person has the login {login}. Nothing was changed")),
        error => error,
    })?;
    let (add, person) =
        (if verified { changes::give } else { changes::ask }, Person { id: person.id, login: &person.login });
    add(cx, person, addresses).map(drop)
}
