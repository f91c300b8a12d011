//! The pages on which a post or a comment is changed.

use askama::Template;
use serde_json::{Value, json};

use super::At;
use super::draft::Draft;
use super::records::{Comment, Post, Team, Text};
use crate::error::{Error, Result};
use crate::pages::guest::body;
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::posts::text;

/// The sentence for a text that has changed while it was being edited.
const CHANGED: &str = "The text was changed by another person while you wrote. Saving yours replaces theirs.";

/// The same for a title, before the title as it is now.
const RENAMED: &str = "The title was changed by another person while you wrote. Saving yours replaces theirs:";

/// A text that is being changed.
struct Edited<'a> {
    operation: &'static str,
    path: &'a [(&'a str, &'a str)],
    /// The path of its page below `/ui`, to which the form leads.
    to: String,
    /// The title; none for a comment.
    title: Option<String>,
    text: Text,
}

impl Edited<'_> {
    /// The version of all that the form writes.
    fn version(&self) -> String {
        let body = &self.text.body_version;
        self.title.as_ref().map_or_else(|| body.clone(), |title| text::version(&json!([title, body]).to_string()))
    }

    /// The problem of a form that showed another version, and that would replace what is there now.
    fn changed(&self, draft: &Draft) -> Option<Problem> {
        if draft.version == self.version() {
            return None;
        }
        if draft.body != self.text.body {
            return Some(Problem::at("body", CHANGED));
        }
        let title = self.title.as_ref().filter(|title| **title != draft.title)?;
        Some(Problem::at("title", format!("{RENAMED} \u{201c}{title}\u{201d}.")))
    }
}

/// The page on which a post is changed.
pub(super) async fn post(at: &At<'_>, number: &str) -> Result<Shown> {
    let path = at.post_path(number);
    let Post { title, text, .. } = at.guest.call("teams.getDiscussionInOrg", &path, body([])).await?;
    let to = format!("{}/{number}", at.board());
    let operation = "teams.updateDiscussionInOrg";
    answer(at, Edited { operation, path: &path, to, title: Some(title), text }).await
}

/// The page on which a comment is changed.
pub(super) async fn comment(at: &At<'_>, number: &str, comment: &str) -> Result<Shown> {
    let path = at.comment_path(number, comment);
    let Comment { text, .. } = at.guest.call("teams.getDiscussionCommentInOrg", &path, body([])).await?;
    let to = format!("{}/{number}/comments/{comment}", at.board());
    let operation = "teams.updateDiscussionCommentInOrg";
    answer(at, Edited { operation, path: &path, to, title: None, text }).await
}

async fn answer(at: &At<'_>, of: Edited<'_>) -> Result<Shown> {
    let form = at.guest.visit.form.as_ref();
    let Some(form) = form else {
        if !at.guest.may(of.operation, of.path).await? {
            return Err(Error::Forbidden("Only the author, maintainers of the team and owners may change it.".into()));
        }
        let draft = Draft {
            title: of.title.clone().unwrap_or_default(),
            body: of.text.body.clone(),
            version: of.version(),
            ..Draft::default()
        };
        return show(at, &of, draft).await;
    };
    let draft = Draft::typed(form);
    match form.get("do") {
        "preview" => return show(at, &of, draft.previewed(at).await?).await,
        "save" => {}
        _ => return Err(Error::NotFound),
    }
    let needed = [("title", "Enter a title."), ("body", "Enter a text.")];
    let problem = Problem::missing(form, if of.title.is_some() { &needed } else { &needed[1..] });
    if !problem.is_none() {
        return show(at, &of, Draft { problem, ..draft }).await;
    }
    if let Some(problem) = of.changed(&draft) {
        return show(at, &of, Draft { problem, version: of.version(), ..draft }).await;
    }
    let mut fields = body([("body", draft.body.clone().into())]);
    if of.title.is_some() {
        fields.insert("title".to_owned(), draft.title.clone().into());
    }
    match draft.write::<Value>(at.guest, of.operation, of.path, fields).await? {
        Ok(_) if of.title.is_some() => Ok(at.guest.see(&of.to, "saved")),
        Ok(_) => Ok(Shown::see(at.guest.visit.links.html_path(&of.to))),
        Err(draft) => show(at, &of, draft).await,
    }
}

async fn show(at: &At<'_>, of: &Edited<'_>, draft: Draft) -> Result<Shown> {
    let team = at.team().await?;
    let (frame, status) = (at.guest.frame()?, draft.problem.status());
    let to = at.guest.visit.links.html_path(&of.to);
    Shown::of(status, &Edit { frame, team, draft, is_post: of.title.is_some(), to })
}

#[derive(Template)]
#[template(path = "board/edit.html")]
struct Edit {
    frame: Frame,
    team: Team,
    draft: Draft,
    /// True for a post, false for a comment.
    is_post: bool,
    /// The path of the text on the host.
    to: String,
}
