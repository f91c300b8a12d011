//! `guildhall access`: the access of people to repositories, and the reasons (decision 67).

use clap::Subcommand;
use serde_json::{Value, json};

use super::api::{ApiFlags, Fields, fields, text};
use super::table::{Column, Output};
use super::{Failure, complete};
use crate::repos::level::Level;

const WHY: &str = "\
The strongest path decides.

Examples:
  guildhall access why tom acme/engine
  guildhall access why tom acme/engine --json";

const WHO: &str = "\
Examples:
  guildhall access who acme/engine
  guildhall access who acme/engine --level admin";

/// Show who has access to a repository, and why.
#[derive(Subcommand)]
pub enum Command {
    Why(Why),
    Who(Who),
}

/// Show why a person has access to a repository.
#[derive(clap::Args)]
#[command(after_help = WHY)]
pub struct Why {
    /// Login of the person.
    #[arg(value_name = "LOGIN", add = complete::people())]
    login: String,
    /// The repository.
    #[arg(value_name = "OWNER/REPO", value_parser = repository)]
    repo: (String, String),
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    api: ApiFlags,
}

/// List the people who have access to a repository, the strongest first.
#[derive(clap::Args)]
#[command(after_help = WHO)]
pub struct Who {
    /// The repository.
    #[arg(value_name = "OWNER/REPO", value_parser = repository)]
    repo: (String, String),
    /// Only people with this level: read, triage, write, maintain or admin.
    #[arg(long, value_parser = level)]
    level: Option<Level>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    api: ApiFlags,
}

fn repository(text: &str) -> Result<(String, String), String> {
    let (owner, name) = text.split_once('/').ok_or("use OWNER/REPO, such as acme/engine")?;
    Ok((owner.to_owned(), name.to_owned()))
}

/// The level with this name, or with this word of the API.
pub fn level(text: &str) -> Result<Level, String> {
    let known = Level::ALL.iter().find(|level| level.role_name() == text || level.word() == text);
    known.copied().ok_or_else(|| "use read, triage, write, maintain or admin".to_owned())
}

const PEOPLE: &[Column] = &[("Login", "/login"), ("Level", "/level"), ("Through", "/through")];

const PATHS: &[Column] =
    &[("Level", "/level"), ("Through", "/through"), ("Given by", "/granted_by/login"), ("Since", "/granted_at")];

/// Runs the command.
pub async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Why(args) => args.run().await,
        Command::Who(args) => args.run().await,
    }
}

impl Why {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let api = self.api.open().await?;
        let (owner, name) = &self.repo;
        let names = [("owner", owner.as_str()), ("repo", name), ("username", self.login.as_str())];
        let access = api.call("repos.explainAccess", &names, Fields::new()).await;
        let unknown = || format!("no person has the login {}, or {owner} has no repository {name}", self.login);
        let access = access.map_err(|refused| refused.or_missing(unknown))?;
        if self.output.is_json() {
            return self.output.record(&access, &[]);
        }
        let none = format!("{} has no access to {owner}/{name}", self.login);
        let paths: Vec<Value> = access["paths"].as_array().into_iter().flatten().map(in_words).collect();
        self.output.list(&paths, PATHS, &none)
    }
}

impl Who {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let api = self.api.open().await?;
        let (owner, name) = &self.repo;
        let only = fields([("level", self.level.map(Level::word).into())]);
        let people = api.all("repos.listAccess", &[("owner", owner), ("repo", name)], only).await;
        let unknown = || format!("{owner} has no repository {name}");
        let people = people.map_err(|refused| refused.or_missing(unknown))?;
        let people = if self.output.is_json() { people } else { people.iter().map(strongest).collect() };
        self.output.list(&people, PEOPLE, "No person has access.")
    }
}

/// A person with their level and the path that gives it.
fn strongest(access: &Value) -> Value {
    let path = in_words(&access["paths"][0]);
    json!({ "login": access["login"], "level": path["level"], "through": path["through"] })
}

/// A path in the words of a table.
fn in_words(path: &Value) -> Value {
    let level = Level::of(text(&path["level"])).map(Level::role_name);
    let team = text(&path["team"]["name"]);
    let through = match text(&path["kind"]) {
        "owner" => "owner".to_owned(),
        "team" => format!("team {team}"),
        "parent_team" => format!("team {team}, from a child team"),
        "collaborator" => "collaborator".to_owned(),
        _ => "everyone".to_owned(),
    };
    json!({
        "level": level,
        "through": through,
        "granted_by": path["granted_by"],
        "granted_at": path["granted_at"],
    })
}
