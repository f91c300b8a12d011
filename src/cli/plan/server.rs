//! Plans that a server makes and carries out (decision 75).

use serde::Deserialize;
use serde_json::json;

use super::desired::Desired;
use super::difference::{changed_before, refuse_difference, stopped};
use crate::cli::Failure;
use crate::cli::remote::{Answer, Remote, Request, Unanswered};
use crate::import::desired::Org;
use crate::import::read::Source;
use crate::operation::{JSON, YAML};
use crate::plan::apply::Applying;
use crate::plan::saved::OnServer;
use crate::plan::{Flags, Plan, Summary};

/// A plan as the server shows it.
#[derive(Deserialize)]
struct Shown {
    id: i64,
    #[serde(flatten)]
    plan: Plan,
}

/// The plan and the differences in a refusal.
#[derive(Deserialize)]
struct Refused {
    differences: Differences,
}

#[derive(Deserialize)]
struct Differences {
    no_longer_planned: Vec<crate::plan::Change>,
    planned_now: Vec<crate::plan::Change>,
}

/// Lets the server plan all organizations, each with a request of its own.
pub async fn plans(server: &Remote, desired: &Desired) -> Result<(Vec<Plan>, OnServer), Failure> {
    let (mut plans, mut ids) = (Vec::new(), Vec::new());
    for org in desired.orgs.iter() {
        let source = desired.sources.iter().find(|source| source.file == org.file);
        let source = source.ok_or_else(|| Failure::Failed(format!("{}: the file is gone", org.file)))?;
        let answer = server.send(planning(org, source, desired.flags)).await.map_err(unanswered)?;
        let Shown { id, plan } = shown(&answer, 201, &org.login, server)?;
        plans.push(plan);
        ids.push(id);
    }
    Ok((plans, OnServer { url: server.base().to_owned(), ids }))
}

fn planning(org: &Org, source: &Source, flags: Flags) -> Request {
    let Flags { prune, owners, invite, create_accounts } = flags;
    let given = [("prune", prune), ("owners", owners), ("invite", invite), ("create_accounts", create_accounts)];
    let mut query: Vec<(&str, String)> =
        given.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| (name, "true".to_owned())).collect();
    let name: Vec<char> = source.file.chars().collect();
    query.push(("file", name[name.len().saturating_sub(LONGEST_NAME)..].iter().collect()));
    let media = if source.text.trim_start().starts_with('{') { JSON } else { YAML };
    let body = Some((media, source.text.clone()));
    Request { method: "POST", path: Remote::of_org(&org.login, "/plans", &query), body }
}

/// The longest name of a file that a server takes, in characters.
const LONGEST_NAME: usize = 255;

/// The plans that the server has stored, which must be those that were saved.
pub async fn stored(server: &Remote, saved: &[Plan], on_server: &OnServer) -> Result<(), Failure> {
    if on_server.url != server.base() {
        let made = format!("this plan was made at {}, and --url is {}", on_server.url, server.base());
        return Err(Failure::Failed(format!("{made}. Plan again")));
    }
    if saved.len() != on_server.ids.len() {
        return Err(Failure::Failed("the saved plan was changed. Plan again".into()));
    }
    for (plan, id) in saved.iter().zip(&on_server.ids) {
        let path = Remote::of_org(&plan.org, &format!("/plans/{id}"), &[]);
        let answer = server.send(Request { method: "GET", path, body: None }).await.map_err(unanswered)?;
        if answer.status == 404 {
            let why = "the server no longer has this plan, or the token may not see it; a plan is stored for a day";
            return Err(Failure::Failed(format!("{}: {why}. Plan again", plan.org)));
        }
        let Shown { plan: now, .. } = shown(&answer, 200, &plan.org, server)?;
        refuse_difference(plan, &now)?;
    }
    Ok(())
}

/// Lets the server carry out the plans that have changes, one after the other. Returns the numbers of what it has done.
pub async fn apply(
    server: &Remote,
    plans: &[Plan],
    on_server: &OnServer,
    applying: Applying,
) -> Result<Summary, Failure> {
    let mut done_changes = Vec::new();
    let pairs = plans.iter().zip(&on_server.ids).filter(|(plan, _)| !plan.changes.is_empty());
    for (done, (plan, id)) in pairs.enumerate() {
        let body = json!({
            "mail": applying.mails,
            "max_removals": applying.guards.max_removals,
            "min_owners": applying.guards.min_owners,
        });
        let path = Remote::of_org(&plan.org, &format!("/plans/{id}/apply"), &[]);
        let request = Request { method: "POST", path, body: Some((JSON, body.to_string())) };
        let before = changed_before(done);
        let answer = match server.send(request).await {
            Ok(answer) => answer,
            Err(Unanswered { why, sent: false }) => return Err(Failure::Failed(format!("{why}. {before}"))),
            Err(Unanswered { why, sent: true }) => return Err(unknown(&plan.org, &why)),
        };
        match answer.status {
            200 => done_changes.extend(shown(&answer, 200, &plan.org, server)?.plan.changes),
            409 => return Err(differs(plan, &answer)),
            500.. => return Err(unknown(&plan.org, &answer.message())),
            _ => {
                let Failure::Failed(why) = answer.failure(&plan.org, server.base()) else { return Err(Failure::Said) };
                return Err(stopped(&plan.org, &why, done));
            }
        }
    }
    Ok(Summary::of(&done_changes))
}

fn unknown(org: &str, why: &str) -> Failure {
    Failure::Failed(format!(
        "{why}. The result for {org} is unknown: it was changed completely or not at all. Running the command again is safe"
    ))
}

fn differs(planned: &Plan, answer: &Answer) -> Failure {
    let Ok(Refused { differences }) = serde_json::from_str(&answer.text) else {
        return Failure::Failed(answer.message());
    };
    let with = |changes| Plan { changes, ..planned.clone() };
    let Differences { no_longer_planned, planned_now } = differences;
    let differs = refuse_difference(&with(no_longer_planned), &with(planned_now));
    differs.err().unwrap_or_else(|| Failure::Failed(answer.message()))
}

fn unanswered(unanswered: Unanswered) -> Failure {
    Failure::Failed(unanswered.why)
}

fn shown(answer: &Answer, status: u16, org: &str, server: &Remote) -> Result<Shown, Failure> {
    if answer.status != status {
        return Err(answer.failure(org, server.base()));
    }
    serde_json::from_str(&answer.text).map_err(|error| {
        Failure::Failed(format!(
            "{} answers in an unknown form ({error}); use the release of the server",
            server.base()
        ))
    })
}
