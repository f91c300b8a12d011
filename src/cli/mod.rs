//! The command line: one file per command. `--help` explains it, and the exit code says whether it succeeded.
//!
//! The settings come from `config`. Commands change data with the functions of the domain.

mod access;
mod allocator;
mod api;
mod app;
mod audit;
mod backup;
mod complete;
mod completions;
mod confirm;
mod deliveries;
mod demo;
mod dev;
mod doctor;
mod duration;
mod export;
mod import;
mod invitations;
mod invite;
mod logging;
mod mail;
mod man;
mod meter;
mod openapi;
mod org;
mod owner;
mod plan;
mod reload;
mod remote;
mod restore;
mod serve;
mod settings;
mod setup;
mod status;
mod stream;
mod systemd;
mod table;
mod team;
mod token;
mod user;
mod username;
mod version;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};
use serde::Serialize;
use tracing::Level;

use crate::db::Tx;
use crate::error::Error;
use crate::orgs::org_ref::{self, OrgRef};
use crate::people::login;

/// The reason why a command failed, with its exit code.
#[derive(Debug)]
pub enum Failure {
    /// The command line or a setting is wrong (2).
    Usage(String),
    /// The command line was correct, but the command failed (1).
    Failed(String),
    /// Everything has been printed, or the reader of the output is gone (1).
    Said,
    /// A plan has changes; everything has been printed (2).
    Differs,
}

impl Failure {
    /// The same for commands whose exit code 2 means something else than that the command line is wrong.
    fn without_usage(self) -> Self {
        match self {
            Self::Usage(text) => Self::Failed(text),
            other => other,
        }
    }
}

/// The commands that keep the exit code 2 for a plan with changes.
const COMPARING: [&str; 2] = ["plan", "apply"];

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            // It may contain what a file or a database has.
            Error::Unavailable(text) => Self::Failed(in_one_line(&text)),
            error => Self::Failed(in_one_line(&error.to_string())),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::Said,
            _ => Self::Failed(error.to_string()),
        }
    }
}

/// The widest line of `--help`, on a wide terminal and on none.
const WIDEST: usize = 100;

const EXAMPLES: &str = "\
Examples:
  guildhall demo                                      try it with three sample organizations
  guildhall dev --seed seed.yaml                      serve as a stand-in for tests, in memory
  guildhall serve                                     serve on port 8420, data in ./guildhall-data
  guildhall import org.yaml                           import an organization from a file
  guildhall export acme --output acme.yaml            export an organization to a file
  guildhall plan acme.yaml                            show what would change to match the file
  guildhall apply acme.yaml                           change the organization to match the file
  guildhall token create --user olivia --scopes repo  create a token for a person
  guildhall audit acme --since 7d                     print what was changed in the last week

Exit codes:
  0  success
  1  failure; the reason is on standard error
  2  the command line or a setting is wrong; for `plan`, that there are changes";

/// A self-hosted server for GitHub's REST API for teams.
#[derive(Parser)]
#[command(name = "guildhall", version, after_help = EXAMPLES, arg_required_else_help = true, max_term_width = WIDEST)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Args),
    Setup(setup::Args),
    Demo(demo::Args),
    Dev(dev::Args),
    Import(import::Args),
    Export(export::Args),
    Plan(plan::command::Args),
    Apply(plan::apply::Args),
    Audit(audit::command::Args),
    #[command(subcommand)]
    Deliveries(deliveries::Command),
    Invitations(invitations::Args),
    #[command(subcommand)]
    Mail(mail::Command),
    #[command(subcommand)]
    Token(token::Command),
    #[command(subcommand)]
    User(user::Command),
    #[command(subcommand)]
    Org(org::Command),
    #[command(subcommand)]
    Team(team::Command),
    Invite(invite::Args),
    #[command(subcommand)]
    Access(access::Command),
    #[command(subcommand)]
    App(app::Command),
    #[command(subcommand)]
    Username(username::Command),
    Status(status::Args),
    Doctor(doctor::Args),
    Backup(backup::Args),
    Restore(restore::Args),
    Openapi(openapi::Args),
    Version(version::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    complete::answer_shell();
    let line = match Line::try_parse() {
        Ok(line) => line,
        Err(error) => return misused(&error),
    };
    let outcome = match runtime() {
        Ok(runtime) => runtime.block_on(run(line.command)),
        Err(failure) => Err(failure),
    };
    let (text, code) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Said) => return ExitCode::from(1),
        Err(Failure::Differs) => return ExitCode::from(2),
        Err(Failure::Usage(text)) => (text, 2),
        Err(Failure::Failed(text)) => (text, 1),
    };
    complain(&format!("guildhall: {text}"));
    ExitCode::from(code)
}

/// Prints the help, the version, or the error in the command line.
fn misused(error: &clap::Error) -> ExitCode {
    let command = std::env::args().nth(1).unwrap_or_default();
    let code = match error.exit_code() {
        0 => 0,
        _ if COMPARING.contains(&command.as_str()) => 1,
        _ => 2,
    };
    // If standard error is closed, the exit code has to do.
    drop(error.print());
    ExitCode::from(code)
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)
}

async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(args) => serve::run(args).await,
        Command::Setup(args) => setup::run(args).await,
        Command::Demo(args) => demo::run(args).await,
        Command::Dev(args) => dev::run(args).await,
        Command::Import(args) => import::run(args).await,
        Command::Export(args) => export::run(args).await,
        Command::Plan(args) => plan::command::run(args).await.map_err(Failure::without_usage),
        Command::Apply(args) => plan::apply::run(args).await.map_err(Failure::without_usage),
        Command::Audit(args) => audit::command::run(args).await,
        Command::Deliveries(command) => deliveries::run(command).await,
        Command::Invitations(args) => invitations::run(args).await,
        Command::Mail(command) => mail::run(command).await,
        Command::Token(command) => token::run(command).await,
        Command::User(command) => user::run(command).await,
        Command::Org(command) => org::run(command).await,
        Command::Team(command) => team::run(command).await,
        Command::Invite(args) => invite::run(args).await,
        Command::Access(command) => access::run(command).await,
        Command::App(command) => app::run(command).await,
        Command::Username(command) => username::run(command).await,
        Command::Status(args) => status::run(args).await,
        Command::Doctor(args) => doctor::run(args).await,
        Command::Backup(args) => backup::run(&args),
        Command::Restore(args) => restore::run(&args),
        Command::Openapi(args) => openapi::run(&args),
        Command::Version(args) => version::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}

/// The organization with this login; the error for an unknown one says so.
fn organization(tx: &mut Tx, login: &str) -> crate::error::Result<Arc<OrgRef>> {
    match org_ref::by_login(tx, &login::key(login)) {
        Err(Error::NotFound) => Err(Error::sentence(format!("no organization has the login {login}"))),
        found => found,
    }
}

/// Prints a line for the operator on standard error, separate from the command's output.
fn say(text: &str) {
    // If standard error is closed, there is no other place to report that.
    drop(writeln!(std::io::stderr(), "{}", logging::line(Level::INFO, &in_lines(text))));
}

/// Prints why the command failed.
fn complain(text: &str) {
    drop(writeln!(std::io::stderr(), "{}", logging::line(Level::ERROR, &in_lines(text))));
}

/// Prints a line of a command's output.
fn answer(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    Ok(writeln!(out, "{text}").and_then(|()| out.flush())?)
}

/// Prints a command's output for programs.
fn answer_json(output: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(output).map_err(|error| Failure::Failed(error.to_string()))?;
    answer(&printable(&text))
}

/// JSON without the characters that a terminal interprets. JSON itself escapes only some of them.
fn printable(json: &str) -> String {
    let shown = |c: char| if is_plain(c) { c.to_string() } else { format!("\\u{:04x}", u32::from(c)) };
    json.chars().map(shown).collect()
}

/// A text in one line: line breaks and control characters are escaped.
fn in_one_line(text: &str) -> String {
    in_lines(text).replace('\n', "\\n")
}

/// A text in its lines: all other control characters are escaped, so that no name reaches the terminal as a command.
fn in_lines(text: &str) -> String {
    let shown = |c: char| if is_plain(c) { c.to_string() } else { c.escape_default().to_string() };
    text.chars().map(shown).collect()
}

/// True if a terminal shows the character in its place, or begins a line.
fn is_plain(c: char) -> bool {
    let turns_text = matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    c == '\n' || !(c.is_control() || turns_text)
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};

    use super::{Line, WIDEST, in_lines, in_one_line};

    /// The command and all below it.
    fn commands(command: &Command) -> Vec<&Command> {
        let below = command.get_subcommands().flat_map(commands);
        std::iter::once(command).chain(below).collect()
    }

    #[test]
    fn no_example_is_cut_by_the_end_of_a_line() {
        let all = Line::command();
        let examples = commands(&all).into_iter().filter_map(|command| Some(command.get_after_help()?.to_string()));
        let lines: Vec<String> =
            examples.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
        let cut: Vec<_> = lines.iter().filter(|line| line.starts_with(' ') && line.chars().count() > WIDEST).collect();
        assert!(lines.len() > 50 && cut.is_empty(), "{cut:#?}");
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(in_one_line("a\nb\r\t\u{1b}[2J ä"), "a\\nb\\r\\t\\u{1b}[2J ä");
        assert_eq!(in_lines("a\nb\r\u{9b}2J\u{202e}"), "a\nb\\r\\u{9b}2J\\u{202e}");
    }
}
