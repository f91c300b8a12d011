//! The file itself, the migrations, and the journals (decision 47).

use std::collections::HashMap;

use super::{Finding, RESTORE, Report, STEP, Step};
use crate::db::{self, Db, Tx, row, select};
use crate::error::Result;
use crate::journal::{SITE, chain};

/// Problems that the engine finds in its file.
pub(super) fn file(tx: &mut Tx<'_>) -> Result<Vec<Finding>> {
    Ok(tx.damage()?.into_iter().map(|line| Finding::new(line, RESTORE)).collect())
}

/// All migrations were applied.
pub(super) fn migrations(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    let numbers: Vec<(i64,)> = tx.all("SELECT number FROM migrations ORDER BY number", &[])?;
    step.rows = numbers.len();
    if !db::migrations().eq(numbers.into_iter().map(|(number,)| number)) {
        step.found("some applied migrations are missing", RESTORE);
    }
    Ok(())
}

row! {
    /// The beginning of a journal, according to its head.
    #[derive(Clone)]
    struct Head from "h" {
        org: i64 = "h.org_id",
        first: i64 = "h.first_entry",
        trimmed: i64,
        trimmed_hash: Vec<u8> => Option::<Vec<u8>>::unwrap_or_default,
    }
}

/// Checks that in each journal every entry follows the one before it and has the right hash, that the first entry
/// matches what is sealed in the head, and that the last is the head's.
pub(super) async fn journals(db: &Db, key: [u8; 32], report: &mut Report) -> Result<()> {
    report.begin("Audit logs");
    report.extend(db.read(without_head).await?, 0);
    let mut after = -1;
    while let Some(head) = db.read(move |tx| tx.maybe::<Head>(NEXT, &[&after])).await? {
        if report.is_full() {
            return Ok(());
        }
        let (org, first) = (head.org, head.first);
        let (finding, entries) = journal(db, head, key).await?;
        let now = db.read(move |tx| tx.maybe::<Head>(NEXT, &[&after])).await?;
        if finding.is_some() && now.is_some_and(|now| now.first != first) {
            // A running server has trimmed it meanwhile, so it is checked again.
            continue;
        }
        after = org;
        report.extend(finding.into_iter().collect(), entries);
    }
    report.end();
    Ok(())
}

const NEXT: &str = select!(Head from
    "journal_heads h
     WHERE h.org_id > $1 ORDER BY h.org_id LIMIT 1");

fn without_head(tx: &mut Tx<'_>) -> Result<Vec<Finding>> {
    let orgs: Vec<(i64,)> = tx.all(WITHOUT_HEAD, &[])?;
    Ok(orgs
        .into_iter()
        .map(|(org,)| Finding::new(format!("the journal of {} has no head", name(org)), RESTORE))
        .collect())
}

/// Goes from journal to journal by the primary key: a list of all entries would be read to its end.
const WITHOUT_HEAD: &str = "
    WITH RECURSIVE journals (org_id) AS (
        SELECT (SELECT min(first.org_id) FROM journal first)
        UNION ALL
        SELECT (SELECT min(next.org_id) FROM journal next WHERE next.org_id > j.org_id)
        FROM journals j WHERE j.org_id IS NOT NULL
    )
    SELECT j.org_id FROM journals j
    WHERE j.org_id <> 0 AND NOT EXISTS (SELECT 1 FROM journal_heads h WHERE h.org_id = j.org_id)
      AND NOT EXISTS (SELECT 1 FROM orgs o WHERE o.id = j.org_id)
    UNION ALL SELECT CAST(0 AS BIGINT) WHERE NOT EXISTS (SELECT 1 FROM journal_heads h WHERE h.org_id = 0)";

fn name(org: i64) -> String {
    if org == SITE { "the site".into() } else { format!("organization {org}") }
}

/// The advice for a journal that was changed outside Guildhall.
const WHO: &str = "find out who can write to the database and has its key files; the entries before it are genuine";

/// Checks one journal up to its first broken entry; nothing can be said about later ones. Returns also the number of
/// entries before it.
async fn journal(db: &Db, head: Head, key: [u8; 32]) -> Result<(Option<Finding>, usize)> {
    let of = name(head.org);
    let Some(mut previous) = beginning(&head, &key)? else {
        return Ok((Some(Finding::new(format!("the journal of {of} does not begin where it was trimmed"), WHO)), 0));
    };
    let (mut number, mut rows, org) = (head.first - 1, 0, head.org);
    let end = loop {
        let after = number;
        let (entries, facts, end) = db.read(move |tx| part(tx, org, after)).await?;
        if entries.is_empty() {
            break end;
        }
        for entry in entries {
            number += 1;
            rows += 1;
            let genuine = entry.entry == number && entry.hash == entry.sealed(&previous, &key)?;
            if !genuine {
                let wrong = if entry.entry == number { "was not written by this service" } else { "is missing" };
                return Ok((Some(Finding::new(format!("entry {number} of the journal of {of} {wrong}"), WHO)), rows));
            }
            // Facts may have been trimmed.
            if let Some((event, facts)) = facts.get(&number)
                && entry.facts_hash != Some(chain::of_facts(&key, (org, number), event, facts)?)
            {
                let what =
                    format!("the facts of entry {number} of the journal of {of} were not written by this service");
                return Ok((Some(Finding::new(what, WHO)), rows));
            }
            previous = entry.hash;
        }
    };
    let (last, hash) = end;
    let what = || format!("the journal of {of} ends at entry {number}, but its head says {last}");
    let ends = number == last && previous == hash.unwrap_or_default();
    Ok(((!ends).then(|| Finding::new(what(), WHO)), rows))
}

/// The part of a journal that is read at once: some entries, their facts by number, and the end that the head has.
type Part = (Vec<chain::Entry>, HashMap<i64, (String, String)>, (i64, Option<Vec<u8>>));

fn part(tx: &mut Tx<'_>, org: i64, after: i64) -> Result<Part> {
    let facts = chain::facts(tx, org, after, STEP)?.into_iter().map(|(n, event, facts)| (n, (event, facts)));
    Ok((chain::entries(tx, org, after, STEP)?, facts.collect(), tx.one(END, &[&org])?))
}

const END: &str = "SELECT entry, hash FROM journal_heads WHERE org_id = $1";

/// The hash before the first entry; none if the head lacks the value that was sealed when entries were trimmed.
fn beginning(head: &Head, key: &[u8; 32]) -> Result<Option<Vec<u8>>> {
    if head.trimmed == 0 {
        return Ok((head.first == 1 && head.trimmed_hash.is_empty()).then(Vec::new));
    }
    let Some((last, seal)) = head.trimmed_hash.split_at_checked(chain::HASH) else { return Ok(None) };
    let genuine = head.first == head.trimmed + 1 && seal == chain::of_trimmed(key, head.org, head.trimmed, last)?;
    Ok(genuine.then(|| last.to_vec()))
}
