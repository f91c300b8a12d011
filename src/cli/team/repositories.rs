//! `guildhall team grant` and `guildhall team revoke`.

use super::Named;
use crate::cli::access::level;
use crate::cli::api::{Api, ApiFlags, Fields, fields};
use crate::cli::{Failure, say};
use crate::repos::level::Level;

const GRANT: &str = "\
Child teams inherit the level.

Examples:
  guildhall team grant acme core engine write
  guildhall team grant acme core engine admin";

const REVOKE: &str = "\
Examples:
  guildhall team revoke acme core engine";

/// Give a team a level on a repository.
#[derive(clap::Args)]
#[command(after_help = GRANT)]
pub struct Grant {
    #[command(flatten)]
    team: Named,
    /// Name of the repository, with or without the organization before it.
    #[arg(value_name = "REPO")]
    repo: String,
    /// The level: read, triage, write, maintain or admin.
    #[arg(value_name = "LEVEL", value_parser = level)]
    level: Level,
    #[command(flatten)]
    api: ApiFlags,
}

/// Take a repository away from a team.
#[derive(clap::Args)]
#[command(after_help = REVOKE)]
pub struct Revoke {
    #[command(flatten)]
    team: Named,
    /// Name of the repository, with or without the organization before it.
    #[arg(value_name = "REPO")]
    repo: String,
    #[command(flatten)]
    api: ApiFlags,
}

impl Grant {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let api = self.api.open().await?;
        let given = fields([("permission", self.level.word().into())]);
        change(&api, &self.team, "teams.addOrUpdateRepoPermissionsInOrg", &self.repo, given).await?;
        say(&format!("{} has {} on {}", self.team.team, self.level.role_name(), self.repo));
        Ok(())
    }
}

impl Revoke {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let api = self.api.open().await?;
        change(&api, &self.team, "teams.removeRepoInOrg", &self.repo, Fields::new()).await?;
        say(&format!("took {} away from {}", self.repo, self.team.team));
        Ok(())
    }
}

async fn change(api: &Api, team: &Named, operation: &str, repo: &str, fields: Fields) -> Result<(), Failure> {
    team.get(api).await?;
    let (owner, name) = repo.split_once('/').unwrap_or((&team.org, repo));
    let names = [("org", team.org.as_str()), ("team_slug", team.team.as_str()), ("owner", owner), ("repo", name)];
    let changed = api.call(operation, &names, fields).await;
    changed.map_err(|refused| refused.or_missing(|| format!("{owner} has no repository {name}")))?;
    api.settle().await;
    Ok(())
}
