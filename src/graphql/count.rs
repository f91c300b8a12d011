//! The size of a query, computed before it is carried out: its depth, its nodes, its aliases and its cost, and the
//! scopes that its fields need (decision 60).
//!
//! A fragment is counted once, for one object, and the result is multiplied wherever the fragment is used. Otherwise, a
//! few short fragments that each use another one twice would take forever to count.

use std::collections::HashMap;

use apollo_compiler::ExecutableDocument;
use apollo_compiler::ast::Value;
use apollo_compiler::executable::{Field, Operation, Selection, SelectionSet};
use apollo_compiler::response::JsonMap;

use super::problem::Problem;
use super::rules::Rules;
use super::scopes::{self, Scoped};

/// The greatest depth of nested fields.
const DEEPEST: u32 = 15;

/// The most nodes.
const MOST_NODES: u64 = 500_000;

/// The most aliases.
const MOST_ALIASES: u64 = 1_000;

/// The most items of a page.
pub const PAGE: i64 = 100;

/// The most types, fields and so on that introspection may list.
const MOST_DESCRIBED: u64 = 15_000;

/// The most values that lists of arguments may have together. Each field has its own copy of its arguments.
const MOST_LISTED: u64 = 5_000;

/// About how long a list of introspection is.
const DESCRIBED: u64 = 20;

/// The size of a query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Nodes of connections.
    pub nodes: u64,
    /// Calls of connections.
    calls: u64,
    aliases: u64,
    described: u64,
    /// Values in lists of arguments.
    listed: u64,
    /// Searches.
    pub searches: u32,
    depth: u32,
    /// True if a field depends on more than the data and the caller.
    pub fleeting: bool,
}

impl Count {
    /// The cost of the query, in points.
    #[must_use]
    pub fn cost(&self) -> u32 {
        u32::try_from(self.calls.div_ceil(100)).unwrap_or(u32::MAX).max(1)
    }

    /// The same selection for this many objects.
    fn times(self, objects: u64) -> Self {
        Self {
            nodes: self.nodes.saturating_mul(objects),
            calls: self.calls.saturating_mul(objects),
            described: self.described.saturating_mul(objects),
            ..self
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            nodes: self.nodes.saturating_add(other.nodes),
            calls: self.calls.saturating_add(other.calls),
            aliases: self.aliases.saturating_add(other.aliases),
            described: self.described.saturating_add(other.described),
            listed: self.listed.saturating_add(other.listed),
            searches: self.searches.saturating_add(other.searches),
            depth: self.depth.max(other.depth),
            fleeting: self.fleeting || other.fleeting,
        }
    }

    fn check(&self) -> Result<(), Problem> {
        if self.depth > DEEPEST {
            let text = format!("The query is {} fields deep, which exceeds the maximum of {DEEPEST}.", self.depth);
            return Err(Problem::of("MAX_DEPTH_EXCEEDED", text));
        }
        if self.nodes > MOST_NODES {
            let text = format!(
                "This query requests up to {} possible nodes which exceeds the maximum limit of {}.",
                grouped(self.nodes),
                grouped(MOST_NODES)
            );
            return Err(Problem::of("MAX_NODE_LIMIT_EXCEEDED", text));
        }
        if self.aliases > MOST_ALIASES {
            let text = "The query has more than 1,000 aliases. Send it in parts.";
            return Err(Problem::of("MAX_ALIASES_EXCEEDED", text));
        }
        if self.described > MOST_DESCRIBED {
            let text = "The query asks for too many descriptions of the schema. Ask for fewer of them at a time.";
            return Err(Problem::of("MAX_NODE_LIMIT_EXCEEDED", text));
        }
        if self.listed > MOST_LISTED {
            let text = "The lists in the arguments have more than 5,000 values. Send them in parts.";
            return Err(Problem::of("ARGUMENT_LIMIT", text));
        }
        Ok(())
    }
}

/// A number with its thousands separated, as messages show it.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

struct Counting<'d> {
    document: &'d ExecutableDocument,
    variables: &'d JsonMap,
    rules: &'d Rules,
    fragments: HashMap<&'d str, Count>,
    scoped: Scoped,
}

/// Counts what an operation may ask for, and refuses too much.
pub fn count(
    document: &ExecutableDocument,
    operation: &Operation,
    variables: &JsonMap,
    rules: &Rules,
) -> Result<(Count, Scoped), Problem> {
    let mut counting = Counting { document, variables, rules, fragments: HashMap::new(), scoped: Scoped::new() };
    let count = counting.selection(&operation.selection_set);
    count.check()?;
    Ok((count, counting.scoped))
}

impl<'d> Counting<'d> {
    fn selection(&mut self, set: &'d SelectionSet) -> Count {
        let mut sum = Count::default();
        for selection in &set.selections {
            sum = sum.and(match selection {
                Selection::Field(field) => self.field(set.ty.as_str(), field),
                Selection::InlineFragment(inline) => self.selection(&inline.selection_set),
                Selection::FragmentSpread(spread) => self.fragment(spread.fragment_name.as_str()),
            });
        }
        sum
    }

    fn fragment(&mut self, name: &'d str) -> Count {
        if let Some(known) = self.fragments.get(name) {
            return *known;
        }
        let fragment = self.document.fragments.get(name);
        let count = fragment.map(|fragment| self.selection(&fragment.selection_set)).unwrap_or_default();
        self.fragments.insert(name, count);
        count
    }

    fn field(&mut self, parent: &str, field: &'d Field) -> Count {
        if let Some(accepted) = scopes::of_field(parent, &field.name, self.rules) {
            self.scoped.insert(field.name.to_string(), accepted);
        }
        let below = self.selection(&field.selection_set);
        let fleeting = is_fleeting(parent, &field.name);
        let aliases = u64::from(field.alias.is_some());
        let listed = field.arguments.iter().map(|argument| self.length(&argument.value)).sum();
        // A value of introspection counts if it may occur more than once.
        let described = if parent.starts_with("__") { aliases } else { 0 };
        let searches = u32::from(parent == "Query" && field.name == "search");
        let own = Count { aliases, listed, described, searches, depth: 1, fleeting, ..Count::default() };
        let kind = field.definition.ty.inner_named_type().as_str();
        let deep = Count { depth: below.depth.saturating_add(1), ..below };
        if kind.starts_with("__") {
            // The standard query for the schema is deeper than any other, and its lists are bounded in another way.
            let items = if field.definition.ty.is_list() { DESCRIBED } else { 0 };
            let own = Count { described: items.max(aliases * DESCRIBED), ..own };
            return Count { depth: 1, ..below.times(items.max(1)) }.and(own);
        }
        if parent == "Query" && field.name == "nodes" {
            // One ID stands for a list of it.
            let asked = listed.max(1);
            return deep.times(asked).and(Count { nodes: asked, ..own });
        }
        if !kind.ends_with("Connection") {
            return deep.and(own);
        }
        let size = self.number(field, "first").or_else(|| self.number(field, "last")).unwrap_or(PAGE);
        let size = u64::try_from(size).unwrap_or(0);
        // Fields of the connection itself occur once, but are counted for each node, like those of its nodes.
        deep.times(size).and(Count { nodes: size, calls: 1, ..own })
    }

    fn number(&self, field: &Field, name: &str) -> Option<i64> {
        match &**field.argument_by_name(name).ok()? {
            Value::Int(number) => number.try_to_i32().ok().map(i64::from),
            Value::Variable(name) => self.variables.get(name.as_str())?.as_i64(),
            _ => None,
        }
    }

    /// The length of a list; 0 for any other value.
    fn length(&self, value: &Value) -> u64 {
        let length = match value {
            Value::List(items) => items.len(),
            Value::Variable(name) => {
                self.variables.get(name.as_str()).and_then(|value| value.as_array()).map_or(0, Vec::len)
            }
            _ => 0,
        };
        length as u64
    }
}

/// True if a field depends on the time, or on what the caller has asked for before, as the limit of searches does.
fn is_fleeting(parent: &str, field: &str) -> bool {
    matches!(
        (parent, field),
        ("Query", "rateLimit" | "search") | ("Team", "invitations") | ("Organization", "pendingMembers")
    )
}
