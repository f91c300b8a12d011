//! `guildhall team create`.

use serde_json::Value;

use super::get;
use crate::cli::api::{ApiFlags, fields, text};
use crate::cli::org::unknown;
use crate::cli::table::Output;
use crate::cli::{Failure, complete};

const CREATE: &str = "\
A team is visible to the members of its organization. With --secret, only its own people and owners see it; such a team \
has no parent.

Examples:
  guildhall team create acme 'Web platform'
  guildhall team create acme 'Web platform' --parent engineering --maintainer olivia";

/// Create a team.
#[derive(clap::Args)]
#[command(after_help = CREATE)]
pub struct Create {
    /// Login of the organization.
    #[arg(value_name = "ORG", add = complete::orgs())]
    org: String,
    /// Name of the team. Its slug is derived from it.
    #[arg(value_name = "NAME")]
    name: String,
    /// Description of the team.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Slug of the parent team.
    #[arg(long, value_name = "TEAM", conflicts_with = "secret", add = complete::teams())]
    parent: Option<String>,
    /// Show the team only to its own people and to owners.
    #[arg(long)]
    secret: bool,
    /// Login of a member of the organization who becomes a maintainer. Repeat the flag for several people.
    #[arg(long = "maintainer", value_name = "LOGIN", add = complete::people())]
    maintainers: Vec<String>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    api: ApiFlags,
}

impl Create {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let api = self.api.open().await?;
        let parent = match &self.parent {
            Some(slug) => get(&api, &self.org, slug).await?["id"].clone(),
            None => Value::Null,
        };
        let new = [
            ("name", self.name.into()),
            ("description", self.description.into()),
            ("parent_team_id", parent),
            ("privacy", if self.secret { "secret" } else { "closed" }.into()),
            ("maintainers", self.maintainers.into()),
        ];
        let team = api.call("teams.create", &[("org", self.org.as_str())], fields(new)).await;
        let team = team.map_err(|refused| refused.or_missing(|| unknown(&self.org)))?;
        api.settle().await;
        self.output.done(&team, &format!("created {} in {}", text(&team["slug"]), self.org))
    }
}
