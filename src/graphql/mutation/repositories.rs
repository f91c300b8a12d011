//! Mutations of repositories: what `gh repo create` and `gh repo archive` send.

use super::super::node::{decode, unresolved};
use super::super::running::{Failure, Resolved};
use super::super::value::Args;
use super::plan::{Plan, identifier, refused};
use crate::db::Tx;
use crate::people::user;

/// Creates a repository of an organization, or of the caller.
pub fn create(tx: &mut Tx, me: i64, input: Args) -> Resolved<Plan> {
    let plan = match input.text("ownerId") {
        None => own(input)?,
        Some(id) => match decode(id) {
            Some((kind, org)) if kind == "Organization" => in_org(org, id, input)?,
            Some((kind, user)) if kind == "User" && user == me => own(input)?,
            Some((kind, user)) if kind == "User" && user::by_id(tx, user)?.is_some() => {
                let text = "You cannot create a repository for another person. Leave out `ownerId`.";
                return Err(Failure::Field("FORBIDDEN", text.to_owned()));
            }
            _ => return Err(unresolved(id)),
        },
    };
    Ok(plan
        .with("name", input.text("name"))
        .with("description", input.text("description"))
        .with("homepage", input.text("homepageUrl"))
        .with("visibility", input.text("visibility").map(str::to_lowercase))
        .with("has_issues", input.flag("hasIssuesEnabled"))
        .with("has_wiki", input.flag("hasWikiEnabled"))
        .with("is_template", input.flag("template")))
}

fn in_org(org: i64, id: &str, input: Args) -> Resolved<Plan> {
    let team = input.text("teamId").map(|team| identifier(team, "Team")).transpose()?;
    Ok(Plan::new("repos.createInOrg", &[("org_id", org)], id).with("team_id", team))
}

fn own(input: Args) -> Resolved<Plan> {
    if input.text("teamId").is_some() {
        return Err(refused("`teamId` needs the ID of the team's organization in `ownerId`."));
    }
    Ok(Plan::new("repos.createForAuthenticatedUser", &[], ""))
}

/// Archives a repository.
pub fn archive(_: &mut Tx, _: i64, input: Args) -> Resolved<Plan> {
    set_archived(input, true)
}

/// Ends the archiving of a repository.
pub fn unarchive(_: &mut Tx, _: i64, input: Args) -> Resolved<Plan> {
    set_archived(input, false)
}

fn set_archived(input: Args, archived: bool) -> Resolved<Plan> {
    let id = input.text("repositoryId").unwrap_or_default();
    let repo = identifier(id, "Repository")?;
    Ok(Plan::new("repos.update", &[("repository_id", repo)], id).with("archived", Some(archived)))
}
