//! Tells if a value fits its schema, and the error line if it does not. A schema is parsed once, because every request
//! is checked.

use serde_json::Value;

/// The longest part of a client's value that an error repeats.
const SHOWN: usize = 200;

/// The requirements for a value.
#[derive(Debug, Clone)]
pub(super) struct Fit {
    /// Any one of these is enough. If there are any, the other fields do not count.
    alternatives: Vec<Fit>,
    /// The names of its types; if there are none, any type.
    types: Vec<String>,
    /// The possible values, of this or of one of the alternatives; if there are none, any value.
    choices: Vec<Value>,
    /// The requirements for each item of an array.
    items: Option<Box<Fit>>,
    /// The requirements for the properties of an object.
    properties: Vec<(String, Fit)>,
}

impl Fit {
    /// The requirements of a schema.
    pub(super) fn of(schema: &Value) -> Self {
        let alternatives: Vec<&Value> = list(schema, "anyOf").chain(list(schema, "oneOf")).collect();
        let types = match schema.get("type") {
            Some(Value::String(one)) => vec![one.clone()],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let choices = match schema.get("const") {
            _ if !alternatives.is_empty() => choices_of_all(&alternatives),
            Some(only) => vec![only.clone()],
            None => list(schema, "enum").filter(|v| !v.is_null()).cloned().collect(),
        };
        let items = schema.get("items").map(|items| Box::new(Self::of(items)));
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let properties = properties.map(|(name, schema)| (name.clone(), Self::of(schema))).collect();
        Self { alternatives: alternatives.into_iter().map(Self::of).collect(), types, choices, items, properties }
    }

    /// The line for a value that does not fit.
    pub(super) fn misfit(&self, value: &Value, at: &str) -> Option<String> {
        if value.as_str().is_some_and(|text| text.contains('\0')) {
            return Some(format!("For '{at}', the text contains a NUL character."));
        }
        if !self.alternatives.is_empty() {
            return self.misfit_of_all(value, at);
        }
        if !self.types.is_empty() && !self.types.iter().any(|name| is_a(value, name)) {
            let expected = self.types.iter().find(|name| *name != "null").map_or("null", String::as_str);
            return Some(format!("For '{at}', {} is {}.", inspect(value), mismatch(value, expected)));
        }
        if !self.choices.is_empty() && !self.choices.contains(value) {
            return Some(not_a_member(&self.choices, value, at));
        }
        let items = self.items.as_ref().zip(value.as_array());
        let item = items.and_then(|(fit, values)| {
            values.iter().enumerate().find_map(|(i, item)| fit.misfit(item, &format!("{at}/{i}")))
        });
        item.or_else(|| {
            self.properties.iter().find_map(|(name, fit)| fit.misfit(value.get(name)?, &format!("{at}/{name}")))
        })
    }

    fn misfit_of_all(&self, value: &Value, at: &str) -> Option<String> {
        let first = self
            .alternatives
            .iter()
            .map(|fit| fit.misfit(value, at))
            .try_fold(None, |first, line| line.map(|line| first.or(Some(line))));
        let first = first?;
        let choices = &self.choices;
        if value.is_string() && !choices.is_empty() { Some(not_a_member(choices, value, at)) } else { first }
    }
}

/// Choices that have a description each are a `oneOf` with a `const`; other alternatives are an `anyOf`.
fn choices_of_all(alternatives: &[&Value]) -> Vec<Value> {
    alternatives
        .iter()
        .flat_map(|schema| list(schema, "oneOf").chain(list(schema, "enum")).chain([*schema]))
        .filter_map(|schema| schema.get("const").or(schema.is_string().then_some(schema)).cloned())
        .collect()
}

fn not_a_member(choices: &[Value], value: &Value, at: &str) -> String {
    let choices: Vec<String> = choices.iter().map(inspect).collect();
    format!("For '{at}', {} is not a member of [{}].", inspect(value), choices.join(", "))
}

fn is_a(value: &Value, name: &str) -> bool {
    match name {
        "string" => value.is_string(),
        "integer" => whole(value).is_some(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => value.is_null(),
    }
}

/// A number without a fraction, in any notation, if it can be stored as an integer.
fn whole(value: &Value) -> Option<i64> {
    let written = |number: &f64| format!("{number:.0}").parse().ok();
    value.as_i64().or_else(|| value.as_f64().filter(|number| number.fract() == 0.0).as_ref().and_then(written))
}

/// A value that fits, with whole numbers as the structs read them, also within a list or an object.
pub(super) fn readable(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(readable).collect(),
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), readable(value))).collect(),
        Value::Number(_) => whole(value).map_or_else(|| value.clone(), Value::from),
        other => other.clone(),
    }
}

fn mismatch(value: &Value, expected: &str) -> String {
    match value.as_f64() {
        Some(number) if expected == "integer" && number.fract() == 0.0 => "out of range".to_owned(),
        Some(_) if expected == "integer" => "not an integer".to_owned(),
        _ => format!("not {}", with_article(expected)),
    }
}

fn with_article(name: &str) -> &'static str {
    match name {
        "string" => "a string",
        "integer" | "number" => "a number",
        "boolean" => "a boolean",
        "array" => "an array",
        "object" => "an object",
        _ => "null",
    }
}

/// The items of an array in a schema.
pub(super) fn list<'a>(schema: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    schema.get(name).and_then(Value::as_array).into_iter().flatten()
}

/// A value as error lines print it, cut to a length that is safe to show.
fn inspect(value: &Value) -> String {
    let shown = match value {
        Value::Null => "nil".to_owned(),
        Value::Object(members) => {
            let members: Vec<String> = members.iter().map(|(k, v)| format!("{}=>{}", text(k), inspect(v))).collect();
            format!("{{{}}}", members.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(inspect).collect::<Vec<_>>().join(", ")),
        Value::String(string) => text(string),
        other => other.to_string(),
    };
    cut(shown)
}

/// Text as error lines print it.
pub(super) fn text(string: &str) -> String {
    cut(Value::from(string.chars().take(SHOWN).collect::<String>()).to_string())
}

fn cut(shown: String) -> String {
    if shown.chars().count() <= SHOWN + 2 { shown } else { shown.chars().take(SHOWN).chain("...".chars()).collect() }
}
