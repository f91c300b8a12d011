//! The command itself: its arguments, and the search that they specify.

use std::sync::Arc;

use super::names::Names;
use super::print::line;
use crate::audit::filter::Filter;
use crate::audit::phrase::{self, About, Range, Term};
use crate::audit::walk::{Direction, Span, walk};
use crate::audit::{Journal, entry};
use crate::cli::duration;
use crate::cli::meter::Steps;
use crate::cli::settings::StoreFlags;
use crate::cli::stream::StreamFlags;
use crate::cli::{Failure, answer, complete, organization, say};
use crate::clock::{Clock, Time};
use crate::db::Tx;
use crate::doctor::saved_head::SITE;
use crate::error::Result;
use crate::journal::log;
use crate::people::login;
use crate::store::Store;

const EXAMPLES: &str = "\
Each line is an entry, the newest first. The values that it changed come last, in words. With \
--jsonl, each line is a JSON object with the fields of the REST API, and all values before and after the change; \
with --json, they are one array. Entries are printed while they are read, so an export needs little memory.

At the end, the head of the log is printed on standard error: the number and the hash of its newest entry. Keep it on \
another machine. `guildhall doctor --head` later verifies that the log up to that entry is still the same.

IP addresses in the log of an organization are shown only while its setting `audit_shows_addresses` is on.

Works on the database of this machine only, also while the server is running.

Examples:
  guildhall audit acme --action team.add_member --user max --team core
  guildhall audit acme --since 7d --actor max --json
  guildhall audit acme --order asc --jsonl > acme.jsonl
  guildhall audit --site --since 2026-01-31 --action oauth_access
  guildhall audit acme --head";

/// The number of entries that are read at a time.
const STEP: usize = 500;

/// Print the audit log of an organization or of the site.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Login of the organization, or the one that it had when it was deleted.
    #[arg(value_name = "ORG", required_unless_present = "site", conflicts_with = "site", add = complete::orgs())]
    org: Option<String>,
    /// Print the log of the site: accounts, tokens, and what belongs to people.
    #[arg(long)]
    site: bool,
    /// Only entries from this time on: 12h, 7d or 2w ago, a day like 2026-01-31, or a time like 2026-01-31T12:00:00Z.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Only entries before this time. Accepts the same values.
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Only entries of this action, such as `team.add_member`, or of a group of actions, such as `team`.
    #[arg(long, value_name = "ACTION")]
    action: Vec<String>,
    /// Only entries of changes that this person made, or that were made in their name.
    #[arg(long, value_name = "LOGIN", add = complete::people())]
    actor: Vec<String>,
    /// Only entries about this person.
    #[arg(long, value_name = "LOGIN", add = complete::people())]
    user: Vec<String>,
    /// Only entries about this team.
    #[arg(long, value_name = "SLUG", add = complete::teams())]
    team: Vec<String>,
    /// Only entries about this repository.
    #[arg(long, value_name = "NAME")]
    repo: Vec<String>,
    /// Only entries that match this phrase, such as "-actor:max created:2026-01-01..2026-01-31".
    #[arg(long, value_name = "PHRASE", allow_hyphen_values = true)]
    phrase: Option<String>,
    /// Print the newest entries first (desc) or the oldest (asc).
    #[arg(long, default_value = "desc", value_parser = ["desc", "asc"])]
    order: String,
    /// Print at most this many entries.
    #[arg(long, value_name = "COUNT")]
    limit: Option<usize>,
    #[command(flatten)]
    output: StreamFlags,
    /// Only print the head of the log.
    #[arg(long)]
    head: bool,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub async fn run(args: Args) -> std::result::Result<(), Failure> {
    let store = args.flags.store().await?;
    let now = store.clock_check().await?.now(&Clock::System);
    let terms = args.terms(now).map_err(Failure::Usage)?;
    let org = args.org.clone();
    let (journal, head, filter, span) = store
        .db
        .read(move |tx| {
            let journal = journal(tx, org.as_deref())?;
            let filter = Filter::new(tx, &journal, &terms)?;
            let head = head(tx, &journal)?;
            let span = Span::of(tx, journal.id, &filter)?;
            Ok((journal, head, filter, span))
        })
        .await?;
    if args.head {
        return answer(&head);
    }
    args.print(&store, journal, filter, span).await?;
    say(&format!("head of the log: {head}"));
    Ok(())
}

impl Args {
    /// The flags as terms of a search; the error is a sentence.
    fn terms(&self, now: Time) -> std::result::Result<Vec<Term>, String> {
        let mut terms = phrase::read(self.phrase.as_deref().unwrap_or_default())?;
        let named = [
            ("action", &self.action),
            ("actor", &self.actor),
            ("user", &self.user),
            ("team", &self.team),
            ("repo", &self.repo),
        ];
        for (name, values) in named {
            for value in values {
                terms.push(Term { excluded: false, about: phrase::about(name, value)? });
            }
        }
        let time = |text: &Option<String>| text.as_deref().map(|text| moment(text, now)).transpose();
        let (from, until) = (time(&self.since)?.unwrap_or(i64::MIN), time(&self.until)?.unwrap_or(i64::MAX));
        terms.push(Term { excluded: false, about: About::Created(Range { from, until }) });
        Ok(terms)
    }

    /// Prints the entries of a part of the log, step by step.
    async fn print(
        &self,
        store: &Store,
        journal: Journal,
        filter: Filter,
        span: Span,
    ) -> std::result::Result<(), Failure> {
        let to = if self.order == "asc" { Direction::Newer } else { Direction::Older };
        let (shared, mut rest) = (Arc::new((journal, filter)), Some(span));
        let (mut left, mut printed) = (self.limit.unwrap_or(usize::MAX), 0);
        let (mut out, mut steps) = (self.output.begin(), Steps::default());
        while let Some(span) = rest.filter(|_| left > 0) {
            let (shared, wanted) = (Arc::clone(&shared), left.min(STEP));
            let step = store.db.read(move |tx| {
                let (journal, filter) = &*shared;
                let found = walk(tx, (journal.id, span), to, filter, wanted)?;
                let entries = entry::records(tx, journal, found.entries)?;
                let names = Names::of_entries(tx, &entries)?;
                Ok((entries, names, found.rest))
            });
            let (entries, names, behind) = step.await?;
            (left, printed) = (left - entries.len(), printed + entries.len());
            steps.clear();
            entries.iter().try_for_each(|entry| out.item(entry, || line(entry, &names)))?;
            out.flush()?;
            if out.leaves_room() {
                steps.show(|| format!("searching the audit log; {printed} entries so far"));
            }
            rest = behind;
        }
        out.end()
    }
}

/// The journal of the organization with this login, or else of the deleted one that had it, or of the site.
fn journal(tx: &mut Tx, org: Option<&str>) -> Result<Journal> {
    let Some(org) = org else { return Ok(Journal::of_site()) };
    if login::find(tx, org)?.is_none()
        && let Some(deleted) = Journal::of_deleted(tx, org)?
    {
        return Ok(deleted);
    }
    let found = organization(tx, org)?;
    Journal::of_org(tx, found.id, &found.login)
}

/// The head of a journal as `guildhall doctor --head` reads it.
fn head(tx: &mut Tx, journal: &Journal) -> Result<String> {
    let head = log::head(tx, journal.id)?;
    let name = journal.login.as_deref().unwrap_or(SITE);
    Ok(format!("{name}:{}:{}", head.entry, entry::hexadecimal(&head.hash)))
}

/// The time of `7d`, which means that long ago, or of a date.
fn moment(text: &str, now: Time) -> std::result::Result<i64, String> {
    if let Ok(seconds) = duration::seconds(text) {
        return Ok(now.plus_seconds(-seconds).0);
    }
    let wrong = |_| format!("`{text}` is not a time; use 12h, 7d, 2w, 2026-01-31 or 2026-01-31T12:00:00Z");
    phrase::moment(text).map(|moment| moment.from).map_err(wrong)
}
