//! Replies: what a function returns, and how it becomes a status and a body.

use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::json::{Digest, Json};
use crate::clock::Time;
use crate::db::Cacheable;
use crate::error::Result;

/// A reply in bytes.
#[derive(Debug, Clone, Default)]
pub struct Rendered {
    /// The status.
    pub status: u16,
    /// The body, JSON.
    pub body: Option<Json>,
    /// The digest of the body, if it was cached with it.
    pub digest: Option<Digest>,
    /// The `Location` header.
    pub location: Option<String>,
    /// For a list: how many items there are on all pages.
    pub total: Option<u64>,
    /// For a list that continues after an identifier: the whole `Link` header.
    pub link: Option<String>,
    /// When the record of a team, an organization or a person was last changed, according to the record.
    pub modified: Option<Time>,
    /// The path in identifier form, where a header shows it.
    pub canonical: Option<String>,
}

impl Rendered {
    /// Hashes the body if it is short enough to be cached, so that a cached body is hashed only once.
    #[must_use]
    pub fn digested(mut self, key: &[u8; 192]) -> Self {
        let short = self.body.as_ref().filter(|body| body.weight() < Self::LARGEST);
        self.digest = short.map(|body| body.digest(key));
        self
    }
}

impl Cacheable for Rendered {
    /// Longer replies are lists, whose parts are cached if they are the same for many callers.
    const LARGEST: usize = 8_192;
    const IF_ASKED_AGAIN: bool = true;

    fn weight(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let body = self.body.as_ref().map_or(0, Json::weight);
        size_of::<Self>() + body + text(&self.location) + text(&self.link) + text(&self.canonical)
    }
}

/// The documentation of a reply.
pub struct ReplyDoc {
    /// The status of success.
    pub status: u16,
    /// The second status of success, if there are two.
    pub or: Option<u16>,
    /// Whether it is a list that a caller pages through.
    pub list: bool,
    /// Whether its pages have numbers.
    pub numbered: bool,
    /// The schema of the body.
    pub schema: Option<fn(&mut SchemaGenerator) -> Schema>,
}

impl ReplyDoc {
    /// A reply with this status whose body is a `T`.
    pub(super) fn of<T: JsonSchema>(status: u16) -> Self {
        let schema = Some(SchemaGenerator::subschema_for::<T> as fn(&mut SchemaGenerator) -> Schema);
        Self { status, or: None, list: false, numbered: false, schema }
    }

    /// A list of `T` with numbered pages.
    fn pages_of<T: JsonSchema>() -> Self {
        Self { list: true, numbered: true, ..Self::of::<Vec<T>>(200) }
    }

    /// The statuses of success.
    #[must_use]
    pub fn statuses(&self) -> Vec<u16> {
        [self.status].into_iter().chain(self.or).collect()
    }
}

/// A value that a function of the table returns.
pub trait Reply {
    /// Serializes it.
    fn render(self) -> Result<Rendered>;
    /// Documents it.
    fn document() -> ReplyDoc;
}

fn json(value: &impl Serialize, status: u16, expected: usize) -> Result<Rendered> {
    Ok(Rendered { status, body: Some(Json::of(value, expected)?), ..Rendered::default() })
}

fn list<T: Serialize>(items: Vec<T>) -> Result<Rendered> {
    let expected = 16 + 1_100 * items.len();
    Ok(Rendered { status: 200, body: Some(Json::list(items, expected)?), ..Rendered::default() })
}

/// 200 with a record.
#[derive(Default)]
pub struct Record<T> {
    /// The record.
    pub record: T,
    /// When the record was last changed, if a header shows that too.
    pub modified: Option<Time>,
}

impl<T> From<T> for Record<T> {
    fn from(record: T) -> Self {
        Self { record, modified: None }
    }
}

impl<T: Serialize + JsonSchema> Reply for Record<T> {
    fn render(self) -> Result<Rendered> {
        Ok(Rendered { modified: self.modified, ..json(&self.record, 200, 2_048)? })
    }

    fn document() -> ReplyDoc {
        ReplyDoc::of::<T>(200)
    }
}

/// 200 with a record that continues at another URL.
pub struct Linked<T> {
    /// The record.
    pub record: T,
    /// The `Link` header, if there is more.
    pub link: Option<String>,
}

impl<T: Serialize + JsonSchema> Reply for Linked<T> {
    fn render(self) -> Result<Rendered> {
        Ok(Rendered { link: self.link, ..json(&self.record, 200, 2_048)? })
    }

    fn document() -> ReplyDoc {
        Record::<T>::document()
    }
}

/// 200 with a record that has one page of a list in it.
#[derive(Default)]
pub struct Paged<T> {
    /// The record.
    pub record: T,
    /// How many items there are on all pages.
    pub total: u64,
}

impl<T: Serialize + JsonSchema> Reply for Paged<T> {
    fn render(self) -> Result<Rendered> {
        Ok(Rendered { total: Some(self.total), ..json(&self.record, 200, 8_192)? })
    }

    fn document() -> ReplyDoc {
        ReplyDoc { list: true, numbered: true, ..ReplyDoc::of::<T>(200) }
    }
}

/// 201 with the new record.
pub struct Created<T> {
    /// The record.
    pub record: T,
    /// Its URL, where clients expect one.
    pub location: Option<String>,
}

impl<T: Serialize + JsonSchema> Reply for Created<T> {
    fn render(self) -> Result<Rendered> {
        Ok(Rendered { location: self.location, ..json(&self.record, 201, 2_048)? })
    }

    fn document() -> ReplyDoc {
        ReplyDoc::of::<T>(201)
    }
}

/// 201 with a new record, or 200 with one that existed already.
pub enum Ensured<T> {
    /// It is new.
    New(T),
    /// It existed already.
    There(T),
}

impl<T: Serialize + JsonSchema> Reply for Ensured<T> {
    fn render(self) -> Result<Rendered> {
        match self {
            Self::New(record) => json(&record, 201, 2_048),
            Self::There(record) => json(&record, 200, 2_048),
        }
    }

    fn document() -> ReplyDoc {
        ReplyDoc { or: Some(200), ..ReplyDoc::of::<T>(201) }
    }
}

/// 202 with a record: the change is made, and clients learn which URL to read.
pub struct Accepted<T> {
    /// The record.
    pub record: T,
    /// The URL to read.
    pub location: Option<String>,
}

impl<T: Serialize + JsonSchema> Reply for Accepted<T> {
    fn render(self) -> Result<Rendered> {
        Ok(Rendered { location: self.location, ..json(&self.record, 202, 512)? })
    }

    fn document() -> ReplyDoc {
        ReplyDoc::of::<T>(202)
    }
}

/// 205: the change is made, and clients should read again what they show of it.
pub struct Reset;

impl Reply for Reset {
    fn render(self) -> Result<Rendered> {
        Ok(Rendered { status: 205, ..Done.render()? })
    }

    fn document() -> ReplyDoc {
        ReplyDoc { status: 205, ..Done::document() }
    }
}

/// 200 with one page of a list.
pub struct List<T> {
    /// The items of the page.
    pub items: Vec<T>,
    /// How many there are on all pages.
    pub total: u64,
}

impl<T: Serialize + JsonSchema> Reply for List<T> {
    fn render(self) -> Result<Rendered> {
        Ok(Rendered { total: Some(self.total), ..list(self.items)? })
    }

    fn document() -> ReplyDoc {
        ReplyDoc::pages_of::<T>()
    }
}

/// 200 with one page of a list that is serialized already, of records of this type.
pub struct Written<T> {
    body: Json,
    total: u64,
    of: PhantomData<fn() -> T>,
}

impl<T> Written<T> {
    /// A page, as JSON, and how many items there are on all pages.
    #[must_use]
    pub fn new(body: impl Into<Json>, total: u64) -> Self {
        Self { body: body.into(), total, of: PhantomData }
    }
}

impl<T: Serialize> Written<T> {
    /// A page of these items; each is dropped after it is serialized.
    pub fn of(items: impl ExactSizeIterator<Item = T>, total: u64) -> Result<Self> {
        let expected = 16 + 1_100 * items.len();
        Ok(Self::new(Json::list(items, expected)?, total))
    }
}

impl<T> Clone for Written<T> {
    fn clone(&self) -> Self {
        Self { body: self.body.clone(), total: self.total, of: PhantomData }
    }
}

impl<T: 'static> Cacheable for Written<T> {
    fn weight(&self) -> usize {
        self.body.weight()
    }
}

impl<T: JsonSchema> Reply for Written<T> {
    fn render(self) -> Result<Rendered> {
        Ok(Rendered { status: 200, body: Some(self.body), total: Some(self.total), ..Rendered::default() })
    }

    fn document() -> ReplyDoc {
        ReplyDoc::pages_of::<T>()
    }
}

/// 200 with a record that is serialized already, of this type.
pub struct WrittenRecord<T> {
    body: Json,
    modified: Time,
    of: PhantomData<T>,
}

impl<T> WrittenRecord<T> {
    /// A record, as JSON, and when it was last changed.
    #[must_use]
    pub fn new(body: impl Into<Json>, modified: Time) -> Self {
        Self { body: body.into(), modified, of: PhantomData }
    }
}

impl<T: JsonSchema> Reply for WrittenRecord<T> {
    fn render(self) -> Result<Rendered> {
        Ok(Rendered { status: 200, body: Some(self.body), modified: Some(self.modified), ..Rendered::default() })
    }

    fn document() -> ReplyDoc {
        ReplyDoc::of::<T>(200)
    }
}

/// 200 with the whole of a list that has no pages.
pub struct Listed<T>(pub Vec<T>);

impl<T: Serialize + JsonSchema> Reply for Listed<T> {
    fn render(self) -> Result<Rendered> {
        list(self.0)
    }

    fn document() -> ReplyDoc {
        ReplyDoc::of::<Vec<T>>(200)
    }
}

/// 200 with a list that never has an item.
#[derive(Default)]
pub struct Empty;

impl Reply for Empty {
    fn render(self) -> Result<Rendered> {
        json(&[(); 0], 200, 2).map(|body| Rendered { total: Some(0), ..body })
    }

    fn document() -> ReplyDoc {
        let schema = |_: &mut SchemaGenerator| schemars::json_schema!({ "type": "array", "maxItems": 0 });
        ReplyDoc { status: 200, or: None, list: true, numbered: true, schema: Some(schema) }
    }
}

/// 204.
pub struct Done;

impl Reply for Done {
    fn render(self) -> Result<Rendered> {
        Ok(Rendered { status: 204, ..Rendered::default() })
    }

    fn document() -> ReplyDoc {
        ReplyDoc { status: 204, or: None, list: false, numbered: false, schema: None }
    }
}

/// 204, or 200 with the record for a caller whose `Accept` header asks for it (behavior rule 2).
pub struct OnRequest<T>(pub Option<T>);

impl<T: Serialize + JsonSchema> Reply for OnRequest<T> {
    fn render(self) -> Result<Rendered> {
        self.0.map_or_else(|| Ok(Rendered { status: 204, ..Rendered::default() }), |record| json(&record, 200, 6_144))
    }

    fn document() -> ReplyDoc {
        ReplyDoc { or: Some(200), ..ReplyDoc::of::<T>(204) }
    }
}

/// 204 if it is true, 302 if the client should ask at another URL.
pub enum Maybe {
    /// It is true.
    Yes,
    /// Redirect to this URL.
    Elsewhere(String),
}

impl Reply for Maybe {
    fn render(self) -> Result<Rendered> {
        Ok(match self {
            Self::Yes => Rendered { status: 204, ..Rendered::default() },
            Self::Elsewhere(address) => Rendered { status: 302, location: Some(address), ..Rendered::default() },
        })
    }

    fn document() -> ReplyDoc {
        ReplyDoc { status: 204, or: Some(302), list: false, numbered: false, schema: None }
    }
}
