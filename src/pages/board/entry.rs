//! A post or a comment as an entry of the page of a discussion.

use super::records::{Comment, Post, Text};
use crate::notices::reader::Reader;

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
    /// True if the visitor may edit and delete it.
    pub edits: bool,
    pub reactions: Vec<Reaction>,
}

impl<'a> Entry<'a> {
    /// The post itself.
    pub fn of_post(post: &'a Post, reader: &Reader) -> Self {
        Self::of(0, &post.text, reader.edits, reader)
    }

    /// A comment.
    pub fn of_comment(comment: &'a Comment, reader: &Reader) -> Self {
        Self::of(comment.number, &comment.text, reader.edits_comments.contains(&comment.number), reader)
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
        Self { number, text, edits, reactions: text.reactions.all().map(reaction).into() }
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
