//! The reasons that end an apply: an organization that is no longer as it was planned, and what was changed before.

use super::print;
use crate::cli::Failure;
use crate::plan::Plan;

/// Refuses an organization that is no longer as it was planned, and shows the difference.
pub fn refuse_difference(planned: &Plan, now: &Plan) -> Result<(), Failure> {
    if planned.changes == now.changes && planned.org == now.org {
        return Ok(());
    }
    let only = |sign: &str, of: &Plan, other: &Plan| -> Vec<String> {
        let missing = of.changes.iter().filter(|change| !other.changes.contains(change));
        missing.map(|change| format!("  {sign}: {}", print::line(change))).collect()
    };
    let lines = [only("no longer planned", planned, now), only("planned now", now, planned)].concat().join("\n");
    Err(Failure::Failed(format!(
        "{} is no longer as it was planned. Nothing of it was changed. Plan again\n{lines}",
        planned.org
    )))
}

/// The failure of an apply that an organization refused after others were done.
pub fn stopped(org: &str, why: &str, done: usize) -> Failure {
    let why = why.trim_end_matches('.').trim_end_matches(". Nothing was changed");
    Failure::Failed(format!("cannot apply the file to {org}: {why}. {}", changed_before(done)))
}

/// The number of organizations that were changed before a failure, as a sentence.
pub fn changed_before(done: usize) -> String {
    match done {
        0 => "Nothing was changed".to_owned(),
        1 => "One organization was changed before it".to_owned(),
        n => format!("{n} organizations were changed before it"),
    }
}
