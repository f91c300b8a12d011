//! The common part of users and groups: they are listed, searched, read and returned in the same way.
//!
//! If a filter requires a value of an attribute that has an index, only the resources with that value are read. Any
//! other filter reads all resources of the organization, unless there are too many.

use std::collections::BTreeMap;

use scim_v2::filter::Filter;
use serde_json::{Map, Value, json};

use super::filter;
use super::operations::Operation;
use super::provider::{self, Provider, identifier, moment, number};
use super::query::{self, Query};
use super::schema::Schema;
use crate::db::FromRow;
use crate::error::{Error, Result};
use crate::operation::{Call, Cx, Rendered};
use crate::policy::Granted;

/// The largest number of resources that a filter without such an attribute reads.
const LOOKED_AT: i64 = 10_000;

/// The number of resources that are in memory at once.
const STEP: i64 = 500;

/// A kind of resource.
pub trait Resource: FromRow {
    /// Its attributes, and the name of the kind.
    const SCHEMA: &'static Schema;
    /// The prefix of its identifiers.
    const KIND: char;
    /// The statements that read its resources.
    const STATEMENTS: Statements;
    /// An attribute that costs more than the others, and is read only when it is requested.
    const COSTLY: Option<&'static str> = None;

    /// Its number.
    fn id(&self) -> i64;
    /// The times of its creation and of its last change.
    fn times(&self) -> (i64, i64);
    /// As its provider would send it, without the costly attribute.
    fn sent(&self) -> Map<String, Value>;
    /// The resources whose attribute, in lower case, has this value; `None` if they cannot be looked up by it.
    fn having(cx: &mut Cx, org: i64, attribute: &str, value: &str) -> Result<Option<Vec<Self>>>;
    /// The values of the costly attribute, by number.
    fn costly(_cx: &mut Cx, _base: &str, _ids: &[i64]) -> Result<BTreeMap<i64, Value>> {
        Ok(BTreeMap::new())
    }
}

/// The statements that read a kind of resource. The first parameter of each is the organization.
pub struct Statements {
    /// The number of resources.
    pub count: &'static str,
    /// The resource with this number.
    pub one: &'static str,
    /// The resources with this external identifier.
    pub by_external_id: &'static str,
    /// A page: its length and its offset.
    pub page: &'static str,
    /// Up to so many resources after a number, in order.
    pub after: &'static str,
}

/// The statements of a table, from the macro that selects its columns.
macro_rules! statements {
    ($select:ident, $table:literal) => {
        Statements {
            count: concat!("SELECT count(*) FROM ", $table, " WHERE org_id = $1"),
            one: $select!("AND id = $2"),
            by_external_id: $select!("AND external_id = $2 ORDER BY id"),
            page: $select!("ORDER BY id LIMIT $2 OFFSET $3"),
            after: $select!("AND id > $2 ORDER BY id LIMIT $3"),
        }
    };
}
pub(super) use statements;

/// Lists resources.
pub fn list<R: Resource>(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    answer::<R>(cx, &provider, &Query::of_address(call)?)
}

/// Lists resources by a query in the body.
pub fn search<R: Resource>(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    answer::<R>(cx, &provider, &Query::of_body(call)?)
}

fn answer<R: Resource>(cx: &mut Cx, provider: &Provider, query: &Query) -> Result<Rendered> {
    let (total, page) = matching::<R>(cx, provider, query)?;
    Ok(provider::answer(200, &query::page(total, query.start, page), None))
}

/// Gets a resource.
pub fn get<R: Resource>(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    respond::<R>(cx, &provider, call, provider::named(&call.path, R::KIND)?, 200)
}

/// Responds with the resource of this number.
pub fn respond<R: Resource>(cx: &mut Cx, provider: &Provider, call: &Call, id: i64, status: u16) -> Result<Rendered> {
    let shown = Query::of_address(call)?.shown;
    let resource: R = find(cx, provider.id, id)?;
    let costly = R::COSTLY.is_some_and(|attribute| shown.has(attribute));
    let record = records(cx, provider, &[resource], costly)?.pop().unwrap_or_default();
    let location = (status == 201).then(|| record["meta"]["location"].as_str().map(str::to_owned)).flatten();
    Ok(provider::answer(status, &Value::Object(shown.of_resource(record)), location))
}

/// The resource that the path names.
pub fn named<R: Resource>(cx: &mut Cx, provider: &Provider, call: &Call) -> Result<R> {
    find(cx, provider.id, provider::named(&call.path, R::KIND)?)
}

fn find<R: Resource>(cx: &mut Cx, org: i64, id: i64) -> Result<R> {
    cx.tx.maybe(R::STATEMENTS.one, &[&org, &id])?.ok_or(Error::NotFound)
}

/// A resource as its provider would send it; as they read it if an operation names what only the service sets. Without
/// the costly attribute.
pub fn before<R: Resource>(cx: &Cx, provider: &Provider, resource: &R, operations: &[Operation]) -> Map<String, Value> {
    if operations.iter().any(|operation| operation.attribute.read_only) {
        record(&provider.base(cx), resource, None)
    } else {
        resource.sent()
    }
}

/// The resources as the provider reads them, with or without the costly attribute.
fn records<R: Resource>(cx: &mut Cx, provider: &Provider, some: &[R], costly: bool) -> Result<Vec<Map<String, Value>>> {
    let base = provider.base(cx);
    let ids: Vec<i64> = some.iter().map(R::id).collect();
    let mut costly = if costly { R::costly(cx, &base, &ids)? } else { BTreeMap::new() };
    Ok(some.iter().map(|resource| record(&base, resource, costly.remove(&resource.id()))).collect())
}

fn record<R: Resource>(base: &str, resource: &R, costly: Option<Value>) -> Map<String, Value> {
    let (id, kind, (created, changed)) = (identifier(R::KIND, resource.id()), R::SCHEMA.name, resource.times());
    let mut record = Map::new();
    record.insert("schemas".into(), json!([R::SCHEMA.id]));
    record.insert("id".into(), json!(id));
    record.extend(resource.sent());
    record.extend(R::COSTLY.map(str::to_owned).zip(costly));
    let meta = json!({
        "resourceType": kind,
        "created": moment(created),
        "lastModified": moment(changed),
        "location": format!("{base}/{kind}s/{id}"),
    });
    record.insert("meta".into(), meta);
    record
}

/// The number of resources that match a query, and the page of them.
pub fn matching<R: Resource>(
    cx: &mut Cx,
    provider: &Provider,
    query: &Query,
) -> Result<(i64, Vec<Map<String, Value>>)> {
    let costly = R::COSTLY.is_some_and(|attribute| query.shown.has(attribute));
    let Some(filter) = &query.filter else {
        let page: Vec<R> = cx.tx.all(R::STATEMENTS.page, &[&provider.id, &query.count, &(query.start - 1)])?;
        let shown = records(cx, provider, &page, costly)?;
        let shown = shown.into_iter().map(|one| query.shown.of_resource(one)).collect();
        return Ok((count::<R>(cx, provider.id)?, shown));
    };
    let named = R::COSTLY.is_some_and(|attribute| filter::names(filter, attribute));
    let costly = costly || named;
    let mut page = Page { query, matching: 0, shown: Vec::new() };
    match found::<R>(cx, provider.id, filter)? {
        Some(found) => page.take(cx, provider, &found, costly)?,
        None if named => return Err(unsupported(R::COSTLY.unwrap_or_default())),
        None => look_at_all::<R>(cx, provider, &mut page, costly)?,
    }
    Ok((page.matching, page.shown))
}

fn count<R: Resource>(cx: &mut Cx, org: i64) -> Result<i64> {
    let count = cx.tx.one(R::STATEMENTS.count, &[&org])?;
    Ok(count)
}

/// The resources with a value that the filter requires, if they can be looked up by one.
fn found<R: Resource>(cx: &mut Cx, org: i64, filter: &Filter) -> Result<Option<Vec<R>>> {
    for (attribute, value) in filter::demanded(filter) {
        let found = match attribute.as_str() {
            "id" => match number(value, R::KIND) {
                Some(id) => Some(cx.tx.all(R::STATEMENTS.one, &[&org, &id])?),
                None => Some(Vec::new()),
            },
            "externalid" => Some(cx.tx.all(R::STATEMENTS.by_external_id, &[&org, &value])?),
            other => R::having(cx, org, other, value)?,
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn look_at_all<R: Resource>(cx: &mut Cx, provider: &Provider, page: &mut Page<'_>, costly: bool) -> Result<()> {
    if count::<R>(cx, provider.id)? > LOOKED_AT {
        return Err(too_many());
    }
    let mut last = Some(0);
    while let Some(after) = last {
        let some: Vec<R> = cx.tx.all(R::STATEMENTS.after, &[&provider.id, &after, &STEP])?;
        let full = i64::try_from(some.len()).is_ok_and(|n| n == STEP);
        last = some.last().map(R::id).filter(|_| full);
        page.take(cx, provider, &some, costly)?;
    }
    Ok(())
}

/// The way out: a filter that can be looked up.
const DEMAND: &str = "Let it demand an `id`, `externalId`, or name with `eq`, joined by `and` with the rest.";

fn too_many() -> Error {
    Error::Provisioning("tooMany", format!("The filter would have to look at too much. {DEMAND}").into())
}

fn unsupported(attribute: &str) -> Error {
    filter::invalid(format!("`{attribute}` can be compared alone only with `eq` and one `value`. {DEMAND}"))
}

/// The page of matching resources while it is filled.
struct Page<'q> {
    query: &'q Query,
    matching: i64,
    shown: Vec<Map<String, Value>>,
}

impl Page<'_> {
    fn take<R: Resource>(&mut self, cx: &mut Cx, provider: &Provider, some: &[R], costly: bool) -> Result<()> {
        let Some(filter) = &self.query.filter else { return Ok(()) };
        for resource in records(cx, provider, some, costly)? {
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
