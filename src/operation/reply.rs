//! Replies: what a function returns, and how it becomes a status and a body.
//!
//! Return a `Record` for a record, a `List` for a page of a list, a `Paged` for a record with such a page in it, `Done` for
//! no body, a `Redirect` to another URL, a `Yaml` for a file, and `Either` for one of two of these; a status that is not the usual one is part
//! of the type, as in `Record<T, 201>` and `Done<205>`.

use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::json::{Digest, ITEM, Json};
use crate::clock::Time;
use crate::db::Cacheable;
use crate::error::Result;

/// A reply in bytes.
#[derive(Debug, Clone, Default)]
pub struct Rendered {
    /// The status.
    pub status: u16,
    /// The body: JSON, unless its media type says otherwise.
    pub body: Option<Json>,
    /// The media type of a body that is not JSON.
    pub media: Option<&'static str>,
    /// The digest of the body, if it was cached with it.
    pub digest: Option<Digest>,
    /// The `Location` header.
    pub location: Option<String>,
    /// For a list: how many items there are on all pages.
    pub total: Option<u64>,
    /// For a list that continues after an identifier: the whole `Link` header.
    pub link: Option<String>,
    /// The time at which the record of a team, an organization or a person was last changed, according to the record.
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
    /// True if it is a list that a caller pages through.
    pub list: bool,
    /// True if its pages have numbers.
    pub numbered: bool,
    /// The media type of the body.
    pub media: &'static str,
    /// The schema of the body.
    pub schema: Option<fn(&mut SchemaGenerator) -> Schema>,
}

/// The media type of records, as documents name it.
pub const JSON: &str = "application/json";

/// The media type of files of organizations.
pub const YAML: &str = "application/yaml";

impl ReplyDoc {
    /// A reply with this status whose body is a `T`.
    fn of<T: JsonSchema>(status: u16) -> Self {
        Self { schema: Some(SchemaGenerator::subschema_for::<T>), ..Self::without_body(status) }
    }

    /// A reply with this status and without a body.
    fn without_body(status: u16) -> Self {
        Self { status, or: None, list: false, numbered: false, media: JSON, schema: None }
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

/// A record, with the status 200, 201 or 202. It is serialized at once; if that fails, the reply is the error.
pub struct Record<T, const STATUS: u16 = 200> {
    body: Result<Json>,
    rest: Rendered,
    of: PhantomData<fn() -> T>,
}

impl<T, const STATUS: u16> Record<T, STATUS> {
    fn new(body: Result<Json>) -> Self {
        Self { body, rest: Rendered { status: STATUS, ..Rendered::default() }, of: PhantomData }
    }

    /// A record that is serialized already.
    #[must_use]
    pub fn written(body: impl Into<Json>) -> Self {
        Self::new(Ok(body.into()))
    }

    /// Adds the URL of the record, for the `Location` header.
    #[must_use]
    pub fn at(mut self, location: String) -> Self {
        self.rest.location = Some(location);
        self
    }

    /// Adds the `Link` header of a record that continues at another URL.
    #[must_use]
    pub fn linked(mut self, link: Option<String>) -> Self {
        self.rest.link = link;
        self
    }

    /// Adds when the record was last changed, if a header shows that too.
    #[must_use]
    pub fn modified(mut self, at: Time) -> Self {
        self.rest.modified = Some(at);
        self
    }
}

impl<T: Serialize, const STATUS: u16> From<T> for Record<T, STATUS> {
    fn from(record: T) -> Self {
        Self::new(Json::of(&record, 2_048))
    }
}

impl<T: Serialize + Default> Default for Record<T> {
    fn default() -> Self {
        T::default().into()
    }
}

impl<T: JsonSchema, const STATUS: u16> Reply for Record<T, STATUS> {
    fn render(self) -> Result<Rendered> {
        Ok(Rendered { body: Some(self.body?), ..self.rest })
    }

    fn document() -> ReplyDoc {
        const { assert!(matches!(STATUS, 200..=202), "only these statuses have a body") };
        ReplyDoc::of::<T>(STATUS)
    }
}

/// 200 with one page of a list, serialized already. Unless its pages are numbered, the list continues after a cursor.
pub struct List<T, const NUMBERED: bool = true> {
    rendered: Rendered,
    of: PhantomData<fn() -> T>,
}

/// 200 with one page of a list that continues after a cursor, so that nothing is counted.
pub type Behind<T> = List<T, false>;

impl<T, const NUMBERED: bool> List<T, NUMBERED> {
    fn new(body: Json, total: Option<u64>, link: Option<String>) -> Self {
        Self {
            rendered: Rendered { status: 200, body: Some(body), total, link, ..Rendered::default() },
            of: PhantomData,
        }
    }
}

impl<T> List<T> {
    /// A page, as JSON, and how many items there are on all pages.
    #[must_use]
    pub fn written(body: impl Into<Json>, total: u64) -> Self {
        Self::new(body.into(), Some(total), None)
    }
}

impl<T: Serialize> List<T> {
    /// A page of these items, and how many there are on all pages. Each item is dropped after it is serialized.
    pub fn of(
        items: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
        total: impl TryInto<u64>,
    ) -> Result<Self> {
        Ok(Self::written(Json::list(items, ITEM)?, total.try_into().unwrap_or(0)))
    }
}

impl<T: Serialize> Behind<T> {
    /// A page of these items, and the `Link` header, if there are other pages.
    pub fn linked(
        items: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
        link: Option<String>,
    ) -> Result<Self> {
        Ok(Self::new(Json::list(items, ITEM)?, None, link))
    }
}

/// No items.
impl<T> Default for List<T> {
    fn default() -> Self {
        Self::written(b"[]".to_vec(), 0)
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        Self { rendered: self.rendered.clone(), of: PhantomData }
    }
}

impl<T: 'static> Cacheable for List<T> {
    fn weight(&self) -> usize {
        self.rendered.weight()
    }
}

impl<T: JsonSchema, const NUMBERED: bool> Reply for List<T, NUMBERED> {
    fn render(self) -> Result<Rendered> {
        Ok(self.rendered)
    }

    fn document() -> ReplyDoc {
        ReplyDoc { list: true, numbered: NUMBERED, ..ReplyDoc::of::<Vec<T>>(200) }
    }
}

/// 200 with a record that has one page of a list in it.
#[derive(Default)]
pub struct Paged<T> {
    /// The record.
    pub record: T,
    /// The number of items on all pages.
    pub total: u64,
}

impl<T: Serialize + JsonSchema> Reply for Paged<T> {
    fn render(self) -> Result<Rendered> {
        let body = Json::of(&self.record, if self.total == 0 { 64 } else { 8_192 })?;
        Ok(Rendered { status: 200, body: Some(body), total: Some(self.total), ..Rendered::default() })
    }

    fn document() -> ReplyDoc {
        ReplyDoc { list: true, numbered: true, ..ReplyDoc::of::<T>(200) }
    }
}

/// 200 with a file in YAML.
pub struct Yaml(pub String);

impl Reply for Yaml {
    fn render(self) -> Result<Rendered> {
        let body = Some(self.0.into_bytes().into());
        Ok(Rendered { status: 200, body, media: Some(YAML), ..Rendered::default() })
    }

    fn document() -> ReplyDoc {
        // Clients read YAML as text or as a mapping.
        let schema = |_: &mut SchemaGenerator| json_schema!({ "description": "A file of peribolos in YAML." });
        ReplyDoc { media: YAML, schema: Some(schema), ..ReplyDoc::without_body(200) }
    }
}

/// 204, or 205 if clients should read again what they show.
pub struct Done<const STATUS: u16 = 204>;

impl<const STATUS: u16> Reply for Done<STATUS> {
    fn render(self) -> Result<Rendered> {
        Ok(Rendered { status: STATUS, ..Rendered::default() })
    }

    fn document() -> ReplyDoc {
        const { assert!(matches!(STATUS, 204 | 205), "only these statuses have no body") };
        ReplyDoc::without_body(STATUS)
    }
}

/// 302: the client should ask at this URL.
pub struct Redirect(pub String);

impl Reply for Redirect {
    fn render(self) -> Result<Rendered> {
        Ok(Rendered { status: 302, location: Some(self.0), ..Rendered::default() })
    }

    fn document() -> ReplyDoc {
        ReplyDoc::without_body(302)
    }
}

/// One of two replies with different statuses.
pub enum Either<A, B> {
    /// The one that the documents name first.
    One(A),
    /// The other.
    Other(B),
}

impl<A: Reply, B: Reply> Reply for Either<A, B> {
    fn render(self) -> Result<Rendered> {
        match self {
            Self::One(one) => one.render(),
            Self::Other(other) => other.render(),
        }
    }

    fn document() -> ReplyDoc {
        let (one, other) = (A::document(), B::document());
        ReplyDoc { or: Some(other.status), schema: one.schema.or(other.schema), ..one }
    }
}
