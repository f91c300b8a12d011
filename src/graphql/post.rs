//! Posts on the boards of teams and comments on them: their fields.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::board;
use super::person;
use super::running::{Resolved, Running};
use super::value::{Args, Out, Thing};
use crate::error::{Error, Result};
use crate::links::node_id;
use crate::policy::{Fact, Standing, edits_post};
use crate::posts::places::{self, DiscussionHead, Head};
use crate::posts::record::{comment_page, page};
use crate::posts::words::words;
use crate::teams::team::SeenTeam;

/// A discussion that the caller sees.
#[derive(Debug, Clone)]
pub struct Discussion {
    /// Its row.
    pub row: Rc<DiscussionHead>,
    /// The page that it is on.
    pub page: Rc<Page>,
}

/// A comment that the caller sees.
#[derive(Debug, Clone)]
pub struct Comment {
    /// Its row.
    pub row: Rc<Head>,
    /// The discussion that it belongs to.
    pub discussion: Discussion,
    /// The page that it is on.
    pub page: Rc<Page>,
}

/// What the posts or the comments on a page have in common, and what is read of all of them together.
#[derive(Debug)]
pub struct Page {
    /// Their team.
    pub team: SeenTeam,
    /// The caller's standing to the team.
    pub standing: Standing,
    ids: Vec<i64>,
    authors: Rc<[i64]>,
    texts: OnceCell<HashMap<i64, Texts>>,
}

#[derive(Debug)]
struct Texts {
    body: String,
    html: String,
}

impl Page {
    /// A page of these posts or comments. Who has written what the page belongs to does not matter for them.
    pub fn new<'a>(team: SeenTeam, standing: Standing, heads: impl Iterator<Item = &'a Head> + Clone) -> Rc<Self> {
        let mut authors: Vec<i64> = heads.clone().filter_map(|head| Some(head.author.as_ref()?.id)).collect();
        authors.sort_unstable();
        authors.dedup();
        let ids = heads.map(|head| head.id).collect();
        let standing = standing.without(Fact::Author);
        Rc::new(Self { team, standing, ids, authors: authors.into(), texts: OnceCell::new() })
    }

    /// The texts of all of them, read when the first is selected.
    fn texts(&self, run: &Running, of: Kind) -> Result<&HashMap<i64, Texts>> {
        if let Some(texts) = self.texts.get() {
            return Ok(texts);
        }
        let read = match of {
            Kind::Discussion => places::discussion_texts,
            Kind::Comment => places::comment_texts,
        };
        let found = run.look(|cx| read(cx.tx, &self.ids))?;
        let texts = found.into_iter().map(|(id, body, html)| (id, Texts { body, html })).collect();
        Ok(self.texts.get_or_init(|| texts))
    }

    /// Whether the caller may change this post or comment.
    fn lets_edit(&self, run: &Running, head: &Head) -> bool {
        edits_post().rule.holds(self.standing.with(Fact::Author, is_mine(run, head)))
    }
}

fn is_mine(run: &Running, head: &Head) -> bool {
    head.author.as_ref().is_some_and(|author| author.id == run.me)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Discussion,
    Comment,
}

/// A field of a discussion.
pub fn field(run: &Running, discussion: &Discussion, name: &str, args: Args) -> Resolved<Out> {
    let Discussion { row, page } = discussion;
    match name {
        "title" => Out::leaf(row.title.clone()),
        "isPrivate" => Out::leaf(row.private),
        // There are no pins here.
        "isPinned" | "viewerCanPin" => Out::leaf(false),
        "team" => Ok(Out::One(Thing::Team(page.team.clone()))),
        "comments" => board::comments(run, discussion, args),
        "id" => Out::leaf(node_id("TeamDiscussion", row.head.id)),
        "url" => Out::leaf(run.links.html(&self::page(&page.team, row.head.number))),
        "resourcePath" => Out::leaf(run.links.html_path(&self::page(&page.team, row.head.number))),
        _ => content(run, page, &row.head, Kind::Discussion, name),
    }
}

/// A field of a comment.
pub fn comment_field(run: &Running, comment: &Comment, name: &str) -> Resolved<Out> {
    let Comment { row, discussion, page } = comment;
    let path = || comment_page(&page.team, discussion.row.head.number, row.number);
    match name {
        "discussion" => Ok(Out::One(Thing::Discussion(discussion.clone()))),
        "id" => Out::leaf(node_id("TeamDiscussionComment", row.id)),
        "url" => Out::leaf(run.links.html(&path())),
        "resourcePath" => Out::leaf(run.links.html_path(&path())),
        _ => content(run, page, row, Kind::Comment, name),
    }
}

/// A field that both have.
fn content(run: &Running, page: &Page, head: &Head, kind: Kind, name: &str) -> Resolved<Out> {
    let texts = || page.texts(run, kind)?.get(&head.id).ok_or_else(|| Error::Bug("a post without a text".into()));
    match name {
        "databaseId" => Out::database_id(head.id),
        "number" => Out::leaf(head.number),
        "body" => Out::leaf(texts()?.body.clone()),
        "bodyHTML" => Out::leaf(texts()?.html.clone()),
        "bodyText" => Out::leaf(words(&texts()?.html)),
        "bodyVersion" => Out::leaf(head.version.clone()),
        "author" => Out::one(head.author.as_ref().map(|author| person::on_page(author, &page.authors))),
        "createdAt" | "publishedAt" => Out::leaf(head.created_at.to_string()),
        "updatedAt" => Out::leaf(head.updated_at.to_string()),
        "lastEditedAt" => Out::maybe(head.last_edited_at.map(|time| time.to_string())),
        "viewerDidAuthor" => Out::leaf(is_mine(run, head)),
        "viewerCanUpdate" | "viewerCanDelete" => Out::leaf(page.lets_edit(run, head)),
        // It is not stored who has edited a text.
        _ => Ok(Out::NULL),
    }
}
