//! Matches the teams of a file with those of the store: by ID, by slug, then by a former name (decisions 9, 10, 50 and
//! 74). Repositories are matched by name, then by a former one.

use std::collections::{HashMap, HashSet};

use super::desired::{Org, Repo};
use super::fault::{Fault, shown};
use crate::db::{Tx, select};
use crate::error::Result;
use crate::repos::name_key;
use crate::rows::TeamRow;
use crate::teams::slug;

/// All teams of an organization, by id.
pub fn stored(tx: &mut Tx, org: i64) -> Result<Vec<TeamRow>> {
    tx.all(STORED, &[&org])
}

const STORED: &str = select!(TeamRow from "teams t WHERE t.org_id = $1 ORDER BY t.id");

/// For each team of the file the index of its team in the store.
///
/// A team whose name gives no slug is matched by its name. No other team can have the slug that it got instead.
pub fn pair(org: &Org, stored: &[TeamRow]) -> std::result::Result<Vec<Option<usize>>, Fault> {
    let (mut slugs, mut names) = (HashMap::new(), HashMap::new());
    for (index, team) in stored.iter().enumerate() {
        slugs.insert(team.slug.as_str(), index);
        if slug::from_name(&team.name).is_none() {
            names.insert(team.name.as_str(), index);
        }
    }
    let find = |name: &str| match slug::from_name(name) {
        Some(slug) => slugs.get(slug.as_str()).copied(),
        None => names.get(name).copied(),
    };
    let nameless = |index: &usize| names.get(stored[*index].name.as_str()) == Some(index);
    let ids: HashMap<i64, usize> = stored.iter().enumerate().map(|(index, team)| (team.id, index)).collect();
    let mut taken: HashSet<usize> = HashSet::new();
    let by_id = org.teams.iter().map(|team| ids.get(&team.id?).copied().filter(|index| taken.insert(*index)));
    let mut pairs: Vec<Option<usize>> = by_id.collect();
    for (team, found) in org.teams.iter().zip(&mut pairs).filter(|(_, found)| found.is_none()) {
        *found = find(&team.name).filter(|index| !taken.contains(index));
    }
    for (team, found) in org.teams.iter().zip(&pairs).filter(|(team, _)| team.id.is_none()) {
        if let Some(index) = found.filter(nameless).filter(|index| stored[*index].name != team.name) {
            let other = shown(&stored[index].name);
            let message = format!(
                "the slug of this team belongs to team {other}, whose name has no letters for a slug; rename one of them"
            );
            return Err(org.fault(team.line, &team.key, message));
        }
    }
    taken.extend(pairs.iter().flatten());
    for (team, found) in org.teams.iter().zip(&mut pairs).filter(|(_, found)| found.is_none()) {
        let former = team.former_names.iter().filter_map(|name| find(name));
        *found = former.filter(|index| !nameless(index)).find(|index| taken.insert(*index));
    }
    Ok(pairs)
}

/// For each repository of the file, the name under which the store has it: its own, or else a former name that no other
/// repository of the file has or had.
pub fn pair_repos(file: &[Repo], known: &HashSet<String>) -> Vec<Option<String>> {
    let own = |repo: &Repo| Some(name_key(&repo.name)).filter(|key| known.contains(key));
    let mut pairs: Vec<Option<String>> = file.iter().map(own).collect();
    let mut taken: HashSet<String> = pairs.iter().flatten().cloned().collect();
    for (repo, found) in file.iter().zip(&mut pairs).filter(|(_, found)| found.is_none()) {
        let mut former = repo.former_names.iter().map(|name| name_key(name)).filter(|key| known.contains(key));
        *found = former.find(|key| taken.insert(key.clone()));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::super::desired::Team;
    use super::*;

    fn file(teams: &[(&str, &[&str])]) -> Org {
        let team = |(name, former): &(&str, &[&str])| Team {
            name: (*name).to_owned(),
            former_names: former.iter().map(|name| (*name).to_owned()).collect(),
            ..Team::default()
        };
        Org { teams: teams.iter().map(team).collect(), ..Org::default() }
    }

    fn store(teams: &[(&str, &str)]) -> Vec<TeamRow> {
        let team = |(id, (name, slug)): (i64, &(&str, &str))| TeamRow {
            id,
            name: (*name).to_owned(),
            slug: (*slug).to_owned(),
            ..TeamRow::default()
        };
        (1..).zip(teams).map(team).collect()
    }

    #[test]
    fn a_slug_comes_before_a_former_name() {
        let stored = store(&[("Old", "old"), ("Core", "core")]);
        let pairs = |teams| pair(&file(teams), &stored).unwrap();
        assert_eq!(pairs(&[("CORE", &["Old"]), ("New", &["Old"])]), [Some(1), Some(0)]);
        assert_eq!(pairs(&[("New", &["Core"]), ("Core", &[])]), [None, Some(1)]);
        assert_eq!(pairs(&[("New", &["Gone", "Old"]), ("Newer", &["old"])]), [Some(0), None]);
    }

    #[test]
    fn names_without_a_slug_are_compared_as_they_are() {
        let stored = store(&[("日本", "team-1"), ("中国", "team-2")]);
        assert_eq!(pair(&file(&[("中国", &[]), ("韓国", &[])]), &stored).unwrap(), [Some(1), None]);
        assert!(pair(&file(&[("Team 1", &[])]), &stored).unwrap_err().message.contains("belongs to team"));
        assert_eq!(pair(&file(&[("New", &["Team 1"])]), &stored).unwrap(), [None]);
    }
}
