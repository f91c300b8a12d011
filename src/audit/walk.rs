//! A walk along a journal: from a position between two entries, over a limited number of entries at a time.

use super::filter::Filter;
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;
use crate::journal::chain::{self, Entry};
use crate::journal::log;

/// The number of entries that are read at once.
const STEP: i64 = 250;

/// The number of entries that one walk reads, so that no search blocks a reader for long.
pub const LOOKED_AT: i64 = 20_000;

/// A walk takes no more entries after this many bytes of values.
const BYTES: usize = 1 << 20;

/// The time by which entries of several nodes may be out of order, in seconds. No node writes while its clock differs
/// by an hour from the clock of PostgreSQL.
const APART: i64 = 2 * 60 * 60;

/// A part of a journal: the entries after one position and up to another. Position 0 is before the first entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The position before it.
    pub after: i64,
    /// The position at its end.
    pub through: i64,
}

impl Span {
    /// The entries of a journal whose times may be in the range of a filter.
    pub fn of(tx: &mut Tx, journal: i64, filter: &Filter) -> Result<Self> {
        let head = log::head(tx, journal)?;
        let (mut after, mut through) = (head.first - 1, head.entry);
        if !log::is_in_order(tx)? {
            return Ok(Self { after, through });
        }
        if filter.range.from > i64::MIN {
            after = log::before(tx, (after, through), journal, Time(filter.range.from).plus_seconds(-APART))?;
        }
        if filter.range.until < i64::MAX {
            through = log::before(tx, (after, through), journal, Time(filter.range.until).plus_seconds(APART))?;
        }
        Ok(Self { after, through })
    }

    /// The part of it after this position.
    #[must_use]
    pub fn behind(self, place: i64) -> Self {
        Self { after: self.after.max(place), ..self }
    }

    /// The part of it up to this position.
    #[must_use]
    pub fn up_to(self, place: i64) -> Self {
        Self { through: self.through.min(place), ..self }
    }
}

/// The direction of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To newer entries.
    Newer,
    /// To older entries.
    Older,
}

/// The result of a walk.
#[derive(Debug, Default)]
pub struct Found {
    /// The entries, in the order of the walk.
    pub entries: Vec<Entry>,
    /// The rest, unless the walk reached the end.
    pub rest: Option<Span>,
}

/// Searches for this many entries that match a filter, and reads at most [`LOOKED_AT`].
pub fn walk(
    tx: &mut Tx,
    (journal, mut span): (i64, Span),
    to: Direction,
    filter: &Filter,
    wanted: usize,
) -> Result<Found> {
    let (mut found, mut bytes) = (Found::default(), 0);
    for _ in 0..LOOKED_AT / STEP {
        if span.after >= span.through {
            return Ok(found);
        }
        let (step, rest) = split(span, to);
        for entry in entries(tx, journal, step, to)?.into_iter().filter(|entry| filter.admits(entry)) {
            // One entry more than wanted shows that there is a rest.
            if found.entries.len() == wanted || bytes > BYTES {
                found.rest = found.entries.last().map(|last| left(span, to, last.entry));
                return Ok(found);
            }
            bytes += size(&entry);
            found.entries.push(entry);
        }
        span = rest;
    }
    found.rest = (span.after < span.through).then_some(span);
    Ok(found)
}

/// The next step of a walk along a span, and the rest.
fn split(span: Span, to: Direction) -> (Span, Span) {
    match to {
        Direction::Newer => {
            let middle = span.through.min(span.after + STEP);
            (span.up_to(middle), span.behind(middle))
        }
        Direction::Older => {
            let middle = span.after.max(span.through - STEP);
            (span.behind(middle), span.up_to(middle))
        }
    }
}

/// The rest of a span after this entry.
fn left(span: Span, to: Direction, entry: i64) -> Span {
    match to {
        Direction::Newer => span.behind(entry),
        Direction::Older => Span { through: entry - 1, ..span },
    }
}

fn entries(tx: &mut Tx, journal: i64, step: Span, to: Direction) -> Result<Vec<Entry>> {
    let mut entries = chain::audited(tx, journal, step.after, step.through)?;
    if to == Direction::Older {
        entries.reverse();
    }
    Ok(entries)
}

fn size(entry: &Entry) -> usize {
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    text(&entry.before) + text(&entry.after)
}
