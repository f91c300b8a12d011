//! Completions of a command line that is being typed: people, organizations and teams of the store of this machine.
//!
//! A shell runs the program with [`VARIABLE`]. A completion never complains: if something fails, it offers nothing.

use std::ffi::OsStr;
use std::time::Duration;

use clap::{ArgMatches, CommandFactory, FromArgMatches};
use clap_complete::{ArgValueCompleter, CompleteEnv, CompletionCandidate};

use super::settings::StoreFlags;
use super::{Line, owner};
use crate::db::Tx;
use crate::error::Result;
use crate::people::login;
use crate::store::Store;

/// The variable with which shells ask for completions.
pub const VARIABLE: &str = "GUILDHALL_COMPLETE";

/// The longest that a completion takes.
const PATIENCE: Duration = Duration::from_secs(1);

/// The most names that are offered.
const MOST: i64 = 50;

/// Answers a shell and ends the process, if one asks.
pub fn answer_shell() {
    CompleteEnv::with_factory(Line::command).var(VARIABLE).complete();
}

/// Offers the logins of people.
pub fn people() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| offers(typed, |tx, _, begin, end| tx.all(PEOPLE, &[&begin, &end, &MOST])))
}

/// Offers the logins of organizations.
pub fn orgs() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| offers(typed, |tx, _, begin, end| tx.all(ORGS, &[&begin, &end, &MOST])))
}

/// Offers the teams of the organization that the line names.
pub fn teams() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        offers(typed, |tx, org, begin, end| {
            let Some(login::Owner::Org(org)) = login::find(tx, org)? else { return Ok(Vec::new()) };
            tx.all(TEAMS, &[&begin, &end, &MOST, &org])
        })
    })
}

const PEOPLE: &str = "
    SELECT login FROM searched_people WHERE login_text >= $1 AND login_text < $2 AND id > 0
    ORDER BY login_text LIMIT $3";
const ORGS: &str = "
    SELECT o.login FROM searched_orgs s JOIN orgs o ON o.id = s.id
    WHERE s.login_text >= $1 AND s.login_text < $2 AND s.id > 0 ORDER BY s.login_text LIMIT $3";
const TEAMS: &str = "SELECT slug FROM teams WHERE org_id = $4 AND slug >= $1 AND slug < $2 ORDER BY slug LIMIT $3";

/// A question to the store: with the organization of the line, the names from this text up to that one.
type Question = fn(&mut Tx, &str, &str, &str) -> Result<Vec<String>>;

/// The names that begin like what was typed.
fn offers(typed: &OsStr, question: Question) -> Vec<CompletionCandidate> {
    let found = typed.to_str().and_then(|typed| found(typed.to_ascii_lowercase(), question));
    found.unwrap_or_default().into_iter().map(CompletionCandidate::new).collect()
}

fn found(begin: String, question: Question) -> Option<Vec<String>> {
    let line = typed_line()?;
    let line = innermost(&line);
    if line.try_get_one::<String>("url").ok().flatten().is_some() {
        return None;
    }
    let settings = StoreFlags::from_arg_matches(line).ok()?.given().ok()?.settings().ok()?;
    // Root would make files that the server cannot use.
    if owner::is_of_another_user(&settings.data_dir) {
        return None;
    }
    let org = line.try_get_one::<String>("org").ok().flatten().cloned().unwrap_or_default();
    let end = format!("{begin}\u{10FFFF}");
    let asked = async {
        let store = Store::find(&settings).await.ok().flatten()?;
        store.db.read(move |tx| question(tx, &org, &begin, &end)).await.ok()
    };
    let runtime = super::runtime().ok()?;
    let offered = runtime.block_on(async { tokio::time::timeout(PATIENCE, asked).await.ok().flatten() });
    // A connection that is still being opened is not waited for.
    runtime.shutdown_background();
    offered
}

/// The words of the line so far. A shell passes them after `--`.
fn typed_line() -> Option<ArgMatches> {
    let words = std::env::args_os().skip_while(|word| word != "--").skip(1);
    Line::command().ignore_errors(true).try_get_matches_from(words).ok()
}

fn innermost(line: &ArgMatches) -> &ArgMatches {
    line.subcommand().map_or(line, |(_, below)| innermost(below))
}
