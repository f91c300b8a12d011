//! `guildhall team`: the teams of an organization, their people and their access.

mod create;
mod delete;
mod people;
mod repositories;
mod show;
mod tree;

use clap::Subcommand;
use serde_json::Value;

use super::Failure;
use super::api::{Api, Fields, Refused};
use crate::cli::complete;

/// Show and change teams.
#[derive(Subcommand)]
pub enum Command {
    List(show::List),
    Show(show::Show),
    Tree(tree::Tree),
    Create(create::Create),
    Add(people::Add),
    Remove(people::Remove),
    Grant(repositories::Grant),
    Revoke(repositories::Revoke),
    Delete(delete::Delete),
}

/// Runs the command.
pub async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::List(args) => args.run().await,
        Command::Show(args) => args.run().await,
        Command::Tree(args) => args.run().await,
        Command::Create(args) => args.run().await,
        Command::Add(args) => args.run().await,
        Command::Remove(args) => args.run().await,
        Command::Grant(args) => args.run().await,
        Command::Revoke(args) => args.run().await,
        Command::Delete(args) => args.run().await,
    }
}

/// The team that a command line names.
#[derive(Debug, clap::Args)]
pub struct Named {
    /// Login of the organization.
    #[arg(value_name = "ORG", add = complete::orgs())]
    org: String,
    /// Slug of the team.
    #[arg(value_name = "TEAM", add = complete::teams())]
    team: String,
}

impl Named {
    /// The record of the team.
    async fn get(&self, api: &Api) -> Result<Value, Failure> {
        get(api, &self.org, &self.team).await
    }
}

/// The record of the team with this slug.
pub async fn get(api: &Api, org: &str, slug: &str) -> Result<Value, Failure> {
    let found = api.call("teams.getByName", &[("org", org), ("team_slug", slug)], Fields::new()).await;
    match found {
        Err(refused) if refused.status == 404 => Err(missing(api, org, slug).await),
        found => Ok(found?),
    }
}

/// Every team of the organization.
async fn all(api: &Api, org: &str) -> Result<Vec<Value>, Failure> {
    let teams = api.all("teams.list", &[("org", org)], Fields::new()).await;
    teams.map_err(|refused| refused.or_missing(|| super::org::unknown(org)))
}

/// Says if the organization or the team is missing.
async fn missing(api: &Api, org: &str, slug: &str) -> Failure {
    match api.call("orgs.get", &[("org", org)], Fields::new()).await {
        Err(Refused { status: 404, .. }) => Failure::Failed(super::org::unknown(org)),
        _ => Failure::Failed(format!("{org} has no team {slug}. `guildhall team list {org}` shows its teams")),
    }
}
