//! PATCH: operations on attributes by path (RFC 7644, section 3.5.2), applied to the resource as it would be sent.

use scim_v2::filter::{AttrExp, AttrPath, CompareOp, PatchPath, ValFilter};
use serde_json::{Map, Value, json};

use super::document::{MANY, invalid, member, taken};
use super::filter::{comparisons_within, holds_within};
use super::schema::{Attribute, Schema, find};
use crate::error::{Error, Result};

/// The largest number of operations in a request.
const MOST: usize = 1_000;

/// The longest path, in bytes, and the largest number of comparisons in it.
const LONGEST: (usize, usize) = (1_024, 20);

/// The verb of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Adds values, or sets one.
    Add,
    /// Replaces values.
    Replace,
    /// Removes values.
    Remove,
}

/// One operation on one attribute.
#[derive(Debug)]
pub struct Operation {
    /// What it does.
    pub verb: Verb,
    /// The path.
    pub path: PatchPath,
    /// The value.
    pub value: Value,
}

impl Operation {
    fn path(&self) -> &AttrPath {
        match &self.path {
            PatchPath::Attr(path) => path,
            PatchPath::Value(path) => &path.attr,
        }
    }

    /// The attribute that it changes, if the schema has it.
    #[must_use]
    pub fn attribute(&self, schema: &Schema) -> Option<&'static Attribute> {
        let path = self.path();
        let ours = path.uri.as_ref().is_none_or(|uri| uri.eq_ignore_ascii_case(schema.id));
        schema.attribute(&path.name).filter(|_| ours)
    }

    /// True if it names an attribute that only the service sets.
    #[must_use]
    pub fn names_fixed(&self, schema: &Schema) -> bool {
        self.attribute(schema).is_some_and(|attribute| attribute.read_only)
    }

    /// True if it leaves the attribute without a value.
    #[must_use]
    pub fn removes(&self) -> bool {
        self.verb == Verb::Remove || self.value.is_null()
    }
}

fn refused(kind: &'static str, text: String) -> Error {
    Error::Provisioning(kind, text.into())
}

/// Parses the operations of a request. An operation without a path becomes one for each attribute that it names.
pub fn read(body: &Map<String, Value>) -> Result<Vec<Operation>> {
    let sent = match member(body, "Operations") {
        Some(Value::Array(operations)) if operations.len() <= MOST => operations,
        Some(Value::Array(_)) => {
            return Err(refused(
                "tooMany",
                format!("A request can have at most {MOST} operations. Send the others in further requests."),
            ));
        }
        _ => return Err(refused("invalidSyntax", "`Operations` must be a list.".into())),
    };
    let mut operations = Vec::with_capacity(sent.len());
    for operation in sent {
        let Value::Object(operation) = operation else {
            return Err(refused("invalidSyntax", "Each of `Operations` must be an object.".into()));
        };
        let verb = match member(operation, "op").and_then(Value::as_str).map(str::to_ascii_lowercase).as_deref() {
            Some("add") => Verb::Add,
            Some("replace") => Verb::Replace,
            Some("remove") => Verb::Remove,
            _ => return Err(refused("invalidSyntax", "`op` must be `add`, `replace` or `remove`.".into())),
        };
        let value = member(operation, "value").cloned().unwrap_or_default();
        match (member(operation, "path"), value) {
            (Some(Value::String(path)), value) => operations.push(Operation { verb, path: parse(path)?, value }),
            (None | Some(Value::Null), Value::Object(members)) if verb != Verb::Remove => {
                // A name that is no path is that of no attribute.
                let named = members.into_iter().filter_map(|(name, value)| Some((parse(&name).ok()?, value)));
                operations.extend(named.map(|(path, value)| Operation { verb, path, value }));
            }
            (None | Some(Value::Null), _) if verb == Verb::Remove => {
                return Err(refused("noTarget", "`remove` needs a `path`.".into()));
            }
            _ => {
                return Err(refused(
                    "invalidSyntax",
                    "`path` must be a string. Without a `path`, `value` must be an object.".into(),
                ));
            }
        }
    }
    Ok(operations)
}

fn parse(path: &str) -> Result<PatchPath> {
    let unreadable = || refused("invalidPath", "A `path` is malformed or too long.".into());
    let parsed: PatchPath =
        if path.len() <= LONGEST.0 { path.parse().map_err(|_| unreadable())? } else { return Err(unreadable()) };
    match &parsed {
        PatchPath::Value(path) if comparisons_within(&path.filter) > LONGEST.1 => Err(unreadable()),
        _ => Ok(parsed),
    }
}

/// Applies one operation to a resource as its provider would send it. `fixed` are the attributes that only the service
/// sets. Attributes that are not kept are ignored, as in POST and PUT.
pub fn apply(
    schema: &Schema,
    (fixed, resource): (&Map<String, Value>, &mut Map<String, Value>),
    operation: &Operation,
) -> Result<()> {
    let Some(attribute) = operation.attribute(schema) else { return Ok(()) };
    let part = match &operation.path {
        PatchPath::Attr(path) => path.sub_attr.as_deref(),
        PatchPath::Value(path) => path.sub_attr.as_deref(),
    };
    if attribute.read_only {
        return keep(fixed, attribute, part, operation);
    }
    let Ok(part) = part.map(|name| part_of(attribute, name)).transpose() else { return Ok(()) };
    let removes = operation.removes();
    if removes && attribute.required && part.is_none() {
        return Err(refused("mutability", format!("`{}` must have a value.", attribute.name)));
    }
    match (&operation.path, part) {
        (PatchPath::Value(path), part) => within(resource, attribute, (&path.filter, part), operation),
        (PatchPath::Attr(_), Some(part)) => of_part(resource, attribute, part, operation),
        (PatchPath::Attr(_), None) if removes => {
            remove(resource, attribute, &operation.value);
            Ok(())
        }
        (PatchPath::Attr(_), None) => put(resource, attribute, operation),
    }
}

/// Refuses an operation that would change an attribute that only the service sets. Providers send what they have read.
fn keep(fixed: &Map<String, Value>, attribute: &Attribute, part: Option<&str>, operation: &Operation) -> Result<()> {
    let own = fixed.get(attribute.name).unwrap_or(&Value::Null);
    let own = match part.zip(own.as_object()) {
        Some((part, members)) => member(members, part).unwrap_or(&Value::Null),
        None => own,
    };
    let changes = operation.verb == Verb::Remove || !is_same(&operation.value, own);
    if changes || matches!(operation.path, PatchPath::Value(_)) {
        return Err(refused("mutability", format!("`{}` cannot be changed.", attribute.name)));
    }
    Ok(())
}

/// True if what was sent is empty, or says nothing else than what there is.
fn is_same(sent: &Value, own: &Value) -> bool {
    match (sent, own) {
        (Value::Null, _) => true,
        (Value::String(text), _) if text.is_empty() => true,
        (Value::Array(sent), _) if sent.is_empty() => true,
        (Value::Array(sent), Value::Array(own)) => {
            sent.len() == own.len() && sent.iter().all(|sent| own.iter().any(|own| is_same(sent, own)))
        }
        (Value::Object(sent), Value::Object(own)) => {
            sent.iter().all(|(name, sent)| member(own, name).is_none_or(|own| is_same(sent, own)))
        }
        (Value::Object(sent), _) => sent.is_empty(),
        (sent, own) => sent == own,
    }
}

fn part_of(attribute: &Attribute, name: &str) -> Result<&'static Attribute> {
    let missing = || refused("invalidPath", format!("`{}` has no attribute `{name}`.", attribute.name));
    find(attribute.parts(), name).ok_or_else(missing)
}

/// Removes an attribute, or the named values of it.
fn remove(resource: &mut Map<String, Value>, attribute: &Attribute, named: &Value) {
    let named: Vec<&Value> = match named {
        Value::Array(named) if attribute.many => named.iter().map(|one| &one["value"]).collect(),
        _ => return drop(resource.shift_remove(attribute.name)),
    };
    if let Some(Value::Array(values)) = resource.get_mut(attribute.name) {
        values.retain(|value| !named.contains(&&value["value"]));
    }
}

fn put(resource: &mut Map<String, Value>, attribute: &Attribute, operation: &Operation) -> Result<()> {
    let Some(value) = taken(attribute, &operation.value)? else {
        remove(resource, attribute, &Value::Null);
        return Ok(());
    };
    let present = resource.entry(attribute.name).or_insert(Value::Null);
    match (present, value) {
        (Value::Array(present), Value::Array(new)) if operation.verb == Verb::Add => {
            if new.iter().any(|value| value["primary"] == true) {
                present
                    .iter_mut()
                    .filter(|value| value["primary"] == true)
                    .for_each(|value| value["primary"] = json!(false));
            }
            for value in new {
                if !present.contains(&value) {
                    push(attribute, present, value)?;
                }
            }
        }
        (Value::Object(present), Value::Object(new)) => present.extend(new),
        (present, value) => *present = value,
    }
    Ok(())
}

/// Adds a value to a list, which stays short however many operations add to it.
fn push(attribute: &Attribute, values: &mut Vec<Value>, value: Value) -> Result<()> {
    if values.len() >= MANY {
        return Err(invalid(format!("`{}` can have at most {MANY} values.", attribute.name)));
    }
    values.push(value);
    Ok(())
}

/// Changes one part of a complex attribute, in all of its values if there are several.
fn of_part(
    resource: &mut Map<String, Value>,
    attribute: &Attribute,
    part: &Attribute,
    operation: &Operation,
) -> Result<()> {
    let value = new_part(part, operation)?;
    if attribute.many && value.is_some() && !resource.contains_key(attribute.name) {
        return Err(refused("noTarget", format!("There is no value of `{}`.", attribute.name)));
    }
    if value.is_none() && !resource.contains_key(attribute.name) {
        return Ok(());
    }
    let present = resource.entry(attribute.name).or_insert_with(|| json!({}));
    match present {
        Value::Array(values) => values.iter_mut().for_each(|one| set(one, part, value.as_ref())),
        single => set(single, part, value.as_ref()),
    }
    Ok(())
}

fn new_part(part: &Attribute, operation: &Operation) -> Result<Option<Value>> {
    if operation.verb == Verb::Remove { Ok(None) } else { taken(part, &operation.value) }
}

fn set(of: &mut Value, part: &Attribute, value: Option<&Value>) {
    if let Value::Object(members) = of {
        match value {
            Some(value) => drop(members.insert(part.name.to_owned(), value.clone())),
            None => drop(members.shift_remove(part.name)),
        }
    }
}

/// Changes the values of an attribute that match a filter.
fn within(
    resource: &mut Map<String, Value>,
    attribute: &Attribute,
    (filter, part): (&ValFilter, Option<&'static Attribute>),
    operation: &Operation,
) -> Result<()> {
    if !attribute.many || attribute.parts().is_empty() {
        return Err(refused(
            "invalidPath",
            format!("`{}` is not a list of values, so its path cannot have a filter.", attribute.name),
        ));
    }
    let present = resource.entry(attribute.name).or_insert_with(|| json!([]));
    let Value::Array(values) = present else { return Err(invalid(format!("`{}` must be a list.", attribute.name))) };
    let picked: Vec<usize> = (0..values.len()).filter(|at| holds_within(filter, attribute, &values[*at])).collect();
    let value = match part {
        Some(part) => new_part(part, operation)?,
        None if operation.verb == Verb::Remove => None,
        None => taken(attribute, &operation.value)?.and_then(|list| list.get(0).cloned()),
    };
    match (part, value) {
        (Some(part), value) if !picked.is_empty() => {
            for at in picked {
                set(&mut values[at], part, value.as_ref());
            }
        }
        (None, Some(Value::Object(new))) if !picked.is_empty() => picked.into_iter().for_each(|at| {
            if let Value::Object(members) = &mut values[at] {
                members.extend(new.clone());
            }
        }),
        (None, None) => picked.into_iter().rev().for_each(|at| drop(values.remove(at))),
        (_, None) => {}
        (part, Some(value)) if operation.verb == Verb::Add => {
            let made = made(attribute, (filter, part), value)?;
            push(attribute, values, made)?;
        }
        _ => {
            return Err(refused(
                "noTarget",
                format!("No value of `{}` matches the filter in the path.", attribute.name),
            ));
        }
    }
    Ok(())
}

/// A new value for a filter that matches none: `emails[type eq "work"].value` creates one of that type.
fn made(attribute: &Attribute, (filter, part): (&ValFilter, Option<&Attribute>), value: Value) -> Result<Value> {
    let none = || refused("noTarget", format!("No value of `{}` matches the filter in the path.", attribute.name));
    let ValFilter::Attr(AttrExp::Comparison(path, CompareOp::Eq, wanted)) = filter else { return Err(none()) };
    let key = part_of(attribute, &path.name)?;
    let wanted: Value = serde_json::from_str(&wanted.to_string()).map_err(|_| none())?;
    let mut made = part.map_or_else(|| value.clone(), |part| json!({ part.name: value.clone() }));
    set(&mut made, key, taken(key, &wanted)?.as_ref());
    Ok(made)
}
