//! The values of fields, and the arguments that they are made of.

use std::borrow::Cow;
use std::fmt::{self, Debug, Formatter};
use std::rc::Rc;
use std::sync::Arc;

use apollo_compiler::response::{JsonMap, JsonValue};

use super::posted::{Comment, Discussion};
use super::running::Resolved;
use crate::journal::InvitationFacts;
use crate::repos::repo::Repo;
use crate::rows::PersonRow;
use crate::teams::team::SeenTeam;

/// An open invitation to an organization.
#[derive(Debug)]
pub struct Invited {
    /// The organization.
    pub org: i64,
    /// The invitation.
    pub facts: InvitationFacts,
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
    User(Arc<PersonRow>),
    /// A repository that the caller may see.
    Repo(Rc<Repo>),
    /// A discussion that the caller sees.
    Discussion(Discussion),
    /// A comment on one.
    Comment(Comment),
    /// An invitation that the caller may see.
    Invitation(Rc<Invited>),
    /// A topic, as one that a repository has.
    RepositoryTopic(Rc<str>),
    /// A topic, by name.
    Topic(Rc<str>),
    /// A part of a list.
    Connection(Rc<Connection>),
    /// An item of a connection.
    Edge(Rc<Connection>, usize),
    /// The beginning and the end of a connection.
    Info(Rc<Connection>),
    /// The caller's limit.
    Limit,
    /// The payload of a mutation.
    Payload(Rc<Payload>),
}

/// A part of a list, as the query asked for it.
#[derive(Debug)]
pub struct Connection {
    /// The name of its type.
    pub kind: &'static str,
    /// The name of the type of its edges.
    pub edge: &'static str,
    /// The number of items in the whole list.
    pub total: usize,
    /// The field that shows this number.
    pub count: &'static str,
    /// Its items.
    pub edges: Vec<Edge>,
    /// Their places in the list.
    pub cursors: Cursors,
    /// Its beginning and its end.
    pub info: Info,
}

/// Writes the cursor of an item. Most queries ask for one of them at most.
pub struct Cursors(pub Box<dyn Fn(usize) -> Option<String>>);

impl Debug for Cursors {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("Cursors")
    }
}

/// An item of a connection.
#[derive(Debug)]
pub struct Edge {
    /// The item.
    pub node: Thing,
    /// The role or the permission of the item, as the edge shows it.
    pub extra: Option<&'static str>,
}

/// The beginning and the end of a part of a list.
#[derive(Debug)]
pub struct Info {
    /// True if there are items before it.
    pub has_previous: bool,
    /// True if there are items after it.
    pub has_next: bool,
}

/// The response to a mutation.
#[derive(Debug)]
pub struct Payload {
    /// The name of its type.
    pub kind: String,
    /// The client's name for the mutation.
    pub client_mutation_id: Option<String>,
    /// The node ID of the record that the mutation has written, if there is one.
    pub node_id: Option<String>,
}

/// A scalar or an enum value.
#[derive(Debug)]
pub enum Leaf<'a> {
    /// Text, an ID, or the name of an enum value.
    Text(Cow<'a, str>),
    /// A number.
    Number(i64),
    /// A boolean.
    Flag(bool),
}

impl<'a> From<&'a str> for Leaf<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.into())
    }
}

impl<'a> From<&'a String> for Leaf<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Leaf<'_> {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<i64> for Leaf<'_> {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Leaf<'_> {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

/// The value of a field.
#[derive(Debug)]
pub enum Out<'a> {
    /// No value.
    Null,
    /// The value of a field about something that Guildhall does not have: an empty connection or list, null, false or
    /// 0, whatever the type of the field is.
    Nothing,
    /// A scalar or an enum value.
    Leaf(Leaf<'a>),
    /// An object.
    One(Thing),
    /// A list of objects. The nodes that do not exist are null, each with an error beside it.
    Many(Vec<Resolved<Thing>>),
    /// The items of a connection.
    Nodes(&'a Connection),
    /// The same with their cursors, roles and permissions.
    Edges(&'a Rc<Connection>),
}

#[expect(clippy::unnecessary_wraps, reason = "a resolver returns it as it is, next to values that may fail")]
impl<'a> Out<'a> {
    /// A scalar.
    pub fn leaf(value: impl Into<Leaf<'a>>) -> Resolved<Self> {
        Ok(Self::Leaf(value.into()))
    }

    /// A scalar that may be absent.
    pub fn maybe(value: Option<impl Into<Leaf<'a>>>) -> Resolved<Self> {
        Ok(value.map_or(Self::Null, |value| Self::Leaf(value.into())))
    }

    /// An object that may be absent.
    pub fn one(thing: Option<Thing>) -> Resolved<Self> {
        Ok(thing.map_or(Self::Null, Self::One))
    }

    /// An identifier as `databaseId`, which has 32 bits.
    pub fn database_id(id: i64) -> Resolved<Self> {
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

    /// The fields of an input.
    pub fn input(self, name: &str) -> Option<Self> {
        self.0.get(name).and_then(JsonValue::as_object).map(Args)
    }

    /// The field and the direction of an order.
    pub fn order(self, name: &str) -> Option<(&'a str, bool)> {
        let order = self.0.get(name)?.as_object()?;
        let word = |name: &str| order.get(name).and_then(JsonValue::as_str);
        Some((word("field")?, word("direction") == Some("DESC")))
    }
}
