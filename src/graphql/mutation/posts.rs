//! Mutations of the discussions of teams and of their comments.

use super::super::node::unresolved;
use super::super::running::Resolved;
use super::super::value::Args;
use super::plan::{Plan, identifier, required};
use crate::db::Tx;
use crate::dispatch::Condition;
use crate::error::{Error, Result};
use crate::posts::places;

/// Creates a discussion.
pub fn create(_: &mut Tx, _: i64, input: Args) -> Resolved<Plan> {
    let id = required(input, "teamId")?;
    let team = identifier(id, "Team")?;
    let plan = Plan::new("teams.createDiscussionInOrg", &[("team_id", team)], id);
    Ok(plan.with("title", input.text("title")).with("body", input.text("body")).with("private", input.flag("private")))
}

/// Updates a discussion. The operation with which the API updates one cannot pin it.
pub fn update(tx: &mut Tx, _: i64, input: Args) -> Resolved<Plan> {
    let pinned = input.flag("pinned");
    let operation = if pinned.is_some() { "discussions.pin" } else { "teams.updateDiscussionInOrg" };
    let plan = of_discussion(operation, tx, required(input, "id")?)?;
    let plan = plan.with("title", input.text("title")).with("body", input.text("body")).with("pinned", pinned);
    if_current(plan, input, "TeamDiscussion", places::discussion_version)
}

/// Deletes a discussion.
pub fn delete(tx: &mut Tx, _: i64, input: Args) -> Resolved<Plan> {
    of_discussion("teams.deleteDiscussionInOrg", tx, required(input, "id")?)
}

/// Creates a comment.
pub fn create_comment(tx: &mut Tx, _: i64, input: Args) -> Resolved<Plan> {
    let plan = of_discussion("teams.createDiscussionCommentInOrg", tx, required(input, "discussionId")?)?;
    Ok(plan.with("body", input.text("body")))
}

/// Updates a comment.
pub fn update_comment(tx: &mut Tx, _: i64, input: Args) -> Resolved<Plan> {
    let plan = of_comment("teams.updateDiscussionCommentInOrg", tx, required(input, "id")?)?;
    let plan = plan.with("body", input.text("body"));
    if_current(plan, input, "TeamDiscussionComment", places::comment_version)
}

/// Deletes a comment.
pub fn delete_comment(tx: &mut Tx, _: i64, input: Args) -> Resolved<Plan> {
    of_comment("teams.deleteDiscussionCommentInOrg", tx, required(input, "id")?)
}

fn of_discussion(operation: &'static str, tx: &mut Tx, id: &str) -> Resolved<Plan> {
    let found = places::discussion(tx, identifier(id, "TeamDiscussion")?)?;
    let (team, number) = found.ok_or_else(|| unresolved(id))?;
    Ok(Plan::new(operation, &[("team_id", team), ("discussion_number", number)], id))
}

fn of_comment(operation: &'static str, tx: &mut Tx, id: &str) -> Resolved<Plan> {
    let found = places::comment(tx, identifier(id, "TeamDiscussionComment")?)?;
    let (team, discussion, number) = found.ok_or_else(|| unresolved(id))?;
    let path = [("team_id", team), ("discussion_number", discussion), ("comment_number", number)];
    Ok(Plan::new(operation, &path, id))
}

/// Makes a change conditional: if the client sends the version of the text that it has read, the text must still have
/// that version.
fn if_current(
    plan: Plan,
    input: Args,
    kind: &str,
    version: fn(&mut Tx, i64) -> Result<Option<String>>,
) -> Resolved<Plan> {
    let Some(known) = input.text("bodyVersion").map(str::to_owned) else { return Ok(plan) };
    let id = identifier(&plan.subject, kind)?;
    let condition: Condition = Box::new(move |tx| {
        if version(tx, id)?.is_none_or(|current| current == known) {
            return Ok(());
        }
        Err(Error::sentence("The text has changed since `bodyVersion`. Read it again before you change it."))
    });
    Ok(Plan { condition: Some(condition), ..plan })
}
