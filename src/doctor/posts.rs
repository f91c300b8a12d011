//! Boards, discussions and comments: their numbers and their counters (decisions 35 and 36).

use super::{Finding, MEND, RESTORE, STEP, Step};
use crate::db::Tx;
use crate::error::Result;
use crate::posts::recount;

/// Each board: its counter of posts, and that no number is greater than the last assigned one.
pub(super) fn boards(tx: &mut Tx<'_>, after: i64) -> Result<Step> {
    let rows: Vec<(i64, bool)> = tx.all(BOARDS, &[&after, &STEP])?;
    let upto = rows.last().map_or(after, |(team, _)| *team);
    let beyond = rows.iter().filter(|(_, beyond)| *beyond).map(|(team, _)| {
        Finding::new(format!("team {team} has a discussion whose number was not assigned yet"), RESTORE)
    });
    let miscounted = recount::wrong_boards(tx, after, upto)?;
    let miscounted =
        miscounted.iter().map(|team| Finding::new(format!("team {team} has a wrong count of posts"), MEND));
    Ok(Step::new(beyond.chain(miscounted).collect(), rows.iter().map(|(team, _)| *team)))
}

const BOARDS: &str = "
    SELECT b.team_id, EXISTS (SELECT 1 FROM discussions d WHERE d.team_id = b.team_id AND d.number > b.last_number)
    FROM boards b WHERE b.team_id > $1 ORDER BY b.team_id LIMIT $2";

/// Each discussion: that its team has a board, its comments and its reactions.
pub(super) fn discussions(tx: &mut Tx<'_>, after: i64) -> Result<Step> {
    let rows: Vec<(i64, bool, bool)> = tx.all(DISCUSSIONS, &[&after, &STEP])?;
    let upto = rows.last().map_or(after, |(id, ..)| *id);
    let mut findings = Vec::new();
    for (id, homeless, beyond) in &rows {
        if *homeless {
            findings
                .push(Finding::new(format!("discussion {id} belongs to a team that has no discussion board"), RESTORE));
        }
        if *beyond {
            let what = format!("discussion {id} has a comment whose number was not assigned yet");
            findings.push(Finding::new(what, RESTORE));
        }
    }
    for id in recount::wrong_discussions(tx, after, upto)? {
        findings.push(Finding::new(format!("discussion {id} has a wrong count of comments or reactions"), MEND));
    }
    Ok(Step::new(findings, rows.iter().map(|(id, ..)| *id)))
}

const DISCUSSIONS: &str = "
    SELECT d.id, b.team_id IS NULL,
           EXISTS (SELECT 1 FROM comments c WHERE c.discussion_id = d.id AND c.number > d.last_comment)
    FROM discussions d LEFT JOIN boards b ON b.team_id = d.team_id
    WHERE d.id > $1 ORDER BY d.id LIMIT $2";

/// Each comment and its reactions.
pub(super) fn comments(tx: &mut Tx<'_>, after: i64) -> Result<Step> {
    let ids: Vec<(i64,)> = tx.all("SELECT id FROM comments WHERE id > $1 ORDER BY id LIMIT $2", &[&after, &STEP])?;
    let upto = ids.last().map_or(after, |(id,)| *id);
    let finding = |id| Finding::new(format!("comment {id} has a wrong count of reactions"), MEND);
    let findings = recount::wrong_comments(tx, after, upto)?.into_iter().map(finding).collect();
    Ok(Step::new(findings, ids.iter().map(|(id,)| *id)))
}
