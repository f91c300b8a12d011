//! Boards, discussions and comments: their numbers and their counters (decisions 35 and 36).

use super::{MEND, RESTORE, Step};
use crate::db::Tx;
use crate::error::Result;
use crate::posts::recount;

/// Each board: its counter of posts, and that no number is greater than the last assigned one.
pub(super) fn boards(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    for (team, (beyond,)) in step.rows::<(bool,)>(tx, BOARDS)? {
        if beyond {
            step.found(format!("team {team} has a discussion whose number was not assigned yet"), RESTORE);
        }
    }
    for team in recount::wrong_boards(tx, step.after, step.upto)? {
        step.found(format!("team {team} has a wrong count of posts"), MEND);
    }
    Ok(())
}

const BOARDS: &str = "
    SELECT b.team_id, EXISTS (SELECT 1 FROM discussions d WHERE d.team_id = b.team_id AND d.number > b.last_number)
    FROM boards b WHERE b.team_id > $1 ORDER BY b.team_id LIMIT $2";

/// Each discussion: that its team has a board, its comments and its reactions.
pub(super) fn discussions(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    for (id, (homeless, beyond)) in step.rows::<(bool, bool)>(tx, DISCUSSIONS)? {
        if homeless {
            step.found(format!("discussion {id} belongs to a team that has no discussion board"), RESTORE);
        }
        if beyond {
            step.found(format!("discussion {id} has a comment whose number was not assigned yet"), RESTORE);
        }
    }
    for id in recount::wrong_discussions(tx, step.after, step.upto)? {
        step.found(format!("discussion {id} has a wrong count of comments or reactions"), MEND);
    }
    Ok(())
}

const DISCUSSIONS: &str = "
    SELECT d.id, b.team_id IS NULL,
           EXISTS (SELECT 1 FROM comments c WHERE c.discussion_id = d.id AND c.number > d.last_comment)
    FROM discussions d LEFT JOIN boards b ON b.team_id = d.team_id
    WHERE d.id > $1 ORDER BY d.id LIMIT $2";

/// Each comment and its reactions.
pub(super) fn comments(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    step.ids(tx, "SELECT id FROM comments WHERE id > $1 ORDER BY id LIMIT $2")?;
    for id in recount::wrong_comments(tx, step.after, step.upto)? {
        step.found(format!("comment {id} has a wrong count of reactions"), MEND);
    }
    Ok(())
}
