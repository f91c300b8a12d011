//! `guildhall invite`.

use serde_json::Value;

use super::api::{Api, ApiFlags, Fields, fields};
use super::table::Output;
use super::{Failure, complete, org, say, team};

const EXAMPLES: &str = "\
People with an account are invited by login, others by e-mail address. `guildhall invitations` shows what became of \
their invitations.

Examples:
  guildhall invite acme nina@example.com
  guildhall invite acme nina@example.com tom --team core --team web
  guildhall invite acme olivia --role owner";

/// Invite people to an organization.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Login of the organization.
    #[arg(value_name = "ORG", add = complete::orgs())]
    org: String,
    /// Logins or e-mail addresses of the people.
    #[arg(value_name = "PERSON", required = true, add = complete::people())]
    people: Vec<String>,
    /// Their role in the organization.
    #[arg(long, default_value = "member", value_parser = ["member", "owner"])]
    role: String,
    /// Slug of a team that they join. Repeat the flag for several teams.
    #[arg(long = "team", value_name = "TEAM", add = complete::teams())]
    teams: Vec<String>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    api: ApiFlags,
}

/// Runs the command. If a person is refused, those before them stay invited.
pub async fn run(args: Args) -> Result<(), Failure> {
    let api = args.api.open().await?;
    let mut teams = Vec::with_capacity(args.teams.len());
    for slug in &args.teams {
        teams.push(team::get(&api, &args.org, slug).await?["id"].clone());
    }
    let role = if args.role == "owner" { "admin" } else { "direct_member" };
    let mut invited = Vec::with_capacity(args.people.len());
    for person in &args.people {
        let (id, email) = invitee(&api, person).await?;
        let offer = [("invitee_id", id), ("email", email), ("role", role.into()), ("team_ids", teams.clone().into())];
        let sent = api.call("orgs.createInvitation", &[("org", args.org.as_str())], fields(offer)).await;
        invited.push(sent.map_err(|refused| refused.or_missing(|| org::unknown(&args.org)))?);
        say(&format!("{person} is invited to {}", args.org));
    }
    api.settle().await;
    args.output.records(&invited, String::new)
}

/// The ID of the person with this login, or the e-mail address.
async fn invitee(api: &Api, person: &str) -> Result<(Value, Value), Failure> {
    if person.contains('@') {
        return Ok((Value::Null, person.into()));
    }
    let account = api.call("users.getByUsername", &[("username", person)], Fields::new()).await;
    let unknown = || format!("no person has the login {person}. Invite them by e-mail address");
    Ok((account.map_err(|refused| refused.or_missing(unknown))?["id"].clone(), Value::Null))
}
