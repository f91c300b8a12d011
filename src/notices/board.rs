//! The board of a team as its page shows it to one person.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::operation::{Cx, Record};
use crate::policy::{Granted, sees_private_posts};
use crate::posts::board as posts;
use crate::teams::team::Team;

/// The most unread discussions of which a response tells.
const MOST: i64 = 100;

/// A board as one person sees it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Board {
    /// True if the caller sees private discussions there, and may write them.
    pub private: bool,
    /// Number of discussions that the caller sees there.
    pub total: u64,
    /// The numbers of the newest discussions that the caller was notified of and has not read.
    pub unread: Vec<i64>,
}

/// Get a board as the caller sees it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Look {}

/// Gets a board as the caller sees it.
pub fn look(cx: &mut Cx, team: Granted<Team>, _: Look) -> Result<Record<Board>> {
    let unread: Vec<i64> = cx.tx.all(UNREAD, &[&cx.me()?.id, &team.id, &MOST])?;
    let private = team.allows(&sees_private_posts());
    Ok(Board { private, total: posts::count(cx.tx, team.id, private)?, unread }.into())
}

const UNREAD: &str = "
    SELECT d.number FROM notices n JOIN discussions d ON d.id = n.discussion_id
    WHERE n.user_id = $1 AND n.done = FALSE AND n.unread = TRUE AND d.team_id = $2
    ORDER BY n.updated_at DESC, n.id DESC LIMIT $3";
