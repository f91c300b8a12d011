//! PATCH: carries out operations on the resource as its provider reads it (RFC 7644, section 3.5.2).

use std::collections::BTreeSet;

use scim_v2::filter::{AttrExp, CompareOp, ValFilter};
use serde_json::{Map, Value, json};

use super::document::{MANY, invalid, member, taken};
use super::filter::holds_within;
use super::operations::{Operation, Verb, refused};
use super::schema::{Attribute, find};
use crate::error::Result;

/// Applies one operation to a resource as its provider reads it.
pub fn apply(resource: &mut Map<String, Value>, operation: &Operation) -> Result<()> {
    let attribute = operation.attribute;
    if attribute.read_only {
        return if repeats(resource, operation) {
            Ok(())
        } else {
            Err(refused("mutability", format!("`{}` cannot be changed.", attribute.name)))
        };
    }
    let removes = operation.removes();
    if removes && attribute.required && operation.part.is_none() {
        return Err(refused("mutability", format!("`{}` must have a value.", attribute.name)));
    }
    match (&operation.filter, operation.part) {
        (Some(filter), part) => within(resource, attribute, (filter, part), operation),
        (None, Some(part)) => of_part(resource, attribute, part, operation),
        (None, None) if removes => {
            remove(resource, attribute, &operation.value);
            Ok(())
        }
        (None, None) => put(resource, attribute, operation),
    }
}

/// True if an operation says of an attribute what is so already, or nothing: some providers send a whole resource.
fn repeats(resource: &Map<String, Value>, operation: &Operation) -> bool {
    let whole = resource.get(operation.attribute.name).unwrap_or(&Value::Null);
    let present = operation.part.map_or(whole, |part| &whole[part.name]);
    operation.verb != Verb::Remove && operation.filter.is_none() && agrees(&operation.value, present)
}

fn agrees(sent: &Value, present: &Value) -> bool {
    match (sent, present) {
        (Value::Null, _) => true,
        (Value::String(text), _) if text.is_empty() => true,
        (Value::Array(sent), _) if sent.is_empty() => true,
        (Value::Array(sent), Value::Array(present)) => identified(sent) == identified(present),
        (Value::Object(sent), _) if sent.is_empty() => true,
        (Value::Object(sent), Value::Object(present)) => {
            sent.iter().all(|(name, value)| member(present, name).is_none_or(|present| agrees(value, present)))
        }
        _ => sent == present,
    }
}

/// The identifiers that the items of a list refer to.
fn identified(list: &[Value]) -> BTreeSet<Option<&str>> {
    list.iter().map(|one| one.as_object().and_then(|one| member(one, "value")).and_then(Value::as_str)).collect()
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
        // Nothing of the value is kept. Only a list that is replaced becomes empty.
        if attribute.many && operation.verb == Verb::Replace {
            remove(resource, attribute, &Value::Null);
        }
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
        None if operation.removes() => None,
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
        (None, None) if operation.removes() => picked.into_iter().rev().for_each(|at| drop(values.remove(at))),
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
    let key = find(attribute.parts(), &path.name).ok_or_else(none)?;
    let wanted: Value = serde_json::from_str(&wanted.to_string()).map_err(|_| none())?;
    let mut made = part.map_or_else(|| value.clone(), |part| json!({ part.name: value.clone() }));
    set(&mut made, key, taken(key, &wanted)?.as_ref());
    Ok(made)
}
