//! `guildhall team list` and `guildhall team show`.

use serde_json::{Value, json};

use super::{Named, all};
use crate::cli::api::{ApiFlags, Fields, fields, text};
use crate::cli::table::{Column, Output};
use crate::cli::{Failure, complete};

const LIST: &str = "\
Examples:
  guildhall team list acme
  guildhall team list acme --json";

const SHOW: &str = "\
Examples:
  guildhall team show acme core";

/// List the teams of an organization.
#[derive(clap::Args)]
#[command(after_help = LIST)]
pub struct List {
    /// Login of the organization.
    #[arg(value_name = "ORG", add = complete::orgs())]
    org: String,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    api: ApiFlags,
}

/// Show a team with its people and repositories.
#[derive(clap::Args)]
#[command(after_help = SHOW)]
pub struct Show {
    #[command(flatten)]
    team: Named,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    api: ApiFlags,
}

const COLUMNS: &[Column] = &[
    ("Team", "/slug"),
    ("Name", "/name"),
    ("Parent", "/parent/slug"),
    ("Privacy", "/privacy"),
    ("Description", "/description"),
];

const FIELDS: &[Column] = &[
    ("Team", "/slug"),
    ("Name", "/name"),
    ("ID", "/id"),
    ("Description", "/description"),
    ("Parent", "/parent/slug"),
    ("Privacy", "/privacy"),
    ("Maintainers", "/maintainers"),
    ("Members", "/members"),
    ("Repositories", "/repositories"),
    ("Created", "/created_at"),
];

impl List {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let teams = all(&self.api.open().await?, &self.org).await?;
        self.output.list(&teams, COLUMNS, &format!("{} has no team. `guildhall team create` makes one.", self.org))
    }
}

impl Show {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let api = self.api.open().await?;
        let mut team = self.team.get(&api).await?;
        let names = [("org", self.team.org.as_str()), ("team_slug", self.team.team.as_str())];
        for (role, people) in [("maintainer", "maintainers"), ("member", "members")] {
            let found = api.all("teams.listMembersInOrg", &names, fields([("role", role.into())])).await?;
            team[people] = found.iter().map(|person| person["login"].clone()).collect::<Value>();
        }
        let repositories = api.all("teams.listReposInOrg", &names, Fields::new()).await?;
        let level = |repo: &Value| json!(format!("{}: {}", text(&repo["name"]), text(&repo["role_name"])));
        team["repositories"] = repositories.iter().map(level).collect::<Value>();
        self.output.record(&team, FIELDS)
    }
}
