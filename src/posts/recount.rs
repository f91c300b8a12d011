//! The stored counts of posts: those of boards, of comments and of reactions. Code that writes a single row updates its
//! counts itself; this file finds the wrong ones and recounts them.

use crate::db::Tx;
use crate::error::Result;

macro_rules! given {
    ($column:literal, $content:literal) => {
        concat!("(SELECT count(*) FROM reactions r WHERE r.", $column, " = p.id AND r.content = '", $content, "')")
    };
}

/// Each sum of a row with the alias `p` and the correct value, with one word between the two and another after each
/// pair except the last.
macro_rules! sums {
    ($column:literal, $between:literal, $behind:literal) => {
        concat!(
            "thumbs_up ",
            $between,
            " ",
            given!($column, "+1"),
            $behind,
            "thumbs_down ",
            $between,
            " ",
            given!($column, "-1"),
            $behind,
            "laugh ",
            $between,
            " ",
            given!($column, "laugh"),
            $behind,
            "hooray ",
            $between,
            " ",
            given!($column, "hooray"),
            $behind,
            "confused ",
            $between,
            " ",
            given!($column, "confused"),
            $behind,
            "heart ",
            $between,
            " ",
            given!($column, "heart"),
            $behind,
            "rocket ",
            $between,
            " ",
            given!($column, "rocket"),
            $behind,
            "eyes ",
            $between,
            " ",
            given!($column, "eyes")
        )
    };
}

macro_rules! board {
    ($private:literal) => {
        concat!("(SELECT count(*) FROM discussions d WHERE d.team_id = b.team_id AND d.private = ", $private, ")")
    };
}

/// Those of these teams whose board has a wrong count of its posts.
pub fn wrong_boards(tx: &mut Tx, after: i64, upto: i64) -> Result<Vec<i64>> {
    ids(tx, WRONG_BOARDS, after, upto)
}

const WRONG_BOARDS: &str = concat!(
    "SELECT b.team_id FROM boards b WHERE b.team_id > $1 AND b.team_id <= $2 AND (b.public_posts <> ",
    board!("FALSE"),
    " OR b.private_posts <> ",
    board!("TRUE"),
    ") ORDER BY b.team_id"
);

/// Those of these discussions that have a wrong count of their comments or reactions.
pub fn wrong_discussions(tx: &mut Tx, after: i64, upto: i64) -> Result<Vec<i64>> {
    ids(tx, WRONG_DISCUSSIONS, after, upto)
}

const WRONG_DISCUSSIONS: &str = concat!(
    "SELECT p.id FROM discussions p WHERE p.id > $1 AND p.id <= $2 AND (",
    sums!("discussion_id", "<>", " OR "),
    " OR comments_count <> (SELECT count(*) FROM comments c WHERE c.discussion_id = p.id)) ORDER BY p.id"
);

/// Those of these comments that have a wrong count of their reactions.
pub fn wrong_comments(tx: &mut Tx, after: i64, upto: i64) -> Result<Vec<i64>> {
    ids(tx, WRONG_COMMENTS, after, upto)
}

const WRONG_COMMENTS: &str = concat!(
    "SELECT p.id FROM comments p WHERE p.id > $1 AND p.id <= $2 AND (",
    sums!("comment_id", "<>", " OR "),
    ") ORDER BY p.id"
);

fn ids(tx: &mut Tx, sql: &'static str, after: i64, upto: i64) -> Result<Vec<i64>> {
    tx.all(sql, &[&after, &upto])
}

/// Recounts a whole organization and returns how many rows had a wrong count.
pub fn recount(tx: &mut Tx, org: i64) -> Result<u64> {
    Ok(tx.run(BOARDS, &[&org])? + tx.run(DISCUSSIONS, &[&org])? + tx.run(COMMENTS, &[&org])?)
}

const BOARDS: &str = concat!(
    "UPDATE boards AS b SET public_posts = ",
    board!("FALSE"),
    ", private_posts = ",
    board!("TRUE"),
    " WHERE team_id IN (SELECT id FROM teams WHERE org_id = $1) AND (public_posts <> ",
    board!("FALSE"),
    " OR private_posts <> ",
    board!("TRUE"),
    ")"
);

const DISCUSSIONS: &str = concat!(
    "UPDATE discussions AS p SET ",
    sums!("discussion_id", "=", ", "),
    ", comments_count = (SELECT count(*) FROM comments c WHERE c.discussion_id = p.id)",
    " WHERE team_id IN (SELECT id FROM teams WHERE org_id = $1) AND (",
    sums!("discussion_id", "<>", " OR "),
    " OR comments_count <> (SELECT count(*) FROM comments c WHERE c.discussion_id = p.id))"
);

const COMMENTS: &str = concat!(
    "UPDATE comments AS p SET ",
    sums!("comment_id", "=", ", "),
    " WHERE discussion_id IN (SELECT d.id FROM teams t JOIN discussions d ON d.team_id = t.id WHERE t.org_id = $1)",
    " AND (",
    sums!("comment_id", "<>", " OR "),
    ")"
);
