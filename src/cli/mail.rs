//! `guildhall mail test`: whether e-mail can be sent with these settings (decision 46).

use super::settings::ServeFlags;
use super::{Failure, answer, owner};
use crate::clock::Clock;
use crate::error::Error;
use crate::mail::address;
use crate::mail::trial::Trial;

const EXAMPLES: &str = "\
Examples:
  guildhall mail test nina@example.com --smtp-url smtps://user:password@mail.example.com \\
    --public-url https://teams.example.com
  guildhall mail test nina@example.com --config /etc/guildhall.toml";

/// Test the mail settings.
#[derive(clap::Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Send a test mail, and say what came of it.
    Test(Test),
}

/// Send a test mail, and say what came of it.
#[derive(clap::Args)]
pub struct Test {
    /// E-mail address of the recipient.
    #[arg(value_name = "ADDRESS")]
    address: String,
    #[command(flatten)]
    flags: ServeFlags,
}

/// Runs the command.
pub async fn run(command: Command) -> Result<(), Failure> {
    let Command::Test(Test { address, flags }) = command;
    let Some(address) = address::read(&address) else {
        return Err(Failure::Usage(format!("`{address}` is not an e-mail address; use one like name@example.com")));
    };
    let settings = flags.settings()?;
    owner::switch_to_owner(&settings.data_dir)?;
    settings.check_links().map_err(Failure::Usage)?;
    let trial = Trial::new(&settings);
    let way = way(&trial);
    let sent = trial.send(address, Clock::System.now()).await?;
    if !sent.ok {
        return Err(Error::Unavailable(format!("no mail was sent through {way}: {}", sent.status)).into());
    }
    answer(&format!("sent through {way}: {}", sent.status))
}

/// The server or directory, without a password.
pub fn way(trial: &Trial) -> String {
    trial.server().unwrap_or_else(|| format!("{} (smtp.url is not set)", trial.folder.join("new").display()))
}
