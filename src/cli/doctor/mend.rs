//! `guildhall doctor --mend`: makes anew what is counted or derived from other rows, and nothing else.

use std::collections::{BTreeSet, HashMap};

use crate::db::{Bind, Bulk, Db, Lock, Tx};
use crate::error::Result;
use crate::orgs::changes;
use crate::teams::counters;
use crate::teams::posts::recount::recount;

/// Mends the numbers of forks, then every organization in a transaction of its own; a line for each that needed it.
pub async fn mend(db: &Db) -> Result<Vec<String>> {
    let mut mended = Vec::new();
    if db.write(counters::recount_forks).await? > 0 {
        mended.push("counted the forks of repositories again".to_owned());
    }
    let mut after = 0;
    while let Some((id, login)) = db.read(move |tx| tx.maybe::<(i64, String)>(NEXT, &[&after])).await? {
        after = id;
        let what = db.write(move |tx| organization(tx, id)).await?;
        mended.extend(what.into_iter().map(|what| format!("{login}: {what}")));
    }
    Ok(mended)
}

const NEXT: &str = "SELECT id, login FROM orgs WHERE id > $1 ORDER BY id LIMIT 1";

fn organization(tx: &mut Tx<'_>, org: i64) -> Result<Vec<&'static str>> {
    tx.lock(&mut [Lock::Org(org)])?;
    let mut mended = Vec::new();
    if counters::recount(tx, org)? > 0 {
        changes::everything(tx, org)?;
        mended.push("counted members and repositories again");
    }
    if recount(tx, org)? > 0 {
        mended.push("counted posts, comments and reactions again");
    }
    if grow(tx, org)? {
        mended.push("made the table of ancestors anew");
    }
    if tx.run(NEW_VERSION, &[&org])? > 0 || tx.any(BROKEN_LOG, &[&org])? {
        changes::everything(tx, org)?;
        mended.push("began the log of changes anew");
    }
    Ok(mended)
}

const NEW_VERSION: &str = "
    INSERT INTO org_versions (org_id, version)
    SELECT o.id, coalesce((SELECT max(c.version) FROM changes c WHERE c.org_id = o.id), 0)
    FROM orgs o LEFT JOIN org_versions v ON v.org_id = o.id WHERE o.id = $1 AND v.org_id IS NULL";

const BROKEN_LOG: &str = "
    SELECT v.org_id FROM org_versions v JOIN changes c ON c.org_id = v.org_id WHERE v.org_id = $1
    GROUP BY v.org_id, v.version HAVING max(c.version) <> v.version OR count(*) <> max(c.version) - min(c.version) + 1";

type Rows = BTreeSet<(i64, i64, i64)>;

/// The table of ancestors from the parents; whether it differed. Where parents go round in a circle nothing is done.
fn grow(tx: &mut Tx<'_>, org: i64) -> Result<bool> {
    let parents: Vec<(i64, Option<i64>)> = tx.all(PARENTS, &[&org])?;
    let is: Vec<(i64, i64, i64)> = tx.all(TREE, &[&org])?;
    let Some(wanted) = closure(&parents.into_iter().collect()) else { return Ok(false) };
    if wanted == is.into_iter().collect() {
        return Ok(false);
    }
    tx.run(CLEAR, &[&org])?;
    let rows: Vec<[&dyn Bind; 3]> =
        wanted.iter().map(|(ancestor, team, depth)| [ancestor as &dyn Bind, team, depth]).collect();
    GROW.run(tx, &rows)?;
    Ok(true)
}

const PARENTS: &str = "SELECT id, parent_id FROM teams WHERE org_id = $1 ORDER BY id";

const TREE: &str = "
    SELECT up.ancestor_id, up.descendant_id, up.depth FROM teams t JOIN team_tree up ON up.descendant_id = t.id
    WHERE t.org_id = $1 ORDER BY up.descendant_id, up.ancestor_id";

const CLEAR: &str = "DELETE FROM team_tree WHERE descendant_id IN (SELECT id FROM teams WHERE org_id = $1)";

static GROW: Bulk<3> = Bulk::new("INSERT INTO team_tree (ancestor_id, descendant_id, depth) VALUES {rows}");

fn closure(parents: &HashMap<i64, Option<i64>>) -> Option<Rows> {
    let longest = i64::try_from(parents.len()).ok()?;
    let mut rows = Rows::new();
    for team in parents.keys() {
        let mut depth = 0;
        let mut at = Some(*team);
        while let Some(ancestor) = at {
            if depth == longest {
                return None;
            }
            rows.insert((ancestor, *team, depth));
            depth += 1;
            at = parents.get(&ancestor).copied().flatten();
        }
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_gives_every_ancestor_and_a_circle_none() {
        let rows = closure(&HashMap::from([(1, None), (2, Some(1)), (3, Some(2))])).unwrap();
        assert_eq!(rows, Rows::from([(1, 1, 0), (1, 2, 1), (1, 3, 2), (2, 2, 0), (2, 3, 1), (3, 3, 0)]));
        assert!(closure(&HashMap::from([(1, Some(2)), (2, Some(1)), (3, None)])).is_none());
    }
}
