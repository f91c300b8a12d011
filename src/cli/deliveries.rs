//! `guildhall deliveries`: what has not reached its receivers, for the operator (decision 44).

use serde_json::{Value, json};

use super::settings::StoreFlags;
use super::stream::StreamFlags;
use super::{Failure, answer, complete, duration, in_one_line, organization};
use crate::db::Tx;
use crate::deliver::again::{self, Since};
use crate::deliver::retry;
use crate::deliver::stored::{self, DeliveryRow, Filter, State};
use crate::error::{Error, Result};
use crate::hooks::stored::{self as hooks, Hook};
use crate::journal;
use crate::operation::Cx;
use crate::store::Store;

const EXAMPLES: &str = "\
A delivery waits for its turn or for the next attempt (waiting), was delivered (delivered), or was given up after the \
last attempt (dead). Dead deliveries are kept for 90 days unless the setting retention.dead_letters_days says otherwise.

Examples:
  guildhall deliveries list
  guildhall deliveries list --state waiting --org acme --jsonl
  guildhall deliveries retry 1234
  guildhall deliveries retry --all --hook 7
  guildhall deliveries drop --all --state waiting --hook 7
  guildhall deliveries replay --hook 7 --since 2d";

/// The number of deliveries that are read, or changed in one transaction, at a time.
const STEP: i64 = 500;

/// List, retry, drop or replay deliveries of webhooks.
#[derive(clap::Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// List deliveries, the oldest first.
    List(List),
    /// Attempt deliveries again now, and for as long as new ones.
    Retry(Chosen),
    /// Remove deliveries that wait or were given up. They are never sent.
    Drop(Chosen),
    /// Send a webhook again what it was sent since a time or a delivery. What still waits is left out.
    Replay(Replay),
}

/// The flags that choose deliveries.
#[derive(clap::Args)]
struct Which {
    /// Their state: dead, waiting or delivered.
    #[arg(long, default_value = "dead", value_parser = ["dead", "waiting", "delivered"])]
    state: String,
    /// Only those of this organization.
    #[arg(long, value_name = "LOGIN", add = complete::orgs())]
    org: Option<String>,
    /// Only those to the webhook with this identifier.
    #[arg(long, value_name = "ID")]
    hook: Option<i64>,
    #[command(flatten)]
    flags: StoreFlags,
}

/// List deliveries, the oldest first.
#[derive(clap::Args)]
pub struct List {
    /// Print at most this many.
    #[arg(long, value_name = "COUNT")]
    limit: Option<usize>,
    #[command(flatten)]
    output: StreamFlags,
    #[command(flatten)]
    which: Which,
}

/// The deliveries that something is done to.
#[derive(clap::Args)]
pub struct Chosen {
    /// Identifiers of deliveries.
    #[arg(value_name = "ID", required_unless_present = "all", conflicts_with = "all")]
    ids: Vec<i64>,
    /// All that the other flags choose.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    which: Which,
}

/// The deliveries to send again.
#[derive(clap::Args)]
pub struct Replay {
    /// Identifier of the webhook.
    #[arg(long, value_name = "ID")]
    hook: i64,
    /// Everything that was attempted in this time, such as 2d or 12h.
    #[arg(long, value_name = "TIME", value_parser = duration::seconds, required_unless_present = "since_delivery")]
    since: Option<i64>,
    /// The delivery with this identifier, as in the log of the webhook, and everything after it.
    #[arg(long, value_name = "ID")]
    since_delivery: Option<i64>,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub async fn run(command: Command) -> std::result::Result<(), Failure> {
    match command {
        Command::List(list) => list.run().await,
        Command::Retry(chosen) => chosen.run(Act::Retry).await,
        Command::Drop(chosen) => chosen.run(Act::Drop).await,
        Command::Replay(replay) => replay.run().await,
    }
}

impl Which {
    async fn filter(&self, store: &Store) -> Result<Filter> {
        let state = State::of(&self.state).unwrap_or(State::Dead);
        let (org, hook) = (self.org.clone(), self.hook);
        let org = store.db.read(move |tx| org.as_deref().map(|org| organization(tx, org)).transpose()).await?;
        Ok(Filter { state, org: org.map(|org| org.id), hook })
    }
}

/// A webhook that is not deleted.
fn hook_by_id(tx: &mut Tx, id: i64) -> Result<Hook> {
    let found = hooks::by_id(tx, id)?.filter(|hook| hook.deleted_at.is_none());
    found.ok_or_else(|| Error::sentence(format!("no webhook has the identifier {id}")))
}

impl List {
    async fn run(self) -> std::result::Result<(), Failure> {
        let store = self.which.flags.store().await?;
        let filter = self.which.filter(&store).await?;
        let (mut after, mut left, mut out) = (0, self.limit.unwrap_or(usize::MAX), self.output.begin());
        while left > 0 {
            let found = store.db.read(move |tx| stored::list(tx, filter, after, STEP)).await?;
            let Some(last) = found.last() else { break };
            after = last.id;
            for delivery in found.iter().take(left) {
                out.item(&record(delivery, filter.state), || line(delivery, filter.state))?;
            }
            out.flush()?;
            left = left.saturating_sub(found.len());
        }
        out.end()
    }
}

/// `17 dead acme hook=3 membership.added attempts=81 …`; fields that a delivery lacks are left out.
fn line(delivery: &DeliveryRow, state: State) -> String {
    let event = match &delivery.action {
        Some(action) => format!("{}.{action}", delivery.event),
        None => delivery.event.clone(),
    };
    let org = delivery.org_login.as_deref().unwrap_or("-");
    let mut words = vec![delivery.id.to_string(), state.word().to_owned(), org.to_owned()];
    words.push(format!("{}={}", delivery.kind, delivery.target));
    words.extend([event, format!("guid={}", delivery.guid), format!("attempts={}", delivery.attempts)]);
    words.push(format!("created={}", delivery.created_at));
    if state == State::Waiting {
        words.push(format!("next={}", delivery.next_at));
    }
    words.extend(delivery.last_status.iter().map(|status| format!("status={status:?}")));
    in_one_line(&words.join(" "))
}

fn record(delivery: &DeliveryRow, state: State) -> Value {
    let next_at = (state == State::Waiting).then_some(delivery.next_at);
    json!({
        "id": delivery.id,
        "state": state.word(),
        "organization": delivery.org_login,
        "kind": delivery.kind,
        "hook_id": delivery.target,
        "guid": delivery.guid,
        "event": delivery.event,
        "action": delivery.action,
        "redelivery": delivery.redelivery,
        "attempts": delivery.attempts,
        "last_status": delivery.last_status,
        "created_at": delivery.created_at,
        "next_at": next_at,
    })
}

/// The change of deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Retry,
    Drop,
}

impl Chosen {
    async fn run(self, act: Act) -> std::result::Result<(), Failure> {
        let store = self.which.flags.store().await?;
        let filter = self.which.filter(&store).await?;
        if let Some(hook) = self.which.hook.filter(|_| act == Act::Retry) {
            store.db.read(move |tx| hook_by_id(tx, hook)).await?;
        }
        let mut done = 0;
        if self.all {
            let mut after = 0;
            loop {
                let found = store.db.read(move |tx| stored::list(tx, filter, after, STEP)).await?;
                let Some(last) = found.last() else { break };
                after = last.id;
                let ids: Vec<i64> = found.iter().map(|delivery| delivery.id).collect();
                done += store.write(move |cx| act.on(cx, &ids)).await?.len();
            }
        } else {
            let ids = self.ids;
            done = store.write(move |cx| act.on_each(cx, &ids)).await?;
        }
        let (deliveries, are, were) = if done == 1 { ("delivery", "is", "was") } else { ("deliveries", "are", "were") };
        answer(&match act {
            Act::Retry => format!("{done} {deliveries} {are} attempted again"),
            Act::Drop => format!("{done} {deliveries} {were} dropped"),
        })
    }
}

impl Replay {
    async fn run(self) -> std::result::Result<(), Failure> {
        let store = self.flags.store().await?;
        let (hook, since, delivery) = (self.hook, self.since, self.since_delivery);
        let events = store.write(move |cx| {
            let found = hook_by_id(cx.tx, hook)?;
            journal::widen(cx.tx, [found.org_id])?;
            let time = since.map(|since| cx.now().map(|now| now.plus_seconds(-since))).transpose()?;
            let since = Since { time, delivery };
            let events = again::again(cx.tx, hook, since, cx.now()?, cx.site.retry_seconds)?;
            if events > 0 {
                again::record(cx, found.org_id, hook, since, events)?;
            }
            Ok(events)
        });
        answer(&format!("{} events are sent again", events.await?))
    }
}

impl Act {
    /// Applies it to these deliveries, all of which must be waiting or dead, and returns how many there are.
    fn on_each(self, cx: &mut Cx, ids: &[i64]) -> Result<usize> {
        let done = self.on(cx, ids)?;
        match ids.iter().find(|id| !done.contains(id)) {
            None => Ok(done.len()),
            Some(id) => Err(Error::sentence(format!("no waiting or dead delivery has the identifier {id}"))),
        }
    }

    /// Applies it to those of these deliveries that are waiting or dead, and returns them.
    fn on(self, cx: &mut Cx, ids: &[i64]) -> Result<Vec<i64>> {
        match self {
            Self::Retry => retry::retry(cx, ids, State::Waiting),
            Self::Drop => retry::drop_all(cx, ids),
        }
    }
}
