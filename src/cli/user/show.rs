//! `guildhall user list` and `guildhall user show`.

use serde_json::Value;

use super::unknown;
use crate::cli::api::{ApiFlags, Fields};
use crate::cli::table::{Column, Output};
use crate::cli::{Failure, complete};

const SHOW: &str = "\
By URL, the organizations are those that the token may see, and only site administrators see a suspension.

Examples:
  guildhall user show olivia
  guildhall user show olivia --json";

/// List all people, in order of account creation.
#[derive(clap::Args)]
pub struct List {
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    api: ApiFlags,
}

/// Show a person.
#[derive(clap::Args)]
#[command(after_help = SHOW)]
pub struct Show {
    /// Login of the person.
    #[arg(value_name = "LOGIN", add = complete::people())]
    login: String,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    api: ApiFlags,
}

const COLUMNS: &[Column] = &[("Login", "/login"), ("ID", "/id"), ("Site administrator", "/site_admin")];

const FIELDS: &[Column] = &[
    ("Login", "/login"),
    ("Name", "/name"),
    ("ID", "/id"),
    ("E-mail", "/email"),
    ("Company", "/company"),
    ("Site administrator", "/site_admin"),
    ("Organizations", "/organizations"),
    ("Created", "/created_at"),
    ("Suspended", "/suspended_at"),
];

impl List {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let people = self.api.open().await?.all_by_id("users.list").await?;
        self.output.list(&people, COLUMNS, "There is no account. `guildhall user create` makes one.")
    }
}

impl Show {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let (api, names) = (self.api.open().await?, [("username", self.login.as_str())]);
        let person = api.call("users.getByUsername", &names, Fields::new()).await;
        let mut person = person.map_err(|refused| refused.or_missing(|| unknown(&self.login)))?;
        let organizations = api.all("orgs.listForUser", &names, Fields::new()).await?;
        person["organizations"] = organizations.iter().map(|org| org["login"].clone()).collect::<Value>();
        self.output.record(&person, FIELDS)
    }
}
