//! The values of fields: what resolvers return, and how the compiler sees them.

use std::rc::Rc;
use std::sync::Arc;

use apollo_compiler::resolvers::{FieldError, ObjectValue, ResolveInfo, ResolvedValue};
use apollo_compiler::response::{GraphQLError, JsonMap, JsonValue, ResponseDataPathSegment};

use super::page::{Connection, Edge, Info};
use super::running::{Failure, Running};
use super::{org, page, query, repo, team, user};
use crate::repos::repo::Repo;
use crate::rows::PersonRow;
use crate::teams::team::SeenTeam;

/// A person, with the identifiers of the people on the same page.
#[derive(Debug, Clone)]
pub struct Person {
    /// The person.
    pub row: Arc<PersonRow>,
    /// The people whose profiles are read together.
    pub page: Rc<[i64]>,
}

/// An object of the schema.
#[derive(Debug, Clone)]
pub enum Thing {
    /// The queries at the top.
    Query,
    /// An organization, by ID.
    Org(i64),
    /// A team that the caller sees.
    Team(SeenTeam),
    /// A person.
    User(Person),
    /// A repository that the caller may see.
    Repo(Rc<Repo>),
    /// A part of a list.
    Connection(Rc<Connection>),
    /// An item of a connection.
    Edge(Rc<Connection>, usize),
    /// Where a connection begins and ends.
    Info(Rc<Connection>),
    /// The caller's limit.
    Limit,
}

/// The value of a field.
#[derive(Debug)]
pub enum Out {
    /// A scalar, an enum value or a list of them.
    Leaf(JsonValue),
    /// An object.
    One(Thing),
    /// A list of objects. The nodes that do not exist are null, each with an error beside it.
    Many(Vec<Result<Thing, Failure>>),
}

#[expect(clippy::unnecessary_wraps, reason = "a resolver returns it as it is, next to values that may fail")]
impl Out {
    /// No value.
    pub const NULL: Self = Self::Leaf(JsonValue::Null);

    /// A scalar.
    pub fn leaf(value: impl Into<JsonValue>) -> Result<Self, Failure> {
        Ok(Self::Leaf(value.into()))
    }

    /// A scalar that may be absent.
    pub fn maybe(value: Option<impl Into<JsonValue>>) -> Result<Self, Failure> {
        Ok(value.map_or(Self::NULL, |value| Self::Leaf(value.into())))
    }

    /// An object that may be absent.
    pub fn one(thing: Option<Thing>) -> Result<Self, Failure> {
        Ok(thing.map_or(Self::NULL, Self::One))
    }

    /// An identifier as `databaseId`, which has 32 bits.
    pub fn database_id(id: i64) -> Result<Self, Failure> {
        Self::maybe(i32::try_from(id).ok().map(i64::from))
    }
}

/// The arguments of a field, checked against the schema, with its defaults.
#[derive(Debug, Clone, Copy)]
pub struct Args<'a>(pub &'a JsonMap);

impl<'a> Args<'a> {
    /// Text, or the name of an enum value.
    pub fn text(self, name: &str) -> Option<&'a str> {
        self.0.get(name).and_then(JsonValue::as_str)
    }

    /// A number.
    pub fn number(self, name: &str) -> Option<i64> {
        self.0.get(name).and_then(JsonValue::as_i64)
    }

    /// A boolean.
    pub fn flag(self, name: &str) -> Option<bool> {
        self.0.get(name).and_then(JsonValue::as_bool)
    }

    /// A list of texts.
    pub fn texts(self, name: &str) -> Option<Vec<&'a str>> {
        Some(self.0.get(name)?.as_array()?.iter().filter_map(JsonValue::as_str).collect())
    }

    /// The field and the direction of an order.
    pub fn order(self, name: &str) -> Option<(&'a str, bool)> {
        let order = self.0.get(name)?.as_object()?;
        let word = |name: &str| order.get(name).and_then(JsonValue::as_str);
        Some((word("field")?, word("direction") == Some("DESC")))
    }
}

/// An object while its query runs.
pub struct Object<'r> {
    /// The query.
    pub run: &'r Running<'r>,
    /// The object.
    pub thing: Thing,
}

impl ObjectValue for Object<'_> {
    fn type_name(&self) -> &str {
        match &self.thing {
            Thing::Query => "Query",
            Thing::Org(_) => "Organization",
            Thing::Team(_) => "Team",
            Thing::User(_) => "User",
            Thing::Repo(_) => "Repository",
            Thing::Connection(connection) => connection.kind,
            Thing::Edge(connection, _) => connection.edge,
            Thing::Info(_) => "PageInfo",
            Thing::Limit => "RateLimit",
        }
    }

    fn resolve_field<'a>(&'a self, info: &'a ResolveInfo<'a>) -> Result<ResolvedValue<'a>, FieldError> {
        let run = self.run;
        run.check()?;
        let (name, args) = (info.field_name(), Args(info.arguments()));
        let key = info.field_selections().first().map_or(name, |field| field.response_key().as_str());
        run.write(key.len() + 4);
        let value = match &self.thing {
            Thing::Query => query::field(run, name, args),
            Thing::Org(id) => org::field(run, *id, name, args),
            Thing::Team(team) => team::field(run, team, name, args),
            Thing::User(person) => user::field(run, person, name, args),
            Thing::Repo(repo) => repo::field(run, repo, name, args),
            Thing::Connection(connection) => page::field(connection, name),
            Thing::Edge(connection, at) => Edge::field(connection, *at, name),
            Thing::Info(connection) => Info::field(&connection.info, name),
            Thing::Limit => query::limit(run, name),
        };
        value.map(|value| resolved(run, info, value)).map_err(|failure| run.fail(failure))
    }
}

fn resolved<'a>(run: &'a Running<'a>, info: &ResolveInfo<'_>, value: Out) -> ResolvedValue<'a> {
    match value {
        Out::Leaf(leaf) => {
            run.write(length(&leaf));
            ResolvedValue::Leaf(leaf)
        }
        Out::One(thing) => ResolvedValue::Object(Box::new(Object { run, thing })),
        Out::Many(things) => {
            let things: Vec<Option<Thing>> = things
                .into_iter()
                .enumerate()
                .map(|(at, thing)| thing.map_err(|why| absent(run, info, at, why)).ok())
                .collect();
            let things = things.into_iter().take_while(|_| !run.is_stopped());
            ResolvedValue::List(Box::new(things.map(move |thing| {
                run.write(5);
                let object = |thing| ResolvedValue::Object(Box::new(Object { run, thing }) as Box<dyn ObjectValue>);
                Ok(thing.map_or_else(ResolvedValue::null, object))
            })))
        }
    }
}

/// Notes the error of an item of a list at the top. The compiler would leave out the whole list.
fn absent(run: &Running, info: &ResolveInfo<'_>, at: usize, why: Failure) {
    let FieldError { message } = run.fail(why);
    let Some(field) = info.field_selections().first() else { return };
    let mut error = GraphQLError::new(message, field.name.location(), &info.document().sources);
    error.path =
        vec![ResponseDataPathSegment::Field(field.response_key().clone()), ResponseDataPathSegment::ListIndex(at)];
    run.note(error);
}

/// About how long a scalar is in JSON.
fn length(leaf: &JsonValue) -> usize {
    match leaf {
        JsonValue::String(text) => text.as_str().len() + 2,
        JsonValue::Array(items) => items.iter().map(length).sum::<usize>() + 2,
        _ => 8,
    }
}
