//! `guildhall team tree`.

use std::collections::HashMap;

use serde_json::Value;

use super::all;
use crate::cli::api::{ApiFlags, text};
use crate::cli::table::Output;
use crate::cli::{Failure, complete, in_one_line};

const TREE: &str = "\
With --json, each team also has `depth`, the number of teams above it.

Examples:
  guildhall team tree acme
  guildhall team tree acme --json";

/// Show the teams of an organization as a tree.
#[derive(clap::Args)]
#[command(after_help = TREE)]
pub struct Tree {
    /// Login of the organization.
    #[arg(value_name = "ORG", add = complete::orgs())]
    org: String,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    api: ApiFlags,
}

impl Tree {
    /// Runs the command.
    pub async fn run(self) -> Result<(), Failure> {
        let teams = in_tree_order(all(&self.api.open().await?, &self.org).await?);
        let none = format!("{} has no team. `guildhall team create` makes one.\n", self.org);
        self.output.records(&teams, || if teams.is_empty() { none } else { teams.iter().map(line).collect() })
    }
}

/// Parents before their children, each with its depth. Children stay in the order of the list.
fn in_tree_order(teams: Vec<Value>) -> Vec<Value> {
    let mut children: HashMap<i64, Vec<Value>> = HashMap::new();
    for team in teams.into_iter().rev() {
        children.entry(team["parent"]["id"].as_i64().unwrap_or(0)).or_default().push(team);
    }
    let mut ordered = Vec::new();
    let mut next: Vec<(usize, Value)> = below(&mut children, 0, 0).collect();
    while let Some((depth, mut team)) = next.pop() {
        next.extend(below(&mut children, team["id"].as_i64().unwrap_or(0), depth + 1));
        team["depth"] = depth.into();
        ordered.push(team);
    }
    ordered
}

/// The child teams of a team, the last first.
fn below(children: &mut HashMap<i64, Vec<Value>>, parent: i64, depth: usize) -> impl Iterator<Item = (usize, Value)> {
    children.remove(&parent).unwrap_or_default().into_iter().map(move |team| (depth, team))
}

fn line(team: &Value) -> String {
    let indent = "  ".repeat(team["depth"].as_u64().unwrap_or(0).try_into().unwrap_or(0));
    let (slug, name) = (text(&team["slug"]), text(&team["name"]));
    let secret = if text(&team["privacy"]) == "secret" { ", secret" } else { "" };
    format!("{indent}{} ({}{secret})\n", in_one_line(name), slug)
}
