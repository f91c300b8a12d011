//! `guildhall mail test`: whether e-mail can be sent with these settings (decision 46).

use super::settings::ServeFlags;
use super::{Failure, answer, owner};
use crate::clock::Clock;
use crate::config::Settings;
use crate::error::Error;
use crate::mail::letter::{Content, Letter};
use crate::mail::{self, Mailer, address};

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
    let (folder, now) = (settings.data_dir.join("mail"), Clock::System.now());
    let origin = settings.links(&settings.local_url()).origin;
    let mailer = Mailer::new(&settings.mail, folder, &origin, mail::TIMEOUTS)?;
    let id = format!("test/{}", now.0);
    let letter = Letter { name: None, address, id, follows: None, board: None, content: Content::Test };
    let sent = mailer.send(&letter, now).await;
    if !sent.ok {
        return Err(Error::Unavailable(format!("no mail was sent through {}: {}", way(&settings), sent.status)).into());
    }
    answer(&format!("sent through {}: {}", way(&settings), sent.status))
}

/// The server or directory, without a password.
fn way(settings: &Settings) -> String {
    match &settings.mail.smtp {
        Some(smtp) => smtp.to_string(),
        None => format!("{} (smtp.url is not set)", settings.data_dir.join("mail/new").display()),
    }
}
