//! `guildhall user sign-in` and `guildhall user email`: ways into an account (decisions 61 and 72).

use crate::cli::settings::{ServeFlags, StoreFlags};
use crate::cli::{Failure, answer, complete, owner, say};
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::operation::Cx;
use crate::people::email_changes::{self as changes, Person};
use crate::people::user::{self, User};
use crate::signin;
use crate::store::{Missing, Store};

const SIGN_IN: &str = "\
Prints one URL on standard output. It works for 10 minutes, once, in any browser, and shows a page with one button. Use \
it where no e-mail arrives, and give it to no one else. The audit log has it. Works on the database of this machine only, also while the server is running.

Examples:
  guildhall user sign-in olivia
  guildhall user sign-in olivia --public-url https://teams.example.org";

const EMAIL: &str = "\
Without --verified, the address gets an e-mail with a link that the person opens. Works on the \
database of this machine only, also while the server is running.

Examples:
  guildhall user email olivia olivia@example.com
  guildhall user email olivia olivia@example.com --verified";

/// Print a link that signs a person in.
#[derive(clap::Args)]
#[command(after_help = SIGN_IN)]
pub struct SignIn {
    /// Login of the person.
    #[arg(value_name = "LOGIN", add = complete::people())]
    login: String,
    #[command(flatten)]
    flags: ServeFlags,
}

/// Add an e-mail address to the account of a person.
#[derive(clap::Args)]
#[command(after_help = EMAIL)]
pub struct Email {
    /// Login of the person.
    #[arg(value_name = "LOGIN", add = complete::people())]
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

/// Runs `user sign-in`.
pub async fn sign_in(SignIn { login, flags }: SignIn) -> std::result::Result<(), Failure> {
    let (settings, local) = flags.with_url()?;
    owner::switch_to_owner(&settings.data_dir)?;
    let store = Store::open(&settings, Missing::Refuse).await?;
    let print = move |cx: &mut Cx| named(cx.tx, &login).and_then(|person| signin::print(cx, &person));
    let token = store.write(print).await?;
    // When the command succeeds, a running server knows the link.
    tokio::time::sleep(store.db.seen_after()).await;
    answer(&settings.links(&local).login(&format!("/link/{token}")))
}

/// Runs `user email`.
pub async fn email(Email { login, address, verified, flags }: Email) -> std::result::Result<(), Failure> {
    let store = flags.store().await?;
    let (of, added) = (login.clone(), [address.clone()]);
    store.write(move |cx| add(cx, &of, &added, verified)).await?;
    // When the command succeeds, a running server knows the change.
    tokio::time::sleep(store.db.seen_after()).await;
    say(&if verified {
        format!("{address} is a verified e-mail address of {login}")
    } else {
        format!("the server sends {address} an e-mail; {login} opens its link to verify the address")
    });
    Ok(())
}

fn add(cx: &mut Cx, login: &str, addresses: &[String], verified: bool) -> Result<()> {
    let person = named(cx.tx, login)?;
    let add = if verified { changes::give } else { changes::ask };
    add(cx, Person { id: person.id, login: &person.login }, addresses).map(drop)
}

fn named(tx: &mut Tx, login: &str) -> Result<User> {
    user::by_login(tx, login).map_err(|error| match error {
        Error::NotFound => Error::sentence(format!("no person has the login {login}. Nothing was changed")),
        error => error,
    })
}
