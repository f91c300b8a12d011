//! A post or a comment as an entry of the page of a discussion.
//!
//! The page is bounded: it has at most one whole text, which has at most 65,535 characters, and the beginnings of the others.
//! A rendered text has at most four times the bytes of its source (`posts/measure.rs`).

use std::borrow::Cow;

use super::records::{Comment, Post, Text};
use crate::notices::reader::Reader;
use crate::posts::preview;

/// The longest source of a comment that is shown whole among others, in bytes.
const LONG: usize = 3_000;

/// The part of a longer one that is shown, in bytes.
const BEGINNING: usize = 2_000;

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
    /// The post itself.
    pub fn of_post(post: &'a Post, reader: &Reader) -> Self {
        Self::of(0, &post.text, reader.edits, reader)
    }

    /// A comment, of which a long one is cut unless the visitor wants to see it whole.
    pub fn of_comment(comment: &'a Comment, reader: &Reader, whole: i64) -> Self {
        let edits = reader.edits_comments.contains(&comment.number);
        let entry = Self::of(comment.number, &comment.text, edits, reader);
        let source = &comment.text.body;
        if source.len() <= LONG || comment.number == whole {
            return entry;
        }
        let beginning = &source[..source.floor_char_boundary(BEGINNING)];
        Self { html: preview::html(beginning).into(), is_cut: true, ..entry }
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
