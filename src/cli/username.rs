//! `guildhall username`: releases usernames that the service reserves for their former owners (decision 22).

use clap::Subcommand;
use serde_json::json;

use super::settings::StoreFlags;
use super::{Failure, say};
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::operation::Cx;
use crate::people::login;

const RELEASE: &str = "\
After a person or an organization is renamed or deleted, the old username stays reserved, so that another account \
cannot receive what was meant for them. A released username can be taken by anyone. Works on the database of this machine only, also while the server is running.

Examples:
  guildhall username release old-name";

/// Release usernames that are no longer in use.
#[derive(Subcommand)]
pub enum Command {
    Release(Release),
}

/// Release the former username of a person or an organization.
#[derive(clap::Args)]
#[command(after_help = RELEASE)]
pub struct Release {
    /// The username from before the rename or deletion.
    #[arg(value_name = "OLD-NAME")]
    username: String,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub async fn run(command: Command) -> std::result::Result<(), Failure> {
    let Command::Release(Release { username, flags }) = command;
    let store = flags.store().await?;
    let released = username.clone();
    store.write(move |cx| release(cx, &username)).await?;
    // When the command succeeds, a running server knows the change.
    tokio::time::sleep(store.db.seen_after()).await;
    say(&format!("released the username {released}"));
    Ok(())
}

fn release(cx: &mut Cx, username: &str) -> Result<()> {
    if !login::free(cx.tx, username)? {
        return Err(Error::sentence(match login::find(cx.tx, username)? {
            Some(_) => format!("{username} is in use. Rename or delete its account first. Nothing was changed"),
            None => format!("{username} is not a former username. Nothing was changed"),
        }));
    }
    cx.record(journal::SITE, Change::new("login.free", &json!({ "login": login::key(username) }), &json!(null)))
}
