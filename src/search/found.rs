//! The response of a search: the number of results and a page of them, of which the first thousand can be reached.

use schemars::JsonSchema;
use serde::Serialize;

use super::query::REACHABLE;
use crate::error::{Error, Result};
use crate::operation::{Cx, Paged};

/// The results of a search.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "found-{T}")]
pub struct Found<T> {
    /// Number of results.
    pub total_count: u64,
    /// True if there was too much to compare with the query in about 50 ms of processor time.
    pub incomplete_results: bool,
    /// The results of the page.
    pub items: Vec<T>,
}

impl<T> Found<T> {
    /// A page of this many results.
    #[must_use]
    pub fn page(total_count: u64, incomplete_results: bool, items: Vec<T>) -> Paged<Self> {
        Paged { record: Self { total_count, incomplete_results, items }, total: total_count.min(REACHABLE) }
    }
}

/// Refuses a page after the results that can be reached.
pub fn refuse_unreachable(cx: &Cx) -> Result<()> {
    if cx.page.offset() >= REACHABLE {
        return Err(Error::sentence("Only the first 1000 search results are available"));
    }
    Ok(())
}

/// The part of the results, in their order, that the requested page shows.
#[must_use]
pub fn part<'a, R>(cx: &Cx, results: &'a [R]) -> &'a [R] {
    let reachable = &results[..results.len().min(usize::try_from(REACHABLE).unwrap_or(usize::MAX))];
    let begin = usize::try_from(cx.page.offset()).map_or(reachable.len(), |offset| offset.min(reachable.len()));
    let length = usize::try_from(cx.page.per_page).unwrap_or(reachable.len());
    &reachable[begin..reachable.len().min(begin.saturating_add(length))]
}
