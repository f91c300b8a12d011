//! The variables of a query and the arguments of a field: `CoerceVariableValues` and `CoerceArgumentValues` of GraphQL, and
//! what is refused of them.

use apollo_compiler::Schema;
use apollo_compiler::ast::{InputValueDefinition, Type, Value};
use apollo_compiler::executable::{Field, Operation};
use apollo_compiler::request::{RequestError, coerce_variable_values};
use apollo_compiler::response::serde_json_bytes::serde_json::Number;
use apollo_compiler::response::{JsonMap, JsonValue};
use apollo_compiler::schema::{ExtendedType, FieldDefinition};
use apollo_compiler::validation::Valid;

/// The reason why a field is not asked for its value: the type of the error, if it has one, and the message.
pub type Refusal = (Option<&'static str>, String);

/// Turns literals into values.
struct Coercing<'p> {
    schema: &'p Schema,
    variables: &'p JsonMap,
}

/// The values of variables: what the client sends, or else the defaults.
pub fn variables(
    schema: &Valid<Schema>,
    operation: &Operation,
    given: &JsonMap,
) -> Result<Valid<JsonMap>, RequestError> {
    let mut found = coerce_variable_values(schema, operation, given)?.into_inner();
    for definition in &operation.variables {
        if let Some(value) = found.get_mut(definition.name.as_str()) {
            finish(schema, &definition.ty, value);
        }
    }
    Ok(Valid::assume_valid(found))
}

/// Does what the compiler leaves to do: an integer may be sent for an ID, which is text, and the default of a list may be
/// its only item.
fn finish(schema: &Schema, ty: &Type, value: &mut JsonValue) {
    match value {
        JsonValue::Array(items) => items.iter_mut().for_each(|item| finish(schema, ty.item_type(), item)),
        JsonValue::Null => {}
        _ if ty.is_list() => {
            finish(schema, ty.item_type(), value);
            *value = JsonValue::Array(vec![value.take()]);
        }
        JsonValue::Object(fields) => {
            let Some(ExtendedType::InputObject(input)) = schema.types.get(ty.inner_named_type()) else { return };
            for (name, definition) in &input.fields {
                if let Some(value) = fields.get_mut(name.as_str()) {
                    finish(schema, &definition.ty, value);
                }
            }
        }
        JsonValue::Number(number) if is_id(ty) => *value = number.to_string().into(),
        _ => {}
    }
}

fn is_id(ty: &Type) -> bool {
    ty.inner_named_type() == "ID"
}

/// The arguments of a field. The document is valid and so are the variables, so few of them can be refused.
pub fn arguments(
    schema: &Schema,
    variables: &JsonMap,
    definition: &FieldDefinition,
    field: &Field,
) -> Result<JsonMap, Refusal> {
    let given = |name: &str| field.arguments.iter().find(|given| given.name == name).map(|given| &*given.value);
    let coercing = Coercing { schema, variables };
    let found = coercing.entries(definition.arguments.iter().map(|one| &**one), given).map_err(|text| (None, text))?;
    refuse_nul(&found)?;
    Ok(found)
}

impl Coercing<'_> {
    /// The values of arguments, or of the fields of an input object: what is given, or else the default.
    fn entries<'a>(
        &self,
        definitions: impl Iterator<Item = &'a InputValueDefinition>,
        given: impl Fn(&str) -> Option<&'a Value>,
    ) -> Result<JsonMap, String> {
        let mut found = JsonMap::new();
        for definition in definitions {
            let name = definition.name.as_str();
            let value = match (given(name), &definition.default_value) {
                (Some(Value::Variable(variable)), default) => match (self.variables.get(variable.as_str()), default) {
                    (None, Some(default)) => Some(self.literal(&definition.ty, default)?),
                    (value, _) => value.cloned(),
                },
                (Some(value), _) => Some(self.literal(&definition.ty, value)?),
                (None, Some(default)) => Some(self.literal(&definition.ty, default)?),
                (None, None) => None,
            };
            match value {
                Some(JsonValue::Null) | None if definition.ty.is_non_null() => {
                    return Err(format!("`{name}` is required and cannot be null."));
                }
                Some(value) => drop(found.insert(name, value)),
                None => {}
            }
        }
        Ok(found)
    }

    fn literal(&self, ty: &Type, value: &Value) -> Result<JsonValue, String> {
        let found = match (ty, value) {
            (_, Value::Null) => JsonValue::Null,
            (_, Value::Variable(name)) => self.variables.get(name.as_str()).cloned().unwrap_or_default(),
            (Type::List(of) | Type::NonNullList(of), Value::List(items)) => {
                items.iter().map(|item| self.literal(of, item)).collect::<Result<_, _>>()?
            }
            (Type::List(of) | Type::NonNullList(of), item) => JsonValue::Array(vec![self.literal(of, item)?]),
            (Type::Named(name) | Type::NonNullNamed(name), Value::Object(fields)) => {
                let Some(ExtendedType::InputObject(input)) = self.schema.types.get(name) else {
                    return Err(format!("A value of the type {name} is no object."));
                };
                let given = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| &**value);
                self.entries(input.fields.values().map(|one| &***one), given)?.into()
            }
            (_, Value::Enum(name)) => name.as_str().into(),
            (_, Value::String(text)) => text.as_str().into(),
            (_, Value::Boolean(flag)) => (*flag).into(),
            // An ID is text.
            (ty, Value::Int(number)) if is_id(ty) => number.as_str().into(),
            (_, Value::Int(number)) => self::number(number.as_str())?,
            (_, Value::Float(number)) => self::number(number.as_str())?,
            (_, Value::List(_)) => return Err(format!("A value of the type {ty} is no list.")),
        };
        if found.is_null() && ty.is_non_null() {
            return Err(format!("A value of the type {ty} cannot be null."));
        }
        Ok(found)
    }
}

fn number(text: &str) -> Result<JsonValue, String> {
    text.parse().map(|number: Number| number.into()).map_err(|_| format!("{text} is too large."))
}

/// Refuses arguments with NUL, which PostgreSQL cannot store and which no name has.
fn refuse_nul(arguments: &JsonMap) -> Result<(), Refusal> {
    if arguments.values().any(has_nul) {
        let text = "The arguments contain a NUL character. Send them without it.";
        return Err((Some("INVALID_ARGUMENT"), text.to_owned()));
    }
    Ok(())
}

fn has_nul(value: &JsonValue) -> bool {
    match value {
        JsonValue::String(text) => text.as_str().contains('\0'),
        JsonValue::Array(items) => items.iter().any(has_nul),
        JsonValue::Object(fields) => fields.values().any(has_nul),
        _ => false,
    }
}
