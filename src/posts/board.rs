//! The counters of a team's posts: the number of the newest post, which is never reused (decision 35), and how many
//! posts there are to see (decision 34).

use schemars::JsonSchema;
use serde::Deserialize;

use crate::db::Tx;
use crate::error::Result;

/// The direction of a list of posts or comments, by number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Oldest first.
    Asc,
    /// Newest first.
    #[default]
    Desc,
}

/// The number of posts that a caller sees who may, or may not, see the private ones.
pub fn count(tx: &mut Tx, team: i64, sees_private: bool) -> Result<u64> {
    let (public, private) = tx.maybe::<(i64, i64)>(COUNT, &[&team])?.unwrap_or_default();
    Ok(u64::try_from(if sees_private { public + private } else { public }).unwrap_or(0))
}

const COUNT: &str = "SELECT public_posts, private_posts FROM boards WHERE team_id = $1";

/// Counts one more post and returns its number.
pub fn add(tx: &mut Tx, team: i64, private: bool) -> Result<i64> {
    let number = tx.run_one(ADD, &[&team, &i64::from(!private), &i64::from(private)])?;
    Ok(number)
}

const ADD: &str = "
    INSERT INTO boards (team_id, last_number, public_posts, private_posts) VALUES ($1, 1, $2, $3)
    ON CONFLICT (team_id) DO UPDATE
    SET last_number = boards.last_number + 1,
        public_posts = boards.public_posts + $2,
        private_posts = boards.private_posts + $3
    RETURNING last_number";

/// Counts one post less.
pub fn remove(tx: &mut Tx, team: i64, private: bool) -> Result<()> {
    tx.run(REMOVE, &[&team, &i64::from(!private), &i64::from(private)])?;
    Ok(())
}

const REMOVE: &str = "
    UPDATE boards SET public_posts = public_posts - $2, private_posts = private_posts - $3 WHERE team_id = $1";
