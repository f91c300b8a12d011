//! Former names become old slugs, which redirect to their team (decisions 10 and 50).

use std::collections::{BTreeMap, HashMap};

use super::super::fault::shown;
use super::super::report::Kind;
use super::Job;
use crate::error::Result;
use crate::teams::{naming, slug};

/// Stores the former names of the file's teams. The slug of a team, and a former name that was claimed first, take
/// precedence.
pub(super) fn put(job: &mut Job<'_, '_>, ids: &[i64]) -> Result<()> {
    let file = job.file;
    let mut living = HashMap::new();
    for (team, id) in file.teams.iter().zip(ids) {
        let slug = slug::from_name(&team.name).unwrap_or_else(|| naming::numbered(*id));
        living.insert(slug, (*id, team.name.as_str()));
    }
    let mut claimed: BTreeMap<String, (i64, &str)> = BTreeMap::new();
    for (team, id) in file.teams.iter().zip(ids) {
        for former in &team.former_names {
            let why = match slug::from_name(former) {
                None => "it has no letters or digits for a slug".to_owned(),
                Some(slug) => match (living.get(&slug), claimed.get(&slug)) {
                    (Some((owner, _)), _) | (_, Some((owner, _))) if owner == id => continue,
                    (Some((_, name)), _) => format!("its slug belongs to team {}", shown(name)),
                    (None, Some((_, name))) => format!("it is also a former name of team {}", shown(name)),
                    (None, None) => {
                        claimed.insert(slug, (*id, &team.name));
                        continue;
                    }
                },
            };
            job.report.skipped.push(format!("former name {} of team {}: {why}", shown(former), shown(&team.name)));
        }
    }
    let now = job.cx.now()?.0;
    job.report.created(Kind::FormerName, claimed.len());
    claimed.into_iter().try_for_each(|(slug, (id, _))| naming::leave(job.cx.tx, job.org, id, &slug, now))
}
