//! The shape of an operation's parameters, from the schema of its struct: what is checked before they are parsed.
//!
//! Implements the "Invalid request." family of `422` responses: one line for each error.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::fit::{Fit, list, readable, text};
use super::{Call, Method};
use crate::error::{Error, Result};

/// The place where a parameter is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In the body, or in the query if the body does not have it.
    Body,
    /// In the query, because the body is a file. It is refused like a field of a body.
    Option,
    /// In the `Accept` header.
    Accept,
}

/// One parameter.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "these are independent of each other")]
pub struct Field {
    /// Its name on the wire.
    pub name: String,
    /// The place where it is sent.
    pub place: Place,
    /// True if it must be there.
    pub required: bool,
    /// True if null differs from absent.
    pub null_clears: bool,
    /// True if the function itself refuses a text that is not one of the choices, with a message that clients know. In
    /// a query, it refuses a missing one too.
    pub function_validates: bool,
    /// True if the function refuses some of its values to some callers.
    pub function_refuses: bool,
    /// Its JSON schema.
    pub schema: Value,
    fit: Fit,
}

/// The parameters of an operation.
#[derive(Debug, Clone)]
pub struct Shape {
    /// The documentation of the operation.
    pub description: String,
    /// Its parameters, in the order of the struct.
    pub fields: Vec<Field>,
    strict: Option<&'static [&'static str]>,
    /// For a query in which unknown names are refused: those that are ignored.
    strict_query: Option<&'static [&'static str]>,
}

impl Shape {
    /// The shape of a struct of parameters.
    #[must_use]
    pub fn of<P: JsonSchema>(method: Method, forms: &[String]) -> Self {
        let settings = SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true);
        let schema = settings.into_generator().into_root_schema_for::<P>().to_value();
        let required: Vec<&str> = list(&schema, "required").filter_map(Value::as_str).collect();
        let properties = schema.get("properties").and_then(Value::as_object);
        let in_path = |name: &str| forms.iter().any(|form| form.contains(&format!("{{{name}}}")));
        let fields = properties.into_iter().flatten().map(|(name, schema)| Field {
            name: name.clone(),
            place: match method {
                _ if in_path(name) => Place::Path,
                _ if schema.get("x-from-accept").is_some() => Place::Accept,
                Method::Get => Place::Query,
                _ => Place::Body,
            },
            required: required.contains(&name.as_str()),
            null_clears: schema.get("x-null-clears").is_some(),
            function_validates: schema.get("x-function-validates").is_some(),
            function_refuses: schema.get("x-function-refuses").is_some(),
            schema: schema.clone(),
            fit: Fit::of(schema),
        });
        let description = schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        Self { description, fields: fields.collect(), strict: None, strict_query: None }
    }

    pub(super) fn permit_only(&mut self, further: &'static [&'static str]) {
        self.strict = Some(further);
    }

    /// Refuses unknown names in the query, except these, which are ignored.
    pub(super) fn permit_only_in_query(&mut self, further: &'static [&'static str]) {
        self.strict_query = Some(further);
    }

    /// Takes the fields of the body from the query, because the body is a file.
    pub(super) fn take_from_query(&mut self) {
        for field in self.fields.iter_mut().filter(|field| field.place == Place::Body) {
            field.place = Place::Option;
        }
    }

    /// For a body in which unknown fields are refused: the fields that are known besides the parameters, and ignored.
    #[must_use]
    pub fn ignored_fields(&self) -> Option<&'static [&'static str]> {
        self.strict
    }

    /// Parses the parameters of a request. `lenient` makes required fields of the body optional.
    pub fn read<P: DeserializeOwned>(&self, call: &Call, lenient: bool) -> Result<P> {
        let mut values = Map::new();
        let (mut missing, mut lines) = (Vec::new(), Vec::new());
        for field in &self.fields {
            match field.value(call, &mut lines)? {
                Some(value) => drop(values.insert(field.name.clone(), value)),
                None if field.required && !field.is_left_to_function() && !lenient => {
                    missing.push(format!("\"{}\"", field.name));
                }
                None => {}
            }
        }
        match missing.as_slice() {
            [] => {}
            [one] => lines.insert(0, format!("{one} wasn't supplied.")),
            several => lines.insert(0, format!("{} weren't supplied.", several.join(", "))),
        }
        lines.extend(self.not_permitted(call));
        if !lines.is_empty() {
            return Err(Error::Invalid(lines));
        }
        // The check above mirrors the struct; for any remaining error the message is serde's.
        serde_json::from_value(Value::Object(values)).map_err(|e| Error::Invalid(vec![format!("{e}.")]))
    }

    /// True if a request lacks a required parameter.
    pub(super) fn lacks_required(&self, call: &Call) -> bool {
        let mut required = self.fields.iter().filter(|field| field.required);
        required.any(|field| matches!(field.value(call, &mut Vec::new()), Ok(None)))
    }

    fn not_permitted(&self, call: &Call) -> Vec<String> {
        let known =
            |key: &str, further: &[&str]| further.contains(&key) || self.fields.iter().any(|field| field.name == key);
        let in_body = self
            .strict
            .into_iter()
            .flat_map(|further| call.body().keys().map(String::as_str).filter(move |key| !known(key, further)));
        let in_query = self
            .strict_query
            .into_iter()
            .flat_map(|further| call.query.iter().map(|(key, _)| key.as_str()).filter(move |key| !known(key, further)));
        in_body.chain(in_query).map(|key| format!("{} is not a permitted key.", text(key))).collect()
    }
}

impl Field {
    fn is_left_to_function(&self) -> bool {
        self.function_validates && self.place == Place::Query
    }

    /// The value for this parameter, if it was sent; errors are added to the lines. A value in the path that cannot be
    /// valid, for example text instead of a number, means that nothing is found: 404.
    fn value(&self, call: &Call, lines: &mut Vec<String>) -> Result<Option<Value>> {
        match self.place {
            Place::Path => {
                call.path.get(&self.name).map(|text| self.read_text(text).ok_or(Error::NotFound)).transpose()
            }
            // An unknown value in the query of a read means the default (decision 7).
            Place::Query => Ok(call.query(&self.name).and_then(|sent| self.read_text(sent.ok()?))),
            Place::Accept => Ok(Some(call.accepts_repository.into())),
            Place::Option => Ok(self.written_in_query(call, lines)),
            Place::Body => Ok(match call.body().get(&self.name) {
                Some(Value::Null) => self.null_clears.then_some(Value::Null),
                Some(value) => Some(self.validated(value, lines)),
                None => self.written_in_query(call, lines),
            }),
        }
    }

    /// The value as it is parsed; errors are added to the lines.
    fn validated(&self, value: &Value, lines: &mut Vec<String>) -> Value {
        if !(self.function_validates && value.is_string()) {
            lines.extend(self.fit.misfit(value, &format!("properties/{}", self.name)));
        }
        readable(value)
    }

    /// The value from the query of a write. It is refused like one in the body: a default instead of a mistyped role
    /// would demote a maintainer.
    fn written_in_query(&self, call: &Call, lines: &mut Vec<String>) -> Option<Value> {
        let Ok(text) = call.query(&self.name)? else {
            let name = &self.name;
            lines.push(format!("For 'properties/{name}', the query must be UTF-8, percent-encoded, without NUL."));
            return Some(Value::Null);
        };
        let value = self.read_text(text).unwrap_or_else(|| Value::from(text));
        Some(self.validated(&value, lines))
    }

    /// A number in text. A number in a query that is too long is the maximum; a number in a path that is too long finds
    /// nothing.
    fn number(&self, text: &str) -> Option<i64> {
        let too_long = self.place == Place::Query && !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        text.parse().ok().or(too_long.then_some(i64::MAX))
    }

    fn read_text(&self, text: &str) -> Option<Value> {
        let fits = |value: Value| self.fit.misfit(&value, "").is_none().then_some(value);
        let number = self.number(text).map(Value::from).and_then(fits);
        let number_or_boolean = number.or_else(|| text.parse::<bool>().ok().map(Value::from).and_then(fits));
        number_or_boolean.or_else(|| fits(Value::from(text)))
    }
}
