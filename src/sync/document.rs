//! Reads a resource that a provider sent: names in any case, values of the types in the schema, and only values that
//! can be stored.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::schema::{Attribute, Kind, Schema};
use crate::error::{Error, Result};
use crate::name;

/// The longest text, in bytes: PostgreSQL indexes no text that is much longer.
const LONGEST: usize = 1_024;

/// The longest list that is not a list of members.
pub const MANY: usize = 50;

/// The error for an invalid value.
pub fn invalid(text: impl Into<Cow<'static, str>>) -> Error {
    Error::Provisioning("invalidValue", text.into())
}

/// The attribute of this name, in any case; the last one counts.
#[must_use]
pub fn member<'a>(of: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    of.iter().rev().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// The attributes of a resource that a provider may set, with the names of the schema. Attributes that are not in the
/// schema, or that only the service sets, are dropped. Required attributes must be present, unless they have a default.
pub fn read(schema: &Schema, body: &Map<String, Value>) -> Result<Map<String, Value>> {
    let mut resource = Map::new();
    let external = schema.attribute("externalId");
    for attribute in schema.attributes.iter().chain(external).filter(|attribute| !attribute.read_only) {
        let sent = member(body, attribute.name);
        match sent.map(|value| taken(attribute, value)).transpose()?.flatten() {
            Some(value) => drop(resource.insert(attribute.name.to_owned(), value)),
            None if attribute.required && !(attribute.defaulted && sent.is_none()) => {
                return Err(invalid(format!("`{}` must have a value.", attribute.name)));
            }
            None => {}
        }
    }
    Ok(resource)
}

/// A value of an attribute; none if it is empty.
pub fn taken(attribute: &Attribute, value: &Value) -> Result<Option<Value>> {
    if !attribute.many {
        return one(attribute, value);
    }
    let values: &[Value] = match value {
        Value::Array(values) => values,
        Value::Null => &[],
        single => std::slice::from_ref(single),
    };
    if values.len() > MANY {
        return Err(invalid(format!("`{}` can have at most {MANY} values.", attribute.name)));
    }
    let taken: Vec<Option<Value>> = values.iter().map(|value| one(attribute, value)).collect::<Result<_>>()?;
    let taken: Vec<Value> = taken.into_iter().flatten().collect();
    if taken.iter().filter(|value| value["primary"] == true).count() > 1 {
        return Err(invalid(format!("Only one value of `{}` can be primary.", attribute.name)));
    }
    Ok((!taken.is_empty()).then_some(Value::Array(taken)))
}

fn one(attribute: &Attribute, value: &Value) -> Result<Option<Value>> {
    let misfit = |what: &str| invalid(format!("`{}` must be {what}.", attribute.name));
    match (attribute.kind, value) {
        (_, Value::Null) => Ok(None),
        (Kind::Text, Value::String(text)) if !attribute.case_exact => {
            let text = name::without_invisible(text);
            stored(attribute, &text).map(|()| Some(text.into()))
        }
        (Kind::Text | Kind::Reference(_) | Kind::DateTime, Value::String(text)) => {
            stored(attribute, text).map(|()| Some(value.clone()))
        }
        (Kind::Text | Kind::Reference(_) | Kind::DateTime, _) => Err(misfit("text")),
        (Kind::Boolean, Value::Bool(_)) | (Kind::Integer, Value::Number(_)) => Ok(Some(value.clone())),
        // A well-known provider sends booleans as text.
        (Kind::Boolean, Value::String(text)) if text.eq_ignore_ascii_case("true") => Ok(Some(true.into())),
        (Kind::Boolean, Value::String(text)) if text.eq_ignore_ascii_case("false") => Ok(Some(false.into())),
        (Kind::Boolean, _) => Err(misfit("true or false")),
        (Kind::Integer, _) => Err(misfit("a number")),
        (Kind::Complex(parts), Value::Object(sent)) => {
            let mut taken_parts = Map::new();
            for part in parts.iter().filter(|part| !part.read_only) {
                if let Some(value) = member(sent, part.name).map(|value| taken(part, value)).transpose()?.flatten() {
                    taken_parts.insert(part.name.to_owned(), value);
                }
            }
            Ok((!taken_parts.is_empty()).then_some(Value::Object(taken_parts)))
        }
        (Kind::Complex(_), _) => Err(misfit("an object")),
    }
}

/// The form in which names are compared: in lower case and without invisible characters.
pub fn key(name: &str) -> String {
    name::without_invisible(name).to_lowercase()
}

/// Refuses text with a line break or another control character, unless the resource had it before.
pub fn refuse_line_breaks(before: &Map<String, Value>, after: &Map<String, Value>) -> Result<()> {
    let mut known = Vec::new();
    before.values().for_each(|value| collect(value, &mut known));
    for (attribute, value) in after.iter().filter(|(attribute, _)| *attribute != "externalId") {
        let mut texts = Vec::new();
        collect(value, &mut texts);
        let had = |text: &str| known.iter().any(|known| name::without_invisible(known) == text);
        if texts.into_iter().any(|text| !name::is_one_line(text) && !had(text)) {
            return Err(breaks_line(attribute));
        }
    }
    Ok(())
}

fn breaks_line(attribute: &str) -> Error {
    invalid(format!("`{attribute}` contains a line break or another control character. Remove it."))
}

fn collect<'a>(value: &'a Value, texts: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(values) => values.iter().for_each(|value| collect(value, texts)),
        Value::Object(members) => members.values().for_each(|value| collect(value, texts)),
        _ => {}
    }
}

fn stored(attribute: &Attribute, text: &str) -> Result<()> {
    if text.contains('\0') {
        return Err(breaks_line(attribute.name));
    }
    if text.len() > LONGEST {
        return Err(invalid(format!("`{}` is too long (maximum is {LONGEST} bytes).", attribute.name)));
    }
    if attribute.required && text.trim().is_empty() {
        return Err(invalid(format!("`{}` must have a value.", attribute.name)));
    }
    Ok(())
}
