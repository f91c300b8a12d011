//! `guildhall team delete`.

use super::Named;
use crate::cli::api::{ApiFlags, Fields, text};
use crate::cli::confirm::Confirm;
use crate::cli::{Failure, say};

const DELETE: &str = "\
Its child teams go with it, and so do their discussions and their access to repositories. People stay in the organization.

Examples:
  guildhall team delete acme core
  guildhall team delete acme core --yes";

/// Delete a team and its child teams.
#[derive(clap::Args)]
#[command(after_help = DELETE)]
pub struct Delete {
    #[command(flatten)]
    team: Named,
    #[command(flatten)]
    confirm: Confirm,
    #[command(flatten)]
    api: ApiFlags,
}

impl Delete {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let (api, Named { org, team }) = (self.api.open().await?, &self.team);
        let record = self.team.get(&api).await?;
        self.confirm.ask(&format!("Delete the team {team} of {org} with its child teams?"), text(&record["slug"]))?;
        api.call("teams.deleteInOrg", &[("org", org), ("team_slug", team)], Fields::new()).await?;
        api.settle().await;
        say(&format!("deleted {team} of {org}"));
        Ok(())
    }
}
