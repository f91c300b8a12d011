//! The commands that make, change and delete accounts.

use super::{refuse_unknown, unknown};
use crate::cli::api::{ApiFlags, Fields, fields};
use crate::cli::confirm::Confirm;
use crate::cli::table::Output;
use crate::cli::{Failure, complete, say};

const CREATE: &str = "\
The person signs in with a code that is sent to their e-mail address, or with a link of `guildhall user sign-in`.

Examples:
  guildhall user create olivia --email olivia@example.com
  guildhall user create olivia --email olivia@example.com --name 'Olivia Berg'";

const SUSPEND: &str = "\
The person can no longer sign in, and their tokens stop working. Their memberships stay.

Examples:
  guildhall user suspend tom --reason 'has left'";

const RENAME: &str = "\
The former login no longer leads to the account, and stays reserved, until `guildhall username release` lets another \
account take it.

Examples:
  guildhall user rename tom thomas";

const DELETE: &str = "\
Their memberships, tokens and invitations go. Their posts stay, without an author. The login stays reserved, until \
`guildhall username release` lets another account take it.

Examples:
  guildhall user delete tom
  guildhall user delete tom --yes";

/// Create an account for a person.
#[derive(clap::Args)]
#[command(after_help = CREATE)]
pub struct Create {
    /// Login of the person.
    #[arg(value_name = "LOGIN")]
    login: String,
    /// E-mail address of the person. It counts as verified.
    #[arg(long, value_name = "ADDRESS")]
    email: Option<String>,
    /// Name of the person.
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    api: ApiFlags,
}

/// Suspend a person.
#[derive(clap::Args)]
#[command(after_help = SUSPEND)]
pub struct Suspend {
    /// Login of the person.
    #[arg(value_name = "LOGIN", add = complete::people())]
    login: String,
    /// Reason, for the audit log.
    #[arg(long)]
    reason: Option<String>,
    #[command(flatten)]
    api: ApiFlags,
}

/// End the suspension of a person.
#[derive(clap::Args)]
pub struct Unsuspend {
    /// Login of the person.
    #[arg(value_name = "LOGIN", add = complete::people())]
    login: String,
    /// Reason, for the audit log.
    #[arg(long)]
    reason: Option<String>,
    #[command(flatten)]
    api: ApiFlags,
}

/// Change the login of a person.
#[derive(clap::Args)]
#[command(after_help = RENAME)]
pub struct Rename {
    /// Login of the person.
    #[arg(value_name = "LOGIN", add = complete::people())]
    login: String,
    /// The new login.
    #[arg(value_name = "NEW_LOGIN")]
    new: String,
    #[command(flatten)]
    api: ApiFlags,
}

/// Delete the account of a person.
#[derive(clap::Args)]
#[command(after_help = DELETE)]
pub struct Delete {
    /// Login of the person.
    #[arg(value_name = "LOGIN", add = complete::people())]
    login: String,
    #[command(flatten)]
    confirm: Confirm,
    #[command(flatten)]
    api: ApiFlags,
}

impl Create {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let api = self.api.open().await?;
        let new = fields([("login", self.login.clone().into()), ("email", self.email.into())]);
        let mut person = api.call("enterpriseAdmin.createUser", &[], new).await?;
        let login = crate::cli::api::text(&person["login"]).to_owned();
        if let Some(name) = self.name {
            let names = [("username", login.as_str())];
            api.call("enterpriseAdmin.updateUsernameForUser", &names, fields([("name", name.clone().into())])).await?;
            person["name"] = name.into();
        }
        api.settle().await;
        self.output.done(&person, &format!("created {login}"))
    }
}

impl Suspend {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let fields = fields([("reason", self.reason.into())]);
        change(&self.api, "enterpriseAdmin.suspendUser", &self.login, fields).await?;
        say(&format!("{} is suspended", self.login));
        Ok(())
    }
}

impl Unsuspend {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let fields = fields([("reason", self.reason.into())]);
        change(&self.api, "enterpriseAdmin.unsuspendUser", &self.login, fields).await?;
        say(&format!("{} is not suspended", self.login));
        Ok(())
    }
}

impl Rename {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let fields = fields([("login", self.new.clone().into())]);
        change(&self.api, "enterpriseAdmin.updateUsernameForUser", &self.login, fields).await?;
        say(&format!("the login of {} is now {}", self.login, self.new));
        Ok(())
    }
}

impl Delete {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let (api, names) = (self.api.open().await?, [("username", self.login.as_str())]);
        refuse_unknown(&api, &self.login).await?;
        self.confirm.ask(&format!("Delete the account {}?", self.login), &self.login)?;
        api.administer("enterpriseAdmin.deleteUser", &names, Fields::new(), unknown(&self.login)).await?;
        api.settle().await;
        say(&format!("deleted {}", self.login));
        Ok(())
    }
}

async fn change(api: &ApiFlags, operation: &str, login: &str, fields: Fields) -> Result<(), Failure> {
    let api = api.open().await?;
    api.administer(operation, &[("username", login)], fields, unknown(login)).await?;
    api.settle().await;
    Ok(())
}
