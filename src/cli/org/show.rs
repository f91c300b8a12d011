//! `guildhall org list` and `guildhall org show`.

use serde_json::Value;

use super::unknown;
use crate::cli::api::{ApiFlags, Fields, fields};
use crate::cli::table::{Column, Output};
use crate::cli::{Failure, complete};

const SHOW: &str = "\
Examples:
  guildhall org show acme
  guildhall org show acme --json";

/// List all organizations, in order of creation.
#[derive(clap::Args)]
pub struct List {
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    api: ApiFlags,
}

/// Show an organization.
#[derive(clap::Args)]
#[command(after_help = SHOW)]
pub struct Show {
    /// Login of the organization.
    #[arg(value_name = "ORG", add = complete::orgs())]
    org: String,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    api: ApiFlags,
}

const COLUMNS: &[Column] = &[("Login", "/login"), ("ID", "/id"), ("Description", "/description")];

const FIELDS: &[Column] = &[
    ("Login", "/login"),
    ("Name", "/name"),
    ("ID", "/id"),
    ("Description", "/description"),
    ("Plan", "/plan/name"),
    ("Owners", "/owners"),
    ("Access of members", "/default_repository_permission"),
    ("Created", "/created_at"),
];

impl List {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let organizations = self.api.open().await?.all_by_id("orgs.list").await?;
        let none = "There is no organization. `guildhall org create` and `guildhall import` make one.";
        self.output.list(&organizations, COLUMNS, none)
    }
}

impl Show {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let (api, names) = (self.api.open().await?, [("org", self.org.as_str())]);
        let org = api.call("orgs.get", &names, Fields::new()).await;
        let mut org = org.map_err(|refused| refused.or_missing(|| unknown(&self.org)))?;
        let owners = api.all("orgs.listMembers", &names, fields([("role", "admin".into())])).await?;
        org["owners"] = owners.iter().map(|owner| owner["login"].clone()).collect::<Value>();
        self.output.record(&org, FIELDS)
    }
}
