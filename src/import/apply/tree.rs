//! The table of ancestors for teams that are new or have another parent.

use super::Job;
use crate::error::Result;
use crate::rows::TeamRow;
use crate::teams::tree;

/// Moves teams below their parents. All moved teams are detached first, so that no order of moves is a cycle.
pub(super) fn nest(job: &mut Job<'_, '_>, pairs: &[Option<usize>], stored: &[TeamRow], ids: &[i64]) -> Result<()> {
    let teams: Vec<_> = pairs
        .iter()
        .zip(&job.file.teams)
        .zip(ids)
        .map(|((pair, team), id)| (*id, pair.map(|pair| stored[pair].parent_id), team.parent.map(|parent| ids[parent])))
        .collect();
    let moved = |was: Option<Option<i64>>, parent| was.is_some_and(|was| was != parent);
    for (id, _, _) in teams.iter().filter(|(_, was, parent)| moved(*was, *parent)) {
        tree::transplant(job.cx.tx, *id, None)?;
    }
    for (id, was, parent) in teams {
        match was {
            None => tree::plant(job.cx.tx, id, parent)?,
            Some(was) if was != parent => tree::transplant(job.cx.tx, id, parent)?,
            Some(_) => {}
        }
    }
    Ok(())
}
