//! Posts and comments for connections: their places in the order of a list, and the posts at some of these places
//! without their long texts (decision 60). What is listed is the same as in the lists of `discussions.rs` and
//! `comments.rs`.

use std::collections::HashMap;

use crate::clock::Time;
use crate::db::{ByIds, Tx, by_ids, row};
use crate::error::Result;
use crate::people::user::{self, User};

/// The number and the ID of a post or a comment.
pub type Place = (i64, i64);

/// The discussions of a team, oldest first, with or without the private ones.
pub fn of_team(tx: &mut Tx, team: i64, sees_private: bool) -> Result<Vec<Place>> {
    tx.all(if sees_private { DISCUSSIONS } else { PUBLIC_DISCUSSIONS }, &[&team])
}

const DISCUSSIONS: &str = "SELECT number, id FROM discussions WHERE team_id = $1 ORDER BY number";
const PUBLIC_DISCUSSIONS: &str =
    "SELECT number, id FROM discussions WHERE team_id = $1 AND private = FALSE ORDER BY number";

/// The pinned discussions of a team, oldest first, with or without the private ones.
pub fn pinned(tx: &mut Tx, team: i64, sees_private: bool) -> Result<Vec<Place>> {
    tx.all(PINNED, &[&team, &sees_private])
}

/// `private = FALSE` alone would let SQLite walk through all public discussions instead.
const PINNED: &str = "
    SELECT number, id FROM discussions
    WHERE team_id = $1 AND pinned = TRUE AND (private = FALSE OR $2 = TRUE) ORDER BY number";

/// The comments of a discussion, oldest first.
pub fn of_discussion(tx: &mut Tx, discussion: i64) -> Result<Vec<Place>> {
    tx.all("SELECT number, id FROM comments WHERE discussion_id = $1 ORDER BY number", &[&discussion])
}

/// The identification of a discussion in a path: its team and its number.
pub fn discussion(tx: &mut Tx, id: i64) -> Result<Option<(i64, i64)>> {
    tx.maybe("SELECT team_id, number FROM discussions WHERE id = $1", &[&id])
}

/// The identification of a comment in a path: its team, the number of its discussion, and its own.
pub fn comment(tx: &mut Tx, id: i64) -> Result<Option<(i64, i64, i64)>> {
    tx.maybe(COMMENT, &[&id])
}

const COMMENT: &str = "
    SELECT d.team_id, d.number, c.number FROM comments c JOIN discussions d ON d.id = c.discussion_id WHERE c.id = $1";

/// The version of the text of a discussion.
pub fn discussion_version(tx: &mut Tx, id: i64) -> Result<Option<String>> {
    tx.maybe("SELECT body_version FROM discussions WHERE id = $1", &[&id])
}

/// The version of the text of a comment.
pub fn comment_version(tx: &mut Tx, id: i64) -> Result<Option<String>> {
    tx.maybe("SELECT body_version FROM comments WHERE id = $1", &[&id])
}

row! {
    /// A post or a comment without its text.
    #[derive(Debug)]
    pub struct Head from "p" {
        /// ID.
        pub id: i64,
        /// Number in the team or in the discussion.
        pub number: i64,
        /// MD5 hash of the text.
        pub version: String = "p.body_version",
        /// Creation time.
        pub created_at: Time,
        /// Time of the last change.
        pub updated_at: Time,
        /// The time at which the text changed last, if it did.
        pub last_edited_at: Option<Time>,
        /// The author, unless the account is gone.
        pub author: Option<User> = "u.id, u.login, u.site_admin" => user::joined,
        /// The person who changed the text last, unless that is not stored or the account is gone.
        pub editor: Option<User> = "e.id, e.login, e.site_admin" => user::joined,
    }
}

macro_rules! heads {
    ($table:literal) => {
        concat!(
            " FROM ",
            $table,
            " p LEFT JOIN users u ON u.id = p.author_id LEFT JOIN users e ON e.id = p.editor_id WHERE p.id IN ({ids})"
        )
    };
}

row! {
    /// A discussion without its text.
    #[derive(Debug)]
    pub struct DiscussionHead from "p" {
        /// The columns that it shares with comments.
        pub head: Head = Head::COLUMNS,
        /// Title.
        pub title: String,
        /// True if only the team's members and owners can see it.
        pub private: bool,
        /// True if it is among the first on the page of its board.
        pub pinned: bool,
    }
}

/// The discussions with these IDs, in this order.
pub fn discussions(tx: &mut Tx, ids: &[i64]) -> Result<Vec<DiscussionHead>> {
    let found: Vec<DiscussionHead> = by_ids(tx, &DISCUSSION_HEADS, ids)?;
    Ok(in_order(found, ids, |discussion| discussion.head.id))
}

static DISCUSSION_HEADS: ByIds =
    ByIds::new(const_str::concat!("SELECT ", DiscussionHead::COLUMNS, heads!("discussions")));

/// The comments with these IDs, in this order.
pub fn comments(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Head>> {
    let found: Vec<Head> = by_ids(tx, &COMMENT_HEADS, ids)?;
    Ok(in_order(found, ids, |comment| comment.id))
}

static COMMENT_HEADS: ByIds = ByIds::new(const_str::concat!("SELECT ", Head::COLUMNS, heads!("comments")));

fn in_order<T>(mut found: Vec<T>, ids: &[i64], id: impl Fn(&T) -> i64) -> Vec<T> {
    let places: HashMap<i64, usize> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    found.sort_by_key(|one| places.get(&id(one)).copied());
    found
}

/// The texts of the discussions with these IDs: ID, Markdown and HTML.
pub fn discussion_texts(tx: &mut Tx, ids: &[i64]) -> Result<Vec<(i64, String, String)>> {
    by_ids(tx, &DISCUSSION_TEXTS, ids)
}

static DISCUSSION_TEXTS: ByIds = ByIds::new("SELECT id, body, body_html FROM discussions WHERE id IN ({ids})");

/// The texts of the comments with these IDs: ID, Markdown and HTML.
pub fn comment_texts(tx: &mut Tx, ids: &[i64]) -> Result<Vec<(i64, String, String)>> {
    by_ids(tx, &COMMENT_TEXTS, ids)
}

static COMMENT_TEXTS: ByIds = ByIds::new("SELECT id, body, body_html FROM comments WHERE id IN ({ids})");
