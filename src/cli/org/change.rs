//! The commands that make, change and delete organizations.

use super::unknown;
use crate::cli::api::{ApiFlags, Fields, fields, text};
use crate::cli::confirm::Confirm;
use crate::cli::table::Output;
use crate::cli::{Failure, complete, say};

const CREATE: &str = "\
Examples:
  guildhall org create acme --owner olivia
  guildhall org create acme --owner olivia --name 'Acme Corporation'";

const PLAN: &str = "\
`enterprise` has team synchronization and SCIM. `free` and `team` have all other features.

Examples:
  guildhall org plan acme enterprise";

const RENAME: &str = "\
The former login no longer leads to the organization, and stays reserved, until `guildhall username release` lets another \
account take it.

Examples:
  guildhall org rename acme acme-labs";

const DELETE: &str = "\
Its teams, repositories, projects, posts, invitations and webhooks go. People keep their accounts. The login stays \
reserved, until `guildhall username release` lets another account take it.

Examples:
  guildhall org delete acme
  guildhall org delete acme --yes";

/// Create an organization.
#[derive(clap::Args)]
#[command(after_help = CREATE)]
pub struct Create {
    /// Login of the organization.
    #[arg(value_name = "ORG")]
    org: String,
    /// Login of the person who becomes its first owner.
    #[arg(long, value_name = "LOGIN", add = complete::people())]
    owner: String,
    /// Name of the organization.
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    api: ApiFlags,
}

/// Set the plan of an organization.
#[derive(clap::Args)]
#[command(after_help = PLAN)]
pub struct SetPlan {
    /// Login of the organization.
    #[arg(value_name = "ORG", add = complete::orgs())]
    org: String,
    /// The plan.
    #[arg(value_name = "PLAN", value_parser = ["free", "team", "enterprise"])]
    plan: String,
    #[command(flatten)]
    api: ApiFlags,
}

/// Change the login of an organization.
#[derive(clap::Args)]
#[command(after_help = RENAME)]
pub struct Rename {
    /// Login of the organization.
    #[arg(value_name = "ORG", add = complete::orgs())]
    org: String,
    /// The new login.
    #[arg(value_name = "NEW_LOGIN")]
    new: String,
    #[command(flatten)]
    api: ApiFlags,
}

/// Delete an organization.
#[derive(clap::Args)]
#[command(after_help = DELETE)]
pub struct Delete {
    /// Login of the organization.
    #[arg(value_name = "ORG", add = complete::orgs())]
    org: String,
    #[command(flatten)]
    confirm: Confirm,
    #[command(flatten)]
    api: ApiFlags,
}

impl Create {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let api = self.api.open().await?;
        let new =
            [("login", self.org.into()), ("admin", self.owner.clone().into()), ("profile_name", self.name.into())];
        let org = api.call("enterpriseAdmin.createOrg", &[], fields(new)).await?;
        api.settle().await;
        self.output.done(&org, &format!("created {}, owned by {}", text(&org["login"]), self.owner))
    }
}

impl SetPlan {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        update(&self.api, &self.org, fields([("plan", self.plan.clone().into())])).await?;
        say(&format!("{} is on the plan {}", self.org, self.plan));
        Ok(())
    }
}

impl Rename {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        update(&self.api, &self.org, fields([("login", self.new.clone().into())])).await?;
        say(&format!("the login of {} is now {}", self.org, self.new));
        Ok(())
    }
}

impl Delete {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let (api, names) = (self.api.open().await?, [("org", self.org.as_str())]);
        let org = api.call("orgs.get", &names, Fields::new()).await;
        let org = org.map_err(|refused| refused.or_missing(|| unknown(&self.org)))?;
        let question = format!("Delete the organization {} with all its teams?", self.org);
        self.confirm.ask(&question, text(&org["login"]))?;
        api.call("orgs.delete", &names, Fields::new()).await?;
        api.settle().await;
        say(&format!("deleted {}", self.org));
        Ok(())
    }
}

async fn update(api: &ApiFlags, org: &str, change: Fields) -> Result<(), Failure> {
    let api = api.open().await?;
    api.administer("enterpriseAdmin.updateOrgName", &[("org", org)], change, unknown(org)).await?;
    api.settle().await;
    Ok(())
}
