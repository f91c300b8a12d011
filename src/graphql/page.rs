//! Connections: pages of lists, whose cursors are positions in the order of the list. So they stay valid while others
//! are added and removed.

use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use apollo_compiler::ast::Type;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::count::PAGE;
use super::running::{Failure, Resolved};
use super::value::{Args, Connection, Cursors, Edge, Info, Out, Thing};
use crate::error::{Error, Result};
use crate::memory::Sequence;

/// A place in the order of a list.
pub trait Position: Clone + 'static {
    /// As text in a cursor.
    fn write(&self) -> String;
    /// Reads the text of a cursor.
    fn read(text: &str) -> Option<Self>;
    /// Compares two places; the lesser one comes first.
    fn order(&self, other: &Self) -> Ordering;
}

impl Position for i64 {
    fn write(&self) -> String {
        self.to_string()
    }

    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }
}

impl Position for (Arc<str>, i64) {
    fn write(&self) -> String {
        format!("{} {}", self.1, self.0)
    }

    fn read(text: &str) -> Option<Self> {
        let (id, name) = text.split_once(' ')?;
        Some((name.into(), id.parse().ok()?))
    }

    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }
}

/// A list: how it is named in types, messages and cursors.
pub struct Series {
    /// The types of the connection and its edges.
    pub kinds: (&'static str, &'static str),
    /// The field, as messages name it.
    pub field: &'static str,
    /// The ID of the record that the list belongs to. A cursor of another list is refused.
    pub of: i64,
    /// The order, as cursors name it.
    pub order: &'static str,
}

/// A list whose items are all at hand.
pub struct Listing<'a, P> {
    /// The types of the connection and its edges.
    pub kinds: (&'static str, &'static str),
    /// The field, as messages name it.
    pub field: &'static str,
    /// The ID of the record that the list belongs to. A cursor of another list is refused.
    pub of: i64,
    /// The order, as cursors name it.
    pub order: &'static str,
    /// All places, in order.
    pub places: &'a [P],
    /// True if the order is reversed.
    pub descending: bool,
}

/// An item of a page, with its role or its permission.
pub type Item = (Thing, Option<&'static str>);

/// The page of a list that the arguments ask for.
pub struct Window<P> {
    after: Option<P>,
    before: Option<P>,
    first: Option<usize>,
    last: Option<usize>,
    /// True if the list is shown from its end to its beginning.
    descending: bool,
}

/// A page that was cut out of its list.
pub struct Cut<P> {
    places: Vec<P>,
    start: usize,
    total: usize,
}

impl<P> Window<P> {
    /// The page of this list.
    pub fn cut(&self, list: &impl Sequence<Position = P>) -> Cut<P> {
        let total = list.total();
        let up_to = |cursor: &P, inclusive: bool| {
            if self.descending {
                total - list.before(cursor, !inclusive).min(total)
            } else {
                list.before(cursor, inclusive)
            }
        };
        let mut start = self.after.as_ref().map_or(0, |cursor| up_to(cursor, true)).min(total);
        let mut end = self.before.as_ref().map_or(total, |cursor| up_to(cursor, false)).clamp(start, total);
        match self.last {
            Some(length) => start = end.saturating_sub(length).max(start),
            None => end = start.saturating_add(self.first.unwrap_or(usize::try_from(PAGE).unwrap_or(0))).min(end),
        }
        let mut places = list.part(if self.descending { total - end..total - start } else { start..end });
        if self.descending {
            places.reverse();
        }
        Cut { places, start, total }
    }
}

impl<P: Position> Sequence for Listing<'_, P> {
    type Position = P;

    fn total(&self) -> usize {
        self.places.len()
    }

    fn before(&self, position: &P, inclusive: bool) -> usize {
        self.places.partition_point(|place| {
            let order = place.order(position);
            let order = if self.descending { order.reverse() } else { order };
            order == Ordering::Less || inclusive && order == Ordering::Equal
        })
    }

    fn part(&self, range: Range<usize>) -> Vec<P> {
        self.places.get(range).unwrap_or_default().to_vec()
    }
}

impl<P: Position> Listing<'_, P> {
    fn series(&self) -> Series {
        let Self { kinds, field, of, order, .. } = *self;
        Series { kinds, field, of, order }
    }

    /// The places of the page that the arguments ask for.
    pub fn cut(&self, args: Args) -> Resolved<Vec<P>> {
        Ok(self.series().window(args, false)?.cut(self).places)
    }

    /// The page that the arguments ask for. `load` gets its places and the number of places before them.
    pub fn page(self, args: Args, load: impl FnOnce(&[P], usize) -> Result<Vec<Item>>) -> Resolved<Out<'static>> {
        self.series().page(args, false, |window| Ok(window.cut(&self)), load)
    }
}

impl Series {
    /// The page that the arguments ask for, cut out of the list by `cut`. `load` gets its places and the number of
    /// places before them.
    pub fn page<P: Position>(
        &self,
        args: Args,
        descending: bool,
        cut: impl FnOnce(&Window<P>) -> Result<Cut<P>>,
        load: impl FnOnce(&[P], usize) -> Result<Vec<Item>>,
    ) -> Resolved<Out<'static>> {
        Ok(Out::One(Thing::Connection(Rc::new(self.connection(args, descending, cut, load)?))))
    }

    /// The same as a connection.
    pub fn connection<P: Position>(
        &self,
        args: Args,
        descending: bool,
        cut: impl FnOnce(&Window<P>) -> Result<Cut<P>>,
        load: impl FnOnce(&[P], usize) -> Result<Vec<Item>>,
    ) -> Resolved<Connection> {
        let Cut { places, start, total } = cut(&self.window(args, descending)?)?;
        let items = load(&places, start)?;
        let end = start + places.len();
        let edges = items.into_iter().map(|(node, extra)| Edge { node, extra }).collect();
        let info = Info { has_previous: start > 0, has_next: end < total };
        let ((kind, edge), tag) = (self.kinds, self.tag());
        let encoded = move |place: &P| STANDARD.encode([&tag, place.write().as_str()].concat());
        let cursors = Cursors(Box::new(move |at| places.get(at).map(&encoded)));
        Ok(Connection { kind, edge, total, count: "totalCount", edges, cursors, info })
    }

    fn window<P: Position>(&self, args: Args, descending: bool) -> Resolved<Window<P>> {
        let (after, before) = (self.cursor(args, "after")?, self.cursor(args, "before")?);
        let (first, last) = (self.size(args, "first")?, self.size(args, "last")?);
        if first.is_some() && last.is_some() {
            let text = format!(
                "Passing both `first` and `last` to paginate the `{}` connection is not supported.",
                self.field
            );
            return Err(Failure::Field("INVALID_PAGINATION", text));
        }
        Ok(Window { after, before, first, last, descending })
    }

    /// The size of a page: at most 100.
    fn size(&self, args: Args, name: &str) -> Resolved<Option<usize>> {
        let Some(size) = args.number(name) else { return Ok(None) };
        let field = self.field;
        if size > PAGE {
            let text = format!(
                "Requesting {size} records on the `{field}` connection exceeds the `{name}` limit of {PAGE} records."
            );
            return Err(Failure::Field("EXCESSIVE_PAGINATION", text));
        }
        let negative = format!("`{name}` on the `{field}` connection cannot be less than zero.");
        usize::try_from(size).map(Some).map_err(|_| Failure::Field("INVALID_PAGINATION", negative))
    }

    fn tag(&self) -> String {
        format!("v1:{}:{}:{}:", self.kinds.0, self.of, self.order)
    }

    fn cursor<P: Position>(&self, args: Args, name: &str) -> Resolved<Option<P>> {
        let Some(text) = args.text(name) else { return Ok(None) };
        let plain = STANDARD.decode(text).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let place = plain.and_then(|plain| plain.strip_prefix(&self.tag()).and_then(P::read));
        let wrong =
            || Failure::Field("INVALID_CURSOR_ARGUMENTS", format!("`{text}` does not appear to be a valid cursor."));
        place.map(Some).ok_or_else(wrong)
    }
}

/// The value of a field about something that Guildhall does not have, by the type of the field.
pub fn nothing(ty: &'static Type, field: &'static str, args: Args) -> Resolved<Out<'static>> {
    match ty.inner_named_type().as_str() {
        kind if kind.ends_with("Connection") => {
            let places: &[i64] = &[];
            let listing = Listing { kinds: (kind, ""), field, of: 0, order: "", places, descending: false };
            listing.page(args, |_, _| Ok(Vec::new()))
        }
        _ if !ty.is_non_null() => Ok(Out::Null),
        _ if ty.is_list() => Ok(Out::Many(Vec::new())),
        "Boolean" => Out::leaf(false),
        "Int" => Out::leaf(0),
        kind => Err(Error::Bug(format!("`{field}` is never without a {kind}")).into()),
    }
}

/// A field of a connection. Fields that count something else than its items, such as other results of a search, are 0.
pub fn field<'a>(connection: &'a Rc<Connection>, name: &str) -> Resolved<Out<'a>> {
    match name {
        "pageInfo" => Ok(Out::One(Thing::Info(Rc::clone(connection)))),
        "nodes" => Ok(Out::Nodes(connection)),
        "edges" => Ok(Out::Edges(connection)),
        _ if name == connection.count => Out::leaf(i64::try_from(connection.total).unwrap_or(i64::MAX)),
        "codeCount" | "discussionCount" | "issueCount" | "repositoryCount" | "totalSize" | "userCount"
        | "wikiCount" => Ok(Out::Nothing),
        _ => Err(Failure::unknown(connection.kind, name)),
    }
}

impl Edge {
    /// A field of an edge.
    pub fn field<'a>(connection: &'a Connection, at: usize, name: &str) -> Resolved<Out<'a>> {
        let Some(edge) = connection.edges.get(at) else { return Ok(Out::Null) };
        match name {
            "cursor" => Out::maybe((connection.cursors.0)(at)),
            "node" => Ok(Out::One(edge.node.clone())),
            "role" | "permission" => Out::maybe(edge.extra),
            "hasTwoFactorEnabled" => Ok(Out::Nothing),
            _ => Err(Failure::unknown(connection.edge, name)),
        }
    }
}

impl Info {
    /// A field of the information about a page.
    pub fn field<'a>(connection: &'a Connection, name: &str) -> Resolved<Out<'a>> {
        let (info, cursor) = (&connection.info, &connection.cursors.0);
        match name {
            "hasPreviousPage" => Out::leaf(info.has_previous),
            "hasNextPage" => Out::leaf(info.has_next),
            "startCursor" => Out::maybe(cursor(0)),
            "endCursor" => Out::maybe(connection.edges.len().checked_sub(1).and_then(cursor)),
            _ => Err(Failure::unknown("PageInfo", name)),
        }
    }
}
