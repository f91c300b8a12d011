//! The delegation of requests for reviews to members of teams (decisions 50 and 60).

use std::collections::HashMap;

use super::super::fault::shown;
use super::super::matching;
use super::Job;
use crate::error::Result;
use crate::rows::ReviewDelegation;
use crate::teams::reviews;

/// Sets what the file says of its teams, which exist.
pub(super) fn put(job: &mut Job<'_, '_>, teams: &[i64]) -> Result<()> {
    let file = job.file;
    let wanted: Vec<_> =
        file.teams.iter().zip(teams).filter_map(|(team, id)| Some((team, *id, team.reviews?))).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let stored = matching::stored(job.cx.tx, job.org)?;
    let stored: HashMap<i64, ReviewDelegation> = stored.into_iter().map(|team| (team.id, team.reviews)).collect();
    for (team, id, wanted) in wanted {
        if stored.get(&id) != Some(&wanted) {
            reviews::put(job.cx.tx, id, &wanted, job.cx.now()?)?;
            job.report.changed.push(format!("team {}: review requests", shown(&team.name)));
        }
    }
    Ok(())
}
