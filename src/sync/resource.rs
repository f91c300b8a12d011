//! Lists of resources, with filters and pages, the same for people and groups.
//!
//! A filter that demands an attribute by which resources are found looks at those only. Any other filter looks at all
//! resources of the organization, if there are not too many.

use scim_v2::filter::Filter;
use serde_json::{Map, Value};

use super::filter;
use super::provider::Provider;
use super::query::Query;
use super::schema::Schema;
use crate::error::{Error, Result};
use crate::operation::Cx;

/// How many resources a filter looks at that demands nothing by which they are found.
const LOOKED_AT: i64 = 10_000;

/// How many of them are in memory at once.
const STEP: i64 = 500;

/// A kind of resource.
pub trait Resource: Sized {
    /// What is in it.
    const SCHEMA: &'static Schema;
    /// An attribute that costs more than the others, and is read only when it is asked for.
    const COSTLY: Option<&'static str>;

    /// Its number.
    fn id(&self) -> i64;
    /// How many there are.
    fn count(cx: &mut Cx, org: i64) -> Result<i64>;
    /// A page of them, by number.
    fn page(cx: &mut Cx, org: i64, limit: i64, offset: i64) -> Result<Vec<Self>>;
    /// Those behind a number, in order.
    fn after(cx: &mut Cx, org: i64, id: i64, limit: i64) -> Result<Vec<Self>>;
    /// Those whose attribute, in lower case, has this value; none if they are not found by it.
    fn having(cx: &mut Cx, org: i64, attribute: &str, value: &str) -> Result<Option<Vec<Self>>>;
    /// As the provider reads them, with or without the costly attribute.
    fn shown(cx: &mut Cx, provider: &Provider, some: Vec<Self>, costly: bool) -> Result<Vec<Map<String, Value>>>;
}

/// The number of resources that are asked for, and the page of them.
pub fn list<R: Resource>(cx: &mut Cx, provider: &Provider, query: &Query) -> Result<(i64, Vec<Map<String, Value>>)> {
    let costly = R::COSTLY.is_some_and(|attribute| query.shown.has(attribute));
    let Some(filter) = &query.filter else {
        let page = R::page(cx, provider.id, query.count, query.start - 1)?;
        let shown = R::shown(cx, provider, page, costly)?;
        let shown = shown.into_iter().map(|one| query.shown.of_resource(one)).collect();
        return Ok((R::count(cx, provider.id)?, shown));
    };
    let costly = costly || R::COSTLY.is_some_and(|attribute| filter::names(filter, attribute));
    let mut page = Page { query, matching: 0, shown: Vec::new() };
    match found::<R>(cx, provider.id, filter)? {
        Some(found) => page.take::<R>(cx, provider, found, costly)?,
        None if R::COSTLY.is_some_and(|attribute| filter::names(filter, attribute)) => return Err(too_many()),
        None => look_at_all::<R>(cx, provider, &mut page, costly)?,
    }
    Ok((page.matching, page.shown))
}

/// The resources that have what the filter demands, if they are found by any of it.
fn found<R: Resource>(cx: &mut Cx, org: i64, filter: &Filter) -> Result<Option<Vec<R>>> {
    for (attribute, value) in filter::demanded(filter) {
        if let Some(found) = R::having(cx, org, &attribute, value)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn look_at_all<R: Resource>(cx: &mut Cx, provider: &Provider, page: &mut Page<'_>, costly: bool) -> Result<()> {
    if R::count(cx, provider.id)? > LOOKED_AT {
        return Err(too_many());
    }
    let mut last = Some(0);
    while let Some(after) = last {
        let some = R::after(cx, provider.id, after, STEP)?;
        let full = i64::try_from(some.len()).is_ok_and(|n| n == STEP);
        last = some.last().map(R::id).filter(|_| full);
        page.take::<R>(cx, provider, some, costly)?;
    }
    Ok(())
}

fn too_many() -> Error {
    let text = "The filter would have to look at too much. Let it demand an `id`, `externalId`, or name with `eq`, joined by \
                `and` with the rest.";
    Error::Provisioning("tooMany", text.into())
}

/// The page of what matches, as it fills.
struct Page<'q> {
    query: &'q Query,
    matching: i64,
    shown: Vec<Map<String, Value>>,
}

impl Page<'_> {
    fn take<R: Resource>(&mut self, cx: &mut Cx, provider: &Provider, some: Vec<R>, costly: bool) -> Result<()> {
        let Some(filter) = &self.query.filter else { return Ok(()) };
        for resource in R::shown(cx, provider, some, costly)? {
            if filter::holds(filter, R::SCHEMA, &resource) {
                self.matching += 1;
                let on_page = self.matching >= self.query.start
                    && self.matching < self.query.start.saturating_add(self.query.count);
                if on_page {
                    self.shown.push(self.query.shown.of_resource(resource));
                }
            }
        }
        Ok(())
    }
}
