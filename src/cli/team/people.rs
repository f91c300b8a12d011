//! `guildhall team add` and `guildhall team remove`.

use super::{Named, missing};
use crate::cli::api::{Api, ApiFlags, Fields, fields, text};
use crate::cli::user::refuse_unknown;
use crate::cli::{Failure, complete, say};

const ADD: &str = "\
A person who is not a member of the organization is invited, and joins the team with the organization.

Examples:
  guildhall team add acme core olivia tom
  guildhall team add acme core olivia --role maintainer";

const REMOVE: &str = "\
Examples:
  guildhall team remove acme core tom";

/// Add people to a team, or change their role on it.
#[derive(clap::Args)]
#[command(after_help = ADD)]
pub struct Add {
    #[command(flatten)]
    team: Named,
    /// Logins of the people.
    #[arg(value_name = "LOGIN", required = true, add = complete::people())]
    people: Vec<String>,
    /// Their role on the team.
    #[arg(long, default_value = "member", value_parser = ["member", "maintainer"])]
    role: String,
    #[command(flatten)]
    api: ApiFlags,
}

/// Remove people from a team.
#[derive(clap::Args)]
#[command(after_help = REMOVE)]
pub struct Remove {
    #[command(flatten)]
    team: Named,
    /// Logins of the people.
    #[arg(value_name = "LOGIN", required = true, add = complete::people())]
    people: Vec<String>,
    #[command(flatten)]
    api: ApiFlags,
}

impl Add {
    /// Runs the command. If a person is refused, those before them stay added.
    pub async fn run(self) -> Result<(), Failure> {
        let (api, team) = (self.api.open().await?, &self.team);
        team.get(&api).await?;
        for person in &self.people {
            let role = fields([("role", self.role.clone().into())]);
            let membership = change(&api, team, "teams.addOrUpdateMembershipForUserInOrg", person, role).await?;
            let is_invited = text(&membership["state"]) == "pending";
            say(&match (is_invited, self.role.as_str()) {
                (true, _) => format!("{person} is invited to {}, and joins {} then", team.org, team.team),
                (false, role) => format!("{person} is a {role} of {}", team.team),
            });
        }
        api.settle().await;
        Ok(())
    }
}

impl Remove {
    /// Runs the command. If a person is refused, those before them stay removed.
    pub async fn run(self) -> Result<(), Failure> {
        let (api, team) = (self.api.open().await?, &self.team);
        team.get(&api).await?;
        for person in &self.people {
            change(&api, team, "teams.removeMembershipForUserInOrg", person, Fields::new()).await?;
            say(&format!("removed {person} from {}", team.team));
        }
        api.settle().await;
        Ok(())
    }
}

async fn change(
    api: &Api,
    team: &Named,
    operation: &str,
    person: &str,
    fields: Fields,
) -> Result<serde_json::Value, Failure> {
    let names = [("org", team.org.as_str()), ("team_slug", team.team.as_str()), ("username", person)];
    match api.call(operation, &names, fields).await {
        Err(refused) if refused.status == 404 => match team.get(api).await {
            Ok(_) => {
                refuse_unknown(api, person).await?;
                Err(Failure::Failed(format!("the token may not change who is on {}", team.team)))
            }
            Err(_) => Err(missing(api, &team.org, &team.team).await),
        },
        changed => Ok(changed?),
    }
}
