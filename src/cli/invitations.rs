//! `guildhall invitations`: the invitations of an organization with their state, for the operator (decision 26).

use serde_json::{Value, json};

use super::settings::StoreFlags;
use super::stream::StreamFlags;
use super::{Failure, complete, in_one_line, organization};
use crate::clock::Time;
use crate::db::{row, select};
use crate::members::invitations::EXPIRED;

const EXAMPLES: &str = "\
An invitation is open until it is accepted, or failed if it expired or was declined; then a reason follows. The last \
words tell what became of the newest e-mail about it. \
`guildhall invite` sends it again.

Works on the database of this machine only, also while the server is running.

Examples:
  guildhall invitations acme
  guildhall invitations acme --state failed
  guildhall invitations acme --jsonl";

/// The number of invitations that are read at a time.
const STEP: i64 = 500;

/// List the invitations of an organization with their state.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Login of the organization.
    #[arg(value_name = "ORG", add = complete::orgs())]
    org: String,
    /// Only those in this state: open or failed.
    #[arg(long, value_parser = ["open", "failed"])]
    state: Option<String>,
    #[command(flatten)]
    output: StreamFlags,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub async fn run(args: Args) -> Result<(), Failure> {
    let store = args.flags.store().await?;
    let (org, now, mut after, mut out) = (args.org, store.now().await?, 0, args.output.begin());
    let id = store.db.read(move |tx| organization(tx, &org)).await?.id;
    loop {
        let found = store.db.read(move |tx| tx.all::<Listed>(LIST, &[&id, &after, &STEP])).await?;
        let Some(last) = found.last() else { return out.end() };
        after = last.id;
        for invitation in &found {
            let (state, reason) = invitation.state(now);
            if args.state.as_ref().is_some_and(|wanted| wanted != state) {
                continue;
            }
            out.item(&invitation.record(state, reason), || invitation.line(state, reason))?;
        }
        out.flush()?;
    }
}

row! {
    /// An invitation.
    struct Listed from "i" {
        id: i64,
        login: Option<String> = "u.login",
        email: Option<String>,
        role: String,
        inviter: Option<String> = "v.login",
        created_at: Time,
        expires_at: Time,
        failed_at: Option<Time>,
        failed_reason: Option<String>,
        reminded_at: Option<Time>,
        teams: i64 = "(SELECT count(*) FROM invitation_teams b WHERE b.invitation_id = i.id)",
        mail: Option<String> = "d.state",
        mail_status: Option<String> = "d.last_status",
    }
}

/// A failed invitation has lost its teams.
const LIST: &str = select!(Listed from
    "invitations i
     LEFT JOIN users u ON u.id = i.user_id
     LEFT JOIN users v ON v.id = i.inviter_id
     LEFT JOIN deliveries d ON d.id =
         (SELECT max(m.id) FROM deliveries m WHERE m.kind = 'mail' AND m.order_key < 0 AND m.order_key = -i.id)
     WHERE i.org_id = $1 AND i.id > $2
     ORDER BY i.id LIMIT $3");

impl Listed {
    /// `open` or `failed`, and why. An expired invitation has failed, although its row does not say so yet.
    fn state(&self, now: Time) -> (&'static str, Option<&str>) {
        if self.failed_at.is_some() {
            return ("failed", self.failed_reason.as_deref());
        }
        if self.expires_at <= now { ("failed", Some(EXPIRED)) } else { ("open", None) }
    }

    /// The result of the newest e-mail.
    fn mail(&self) -> String {
        let status = self.mail_status.as_deref().unwrap_or("not attempted yet");
        match self.mail.as_deref() {
            None => "no mail".to_owned(),
            Some("delivered") => format!("mail: {status}"),
            Some("waiting") => format!("mail waits: {status}"),
            Some(_) => format!("mail failed: {status}"),
        }
    }

    fn line(&self, state: &str, reason: Option<&str>) -> String {
        let who = self.login.as_deref().or(self.email.as_deref()).unwrap_or("-");
        let inviter = self.inviter.as_deref().unwrap_or("-");
        let Self { id, role, teams, created_at, expires_at, .. } = self;
        let line = format!(
            "{id} {state} {who} as {role} teams={teams} invited_by={inviter} created={created_at} expires={expires_at}"
        );
        let reminded = self.reminded_at.map(|at| format!(" reminded={at}")).unwrap_or_default();
        let reason = reason.map(|reason| format!(" reason: {reason}")).unwrap_or_default();
        in_one_line(&format!("{line}{reminded}{reason} ({})", self.mail()))
    }

    fn record(&self, state: &str, reason: Option<&str>) -> Value {
        json!({
            "id": self.id,
            "state": state,
            "failed_reason": reason,
            "failed_at": self.failed_at,
            "login": self.login,
            "email": self.email,
            "role": self.role,
            "teams": self.teams,
            "inviter": self.inviter,
            "created_at": self.created_at,
            "expires_at": self.expires_at,
            "reminded_at": self.reminded_at,
            "mail": self.mail,
            "mail_status": self.mail_status,
        })
    }
}
