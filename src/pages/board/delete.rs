//! The pages that ask before a post or a comment is deleted.

use askama::Template;
use serde_json::Value;

use super::At;
use super::list::beginning;
use super::records::{Comment, Post, Team};
use crate::error::{Error, Result};
use crate::pages::guest::body;
use crate::pages::layout::{Frame, Shown};

/// The page that asks before a post is deleted.
pub(super) async fn post(at: &At<'_>, number: &str) -> Result<Shown> {
    let (path, operation) = (at.post_path(number), "teams.deleteDiscussionInOrg");
    if at.guest.has_form() {
        at.guest.call::<Value>(operation, &path, body([])).await?;
        return Ok(at.guest.see(&at.board(), "deleted"));
    }
    let Post { title, comments_count, text, .. } = at.guest.call("teams.getDiscussionInOrg", &path, body([])).await?;
    let to = format!("{}/{number}", at.board());
    let reactions = text.reactions.total_count;
    ask(
        at,
        operation,
        &path,
        Asked { title: Some(title), text: beginning(&text.body_html), comments: comments_count, reactions, to },
    )
    .await
}

/// The page that asks before a comment is deleted.
pub(super) async fn comment(at: &At<'_>, number: &str, comment: &str) -> Result<Shown> {
    let (path, operation) = (at.comment_path(number, comment), "teams.deleteDiscussionCommentInOrg");
    if at.guest.has_form() {
        at.guest.call::<Value>(operation, &path, body([])).await?;
        return Ok(at.guest.see(&format!("{}/{number}", at.board()), "deleted"));
    }
    let Comment { text, .. } = at.guest.call("teams.getDiscussionCommentInOrg", &path, body([])).await?;
    let to = format!("{}/{number}/comments/{comment}", at.board());
    let (reactions, text) = (text.reactions.total_count, beginning(&text.body_html));
    ask(at, operation, &path, Asked { title: None, text, comments: 0, reactions, to }).await
}

/// The thing that is to be deleted.
struct Asked {
    /// The title of the post; none for a comment.
    title: Option<String>,
    /// The beginning of the text.
    text: String,
    comments: u64,
    reactions: u64,
    /// The path of its page below `/ui`.
    to: String,
}

async fn ask(at: &At<'_>, operation: &str, path: &[(&str, &str)], of: Asked) -> Result<Shown> {
    if !at.guest.may(operation, path).await? {
        return Err(Error::Forbidden("Only the author, maintainers of the team and owners may delete it.".into()));
    }
    let team = at.team().await?;
    let to = at.guest.visit.links.html_path(&of.to);
    Shown::of(200, &Delete { frame: at.guest.frame()?, team, of, to })
}

#[derive(Template)]
#[template(path = "board/delete.html")]
struct Delete {
    frame: Frame,
    team: Team,
    of: Asked,
    /// The path of its page on the host.
    to: String,
}

impl Delete {
    /// The words of the button: the thing, and what goes with it.
    fn named(&self) -> String {
        match (&self.of.title, self.of.comments) {
            (None, _) => "the comment".to_owned(),
            (Some(_), 0) => "the post".to_owned(),
            (Some(_), 1) => "the post and its comment".to_owned(),
            (Some(_), count) => format!("the post and its {count} comments"),
        }
    }
}
