//! The boards of teams: lists of discussions and of their comments, single discussions, and single comments.

use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::Arc;

use super::org::numbered;
use super::page::{Item, Listing, Position};
use super::posted::{Comment, Discussion, Page};
use super::running::{Resolved, Running};
use super::value::{Args, Out, Thing};
use crate::error::{Error, Result};
use crate::operation::{Cx, Path, Subject};
use crate::policy::{Standing, sees_private_posts};
use crate::posts::comment::Comment as CommentSubject;
use crate::posts::discussion::Discussion as DiscussionSubject;
use crate::posts::places::{self, DiscussionHead, Head, Place};
use crate::teams::team::SeenTeam;

impl Position for Place {
    fn write(&self) -> String {
        format!("{} {}", self.0, self.1)
    }

    fn read(text: &str) -> Option<Self> {
        let (number, id) = text.split_once(' ')?;
        Some((number.parse().ok()?, id.parse().ok()?))
    }

    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }
}

fn ids(places: &[Place]) -> Vec<i64> {
    places.iter().map(|(_, id)| *id).collect()
}

/// The discussions of a team that the caller sees, newest first unless another order is chosen.
pub fn discussions(run: &Running, team: &SeenTeam, args: Args) -> Resolved<Out<'static>> {
    let (_, standing) = run.with_standing(team)?;
    let sees_private = sees_private_posts().holds(standing);
    let pinned = args.flag("isPinned");
    let of_team = |cx: &mut Cx| places::of_team(cx.tx, team.id, sees_private);
    let pins = |cx: &mut Cx| places::pinned(cx.tx, team.id, sees_private);
    let mut all = if pinned == Some(true) { run.look(pins)? } else { run.look(of_team)? };
    if pinned == Some(false) {
        let pins = run.look(pins)?;
        all.retain(|place| !pins.contains(place));
    }
    let descending = args.order("orderBy").is_none_or(|(_, descending)| descending);
    if descending {
        all.reverse();
    }
    let kinds = ("TeamDiscussionConnection", "TeamDiscussionEdge");
    let listing = Listing { kinds, field: "discussions", of: team.id, order: "CREATED_AT", places: &all, descending };
    listing.page(args, |page, _| {
        let rows = run.look(|cx| places::discussions(cx.tx, &ids(page)))?;
        Ok(on_page(team, standing, rows).map(|discussion| (Thing::Discussion(discussion), None)).collect())
    })
}

fn on_page(team: &SeenTeam, standing: Standing, rows: Vec<DiscussionHead>) -> impl Iterator<Item = Discussion> {
    let page = Page::new(team.clone(), standing, rows.iter().map(|row| &row.head));
    rows.into_iter().map(move |row| Discussion { row: row.into(), page: Rc::clone(&page) })
}

/// The comments of a discussion, oldest first unless another order is chosen.
pub fn comments(run: &Running, discussion: &Discussion, args: Args) -> Resolved<Out<'static>> {
    let id = discussion.row.head.id;
    let mut all = run.look(|cx| places::of_discussion(cx.tx, id))?;
    let descending = args.order("orderBy").is_some_and(|(_, descending)| descending);
    if descending {
        all.reverse();
    }
    if let Some(first) = args.number("fromComment") {
        all.retain(|(number, _)| if descending { *number <= first } else { *number >= first });
    }
    let kinds = ("TeamDiscussionCommentConnection", "TeamDiscussionCommentEdge");
    let listing = Listing { kinds, field: "comments", of: id, order: "NUMBER", places: &all, descending };
    listing.page(args, |page, _| {
        let rows = run.look(|cx| places::comments(cx.tx, &ids(page)))?;
        Ok(comments_on_page(discussion, rows).map(|comment| -> Item { (Thing::Comment(comment), None) }).collect())
    })
}

fn comments_on_page(discussion: &Discussion, rows: Vec<Head>) -> impl Iterator<Item = Comment> {
    let Page { team, standing, .. } = &*discussion.page;
    let page = Page::new(team.clone(), *standing, rows.iter());
    let discussion = discussion.clone();
    let comment = move |row: Head| Comment { row: row.into(), discussion: discussion.clone(), page: Rc::clone(&page) };
    rows.into_iter().map(comment)
}

/// The discussion of a team with this number, if the caller sees it.
pub fn discussion(run: &Running, team: &SeenTeam, number: i64) -> Resolved<Out<'static>> {
    let path = path(team.id, &[("discussion_number", number)]);
    Out::one(run.find(|cx| one(cx, &path))?.map(Thing::Discussion))
}

fn path(team: i64, numbers: &[(&str, i64)]) -> Path {
    let mut path = numbered("team_id", team);
    path.0.extend(numbers.iter().map(|(name, number)| (Arc::from(*name), number.to_string())));
    path
}

fn one(cx: &mut Cx, path: &Path) -> Result<Discussion> {
    let of = |(found, _): &(DiscussionSubject, Standing)| Some(found.team.org_id);
    let (subject, standing) = cx.find_toward(of, |cx| DiscussionSubject::find(cx, path))?;
    let rows = places::discussions(cx.tx, &[subject.id])?;
    on_page(&subject.team, standing, rows).next().ok_or(Error::NotFound)
}

/// The discussion with this ID; 404 if the caller does not see it.
pub fn by_id(run: &Running, cx: &mut Cx, id: i64) -> Result<Discussion> {
    reads_posts(run, cx)?;
    let (team, number) = places::discussion(cx.tx, id)?.ok_or(Error::NotFound)?;
    one(cx, &path(team, &[("discussion_number", number)]))
}

/// The comment with this ID; 404 if the caller does not see it.
pub fn comment_by_id(run: &Running, cx: &mut Cx, id: i64) -> Result<Comment> {
    reads_posts(run, cx)?;
    let (team, discussion, number) = places::comment(cx.tx, id)?.ok_or(Error::NotFound)?;
    let path = path(team, &[("discussion_number", discussion), ("comment_number", number)]);
    let discussion = one(cx, &path)?;
    let (subject, _) = CommentSubject::find(cx, &path)?;
    let rows = places::comments(cx.tx, &[subject.id])?;
    comments_on_page(&discussion, rows).next().ok_or(Error::NotFound)
}

fn reads_posts(run: &Running, cx: &Cx) -> Result<()> {
    let reads = cx.caller.token.as_ref().is_some_and(|token| run.rules.discussions.scopes.satisfied_by(token.scopes));
    if reads { Ok(()) } else { Err(Error::NotFound) }
}
