//! `guildhall apply`: its arguments, its question, and what it has done.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::json;

use super::desired::{Allowed, Desired};
use super::difference::{refuse_difference, stopped};
use super::{print, server};
use crate::cli::confirm::Confirm;
use crate::cli::meter::waiting;
use crate::cli::remote::{Remote, ServerFlags};
use crate::cli::settings::StoreFlags;
use crate::cli::{Failure, answer, answer_json, complete};
use crate::plan::apply::{self, Applying, Guards, Outcome};
use crate::plan::saved::{OnServer, Saved};
use crate::plan::{Plan, Summary};
use crate::store::Store;

const EXAMPLES: &str = "\
Carries out what `guildhall plan` shows, in one transaction for each organization, and in the audit log, in webhooks and \
in notices like any other change. It asks before, unless --yes is given; without a terminal it needs --yes. A change \
that lacks its flag, and a guard, stop it before anything changes. Running it again changes nothing. It works while the \
server is running.

Exit codes:
  0  everything that was planned was done, or there was nothing to do
  1  failure, or a wrong command line; the reason is on standard error

Examples:
  guildhall apply acme.yaml
  guildhall apply --prune --yes acme.yaml
  guildhall plan --out plan.json acme.yaml; guildhall apply --plan plan.json
  guildhall apply --url https://guildhall.example.com --yes acme.yaml";

/// Change organizations so that they are as their files say.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files to apply. `-` is standard input.
    #[arg(required_unless_present_any = ["plan", "from_terraform"], value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Terraform state whose resources of GitHub's provider say how the organization is. It needs --org.
    #[arg(long, value_name = "FILE", requires = "org")]
    from_terraform: Vec<PathBuf>,
    /// Login of the organization, for Terraform state, CSV, and a peribolos file without the key `orgs`.
    #[arg(long, value_name = "ORG", conflicts_with = "plan", add = complete::orgs())]
    org: Option<String>,
    #[command(flatten)]
    allowed: Allowed,
    /// Saved plan to carry out. It is refused if the organization is no longer as it was planned.
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["files", "from_terraform", "prune", "owners", "invite", "create_accounts"])]
    plan: Option<PathBuf>,
    #[command(flatten)]
    confirm: Confirm,
    /// Send mail to the people who are invited. Without this flag, none is sent.
    #[arg(long)]
    mail: bool,
    /// Largest part of memberships and grants that may go.
    #[arg(long, value_name = "PERCENT", default_value = "25%", value_parser = percent)]
    max_removals: usize,
    /// Smallest number of owners that must stay.
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    min_owners: usize,
    /// Print what was done as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerFlags,
    #[command(flatten)]
    flags: StoreFlags,
}

fn percent(text: &str) -> Result<usize, String> {
    let number = text.strip_suffix('%').unwrap_or(text).parse().ok().filter(|percent| *percent <= 100);
    number.ok_or_else(|| "use a percentage from 0% to 100%".to_owned())
}

/// Runs the command.
pub async fn run(args: Args) -> Result<(), Failure> {
    let (desired, saved, on_server) = match &args.plan {
        Some(file) => saved(file)?,
        None => (
            Desired::read(&[args.files, args.from_terraform].concat(), args.org, args.allowed.into())?,
            Vec::new(),
            None,
        ),
    };
    let target = match args.server.server(&args.flags)? {
        Some(server) => Target::Server(server),
        None if on_server.is_some() => {
            let why = "this plan was made with --url: give it, and the token, again".to_owned();
            return Err(Failure::Failed(why));
        }
        None => Target::Database(args.flags.store().await?),
    };
    let (plans, on_server) = planned(&target, &desired, &saved, on_server).await?;
    let summary = Summary::of(plans.iter().flat_map(|plan| &plan.changes));
    let asks = summary != Summary::default() && args.confirm.asks();
    match args.json {
        true if asks => print::plans_aside(&plans, summary, args.max_removals)?,
        true => {}
        false => print::plans(&plans, summary, args.max_removals)?,
    }
    let guards = Guards { max_removals: args.max_removals, min_owners: args.min_owners };
    plans.iter().try_for_each(|plan| guards.refuse(plan))?;
    let mut done = summary;
    if summary != Summary::default() {
        args.confirm.ask("Carry out these changes?", "yes")?;
        let applying = Applying { flags: desired.flags, guards, mails: args.mail };
        done = match &target {
            Target::Database(store) => carry_out(store, &desired, &plans, applying).await?,
            Target::Server(server) => server::apply(server, &plans, &on_server.unwrap_or_default(), applying).await?,
        };
    }
    let Summary { add, change, remove } = done;
    if args.json {
        return answer_json(&json!({ "organizations": plans, "summary": done }));
    }
    if done != summary {
        let is_nothing = done == Summary::default();
        answer(if is_nothing { "Nothing was left to do" } else { "Part of it had been done before" })?;
    }
    answer(&format!("Apply complete: {add} added, {change} changed, {remove} removed"))
}

/// The place where the organizations are.
enum Target {
    /// A database.
    Database(Store),
    /// A server at a URL.
    Server(Remote),
}

/// The plans as they are now. They must be those that were saved, if any were, unless nothing is left to do.
async fn planned(
    target: &Target,
    desired: &Desired,
    saved: &[Plan],
    on_server: Option<OnServer>,
) -> Result<(Vec<Plan>, Option<OnServer>), Failure> {
    let (plans, on_server) = match (target, on_server) {
        (Target::Database(store), _) => (desired.plans(store).await?, None),
        (Target::Server(server), Some(on_server)) => {
            server::stored(server, saved, &on_server).await?;
            (saved.to_vec(), Some(on_server))
        }
        (Target::Server(server), None) => {
            let (plans, made) = server::plans(server, desired).await?;
            (plans, Some(made))
        }
    };
    let mut left = saved.iter().zip(&plans).filter(|(_, plan)| !plan.changes.is_empty());
    left.try_for_each(|(saved, plan)| refuse_difference(saved, plan))?;
    Ok((plans, on_server))
}

/// The files of a saved plan, its plans, and those on a server.
fn saved(file: &PathBuf) -> Result<(Desired, Vec<Plan>, Option<OnServer>), Failure> {
    let failed = |why: String| Failure::Failed(format!("{}: {why}", file.display()));
    let text = fs::read_to_string(file).map_err(|error| failed(format!("cannot read the plan: {error}")))?;
    let saved = Saved::read(&text).map_err(|error| failed(error.to_string()))?;
    let Saved { flags, org, plans, files, server, .. } = saved;
    Ok((Desired::of(files, org, flags)?, plans, server))
}

/// One transaction for each organization; if one fails, those before it stay committed. Returns the numbers of what was
/// done.
async fn carry_out(store: &Store, desired: &Desired, plans: &[Plan], applying: Applying) -> Result<Summary, Failure> {
    let (now, mut changes) = (store.now().await?, Vec::new());
    for (nth, plan) in plans.iter().enumerate() {
        let (orgs, site, planned) = (Arc::clone(&desired.orgs), Arc::clone(&store.site), plan.changes.clone());
        let applied = store.db.write(move |tx| apply::apply(tx, (&site, now), &orgs[nth], applying, &planned));
        match waiting(&format!("changing {}", plan.org), applied).await {
            Ok(Outcome::Done(done)) => changes.extend(done.changes),
            Ok(Outcome::Differs(now)) => refuse_difference(plan, &now)?,
            Err(error) => return Err(stopped(&plan.org, &error.to_string(), nth)),
        }
    }
    // When the command succeeds, a running server shows the result.
    tokio::time::sleep(store.db.seen_after()).await;
    Ok(Summary::of(&changes))
}
