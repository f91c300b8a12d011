//! The selection of a request: the resources, their number, and their attributes (RFC 7644, sections 3.4.2 and 3.9).

use scim_v2::filter::Filter;
use serde_json::{Map, Value, json};

use super::document::{invalid, member};
use super::filter;
use crate::error::Result;
use crate::operation::Call;

/// The largest number of resources on a page.
pub const MOST: i64 = 100;

/// The largest number of attributes that a request names.
const NAMES: usize = 100;

/// The selection of a request.
#[derive(Debug)]
pub struct Query {
    /// The filter of the resources; without one, all are selected.
    pub filter: Option<Filter>,
    /// The first one to show, from 1.
    pub start: i64,
    /// The largest number of resources to show.
    pub count: i64,
    /// The attributes to show.
    pub shown: Shown,
}

impl Query {
    /// Parses the query of a URL. A value that cannot be decoded becomes null, which is refused because it is not text.
    pub fn of_address(call: &Call) -> Result<Self> {
        let text = |name: &str| {
            let named = call.query.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
            named.map(|(_, value)| value.as_deref().map_or(Value::Null, Value::from))
        };
        Self::of(text)
    }

    /// Parses the body of a search.
    pub fn of_body(call: &Call) -> Result<Self> {
        Self::of(|name| member(call.body(), name).filter(|value| !value.is_null()).cloned())
    }

    fn of(get: impl Fn(&str) -> Option<Value>) -> Result<Self> {
        let number = |name: &str, default: i64| match get(name) {
            None => Ok(default),
            Some(value) => {
                let number = value.as_i64().or_else(|| value.as_str().and_then(|text| text.parse().ok()));
                number.ok_or_else(|| invalid(format!("`{name}` must be a number.")))
            }
        };
        let filter = match get("filter") {
            None => None,
            Some(Value::String(text)) => Some(filter::parse(&text)?),
            Some(_) => return Err(filter::invalid("`filter` must be UTF-8 text without NUL characters.".into())),
        };
        Ok(Self {
            filter,
            start: number("startIndex", 1)?.max(1),
            count: number("count", MOST)?.clamp(0, MOST),
            shown: Shown::of(get("attributes"), get("excludedAttributes"))?,
        })
    }
}

/// The attributes of a resource that are shown; `id` and `schemas` always are.
#[derive(Debug, Clone)]
pub enum Shown {
    /// All of them.
    All,
    /// Only these.
    Only(Vec<Name>),
    /// All but these.
    Without(Vec<Name>),
}

/// An attribute, or a part of one, in lower case.
#[derive(Debug, Clone)]
pub struct Name(String, Option<String>);

impl Shown {
    fn of(attributes: Option<Value>, excluded: Option<Value>) -> Result<Self> {
        match (attributes, excluded) {
            (None, None) => Ok(Self::All),
            (Some(only), None) => Ok(Self::Only(names(&only)?)),
            (None, Some(without)) => Ok(Self::Without(names(&without)?)),
            _ => Err(invalid("Send `attributes` or `excludedAttributes`, not both.")),
        }
    }

    /// True if the request selects attributes.
    #[must_use]
    pub fn is_chosen(&self) -> bool {
        !matches!(self, Self::All)
    }

    /// True if any part of an attribute is shown.
    #[must_use]
    pub fn has(&self, attribute: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.iter().any(|name| name.0 == attribute),
            Self::Without(names) => !names.iter().any(|name| name.0 == attribute && name.1.is_none()),
        }
    }

    /// The part of a resource that is shown.
    #[must_use]
    pub fn of_resource(&self, resource: Map<String, Value>) -> Map<String, Value> {
        let left = resource.into_iter().filter_map(|(key, value)| {
            let name = key.to_ascii_lowercase();
            let value = if name == "id" || name == "schemas" { Some(value) } else { self.of_attribute(&name, value) };
            value.map(|value| (key, value))
        });
        left.collect()
    }

    fn of_attribute(&self, attribute: &str, value: Value) -> Option<Value> {
        let (names, only) = match self {
            Self::All => return Some(value),
            Self::Only(names) => (names, true),
            Self::Without(names) => (names, false),
        };
        let asked: Vec<&Name> = names.iter().filter(|name| name.0 == attribute).collect();
        if asked.is_empty() {
            return (!only).then_some(value);
        }
        if asked.iter().any(|name| name.1.is_none()) {
            return only.then_some(value);
        }
        let keeps = |part: &str| asked.iter().any(|name| name.1.as_deref() == Some(part)) == only;
        let parts = |value: Value| match value {
            Value::Object(parts) => parts.into_iter().filter(|(key, _)| keeps(&key.to_ascii_lowercase())).collect(),
            other => other,
        };
        Some(match value {
            Value::Array(values) => values.into_iter().map(parts).collect(),
            single => parts(single),
        })
    }
}

/// Names separated by commas or in a list, each with or without the name of its schema.
fn names(value: &Value) -> Result<Vec<Name>> {
    let texts: Vec<&str> = match value {
        Value::String(text) => text.split(',').collect(),
        Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect(),
        _ => return Err(invalid("`attributes` and `excludedAttributes` must be lists of names.")),
    };
    if texts.len() > NAMES {
        return Err(invalid(format!("`attributes` and `excludedAttributes` can name at most {NAMES} attributes.")));
    }
    let name = |text: &str| {
        // The name of a schema contains colons and dots itself.
        let text = text.trim().rsplit(':').next().unwrap_or_default().to_ascii_lowercase();
        match text.split_once('.') {
            Some((attribute, part)) => Name(attribute.to_owned(), Some(part.to_owned())),
            None => Name(text, None),
        }
    };
    Ok(texts.into_iter().map(name).collect())
}

/// A page of a list.
#[must_use]
pub fn page(total: i64, start: i64, resources: Vec<Map<String, Value>>) -> Value {
    json!({
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
        "totalResults": total,
        "startIndex": start,
        "itemsPerPage": resources.len(),
        "Resources": resources,
    })
}
