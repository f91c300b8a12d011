//! `guildhall setup`, and the set-up link of a start (decision 71).

use std::path::PathBuf;
use std::time::Duration;

use super::settings::{ServeFlags, chosen_token};
use super::{Failure, answer, owner, say};
use crate::clock::Clock;
use crate::db::{Db, Lock, Tx};
use crate::error::Result;
use crate::journal::{self, Author};
use crate::links::Links;
use crate::operation::Cx;
use crate::setup;
use crate::store::data_dir::DataDir;
use crate::store::{Missing, Store};

/// The interval at which the file of a link is compared with the link.
const CHECK_EVERY: Duration = Duration::from_secs(1);

const EXAMPLES: &str = "\
Prints one URL on standard output. Its page makes the first organization and its owner, once. It works for 24 hours, until \
the next start, and only while there is no organization and no account but that of the first site administrator. Links \
that were made before end. Works on the database of this machine only, also while the server is running.

Examples:
  guildhall setup
  docker compose exec guildhall guildhall setup";

/// Print a link that sets up a new installation in the browser.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    flags: ServeFlags,
}

/// Runs the command.
pub async fn run(args: Args) -> std::result::Result<(), Failure> {
    let (settings, local) = args.flags.with_url()?;
    owner::switch_to_owner(&settings.data_dir)?;
    if !settings.setup_link {
        return Err(Failure::Usage("`setup.link` is off; switch it on to set up in the browser".into()));
    }
    if chosen_token()?.is_some() {
        let text =
            "GUILDHALL_ADMIN_TOKEN is set, so its token sets up the installation; unset it to do so in the browser";
        return Err(Failure::Usage(text.into()));
    }
    let store = Store::open(&settings, Missing::Refuse).await?;
    let made = store.write(|cx: &mut Cx| {
        let author = cx.author()?;
        setup::renew(cx.tx, &author)
    });
    let Some(token) = made.await? else {
        let text = "there is an organization or an account already. `guildhall user sign-in LOGIN` prints a link that signs \
                    a person in";
        return Err(Failure::Failed(text.into()));
    };
    // When the command succeeds, a running server knows the link.
    tokio::time::sleep(store.db.seen_after()).await;
    answer(&url(&settings.links(&local), &token))
}

fn url(links: &Links, token: &str) -> String {
    links.html(&format!("/setup/{token}"))
}

/// The link of a start.
pub struct Link {
    /// Its URL.
    pub url: String,
    /// The file that has it.
    pub path: PathBuf,
    token: String,
}

/// Ends the link of an earlier start and removes its file. If links are allowed and there is nothing in the store yet,
/// makes a new one.
pub async fn begin(
    store: &Store,
    data_dir: &DataDir,
    links: &Links,
    is_allowed: bool,
) -> std::result::Result<Option<Link>, Failure> {
    data_dir.remove_setup_link()?;
    let (key, now) = (store.site.audit_key, Clock::System.now());
    let renew = move |tx: &mut Tx<'_>| {
        journal::lock(tx, &[Lock::Journal(journal::SITE)])?;
        if !is_allowed {
            return setup::end(tx).map(|()| None);
        }
        setup::renew(tx, &Author::program(&key, now, "serve"))
    };
    let Some(token) = store.db.write(renew).await? else { return Ok(None) };
    let url = url(links, &token);
    let path = data_dir.write_setup_link(&url)?;
    Ok(Some(Link { url, path, token }))
}

impl Link {
    /// Tells the operator about it; shows it only on a terminal.
    pub fn say(&self, is_terminal: bool) {
        say(&format!(
            "there is no organization yet; open the link in {} to make one, or `guildhall setup` prints a new link",
            self.path.display()
        ));
        if is_terminal {
            say(&format!("set-up link: {}", self.url));
        }
    }

    /// Removes the file when its link no longer works.
    pub async fn tidy(self, db: Db, data_dir: DataDir) {
        loop {
            tokio::time::sleep(CHECK_EVERY).await;
            let (token, now) = (self.token.clone(), Clock::System.now());
            let works: Result<bool> = db.read(move |tx| setup::works(tx, &token, now)).await;
            // While the store cannot be reached, the file remains.
            if matches!(works, Ok(false)) {
                if let Err(error) = data_dir.remove_setup_link() {
                    tracing::warn!(%error, "the set-up link no longer works, but its file could not be removed");
                }
                return;
            }
        }
    }
}
