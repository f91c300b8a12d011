//! Connections: pages of lists, whose cursors are positions in the order of the list. So they stay valid while others
//! are added and removed.

use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::count::PAGE;
use super::running::{Failure, Resolved};
use super::value::{Args, Connection, Edge, Info, Out, Thing};
use crate::error::Result;

/// A place in the order of a list.
pub trait Position: Clone {
    /// As text in a cursor.
    fn write(&self) -> String;
    /// Reads the text of a cursor.
    fn read(text: &str) -> Option<Self>;
    /// Which of two comes first.
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

/// A list before its page is known.
pub struct Listing<'a, P> {
    /// The types of the connection and its edges.
    pub kinds: (&'static str, &'static str),
    /// The field, as messages name it.
    pub field: &'static str,
    /// Whose list it is. A cursor of another list is refused.
    pub of: i64,
    /// The order, as cursors name it.
    pub order: &'static str,
    /// All places, in order.
    pub places: &'a [P],
    /// Whether the order is reversed.
    pub descending: bool,
}

/// An item of a page, with its role or its permission.
pub type Item = (Thing, Option<&'static str>);

impl<P: Position> Listing<'_, P> {
    /// The page that the arguments ask for. `load` gets its places and the number of places before them.
    pub fn page(self, args: Args, load: impl FnOnce(&[P], usize) -> Result<Vec<Item>>) -> Resolved<Out> {
        let total = self.places.len();
        let mut start = self.cursor(args, "after")?.map_or(0, |cursor| self.up_to(&cursor, true));
        let mut end = self.cursor(args, "before")?.map_or(total, |cursor| self.up_to(&cursor, false)).max(start);
        match (self.size(args, "first")?, self.size(args, "last")?) {
            (Some(_), Some(_)) => {
                let text = format!(
                    "Passing both `first` and `last` to paginate the `{}` connection is not supported.",
                    self.field
                );
                return Err(Failure::Field("INVALID_PAGINATION", text));
            }
            (None, Some(last)) => start = end.saturating_sub(last).max(start),
            (first, None) => end = start.saturating_add(first.unwrap_or(usize::try_from(PAGE).unwrap_or(0))).min(end),
        }
        let places = &self.places[start..end];
        let items = load(places, start)?;
        let edges: Vec<Edge> = items
            .into_iter()
            .zip(places)
            .map(|((node, extra), place)| Edge { cursor: self.encode(place), node, extra })
            .collect();
        let info = Info {
            has_previous: start > 0,
            has_next: end < total,
            start: edges.first().map(|edge| edge.cursor.clone()),
            end: edges.last().map(|edge| edge.cursor.clone()),
        };
        let (kind, edge) = self.kinds;
        Ok(Out::One(Thing::Connection(Rc::new(Connection { kind, edge, total, edges, info }))))
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

    /// How many places come before a cursor, and, if wanted, at it.
    fn up_to(&self, cursor: &P, inclusive: bool) -> usize {
        self.places.partition_point(|place| {
            let order = place.order(cursor);
            let order = if self.descending { order.reverse() } else { order };
            order == Ordering::Less || inclusive && order == Ordering::Equal
        })
    }

    fn tag(&self) -> String {
        format!("v1:{}:{}:{}:", self.kinds.0, self.of, self.order)
    }

    fn encode(&self, place: &P) -> String {
        STANDARD.encode(self.tag() + &place.write())
    }

    fn cursor(&self, args: Args, name: &str) -> Resolved<Option<P>> {
        let Some(text) = args.text(name) else { return Ok(None) };
        let plain = STANDARD.decode(text).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let place = plain.and_then(|plain| plain.strip_prefix(&self.tag()).and_then(P::read));
        let wrong =
            || Failure::Field("INVALID_CURSOR_ARGUMENTS", format!("`{text}` does not appear to be a valid cursor."));
        place.map(Some).ok_or_else(wrong)
    }
}

/// A field of a connection.
pub fn field(connection: &Rc<Connection>, name: &str) -> Resolved<Out> {
    match name {
        "totalCount" => Out::leaf(i64::try_from(connection.total).unwrap_or(i64::MAX)),
        "pageInfo" => Ok(Out::One(Thing::Info(Rc::clone(connection)))),
        "nodes" => Ok(Out::Many(connection.edges.iter().map(|edge| Ok(edge.node.clone())).collect())),
        _ => Ok(Out::Many((0..connection.edges.len()).map(|at| Ok(Thing::Edge(Rc::clone(connection), at))).collect())),
    }
}

impl Edge {
    /// A field of an edge.
    pub fn field(connection: &Connection, at: usize, name: &str) -> Resolved<Out> {
        let Some(edge) = connection.edges.get(at) else { return Ok(Out::NULL) };
        match name {
            "cursor" => Out::leaf(edge.cursor.clone()),
            "node" => Ok(Out::One(edge.node.clone())),
            _ => Out::maybe(edge.extra),
        }
    }
}

impl Info {
    /// A field of the information about a page.
    pub fn field(&self, name: &str) -> Resolved<Out> {
        match name {
            "hasPreviousPage" => Out::leaf(self.has_previous),
            "hasNextPage" => Out::leaf(self.has_next),
            "startCursor" => Out::maybe(self.start.clone()),
            _ => Out::maybe(self.end.clone()),
        }
    }
}
