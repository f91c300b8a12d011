//! The columns that the rows of discussions and of comments share.

use super::sums::Sums;
use super::text::Body;
use crate::clock::Time;
use crate::db::row;
use crate::operation::Person;
use crate::people::user::{self, User};

/// The statement that replaces the text of a row of this table, by this editor.
macro_rules! rewrite {
    ($table:literal) => {
        concat!(
            "UPDATE ",
            $table,
            " SET body = $2, body_version = $3, body_html = $4, editor_id = $6,
                  last_edited_at = CASE WHEN updated_at > $5 THEN updated_at ELSE $5 END,
                  updated_at = CASE WHEN updated_at > $5 THEN updated_at ELSE $5 END
              WHERE id = $1"
        )
    };
}
pub(super) use rewrite;

row! {
    /// A text that a user wrote, as it is stored.
    #[derive(Debug, Clone)]
    pub struct Content from "p" {
        /// Its number in the team or in the discussion.
        pub number: i64,
        /// Text, in Markdown.
        pub body: String,
        /// MD5 hash of the text.
        pub body_version: String,
        /// Text, rendered as HTML.
        pub body_html: String,
        /// Creation time.
        pub created_at: Time,
        /// Time of the last change.
        pub updated_at: Time,
        /// The time at which the text changed last, if it did.
        pub last_edited_at: Option<Time>,
        /// The reactions to it.
        pub reactions: Sums = Sums::COLUMNS,
        /// The author, unless the account is gone.
        pub author: Option<User> = "u.id, u.login, u.site_admin" => user::joined,
    }
}

impl Content {
    /// A text that this person has just written, with the values of its new row, so that the row is not read again.
    #[must_use]
    pub fn new(number: i64, text: &Body, at: Time, author: &Person) -> Self {
        let author =
            User { id: author.id, login: author.login.to_string(), site_admin: author.site_admin, suspended: false };
        Self {
            number,
            body: text.text.clone(),
            body_version: text.version.clone(),
            body_html: text.html.clone(),
            created_at: at,
            updated_at: at,
            last_edited_at: None,
            reactions: Sums::default(),
            author: Some(author),
        }
    }
}
