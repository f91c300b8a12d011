//! What the rows of a discussion and of a comment have in common.

use super::sums::{Content as Reaction, Sums};
use super::text::Body;
use crate::clock::Time;
use crate::db::{FromRow, Row};
use crate::error::Result;
use crate::operation::Person;
use crate::people::user::User;

/// The columns of [`Content`], from a table with the alias `p` and its author with the alias `u`.
macro_rules! content_columns {
    () => {
        "p.number, p.body, p.body_version, p.body_html, p.created_at, p.updated_at, p.last_edited_at, \
         p.thumbs_up, p.thumbs_down, p.laugh, p.hooray, p.confused, p.heart, p.rocket, p.eyes, \
         u.id, u.login, u.site_admin"
    };
}
pub(super) use content_columns;

/// The number of these columns: the other columns of a row begin at this index.
pub const COLUMNS: usize = 18;

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

/// A text that a user wrote, as it is stored.
#[derive(Debug, Clone)]
pub struct Content {
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
    /// When the text changed last, if it did.
    pub last_edited_at: Option<Time>,
    /// The reactions to it.
    pub reactions: Sums,
    /// The author, unless the account is gone.
    pub author: Option<User>,
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

impl FromRow for Content {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let last_edited_at: Option<i64> = row.get(6)?;
        Ok(Self {
            number: row.get(0)?,
            body: row.get(1)?,
            body_version: row.get(2)?,
            body_html: row.get(3)?,
            created_at: Time(row.get(4)?),
            updated_at: Time(row.get(5)?),
            last_edited_at: last_edited_at.map(Time),
            reactions: Sums::read(row, 7)?,
            author: person(row, 7 + Reaction::ALL.len())?,
        })
    }
}

/// The author or the editor, read from the columns that begin at this index, unless the account is gone.
pub fn person(row: &Row<'_>, first: usize) -> Result<Option<User>> {
    let id: Option<i64> = row.get(first)?;
    let Some(id) = id else { return Ok(None) };
    Ok(Some(User { id, login: row.get(first + 1)?, site_admin: row.get(first + 2)?, suspended: false }))
}
