//! Lists whose pages have no numbers but continue after an identifier, so that nothing is counted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::json::{ITEM, Json};
use super::reply::Record;
use crate::error::Result;
use crate::links::Links;

/// The part of such a list that a caller wants.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub struct Part {
    /// Return only results with an ID greater than this.
    #[schemars(range(min = 0), extend("default" = 0))]
    pub since: Option<i64>,
    /// Number of results per page.
    #[schemars(range(min = 1, max = 100), extend("default" = 30))]
    pub per_page: Option<i64>,
}

/// The number of results per page that a caller gets who asks for this many.
#[must_use]
pub fn per_page(asked: Option<i64>) -> i64 {
    asked.filter(|n| *n > 0).unwrap_or(30).min(100)
}

/// Drops the row that was read beyond the page. If there was one, returns the last row of the page, after which the list
/// continues.
pub fn last_before_more<T>(rows: &mut Vec<T>, per_page: i64) -> Option<&T> {
    let shown = usize::try_from(per_page).unwrap_or(rows.len());
    let more = rows.len() > shown;
    rows.truncate(shown);
    rows.last().filter(|_| more)
}

impl Part {
    /// The identifier after which the part begins, and how many rows to read: one more than are shown, to see whether
    /// the list continues.
    #[must_use]
    pub fn sql(self) -> (i64, i64) {
        (self.since.unwrap_or(0).max(0), per_page(self.per_page) + 1)
    }

    /// 200 with this part of the list at this path, built from the rows that were read for it, each with its identifier.
    pub fn of<T: Serialize>(self, links: &Links, path: &str, mut rows: Vec<(i64, T)>) -> Result<Record<Vec<T>>> {
        let (since, _) = self.sql();
        let (url, per_page) = (links.api(path), per_page(self.per_page));
        let mut link = Vec::new();
        if let Some((last, _)) = last_before_more(&mut rows, per_page) {
            link.push(format!("<{url}?per_page={per_page}&since={last}>; rel=\"next\""));
        }
        if since > 0 {
            link.push(format!("<{url}?per_page={per_page}>; rel=\"first\""));
        }
        let link = (!link.is_empty()).then(|| link.join(", "));
        Ok(Record::written(Json::list(rows.into_iter().map(|(_, item)| item), ITEM)?).linked(link))
    }
}
