//! Filters: whether a resource matches one (RFC 7644, section 3.4.2.2). The crate's parser limits the depth; this
//! module limits the length and the number of comparisons, so that a filter costs little for each resource.

use jiff::Timestamp;
use scim_v2::filter::{AttrExp, AttrPath, CompValue, CompareOp, Filter, ValFilter};
use serde_json::{Map, Value};

use super::document::{key, member};
use super::schema::{Attribute, Kind, Schema, find};
use crate::error::{Error, Result};

/// The longest filter, in bytes.
const LONGEST: usize = 4_096;

/// The largest number of comparisons in a filter.
const MOST: usize = 50;

/// Parses a filter.
pub fn parse(text: &str) -> Result<Filter> {
    if text.len() > LONGEST {
        return Err(invalid(format!("The filter is too long (maximum is {LONGEST} bytes).")));
    }
    let filter: Filter = text.parse().map_err(|_| invalid("The filter is malformed or nested too deeply.".into()))?;
    let expressions = expressions(&filter);
    if expressions.len() > MOST {
        return Err(invalid(format!("The filter has too many comparisons (maximum is {MOST}).")));
    }
    // Text in a filter has its own escapes, so NUL appears only after parsing. PostgreSQL refuses such text.
    if expressions.into_iter().any(holds_nul) {
        return Err(invalid("The filter contains a NUL character. Remove it.".into()));
    }
    Ok(filter)
}

/// The error for a filter that cannot be used.
pub fn invalid(text: String) -> Error {
    Error::Provisioning("invalidFilter", text.into())
}

fn expressions(filter: &Filter) -> Vec<&AttrExp> {
    match filter {
        Filter::Attr(one) => vec![one],
        Filter::ValuePath(path) => expressions_within(&path.filter),
        Filter::Not(inner) => expressions(inner),
        Filter::And(all) | Filter::Or(all) => all.iter().flat_map(expressions).collect(),
    }
}

fn expressions_within(filter: &ValFilter) -> Vec<&AttrExp> {
    match filter {
        ValFilter::Attr(one) => vec![one],
        ValFilter::Not(inner) => expressions_within(inner),
        ValFilter::And(all) | ValFilter::Or(all) => all.iter().flat_map(expressions_within).collect(),
    }
}

/// The number of comparisons in a filter of values.
#[must_use]
pub fn comparisons_within(filter: &ValFilter) -> usize {
    expressions_within(filter).len()
}

fn holds_nul(expression: &AttrExp) -> bool {
    matches!(expression, AttrExp::Comparison(_, _, CompValue::Str(text)) if text.contains('\0'))
}

/// The attributes that must equal a text for the filter to match, each with that text.
#[must_use]
pub fn demanded(filter: &Filter) -> Vec<(String, &str)> {
    match filter {
        Filter::Attr(AttrExp::Comparison(path, CompareOp::Eq, CompValue::Str(text))) => {
            let part = path.sub_attr.as_ref().map_or_else(String::new, |part| format!(".{part}"));
            vec![(format!("{}{part}", path.name).to_ascii_lowercase(), text)]
        }
        Filter::ValuePath(path) => match path.filter.as_ref() {
            ValFilter::Attr(AttrExp::Comparison(part, CompareOp::Eq, CompValue::Str(text))) => {
                vec![(format!("{}.{}", path.attr.name, part.name).to_ascii_lowercase(), text)]
            }
            _ => Vec::new(),
        },
        Filter::And(all) => all.iter().flat_map(demanded).collect(),
        _ => Vec::new(),
    }
}

/// True if the filter uses an attribute.
#[must_use]
pub fn names(filter: &Filter, attribute: &str) -> bool {
    match filter {
        Filter::Attr(AttrExp::Present(path) | AttrExp::Comparison(path, ..)) => {
            path.name.eq_ignore_ascii_case(attribute)
        }
        Filter::ValuePath(path) => path.attr.name.eq_ignore_ascii_case(attribute),
        Filter::Not(inner) => names(inner, attribute),
        Filter::And(all) | Filter::Or(all) => all.iter().any(|one| names(one, attribute)),
    }
}

/// True if a resource matches.
#[must_use]
pub fn holds(filter: &Filter, schema: &Schema, resource: &Map<String, Value>) -> bool {
    match filter {
        Filter::Attr(expression) => expressed(expression, |path| values(schema, path, resource)),
        Filter::ValuePath(path) => schema.attribute(&path.attr.name).is_some_and(|attribute| {
            let values = member(resource, attribute.name).map(each).unwrap_or_default();
            values.iter().any(|value| holds_within(&path.filter, attribute, value))
        }),
        Filter::Not(inner) => !holds(inner, schema, resource),
        Filter::And(all) => all.iter().all(|one| holds(one, schema, resource)),
        Filter::Or(all) => all.iter().any(|one| holds(one, schema, resource)),
    }
}

/// True if one value of a complex attribute matches.
#[must_use]
pub fn holds_within(filter: &ValFilter, attribute: &Attribute, value: &Value) -> bool {
    match filter {
        ValFilter::Attr(expression) => expressed(expression, |path| {
            let part = find(attribute.parts(), &path.name)?;
            Some((*part, value.get(part.name).map(each).unwrap_or_default()))
        }),
        ValFilter::Not(inner) => !holds_within(inner, attribute, value),
        ValFilter::And(all) => all.iter().all(|one| holds_within(one, attribute, value)),
        ValFilter::Or(all) => all.iter().any(|one| holds_within(one, attribute, value)),
    }
}

/// The attribute of a path and its values in a resource. An attribute that is in no schema has no values.
fn values<'a>(
    schema: &Schema,
    path: &AttrPath,
    resource: &'a Map<String, Value>,
) -> Option<(Attribute, Vec<&'a Value>)> {
    let attribute = schema.attribute(&path.name)?;
    let found = member(resource, attribute.name).map(each).unwrap_or_default();
    let part = match &path.sub_attr {
        Some(part) => find(attribute.parts(), part)?,
        // For several complex values, their `value` is compared.
        None if attribute.many => match find(attribute.parts(), "value") {
            Some(part) => part,
            None => return Some((*attribute, found)),
        },
        None => return Some((*attribute, found)),
    };
    Some((*part, found.into_iter().filter_map(|value| value.get(part.name)).collect()))
}

fn each(value: &Value) -> Vec<&Value> {
    if let Value::Array(values) = value { values.iter().collect() } else { vec![value] }
}

fn expressed<'a>(expression: &AttrExp, values: impl FnOnce(&AttrPath) -> Option<(Attribute, Vec<&'a Value>)>) -> bool {
    match expression {
        AttrExp::Present(path) => values(path).is_some_and(|(_, values)| values.iter().any(|value| is_present(value))),
        AttrExp::Comparison(path, operator, wanted) => {
            let Some((attribute, values)) = values(path) else { return *operator == CompareOp::Ne };
            match (operator, wanted) {
                (CompareOp::Eq, CompValue::Null) => values.is_empty(),
                (CompareOp::Ne, CompValue::Null) => !values.is_empty(),
                (CompareOp::Ne, _) => !values.iter().any(|value| compares(&attribute, value, &CompareOp::Eq, wanted)),
                _ => values.iter().any(|value| compares(&attribute, value, operator, wanted)),
            }
        }
    }
}

fn is_present(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(values) => !values.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => true,
    }
}

fn compares(attribute: &Attribute, value: &Value, operator: &CompareOp, wanted: &CompValue) -> bool {
    match (value, wanted) {
        (Value::String(text), CompValue::Str(wanted)) if attribute.kind == Kind::DateTime => {
            match (text.parse::<Timestamp>(), wanted.parse::<Timestamp>()) {
                (Ok(at), Ok(wanted)) => ordered(at.cmp(&wanted), operator),
                _ => false,
            }
        }
        (Value::String(text), CompValue::Str(wanted)) if attribute.case_exact => of_texts(text, wanted, operator),
        (Value::String(text), CompValue::Str(wanted)) => of_texts(&key(text), &key(wanted), operator),
        (Value::Bool(value), CompValue::True) => *operator == CompareOp::Eq && *value,
        (Value::Bool(value), CompValue::False) => *operator == CompareOp::Eq && !*value,
        _ => false,
    }
}

fn of_texts(text: &str, wanted: &str, operator: &CompareOp) -> bool {
    match operator {
        CompareOp::Co => text.contains(wanted),
        CompareOp::Sw => text.starts_with(wanted),
        CompareOp::Ew => text.ends_with(wanted),
        _ => ordered(text.cmp(wanted), operator),
    }
}

fn ordered(order: std::cmp::Ordering, operator: &CompareOp) -> bool {
    match operator {
        CompareOp::Eq => order.is_eq(),
        CompareOp::Gt => order.is_gt(),
        CompareOp::Ge => order.is_ge(),
        CompareOp::Lt => order.is_lt(),
        CompareOp::Le => order.is_le(),
        CompareOp::Ne => order.is_ne(),
        CompareOp::Co | CompareOp::Sw | CompareOp::Ew => false,
    }
}
