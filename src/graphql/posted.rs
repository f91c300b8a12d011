//! Posts on the boards of teams and comments on them, as the caller sees them. What a page of them needs is read at once.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::running::Running;
use crate::error::Result;
use crate::policy::{Fact, Standing, edits_post};
use crate::posts::places::{self, DiscussionHead, Head};
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
    /// Their authors, whose profiles are read together.
    pub authors: Rc<[i64]>,
    ids: Vec<i64>,
    texts: OnceCell<HashMap<i64, Texts>>,
}

/// The long texts of a post or a comment.
#[derive(Debug)]
pub struct Texts {
    /// Text, in Markdown.
    pub body: String,
    /// Text, rendered as HTML.
    pub html: String,
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
    pub fn texts(&self, run: &Running, of: Kind) -> Result<&HashMap<i64, Texts>> {
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
    pub fn lets_edit(&self, run: &Running, head: &Head) -> bool {
        edits_post().rule.holds(self.standing.with(Fact::Author, is_mine(run, head)))
    }
}

/// Whether the caller has written this post or comment.
pub fn is_mine(run: &Running, head: &Head) -> bool {
    head.author.as_ref().is_some_and(|author| author.id == run.me)
}

/// What is on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Discussions.
    Discussion,
    /// Comments.
    Comment,
}
