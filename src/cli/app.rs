//! `guildhall app`: applications of OAuth 2, which the operator registers, changes, lists and removes (decision 62).

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::{Value, json};

use super::settings::StoreFlags;
use super::{Failure, answer, answer_json, complete, organization, say};
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::oauth::{self, Made, Owner, Registered, Switched, Wanted};
use crate::people::user;

const CREATE: &str = "\
Prints the client ID and the secret, which is never shown again. A public application has no secret. \
Works on the database of this machine only, also while the server is running.

Examples:
  guildhall app create --name Grafana --redirect-uri https://grafana.example.org/login/github
  guildhall app create --name Wiki --org acme --redirect-uri https://wiki.example.org/callback
  guildhall app create --name Dex --client-id dex --secret-file dex --redirect-uri https://a.example";

const UPDATE: &str = "\
Changes only what is named. An application has at most two secrets, so that a new one can be put in \
place before the old one goes: a third one replaces the oldest. Works on the database of this machine only, also while the server is running.

Examples:
  guildhall app update dex --new-secret
  guildhall app update dex --redirect-uri https://dex.example.org/callback --effective-teams=false";

/// Register, change, list and remove applications that sign people in.
#[derive(Subcommand)]
pub enum Command {
    Create(Create),
    Update(Update),
    List(List),
    Revoke(Revoke),
}

/// The flags that may be set at any time.
#[derive(clap::Args)]
struct Settable {
    /// URL to which people are sent back. Repeat the flag for several. https, http on this machine, or a private scheme.
    #[arg(long = "redirect-uri", value_name = "URI")]
    redirect_uris: Vec<String>,
    /// File with a further secret, on one line.
    #[arg(long, value_name = "FILE")]
    secret_file: Option<PathBuf>,
    #[command(flatten)]
    switches: Switches,
    #[command(flatten)]
    flags: StoreFlags,
}

/// The switches, each on or off.
#[derive(clap::Args)]
struct Switches {
    /// It has no secret, because it runs where it cannot keep one.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    public: Option<bool>,
    /// Organizations need not let it in.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    trusted: Option<bool>,
    /// It may sign in devices.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    device_flow: Option<bool>,
    /// `GET /user/teams` lists the teams above a person's own as theirs too.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    effective_teams: Option<bool>,
    /// People are not asked whether it may act for them.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    skip_consent: Option<bool>,
}

/// Register an application, and print its client ID and its secret.
#[derive(clap::Args)]
#[command(after_help = CREATE)]
pub struct Create {
    /// Name, as people see it when they are asked.
    #[arg(long)]
    name: String,
    /// Client ID. Default: a random one.
    #[arg(long, value_name = "ID")]
    client_id: Option<String>,
    /// Organization that it belongs to. Default: it belongs to the site.
    #[arg(long, value_name = "ORG", conflicts_with = "user", add = complete::orgs())]
    org: Option<String>,
    /// Person that it belongs to.
    #[arg(long, value_name = "LOGIN", add = complete::people())]
    user: Option<String>,
    #[command(flatten)]
    settable: Settable,
}

/// Change an application.
#[derive(clap::Args)]
#[command(after_help = UPDATE)]
pub struct Update {
    /// Client ID.
    #[arg(value_name = "CLIENT_ID")]
    client_id: String,
    /// New name.
    #[arg(long)]
    name: Option<String>,
    /// Make a further secret, and print it.
    #[arg(long, conflicts_with = "secret_file")]
    new_secret: bool,
    #[command(flatten)]
    settable: Settable,
}

/// List applications, without their secrets.
#[derive(clap::Args)]
pub struct List {
    /// Print the list as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Remove an application. Its tokens stop working at once.
#[derive(clap::Args)]
pub struct Revoke {
    /// Client ID.
    #[arg(value_name = "CLIENT_ID")]
    client_id: String,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub async fn run(command: Command) -> std::result::Result<(), Failure> {
    match command {
        Command::Create(args) => create(args).await,
        Command::Update(args) => update(args).await,
        Command::List(args) => list(args).await,
        Command::Revoke(args) => revoke(args).await,
    }
}

fn wanted(name: Option<String>, new_secret: bool, settable: &Settable) -> std::result::Result<Wanted, Failure> {
    let Switches { public, trusted, device_flow, effective_teams, skip_consent } = settable.switches;
    let switched = Switched { public, trusted, device_flow, effective_teams, skip_consent };
    let secret = settable.secret_file.as_deref().map(read).transpose()?;
    let redirect_uris = settable.redirect_uris.clone();
    Ok(Wanted { name, redirect_uris, no_redirect_uri: false, secret, new_secret, switched })
}

fn read(file: &Path) -> std::result::Result<String, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| Failure::Usage(format!("{}: {error}", file.display())))?;
    Ok(text.trim_end_matches(['\n', '\r']).to_owned())
}

async fn create(args: Create) -> std::result::Result<(), Failure> {
    let Create { name, client_id, org, user, settable } = args;
    let wanted = wanted(Some(name), false, &settable)?;
    let store = settable.flags.store().await?;
    let made = store.write(move |cx| {
        let owner = owner(cx.tx, org.as_deref(), user.as_deref())?;
        oauth::create(cx, owner, client_id.as_deref(), &wanted)
    });
    let made = made.await?;
    // When the command succeeds, a running server knows the application.
    tokio::time::sleep(store.db.seen_after()).await;
    shown(&made)
}

async fn update(args: Update) -> std::result::Result<(), Failure> {
    let Update { client_id, name, new_secret, settable } = args;
    let wanted = wanted(name, new_secret, &settable)?;
    let store = settable.flags.store().await?;
    let made = store.write(move |cx| oauth::update(cx, &client_id, &wanted)).await?;
    // When the command succeeds, a running server knows the change.
    tokio::time::sleep(store.db.seen_after()).await;
    shown(&made)
}

fn shown(made: &Made) -> std::result::Result<(), Failure> {
    answer(&format!("client_id={}", made.client_id))?;
    made.secret.as_ref().map_or(Ok(()), |secret| answer(&format!("client_secret={secret}")))
}

fn owner(tx: &mut Tx, org: Option<&str>, login: Option<&str>) -> Result<Owner> {
    match (org, login) {
        (Some(org), _) => Ok(Owner::Org(organization(tx, org)?.id)),
        (None, Some(login)) => match user::by_login(tx, login) {
            Ok(person) => Ok(Owner::User(person.id)),
            Err(Error::NotFound) => {
                Err(Error::sentence(format!("no person has the login {login}. Nothing was changed")))
            }
            Err(error) => Err(error),
        },
        (None, None) => Ok(Owner::Site),
    }
}

async fn list(args: List) -> std::result::Result<(), Failure> {
    let store = args.flags.store().await?;
    let all = store.db.read(oauth::all).await?;
    if args.json {
        return answer_json(&all.iter().map(record).collect::<Vec<_>>());
    }
    for of in &all {
        let switches = switches(of).into_iter().filter_map(|(name, is_on)| is_on.then_some(name));
        let owner = of.application.owner.as_deref().unwrap_or("-");
        let (id, name) = (&of.application.client_id, &of.application.name);
        let switches = switches.collect::<Vec<_>>().join(",");
        let switches = if switches.is_empty() { "-" } else { &switches };
        answer(&super::in_one_line(&format!("{id}  {owner}  {switches}  {name}")))?;
        of.redirect_uris.iter().try_for_each(|uri| answer(&format!("  {uri}")))?;
    }
    Ok(())
}

fn switches(of: &Registered) -> [(&'static str, bool); 5] {
    let on = of.application.switches;
    [
        ("public", on.public),
        ("trusted", on.trusted),
        ("device_flow", on.device_flow),
        ("effective_teams", on.effective_teams),
        ("skip_consent", on.skip_consent),
    ]
}

/// An application as JSON, for programs.
fn record(of: &Registered) -> Value {
    let mut record = json!({
        "client_id": of.application.client_id,
        "name": of.application.name,
        "owner": of.application.owner,
        "redirect_uris": of.redirect_uris,
    });
    for (name, is_on) in switches(of) {
        record[name] = is_on.into();
    }
    record
}

async fn revoke(args: Revoke) -> std::result::Result<(), Failure> {
    let store = args.flags.store().await?;
    let client_id = args.client_id.clone();
    store.write(move |cx| oauth::remove(cx, &client_id)).await?;
    // When the command succeeds, a running server refuses its tokens.
    tokio::time::sleep(store.db.seen_after()).await;
    say(&format!("removed the application {}, with its tokens", args.client_id));
    Ok(())
}
