//! A post or a comment as an entry of the page of a discussion.
//!
//! The page is bounded: it has at most one whole text, which has at most 65,535 characters, and the beginnings of the others.

use std::borrow::Cow;

use super::mentions::Mentioned;
use super::records::{Comment, Post, Text};
use crate::notices::reader::Reader;
use crate::posts::preview;

/// The most HTML of the texts of all comments on a page, in bytes. If they have more, long ones are cut.
const MOST: usize = 24_000;

/// The shortest beginning of a text that is shown, in bytes of its source.
const SHORTEST: usize = 100;

/// The HTML that each of these comments may have, in bytes.
pub(super) fn room(comments: &[Comment]) -> usize {
    let all: usize = comments.iter().map(|comment| comment.text.body_html.len()).sum();
    if all <= MOST { usize::MAX } else { MOST / comments.len() }
}

/// A reaction to an entry.
pub(super) struct Reaction {
    pub word: &'static str,
    pub name: &'static str,
    pub picture: &'static str,
    pub count: u64,
    /// The ID of the visitor's own.
    pub own: Option<i64>,
}

/// A post or a comment.
pub(super) struct Entry<'a> {
    /// The number of the comment; 0 for the post.
    pub number: i64,
    pub text: &'a Text,
    /// The text as safe HTML, or its beginning.
    pub html: Cow<'a, str>,
    /// True if that is only its beginning.
    pub is_cut: bool,
    /// True if the visitor may edit and delete it.
    pub edits: bool,
    pub reactions: Vec<Reaction>,
}

impl<'a> Entry<'a> {
    /// The post itself, which is cut while a comment is shown whole.
    pub fn of_post(post: &'a Post, reader: &Reader, whole: i64) -> Self {
        let entry = Self::of(0, &post.text, reader.edits, reader);
        if whole == 0 { entry } else { entry.cut(MOST / 15) }
    }

    /// A comment, which is cut if there is no room for it, unless the visitor wants to see it whole.
    pub fn of_comment(comment: &'a Comment, reader: &Reader, (whole, room): (i64, usize)) -> Self {
        let edits = reader.edits_comments.contains(&comment.number);
        let entry = Self::of(comment.number, &comment.text, edits, reader);
        if comment.number == whole { entry } else { entry.cut(room) }
    }

    /// The same with as much of its beginning as has at most this much HTML, in bytes.
    fn cut(self, room: usize) -> Self {
        if self.html.len() <= room {
            return self;
        }
        let source = &self.text.body;
        let mut most = room.min(source.len());
        loop {
            let html = preview::html(&source[..source.floor_char_boundary(most)]);
            if html.len() <= room || most < SHORTEST {
                return Self { html: html.into(), is_cut: true, ..self };
            }
            most /= 2;
        }
    }

    fn of(number: i64, text: &'a Text, edits: bool, reader: &Reader) -> Self {
        let own = |word: &str| reader.reactions.iter().find(|given| given.comment == number && given.content == word);
        let reaction = |(word, name, picture, count)| Reaction {
            word,
            name,
            picture,
            count,
            own: own(word).map(|given| given.id),
        };
        let html = text.body_html.as_str().into();
        Self { number, text, html, is_cut: false, edits, reactions: text.reactions.all().map(reaction).into() }
    }

    /// The same with links in place of mentions.
    pub fn linked(self, mentioned: &Mentioned) -> Self {
        Self { html: mentioned.linked(&self.html).into(), ..self }
    }

    /// The anchor of the entry.
    pub fn anchor(&self) -> String {
        if self.number == 0 { "post".to_owned() } else { format!("comment-{}", self.number) }
    }

    /// The path of the entry below that of its post.
    pub fn below(&self) -> String {
        if self.number == 0 { String::new() } else { format!("/comments/{}", self.number) }
    }

    /// The name of the entry in a sentence, for its buttons.
    pub fn named(&self) -> String {
        match (self.number, self.text.by()) {
            (0, _) => "This post".to_owned(),
            (number, Some(login)) => format!("Comment {number}, of {login}"),
            (number, None) => format!("Comment {number}, of a deleted account"),
        }
    }
}
