//! The board of a team: its discussions, and their comments (decisions 34 to 37).

mod delete;
mod discussion;
mod draft;
mod edit;
mod entry;
mod list;
mod mentions;
mod new;
mod records;

use self::draft::Draft;
use self::records::Team;
use super::guest::{Guest, body};
use super::layout::Shown;
use crate::error::{Error, Result};

/// The place of a page of the board.
struct At<'a> {
    guest: &'a Guest<'a>,
    org: &'a str,
    slug: &'a str,
}

/// Answers a visit to the room at this path below the board.
pub(super) async fn answer(guest: &Guest<'_>, [org, slug]: [&str; 2], below: &[&str]) -> Result<Shown> {
    let at = At { guest, org, slug };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    match (at.answer(below).await, &guest.visit.form) {
        (Err(error), Some(form)) if form.has("body") => Draft::typed(form).given_back(guest, error),
        (shown, _) => shown,
    }
}

impl<'a> At<'a> {
    async fn answer(&self, below: &[&str]) -> Result<Shown> {
        match *below {
            [] => list::answer(self).await,
            ["new"] => new::answer(self).await,
            [number] => discussion::answer(self, number).await,
            [number, "edit"] => edit::post(self, number).await,
            [number, "delete"] => delete::post(self, number).await,
            [number, "comments", comment] => discussion::lead_to(self, number, comment).await,
            [number, "comments", comment, "edit"] => edit::comment(self, number, comment).await,
            [number, "comments", comment, "delete"] => delete::comment(self, number, comment).await,
            _ => Err(Error::NotFound),
        }
    }

    /// The path parameters of the team.
    fn team_path(&self) -> [(&'static str, &'a str); 2] {
        [("org", self.org), ("team_slug", self.slug)]
    }

    /// The path parameters of a discussion.
    fn post_path<'p>(&'p self, number: &'p str) -> [(&'static str, &'p str); 3] {
        [("org", self.org), ("team_slug", self.slug), ("discussion_number", number)]
    }

    /// The path parameters of a comment.
    fn comment_path<'p>(&'p self, number: &'p str, comment: &'p str) -> [(&'static str, &'p str); 4] {
        let [org, slug, number] = self.post_path(number);
        [org, slug, number, ("comment_number", comment)]
    }

    /// The team.
    async fn team(&self) -> Result<Team> {
        self.guest.call("teams.getByName", &self.team_path(), body([])).await
    }

    /// The path of the board below `/ui`.
    fn board(&self) -> String {
        format!("/orgs/{}/teams/{}/discussions", crate::links::segment(self.org), crate::links::segment(self.slug))
    }

    /// The login of the visitor.
    fn me(&self) -> &str {
        self.guest.person.as_ref().map_or("", |person| person.login.as_str())
    }
}
