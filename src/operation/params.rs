//! The sources of parameters: the path, the query, the body.
//!
//! Implements decision 7. A path parameter comes from the path alone. A write reads the others from the body, and from
//! the query if the body lacks them. Text becomes a number or a boolean only if it came from the path or the query.
//! `null` counts as absent, except where it clears a value. Of duplicate keys, the last (JSON) or the first (query)
//! counts.

use std::any::Any;
use std::hash::BuildHasher;
use std::sync::{Arc, LazyLock, OnceLock};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::error::{self, Error};
use crate::links::segment;

/// The parameters of a path, decoded.
#[derive(Debug, Clone, Default)]
pub struct Path(pub Vec<(Arc<str>, String)>);

impl Path {
    /// The parameter of this name, if this form of the path has it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| **key == *name).map(|(_, value)| value.as_str())
    }

    /// The parameter of this name as an identifier; 404 for text that is not one.
    pub fn id(&self, name: &str) -> error::Result<Option<i64>> {
        let read = |text: &str| text.parse().ok().filter(|id| *id > 0 && text.bytes().all(|b| b.is_ascii_digit()));
        self.get(name).map(|text| read(text).ok_or(Error::NotFound)).transpose()
    }

    /// The lane of the path: a hash of the organization, or of the owner of the repository, or else of the team, if the
    /// path has one.
    #[must_use]
    pub fn lane(&self) -> Option<u64> {
        let name = ["org", "owner", "org_id", "team_id"].into_iter().find_map(|name| self.get(name))?;
        Some(foldhash::fast::FixedState::default().hash_one(name.to_ascii_lowercase()))
    }

    /// A template filled with its parameters, as text for a URL.
    #[must_use]
    pub fn fill(&self, template: &str) -> String {
        if !template.contains('{') {
            return template.to_owned();
        }
        self.0
            .iter()
            .fold(template.to_owned(), |path, (key, value)| path.replace(&format!("{{{key}}}"), &segment(value)))
    }
}

/// A value of a query that is not UTF-8 or contains NUL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Illegible;

/// One request: what was sent, before it is parsed as parameters.
#[derive(Debug, Clone, Default)]
pub struct Call {
    /// From the path.
    pub path: Path,
    /// From the query, in order.
    pub query: Vec<(String, Result<String, Illegible>)>,
    /// From the body, once it has been read.
    pub body: OnceLock<Map<String, Value>>,
    /// The data that its row prepares outside of any transaction, once that is done.
    pub prepared: OnceLock<Prepared>,
    /// True if the form of the path is deprecated.
    pub legacy: bool,
    /// True if the `Accept` header asks for a repository instead of 204 (behavior rule 2).
    pub accepts_repository: bool,
}

/// The costly part of a request. The row that prepares it knows its type.
pub type Prepared = Arc<dyn Any + Send + Sync>;

impl Call {
    /// The fields of the body; none before it has been read.
    #[must_use]
    pub fn body(&self) -> &Map<String, Value> {
        static NOTHING: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
        self.body.get().unwrap_or(&NOTHING)
    }

    /// The text of the file that the body is; empty before it has been read.
    #[must_use]
    pub fn file(&self) -> &str {
        self.body().get(Self::FILE).and_then(Value::as_str).unwrap_or_default()
    }

    /// The field of the body that has the text, if the body is a file.
    pub const FILE: &'static str = "file";

    /// The text of this parameter in a write: from the body, or from the query if the body lacks it.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.body().get(name) {
            Some(value) => value.as_str(),
            None => self.query(name)?.ok(),
        }
    }

    /// The query parameter of this name.
    #[must_use]
    pub fn query(&self, name: &str) -> Option<Result<&str, Illegible>> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_deref().map_err(|bad| *bad))
    }
}

/// A field that can be absent, null, or have a value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Patch<T> {
    /// Not sent: keep the value.
    #[default]
    Absent,
    /// Sent as null: clear the value.
    Null,
    /// Sent: set the value.
    Value(T),
}

impl<T> Patch<T> {
    /// The new value, given the current one.
    pub fn or(self, now: Option<T>) -> Option<T> {
        match self {
            Self::Absent => now,
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(|value| value.map_or(Self::Null, Self::Value))
    }
}

impl<T: JsonSchema> JsonSchema for Patch<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Option::<T>::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Option::<T>::json_schema(generator);
        schema.insert("x-null-clears".into(), Value::Bool(true));
        schema
    }
}
