//! `guildhall demo`: a server with three small real organizations, ready to explore.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::meter::Meter;
use super::{Failure, answer, import, logging, serve, token};
use crate::config::{Given, Setting, Settings};
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::import::{Choices, Unlisted, read_files};
use crate::links::Links;
use crate::people::user;
use crate::scope::Scopes;
use crate::signin;
use crate::store::data_dir::DataDir;
use crate::store::{Missing, Store};

/// `samples/README.md` says where they come from.
const SAMPLES: [(&str, &str); 3] = [
    ("OpenRailAssociation", include_str!("../../samples/peribolos/OpenRailAssociation/org.yaml")),
    ("rust-embedded", include_str!("../../samples/peribolos/rust-embedded/org.yaml")),
    ("sigstore", include_str!("../../samples/peribolos/sigstore/org.yaml")),
];

/// The organization that the printed lines are about.
const SHOWN: &str = "sigstore";

const NOTE: &str = "guildhall demo";

const EXAMPLES: &str = "\
The data is kept for the next start. Delete the directory to start over. \
The demo reads no settings from the environment or a file.

Examples:
  guildhall demo
  guildhall demo --listen 127.0.0.1:9000";

/// Start a server with three sample organizations and print commands to try.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// IP address and port to listen on.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8420")]
    listen: SocketAddr,
    /// Directory for the data of the demo.
    #[arg(long, value_name = "DIR", default_value = "./guildhall-demo")]
    data_dir: PathBuf,
}

/// Runs the command.
pub async fn run(args: Args) -> std::result::Result<(), Failure> {
    let settings = settings(&args)?;
    let _log = logging::start(settings.log_format, settings.log_level);
    // First, because nothing has changed yet if the port is in use.
    let sockets = serve::Sockets::bind(&settings).await?;
    let data_dir = DataDir::open(&settings.data_dir)?;
    let lock = data_dir.lock(&settings.database)?;
    lock.note_url(&sockets.url()?)?;
    let store = Store::open(&settings, Missing::BeginAnew).await?;
    if store.db.write(begin).await? == State::Loading {
        let meter = Arc::new(Meter::begin());
        let files = read_files(&samples(&settings.data_dir)?, None, |progress| meter.show(progress));
        let orgs = files.complete().map_err(Error::from)?;
        import::load(&store, orgs, Choices { unlisted: Unlisted::Refuse, mail: false, owners: false }, meter).await?;
        store.db.write(|tx| mark(tx, "loaded")).await?;
    }
    serve::first_administrator(&store, &data_dir, None).await?;
    let url = sockets.url()?;
    let (login, text) = fresh_token(&store).await?;
    let link = if args.listen.ip().is_loopback() { link(&store, &url, &login).await? } else { String::new() };
    let lines = lines(&url, (&login, &text, &link), &settings.data_dir);
    serve::serve(sockets, store, &settings, || answer(&lines)).await
}

fn settings(args: &Args) -> std::result::Result<Settings, Failure> {
    let flag = |setting: &Setting| match setting.name {
        "listen" => Some(args.listen.to_string()),
        "data_dir" => Some(args.data_dir.display().to_string()),
        "log.level" => Some("warn".to_owned()),
        "compat.partial_team_update" => Some("true".to_owned()),
        _ => None,
    };
    let given = Given::collect(flag, |_| None, None);
    given.and_then(|given| given.settings()).map_err(Failure::Usage)
}

/// Writes the samples into the directory of the demo, where people can read them.
fn samples(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let write = |(org, text): &(&str, &str)| {
        let path = folder.join(format!("{org}.yaml"));
        std::fs::write(&path, text).map(|()| path)
    };
    SAMPLES.iter().map(write).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Some samples are not loaded yet.
    Loading,
    /// All are loaded; later changes are kept.
    Loaded,
}

/// Marks an empty database as the demo's; a database with any other content is refused.
fn begin(tx: &mut Tx) -> Result<State> {
    let state: Option<(String,)> = tx.maybe("SELECT value FROM site WHERE name = 'demo'", &[])?;
    match state.as_ref().map(|(value,)| value.as_str()) {
        Some("loaded") => Ok(State::Loaded),
        Some(_) => Ok(State::Loading),
        None if tx.any("SELECT 1 FROM logins LIMIT 1", &[])? => Err(Error::Unavailable(
            "the database in this directory does not belong to the demo; choose another directory with --data-dir, or \
             start it with `guildhall serve`"
                .into(),
        )),
        None => mark(tx, "loading").map(|()| State::Loading),
    }
}

fn mark(tx: &mut Tx, state: &'static str) -> Result<()> {
    tx.run(MARK, &[&state]).map(|_| ())
}

const MARK: &str = "
    INSERT INTO site (name, value) VALUES ('demo', $1)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";

/// Replaces the token of an owner that was printed before. Returns their login and the text of the token.
async fn fresh_token(store: &Store) -> std::result::Result<(String, String), Failure> {
    let scopes =
        Scopes::parse("admin:org, repo, user, write:discussion").map_err(|error| Failure::Failed(error.to_string()))?;
    let made = store.write(move |cx| {
        let owner: Option<(i64, String)> = cx.tx.maybe(OWNER, &[&SHOWN.to_lowercase()])?;
        let (id, login) = owner.ok_or_else(|| {
            Error::Unavailable(format!("{SHOWN} has no owner left; delete the directory of the demo to start over"))
        })?;
        cx.tx.run("DELETE FROM tokens WHERE user_id = $1 AND note = $2", &[&id, &NOTE])?;
        let wanted =
            token::Wanted { login: &login, scopes, note: Some(NOTE), expires_in: None, effective_teams: false };
        let text = token::create_one(cx, &wanted)?;
        Ok((login, text))
    });
    Ok(made.await?)
}

const OWNER: &str = "
    SELECT u.id, u.login
    FROM logins l
    JOIN org_members m ON m.org_id = l.org_id AND m.role = 'admin'
    JOIN users u ON u.id = m.user_id AND u.suspended = FALSE
    WHERE l.login_key = $1
    ORDER BY u.id
    LIMIT 1";

/// The lines with a link that signs the owner in.
async fn link(store: &Store, url: &str, login: &str) -> std::result::Result<String, Failure> {
    let of = login.to_owned();
    let token = store.write(move |cx| user::by_login(cx.tx, &of).and_then(|owner| signin::print(cx, &owner))).await?;
    let link = Links { origin: url.to_owned(), api: url.to_owned() }.login(&format!("/link/{token}"));
    Ok(format!("\nOpen the pages as {login}. The link works once, for 10 minutes:\n\n  {link}\n"))
}

fn lines(url: &str, (login, token, link): (&str, &str, &str), folder: &Path) -> String {
    // As it was called, so that the lines work without an installation.
    let program = std::env::args().next().unwrap_or_else(|| "guildhall".to_owned());
    let folder = folder.display();
    // Different at each start, so that the line for a new team works again.
    let new = &token[token.len() - 6..];
    format!(
        "Guildhall is running on {url} with three sample organizations. Its data is in {folder}.
{link}
Paste these commands into another terminal, in this directory. They show the teams, create one, and print what was changed.

  {program} team tree {SHOWN} --data-dir '{folder}'
  {program} team create {SHOWN} 'Night watch {new}' --data-dir '{folder}'
  {program} audit {SHOWN} --data-dir '{folder}'

Token of {login}, an owner of {SHOWN}, for programs: {token}

Ctrl-C stops it. The data is kept."
    )
}
