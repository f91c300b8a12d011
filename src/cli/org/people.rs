//! `guildhall org add` and `guildhall org remove`.

use super::unknown;
use crate::cli::api::{Api, ApiFlags, Fields, fields, text};
use crate::cli::user::refuse_unknown;
use crate::cli::{Failure, complete, say};

const ADD: &str = "\
A person who is not a member yet is invited. A member gets the role at once.

Examples:
  guildhall org add acme tom
  guildhall org add acme max --role owner";

const REMOVE: &str = "\
Their memberships of its teams end, and so does their own access to its repositories. They keep their account.

Examples:
  guildhall org remove acme tom";

/// The people of an organization that a command line names.
#[derive(clap::Args)]
struct Named {
    /// Login of the organization.
    #[arg(value_name = "ORG", add = complete::orgs())]
    org: String,
    /// Logins of the people.
    #[arg(value_name = "LOGIN", required = true, add = complete::people())]
    people: Vec<String>,
    #[command(flatten)]
    api: ApiFlags,
}

/// Add people to an organization, or change their role in it.
#[derive(clap::Args)]
#[command(after_help = ADD)]
pub struct Add {
    #[command(flatten)]
    of: Named,
    /// Their role.
    #[arg(long, default_value = "member", value_parser = ["member", "owner"])]
    role: String,
}

/// Remove people from an organization.
#[derive(clap::Args)]
#[command(after_help = REMOVE)]
pub struct Remove {
    #[command(flatten)]
    of: Named,
}

impl Add {
    /// Runs the command. If a person is refused, those before them stay added.
    pub async fn run(self) -> Result<(), Failure> {
        let (org, role) = (&self.of.org, if self.role == "owner" { "admin" } else { "member" });
        let api = self.of.api.open().await?;
        for person in &self.of.people {
            let membership = self.of.change(&api, "orgs.setMembershipForUser", person, fields([("role", role.into())]));
            let is_invited = text(&membership.await?["state"]) == "pending";
            let invited = if is_invited { "invited as " } else { "" };
            let article = if self.role == "owner" { "an" } else { "a" };
            say(&format!("{person} is {invited}{article} {} of {org}", self.role));
        }
        api.settle().await;
        Ok(())
    }
}

impl Remove {
    /// Runs the command. If a person is refused, those before them stay removed.
    pub async fn run(self) -> Result<(), Failure> {
        let api = self.of.api.open().await?;
        for person in &self.of.people {
            self.of.change(&api, "orgs.removeMembershipForUser", person, Fields::new()).await?;
            say(&format!("removed {person} from {}", self.of.org));
        }
        api.settle().await;
        Ok(())
    }
}

impl Named {
    async fn change(
        &self,
        api: &Api,
        operation: &str,
        person: &str,
        fields: Fields,
    ) -> Result<serde_json::Value, Failure> {
        let names = [("org", self.org.as_str()), ("username", person)];
        match api.call(operation, &names, fields).await {
            Err(refused) if refused.status == 404 => {
                let org = api.call("orgs.get", &names[..1], Fields::new()).await;
                org.map_err(|refused| refused.or_missing(|| unknown(&self.org)))?;
                refuse_unknown(api, person).await?;
                let or_hidden = if api.is_server() { ", or the token may not change who is" } else { "" };
                Err(Failure::Failed(format!("{person} is not in {}{or_hidden}", self.org)))
            }
            changed => Ok(changed?),
        }
    }
}
