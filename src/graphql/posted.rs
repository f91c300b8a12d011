//! Posts on the boards of teams and comments on them, as the caller sees them. What a page of them needs is read at once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::running::Running;
use crate::error::{Error, Result};
use crate::policy::{Fact, Standing};
use crate::posts::places::{self, DiscussionHead, Head};
use crate::teams::team::SeenTeam;

/// The number of texts that are read together. Each may be a megabyte long.
const TOGETHER: usize = 10;

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

/// The facts that the posts or the comments on a page share, and the data that is read for all of them together.
#[derive(Debug)]
pub struct Page {
    /// Their team.
    pub team: SeenTeam,
    /// The caller's standing to the team.
    pub standing: Standing,
    /// Their authors and editors, whose profiles are read together.
    pub people: Rc<[i64]>,
    ids: Vec<i64>,
    /// The texts that were read last.
    texts: RefCell<HashMap<i64, Rc<Texts>>>,
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
    /// A page of these posts or comments. The author of a discussion has no rights over the comments on it.
    pub fn new<'a>(team: SeenTeam, standing: Standing, heads: impl Iterator<Item = &'a Head> + Clone) -> Rc<Self> {
        let people = heads.clone().flat_map(|head| [&head.author, &head.editor]).flatten();
        let mut people: Vec<i64> = people.map(|person| person.id).collect();
        people.sort_unstable();
        people.dedup();
        let ids = heads.map(|head| head.id).collect();
        let standing = standing.without(Fact::Author);
        Rc::new(Self { team, standing, ids, people: people.into(), texts: RefCell::default() })
    }

    /// The texts of one of them. Those of the next few are read with them, and the previous ones are dropped.
    pub fn texts(&self, run: &Running, of: Kind, id: i64) -> Result<Rc<Texts>> {
        if let Some(texts) = self.texts.borrow().get(&id) {
            return Ok(Rc::clone(texts));
        }
        let read = match of {
            Kind::Discussion => places::discussion_texts,
            Kind::Comment => places::comment_texts,
        };
        let next: Vec<i64> = self.ids.iter().copied().skip_while(|one| *one != id).take(TOGETHER).collect();
        let found = run.look(|cx| read(cx.tx, &next))?;
        let texts = found.into_iter().map(|(id, body, html)| (id, Rc::new(Texts { body, html })));
        self.texts.replace(texts.collect());
        self.texts.borrow().get(&id).cloned().ok_or_else(|| Error::Bug("a post without a text".into()))
    }

    /// True if the caller may change this post or comment.
    pub fn lets_edit(&self, run: &Running, of: Kind, head: &Head) -> bool {
        let update = match of {
            Kind::Discussion => &run.rules.update_discussion,
            Kind::Comment => &run.rules.update_comment,
        };
        update.who_may.rule.holds(self.standing.with(Fact::Author, is_mine(run, head)))
    }

    /// True if the caller may pin these discussions.
    pub fn lets_pin(&self, run: &Running) -> bool {
        run.rules.pin_discussion.who_may.rule.holds(self.standing)
    }
}

/// True if the caller has written this post or comment.
pub fn is_mine(run: &Running, head: &Head) -> bool {
    head.author.as_ref().is_some_and(|author| author.id == run.me)
}

/// The kind of post on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Discussions.
    Discussion,
    /// Comments.
    Comment,
}
