//! The records of operations, as far as pages of the board show them.

use serde::Deserialize;

use crate::clock::Time;
use crate::name::called;

/// A team.
#[derive(Deserialize)]
pub(super) struct Team {
    pub name: String,
    pub slug: String,
    pub organization: Organization,
    pub parent: Option<Parent>,
}

#[derive(Deserialize)]
pub(super) struct Organization {
    pub login: String,
    name: Option<String>,
}

impl Organization {
    /// The name, or the login if there is none.
    pub fn called(&self) -> &str {
        called(self.name.as_deref(), &self.login)
    }
}

#[derive(Deserialize)]
pub(super) struct Parent {
    pub name: String,
    pub slug: String,
}

/// A discussion.
#[derive(Deserialize)]
pub(super) struct Post {
    pub number: i64,
    pub title: String,
    pub private: bool,
    pub pinned: bool,
    pub comments_count: u64,
    #[serde(flatten)]
    pub text: Text,
}

/// A discussion in a list. Reading it takes much less than reading all of a [`Post`].
#[derive(Deserialize)]
pub(super) struct Line {
    pub number: i64,
    pub title: String,
    pub private: bool,
    pub pinned: bool,
    pub comments_count: u64,
    pub author: Option<Author>,
    pub body_html: String,
    pub created_at: Time,
    pub reactions: Reactions,
}

#[derive(Deserialize)]
pub(super) struct Reactions {
    pub total_count: u64,
}

/// A comment.
#[derive(Deserialize)]
pub(super) struct Comment {
    pub number: i64,
    #[serde(flatten)]
    pub text: Text,
}

/// A text, with its author and the reactions to it.
#[derive(Deserialize)]
pub(super) struct Text {
    pub author: Option<Author>,
    pub body: String,
    pub body_html: String,
    pub body_version: String,
    pub created_at: Time,
    pub last_edited_at: Option<Time>,
    pub reactions: Rollup,
}

impl Text {
    /// The login of the author; none if the account was deleted.
    pub fn by(&self) -> Option<&str> {
        self.author.as_ref().map(|author| author.login.as_str())
    }
}

#[derive(Deserialize)]
pub(super) struct Author {
    pub login: String,
}

/// The number of reactions of each kind.
#[derive(Deserialize)]
pub(super) struct Rollup {
    pub total_count: u64,
    #[serde(rename = "+1")]
    thumbs_up: u64,
    #[serde(rename = "-1")]
    thumbs_down: u64,
    laugh: u64,
    hooray: u64,
    confused: u64,
    heart: u64,
    rocket: u64,
    eyes: u64,
}

impl Rollup {
    /// The reactions: the word of each, its name, its picture, and the number.
    pub fn all(&self) -> [(&'static str, &'static str, &'static str, u64); 8] {
        [
            ("+1", "Thumbs up", "\u{1f44d}", self.thumbs_up),
            ("-1", "Thumbs down", "\u{1f44e}", self.thumbs_down),
            ("laugh", "Laugh", "\u{1f604}", self.laugh),
            ("hooray", "Hooray", "\u{1f389}", self.hooray),
            ("confused", "Confused", "\u{1f615}", self.confused),
            ("heart", "Heart", "\u{2764}\u{fe0f}", self.heart),
            ("rocket", "Rocket", "\u{1f680}", self.rocket),
            ("eyes", "Eyes", "\u{1f440}", self.eyes),
        ]
    }
}
