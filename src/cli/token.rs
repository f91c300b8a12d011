//! `guildhall token`: personal tokens, which the operator makes, lists and revokes (decision 41).

use clap::Subcommand;
use serde_json::{Value, json};

use super::settings::StoreFlags;
use super::table::{Column, Output};
use super::{Failure, answer, complete, say};
use crate::access::token::{self, New, TokenRow};
use crate::access::token_text;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::operation::Cx;
use crate::people::user;
use crate::scope::Scopes;

const CREATE: &str = "\
Works on the database of this machine only, also while the server is running. \
The token is printed on standard output, and is never shown again. With several --user flags, each line has \
the login, then the token.

Examples:
  guildhall token create --user olivia --scopes admin:org,repo
  guildhall token create --user olivia --user max --scopes repo --note ci --expires-in 2w";

const REVOKE: &str = "\
Works on the database of this machine only, also while the server is running: when the command returns, the server no \
longer accepts the token.

Examples:
  guildhall token revoke 17
  guildhall token revoke ghp_0123456789abcdefghijklmnopqrstuvwxyz";

/// Create, list and revoke tokens.
#[derive(Subcommand)]
pub enum Command {
    Create(Create),
    List(List),
    Revoke(Revoke),
}

/// Create a token for a person and print it.
#[derive(clap::Args)]
#[command(after_help = CREATE)]
pub struct Create {
    /// Login of the person. Repeat the flag for several people.
    #[arg(long = "user", value_name = "LOGIN", required = true, add = complete::people())]
    users: Vec<String>,
    /// Scopes, separated by commas, such as admin:org,repo or read:org.
    #[arg(long, value_parser = scopes)]
    scopes: Scopes,
    /// A note about what the token is for.
    #[arg(long)]
    note: Option<String>,
    /// Time until the token expires: 12h, 30d or 2w; a bare number counts days. At most 100 years. Default: never.
    #[arg(long, value_name = "TIME", value_parser = super::duration::seconds)]
    expires_in: Option<i64>,
    /// List the teams above the person's own as theirs too, in `GET /user/teams`.
    #[arg(long)]
    effective_teams: bool,
    #[command(flatten)]
    flags: StoreFlags,
}

/// List tokens, without their text.
#[derive(clap::Args)]
pub struct List {
    /// Only list the tokens of this person.
    #[arg(long, value_name = "LOGIN", add = complete::people())]
    user: Option<String>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Revoke tokens immediately.
#[derive(clap::Args)]
#[command(after_help = REVOKE)]
pub struct Revoke {
    /// IDs from `guildhall token list`, or whole tokens.
    #[arg(required = true, value_name = "TOKEN")]
    tokens: Vec<String>,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub async fn run(command: Command) -> std::result::Result<(), Failure> {
    match command {
        Command::Create(args) => create(args).await,
        Command::List(args) => list(args).await,
        Command::Revoke(args) => revoke(args).await,
    }
}

async fn create(args: Create) -> std::result::Result<(), Failure> {
    let store = args.flags.store().await?;
    let Create { users, scopes, note, expires_in, effective_teams, .. } = args;
    let several = users.len() > 1;
    let made = store.write(move |cx| {
        let make = |login: &String| -> Result<(String, String)> {
            let new = Wanted { login, scopes, note: note.as_deref(), expires_in, effective_teams };
            Ok((login.clone(), create_one(cx, &new)?))
        };
        users.iter().map(make).collect::<Result<Vec<_>>>()
    });
    let made = made.await?;
    // When the command succeeds, a running server accepts the tokens.
    tokio::time::sleep(store.db.seen_after()).await;
    for (login, text) in made {
        answer(&if several { format!("{login} {text}") } else { text })?;
    }
    Ok(())
}

/// A token that is to be made.
pub struct Wanted<'a> {
    /// The login of its owner.
    pub login: &'a str,
    /// Its scopes.
    pub scopes: Scopes,
    /// Its note.
    pub note: Option<&'a str>,
    /// Seconds until it expires, if it does.
    pub expires_in: Option<i64>,
    /// True if the teams above its owner's own are listed as theirs.
    pub effective_teams: bool,
}

/// Creates a personal token, and returns its text.
pub fn create_one(cx: &mut Cx, wanted: &Wanted<'_>) -> Result<String> {
    let (user, now) = (person(cx.tx, wanted.login)?, cx.now()?);
    if user.suspended {
        let login = &user.login;
        return Err(Error::sentence(format!(
            "{login} is suspended, so no token of theirs works. `guildhall user unsuspend {login}` ends that. Nothing was \
             changed"
        )));
    }
    let new = New {
        user: user.id,
        kind: "personal",
        made_by: None,
        scopes: wanted.scopes,
        note: wanted.note,
        expires_at: wanted.expires_in.map(|seconds| now.plus_seconds(seconds)),
        effective_teams: wanted.effective_teams,
        application: None,
    };
    let (id, text) = token::create(cx.tx, &new, None, &cx.site.token_prefix, now)?;
    let after = json!({
        "id": id,
        "user": user.login,
        "scopes": new.scopes.header(),
        "note": new.note,
        "effective_teams": new.effective_teams,
    });
    cx.record(journal::SITE, Change::new("oauth_access.create", &json!(null), &after))?;
    Ok(text)
}

async fn list(args: List) -> std::result::Result<(), Failure> {
    const STEP: i64 = 1000;
    let store = args.flags.store().await?;
    let login = args.user;
    let tokens = store.db.read(move |tx| {
        let user = login.as_deref().map(|login| person(tx, login)).transpose()?.map(|user| user.id);
        let mut all = Vec::new();
        for step in 0.. {
            let before = all.len();
            all.extend(token::list(tx, user, STEP, step * STEP)?);
            if all.len() == before {
                break;
            }
        }
        Ok(all)
    });
    let tokens = tokens.await?;
    let tokens: Vec<Value> = tokens.iter().map(record).collect();
    args.output.list(&tokens, COLUMNS, "There is no token. `guildhall token create` makes one.")
}

const COLUMNS: &[Column] = &[
    ("ID", "/id"),
    ("Login", "/login"),
    ("Last 8", "/token_last_eight"),
    ("Scopes", "/scopes"),
    ("Created", "/created_at"),
    ("Expires", "/expires_at"),
    ("Last used", "/last_used_at"),
    ("Note", "/note"),
];

/// A token as JSON.
fn record(token: &TokenRow) -> Value {
    let scopes: Vec<&str> = token.scopes.split(',').map(str::trim).filter(|scope| !scope.is_empty()).collect();
    json!({
        "id": token.id,
        "login": token.login,
        "token_last_eight": token.last_eight,
        "scopes": scopes,
        "created_at": token.created_at.to_string(),
        "expires_at": token.expires_at.map(|time| time.to_string()),
        "last_used_at": token.last_used_at.map(|time| time.to_string()),
        "note": token.note,
        "effective_teams": token.effective_teams,
    })
}

async fn revoke(args: Revoke) -> std::result::Result<(), Failure> {
    let store = args.flags.store().await?;
    let tokens = args.tokens;
    let revoked = store.write(move |cx| tokens.iter().map(|token| revoke_one(cx, token)).collect::<Result<Vec<_>>>());
    let revoked = revoked.await?;
    // When the command succeeds, a running server refuses the tokens.
    tokio::time::sleep(store.db.seen_after()).await;
    for (id, login) in revoked {
        say(&format!("revoked token {id} of {login}"));
    }
    Ok(())
}

fn revoke_one(cx: &mut Cx, token: &str) -> Result<(i64, String)> {
    let found: Option<(i64, String)> = match token.parse::<i64>() {
        Ok(id) => cx.tx.maybe(BY_ID, &[&id])?,
        Err(_) => cx.tx.maybe(BY_HASH, &[&token_text::hash(token).as_slice()])?,
    };
    let Some((id, login)) = found else {
        let text = "no such token. `guildhall token list` shows the IDs of all tokens. Nothing was revoked";
        return Err(Error::sentence(match token.parse::<i64>() {
            Ok(id) => format!("{id}: {text}"),
            Err(_) => text.to_owned(),
        }));
    };
    token::delete(cx.tx, id)?;
    let before = json!({ "id": id, "user": login });
    cx.record(journal::SITE, Change::new("oauth_access.destroy", &before, &json!(null)))?;
    Ok((id, login))
}

const BY_ID: &str = "SELECT t.id, u.login FROM tokens t JOIN users u ON u.id = t.user_id WHERE t.id = $1";

const BY_HASH: &str = "SELECT t.id, u.login FROM tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = $1";

fn person(tx: &mut Tx, login: &str) -> Result<user::User> {
    user::by_login(tx, login).map_err(|error| match error {
        Error::NotFound => Error::sentence(format!("no person has the login {login}. Nothing was changed")),
        error => error,
    })
}

fn scopes(text: &str) -> std::result::Result<Scopes, String> {
    Scopes::parse(text).map_err(|error| error.to_string())
}
