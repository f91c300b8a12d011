//! The page on which a post is written.

use askama::Template;

use super::At;
use super::draft::Draft;
use super::records::{Post, Team};
use crate::error::{Error, Result};
use crate::notices::board::Board;
use crate::operation::Page;
use crate::pages::guest::{Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;

/// The newest posts, among which one that was sent twice is.
const NEWEST: Page = Page { number: 1, per_page: 5 };

/// Answers a visit to the page.
pub(super) async fn answer(at: &At<'_>) -> Result<Shown> {
    let Some(form) = &at.guest.visit.form else { return show(at, Draft::default()).await };
    let draft = Draft::typed(form);
    if form.get("do") == "preview" {
        return show(at, draft.previewed(at).await?).await;
    }
    if form.get("do") != "post" {
        return Err(Error::NotFound);
    }
    let problem = Problem::missing(form, &[("title", "Enter a title."), ("body", "Enter a text.")]);
    if !problem.is_none() {
        return show(at, Draft { problem, ..draft }).await;
    }
    if let Some(post) = repeated(at, &draft).await? {
        return Ok(posted(at, &post));
    }
    let fields = body([
        ("title", draft.title.clone().into()),
        ("body", draft.body.clone().into()),
        ("private", draft.private.into()),
    ]);
    match draft.write::<Post>(at.guest, "teams.createDiscussionInOrg", &at.team_path(), fields).await? {
        Ok(post) => Ok(posted(at, &post)),
        Err(draft) => show(at, draft).await,
    }
}

/// The same post, if the visitor has written it a moment ago.
async fn repeated(at: &At<'_>, draft: &Draft) -> Result<Option<Post>> {
    let newest: Listed<Post> = at.guest.list("teams.listDiscussionsInOrg", &at.team_path(), body([]), NEWEST).await?;
    let is_same = |post: &Post| {
        at.is_repeated(post.text.by(), post.text.created_at)
            && (post.title.as_str(), post.text.body.as_str(), post.private)
                == (draft.title.as_str(), draft.body.as_str(), draft.private)
    };
    Ok(newest.items.into_iter().find(is_same))
}

fn posted(at: &At<'_>, post: &Post) -> Shown {
    at.guest.see(&format!("{}/{}", at.board(), post.number), "posted")
}

async fn show(at: &At<'_>, draft: Draft) -> Result<Shown> {
    let (team, path) = (at.team().await?, at.team_path());
    if !at.guest.may("teams.createDiscussionInOrg", &path).await? {
        return Err(Error::Forbidden("You may not write on this board.".into()));
    }
    let board: Board = at.guest.call("boards.look", &path, body([])).await?;
    Shown::of(draft.problem.status(), &New { frame: at.guest.frame()?, team, draft, writes_private: board.private })
}

#[derive(Template)]
#[template(path = "board/new.html")]
struct New {
    frame: Frame,
    team: Team,
    draft: Draft,
    /// True if the visitor may write a private post.
    writes_private: bool,
}
