//! Former names become old slugs, which redirect to their team (decisions 10 and 50).

use std::collections::HashMap;

use super::super::fault::shown;
use super::super::matching;
use super::super::report::Kind;
use super::Job;
use crate::error::Result;
use crate::teams::{naming, slug};

/// Stores the former names of the file's teams. A slug that is in use, and a former name that was claimed first, take
/// precedence.
pub(super) fn put(job: &mut Job<'_, '_>, ids: &[i64]) -> Result<()> {
    job.cx.tx.run(RETIRE, &[&job.org])?;
    let living = matching::stored(job.cx.tx, job.org)?;
    let living: HashMap<&str, (i64, &str)> =
        living.iter().map(|t| (t.slug.as_str(), (t.id, t.name.as_str()))).collect();
    let old: Vec<(String, i64)> = job.cx.tx.all(OLD, &[&job.org])?;
    let old: HashMap<String, i64> = old.into_iter().collect();
    let mut claimed: HashMap<String, &str> = HashMap::new();
    for (team, id) in job.file.teams.iter().zip(ids) {
        for former in &team.former_names {
            let skipped = |why: String| format!("former name {} of team {}: {why}", shown(former), shown(&team.name));
            let Some(slug) = slug::from_name(former) else {
                job.report.skipped.push(skipped("it has no letters or digits for a slug".to_owned()));
                continue;
            };
            match (living.get(slug.as_str()), claimed.get(&slug)) {
                (Some((owner, _)), _) if owner == id => continue,
                (Some((_, name)), _) => {
                    job.report.skipped.push(skipped(format!("its slug belongs to team {}", shown(name))));
                    continue;
                }
                (None, Some(name)) => {
                    let name = shown(name);
                    job.report.skipped.push(skipped(format!("it is also a former name of team {name}")));
                    continue;
                }
                (None, None) => {}
            }
            match old.get(&slug) {
                Some(owner) if owner == id => {}
                Some(_) => {
                    naming::leave(job.cx.tx, job.org, *id, &slug, job.cx.now()?.0)?;
                    job.report.changed.push(format!("the old slug {slug} now redirects to team {}", shown(&team.name)));
                }
                None => {
                    naming::leave(job.cx.tx, job.org, *id, &slug, job.cx.now()?.0)?;
                    job.report.created(Kind::FormerName, 1);
                }
            }
            claimed.insert(slug, &team.name);
        }
    }
    Ok(())
}

/// An old slug that a team has taken no longer redirects.
const RETIRE: &str = "
    DELETE FROM old_slugs
    WHERE org_id = $1 AND slug IN (SELECT slug FROM teams WHERE org_id = $1)";

const OLD: &str = "SELECT slug, team_id FROM old_slugs WHERE org_id = $1 ORDER BY slug";
