//! PATCH: the operations that a provider sends, each on one attribute that is kept (RFC 7644, section 3.5.2). Attributes
//! that are not kept are dropped before their paths are parsed.

use scim_v2::filter::{PatchPath, ValFilter};
use serde_json::{Map, Value};

use super::document::member;
use super::filter::comparisons_within;
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

/// One operation on one attribute that is kept.
#[derive(Debug)]
pub struct Operation {
    /// The verb.
    pub verb: Verb,
    /// The attribute that it changes.
    pub attribute: &'static Attribute,
    /// The part of the attribute that it changes, if it does not change the whole.
    pub part: Option<&'static Attribute>,
    /// Selects values of the attribute.
    pub filter: Option<ValFilter>,
    /// The value.
    pub value: Value,
}

impl Operation {
    /// True if it leaves the attribute, or the part of it, without a value.
    #[must_use]
    pub fn removes(&self) -> bool {
        self.verb == Verb::Remove || self.value.is_null()
    }
}

/// The error for an operation that cannot be carried out.
pub fn refused(kind: &'static str, text: String) -> Error {
    Error::Provisioning(kind, text.into())
}

/// Parses the operations of a request. An operation without a path becomes one for each attribute that it names.
/// Attributes that are not kept are dropped, as they are from a whole resource.
pub fn read(schema: &Schema, body: &Map<String, Value>) -> Result<Vec<Operation>> {
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
        let verb = verb(operation)?;
        let value = member(operation, "value").cloned().unwrap_or_default();
        let path = member(operation, "path").filter(|path| !path.is_null());
        match (path, value) {
            (Some(Value::String(path)), value) if !path.eq_ignore_ascii_case(schema.id) => {
                if !names_attribute(path) {
                    return Err(malformed());
                }
                operations.extend(at(schema, verb, path, value)?);
            }
            (None | Some(Value::String(_)), Value::Object(members)) if verb != Verb::Remove => {
                of_members(schema, verb, members, &mut operations)?;
            }
            (None, _) if verb == Verb::Remove => return Err(refused("noTarget", "`remove` needs a `path`.".into())),
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

fn verb(operation: &Map<String, Value>) -> Result<Verb> {
    match member(operation, "op").and_then(Value::as_str).map(str::to_ascii_lowercase).as_deref() {
        Some("add") => Ok(Verb::Add),
        Some("replace") => Ok(Verb::Replace),
        Some("remove") => Ok(Verb::Remove),
        _ => Err(refused("invalidSyntax", "`op` must be `add`, `replace` or `remove`.".into())),
    }
}

/// One operation for each attribute that an object names, also below the name of the schema.
fn of_members(schema: &Schema, verb: Verb, members: Map<String, Value>, operations: &mut Vec<Operation>) -> Result<()> {
    for (name, value) in members {
        match value {
            Value::Object(members) if name.eq_ignore_ascii_case(schema.id) => {
                of_members(schema, verb, members, operations)?;
            }
            value => operations.extend(at(schema, verb, &name, value)?),
        }
    }
    Ok(())
}

/// The operation on what a path names; none if that is not kept.
fn at(schema: &Schema, verb: Verb, path: &str, value: Value) -> Result<Option<Operation>> {
    let Some(attribute) = kept(schema, path) else { return Ok(None) };
    let (name, filter) = match parse(path)? {
        PatchPath::Attr(path) => (path.sub_attr, None),
        PatchPath::Value(path) => (path.sub_attr, Some(path.filter)),
    };
    let part = name.as_deref().and_then(|name| find(attribute.parts(), name));
    match name {
        Some(name) if attribute.parts().is_empty() => {
            Err(refused("invalidPath", format!("`{}` has no attribute `{name}`.", attribute.name)))
        }
        Some(_) if part.is_none() => Ok(None),
        _ => Ok(Some(Operation { verb, attribute, part, filter, value })),
    }
}

/// The attribute with whose name a path begins, whatever follows it; none if it is not kept.
fn kept(schema: &Schema, path: &str) -> Option<&'static Attribute> {
    let name = path.split('[').next()?;
    let (ours, name) = match name.rsplit_once(':') {
        Some((uri, name)) => (uri.eq_ignore_ascii_case(schema.id), name),
        None => (true, name),
    };
    schema.attribute(name.split('.').next()?).filter(|_| ours)
}

/// True if what is before the filter of a path can be a name.
fn names_attribute(path: &str) -> bool {
    let name = path.split('[').next().unwrap_or_default();
    let never = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '(' | ')' | ']' | '"');
    name.starts_with(char::is_alphabetic) && !name.contains(never)
}

fn malformed() -> Error {
    refused("invalidPath", "A `path` is malformed or too long.".into())
}

fn parse(path: &str) -> Result<PatchPath> {
    let parsed: PatchPath =
        if path.len() <= LONGEST.0 { path.parse().map_err(|_| malformed())? } else { return Err(malformed()) };
    match &parsed {
        PatchPath::Value(path) if comparisons_within(&path.filter) > LONGEST.1 => Err(malformed()),
        _ => Ok(parsed),
    }
}
