//! `guildhall login`: logins that were left are given back to everybody by whoever runs the service (decision 22).

use clap::Subcommand;
use serde_json::json;

use super::settings::StoreFlags;
use super::store::{Missing, Store};
use super::{Failure, say};
use crate::error::{Error, Result};
use crate::events::{self, audit};
use crate::operation::Cx;
use crate::people::login;

const FREE: &str = "\
A login that somebody had, a person or an organization, is kept for them after a rename and after the account is
deleted, so that nobody takes it for theirs. When it is freed, whoever is first may have it.

Examples:
  guildhall login free old-name";

/// Free logins that nobody has any more.
#[derive(Subcommand)]
pub enum Command {
    Free(Free),
}

/// Let anybody have a former login again.
#[derive(clap::Args)]
#[command(after_help = FREE)]
pub struct Free {
    /// A login that was left by a rename or with a deleted account.
    login: String,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub async fn run(command: Command) -> std::result::Result<(), Failure> {
    let Command::Free(Free { login, flags }) = command;
    let store = Store::open(&flags.settings()?, Missing::Refuse).await?;
    let freed = login.clone();
    store.write(move |cx| free(cx, &login)).await?;
    // Success means that a running server knows it.
    tokio::time::sleep(store.db.seen_after()).await;
    say(&format!("the login {freed} is free"));
    Ok(())
}

fn free(cx: &mut Cx, login: &str) -> Result<()> {
    if !login::free(cx.tx, login)? {
        return Err(Error::sentence(match login::find(cx.tx, login)? {
            Some(_) => format!("{login} is in use; rename or delete whoever has it first. Nothing was changed"),
            None => format!("{login} is nobody's former login, so there is nothing to free. Nothing was changed"),
        }));
    }
    events::record(cx, audit::SITE, "login.free", &json!({ "login": login::key(login) }), &json!(null))
}
