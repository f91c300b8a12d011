//! A YAML or JSON file as a tree whose nodes know their line. One parser reads both, since YAML contains JSON.
//!
//! Anything that would lose data silently is refused: duplicate keys, tags and second documents. The depth, and the
//! number of nodes that aliases copy, also into merge keys, are limited.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use granit_parser::{Event, Options, Parser, ScalarStyle, StrInput};

use super::fault::{Fault, shown};
use super::path::{Path, Step};

/// The greatest depth of nested lists and mappings.
const DEEPEST: usize = 64;
/// The number of nodes that anchors and aliases may add by copying.
const MOST_COPIES: usize = 1_000_000;

/// A value and the line where it begins.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    pub line: u32,
    pub value: Value<'a>,
}

/// The three shapes of a value.
#[derive(Clone, Debug)]
pub enum Value<'a> {
    Scalar(Cow<'a, str>, Style),
    List(Vec<Node<'a>>),
    Map(Vec<Entry<'a>>),
}

/// The notation of a scalar, which determines its possible types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Quoted or a block: always text.
    Quoted,
    /// Unquoted in YAML: text, number, boolean or null, as the reader expects.
    Plain,
    /// Unquoted in JSON: never text.
    Literal,
}

/// A key with its value and the line of the key.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    pub line: u32,
    pub key: Cow<'a, str>,
    pub value: Node<'a>,
}

/// Parses a text with exactly one document.
pub fn parse(text: &str) -> Result<Node<'_>, Fault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let unquoted = if text.trim_start().starts_with('{') { Style::Literal } else { Style::Plain };
    let mut options = Options::default();
    options.set_emit_comments(false);
    let events = Parser::new_from_str_with_options(text, options);
    let mut builder = Builder { events, unquoted, anchors: HashMap::new(), copies: 0 };
    builder.document()
}

struct Builder<'a> {
    events: Parser<'a, StrInput<'a>>,
    unquoted: Style,
    /// Complete anchored nodes with their number of nodes and their height.
    anchors: HashMap<usize, (Node<'a>, usize, usize)>,
    copies: usize,
}

impl<'a> Builder<'a> {
    fn document(&mut self) -> Result<Node<'a>, Fault> {
        self.next()?;
        if matches!(self.next()?.0, Event::StreamEnd) {
            return Err(Fault::new(0, "", "the file is empty; an organization is expected"));
        }
        let (event, line) = self.next()?;
        let root = self.node(event, line, &Path::TOP)?;
        self.next()?;
        match self.next()? {
            (Event::StreamEnd, _) => Ok(root),
            (_, line) => Err(Fault::new(line, "", "a second document begins here; move it to a separate file")),
        }
    }

    fn next(&mut self) -> Result<(Event<'a>, u32), Fault> {
        match self.events.next_event() {
            Some(Ok((event, span))) => Ok((event, line_number(span.start.line()))),
            Some(Err(error)) => {
                let message = format!("this is not valid YAML or JSON: {}", error.info());
                Err(Fault::new(line_number(error.marker().line()), "", message))
            }
            None => Err(Fault::new(0, "", "the file is incomplete")),
        }
    }

    fn node(&mut self, event: Event<'a>, line: u32, path: &Path) -> Result<Node<'a>, Fault> {
        let (anchor, tag, value) = match event {
            Event::Alias(anchor) => return self.copy(anchor, line, path),
            Event::Scalar(text, style, anchor, tag) => {
                let style = if style == ScalarStyle::Plain { self.unquoted } else { Style::Quoted };
                (anchor, tag, Value::Scalar(text, style))
            }
            Event::SequenceStart(_, anchor, tag) => (anchor, tag, self.list(line, path)?),
            Event::MappingStart(_, anchor, tag) => (anchor, tag, self.map(line, path)?),
            _ => return Err(Fault::new(line, path, "a value is missing here")),
        };
        if let Some(tag) = tag {
            let message = format!("the tag {} is not supported; remove it", shown(&tag.to_string()));
            return Err(Fault::new(line, path, message));
        }
        let node = Node { line, value };
        if anchor > 0 {
            let (nodes, height) = measure(&node);
            count(&mut self.copies, nodes, line, path)?;
            self.anchors.insert(anchor, (node.clone(), nodes, height));
        }
        Ok(node)
    }

    fn list(&mut self, line: u32, path: &Path) -> Result<Value<'a>, Fault> {
        within(path.depth + 1, line, path)?;
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Value::List(items)),
                (event, line) => {
                    let node = self.node(event, line, &path.child(Step::Index(items.len())))?;
                    items.push(node);
                }
            }
        }
    }

    fn map(&mut self, line: u32, path: &Path) -> Result<Value<'a>, Fault> {
        within(path.depth + 1, line, path)?;
        let mut entries: Vec<Entry<'a>> = Vec::new();
        let mut merge_key: Option<Entry<'a>> = None;
        loop {
            let (key, style, line) = match self.next()? {
                (Event::MappingEnd, _) => break,
                (Event::Scalar(key, style, ..), line) => (key, style, line),
                (_, line) => {
                    return Err(Fault::new(line, path, "a key must be plain text, not a list, mapping or alias"));
                }
            };
            let is_merge_key = key == "<<" && style == ScalarStyle::Plain;
            let (event, value_line) = self.next()?;
            let value = self.node(event, value_line, &path.child(Step::Key(&key)))?;
            let entry = Entry { line, key, value };
            if !is_merge_key {
                entries.push(entry);
            } else if let Some(first) = merge_key.replace(entry) {
                let message = format!("duplicate merge key (<<); the first is on line {}. Merge a list", first.line);
                return Err(Fault::new(line, path, message));
            }
        }
        unique(&entries, path)?;
        if let Some(merge_key) = merge_key {
            merge(&mut entries, merge_key, path)?;
        }
        Ok(Value::Map(entries))
    }

    fn copy(&mut self, anchor: usize, line: u32, path: &Path) -> Result<Node<'a>, Fault> {
        let Some((node, nodes, height)) = self.anchors.get(&anchor) else {
            return Err(Fault::new(line, path, "this alias refers to a key, or to a value that contains it"));
        };
        within(path.depth + height, line, path)?;
        count(&mut self.copies, *nodes, line, path)?;
        Ok(Node { line, value: node.value.clone() })
    }
}

fn count(copies: &mut usize, nodes: usize, line: u32, path: &Path) -> Result<(), Fault> {
    *copies += nodes;
    if *copies <= MOST_COPIES {
        return Ok(());
    }
    let message = format!("anchors and aliases expand to more than {MOST_COPIES} values; write them out");
    Err(Fault::new(line, path, message))
}

fn line_number(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

fn within(depth: usize, line: u32, path: &Path) -> Result<(), Fault> {
    if depth <= DEEPEST {
        return Ok(());
    }
    Err(Fault::new(line, path, format!("nested deeper than {DEEPEST} levels")))
}

/// The number of nodes of a value, and how deep its lists and mappings are nested.
fn measure(node: &Node) -> (usize, usize) {
    let sum = |(nodes, height): (usize, usize), child: &Node| {
        let (more, below) = measure(child);
        (nodes + more, height.max(below + 1))
    };
    match &node.value {
        Value::Scalar(..) => (1, 0),
        Value::List(items) => items.iter().fold((1, 1), sum),
        Value::Map(entries) => entries.iter().map(|entry| &entry.value).fold((1, 1), sum),
    }
}

/// Adds what a merge key brings: a mapping, or a list of mappings of which the first has precedence. Keys that are
/// written out have precedence over it.
fn merge<'a>(entries: &mut Vec<Entry<'a>>, from: Entry<'a>, path: &Path) -> Result<(), Fault> {
    let sources = match from.value.value {
        Value::List(items) => items,
        value => vec![Node { line: from.line, value }],
    };
    let mut known: HashSet<Cow<'a, str>> = entries.iter().map(|entry| entry.key.clone()).collect();
    for source in sources {
        let Value::Map(more) = source.value else {
            let message = "a merge key (<<) takes a mapping or a list of mappings";
            return Err(Fault::new(source.line, path, message));
        };
        entries.extend(more.into_iter().filter(|entry| known.insert(entry.key.clone())));
    }
    Ok(())
}

fn unique(entries: &[Entry], path: &Path) -> Result<(), Fault> {
    let mut lines = HashMap::with_capacity(entries.len());
    for entry in entries {
        if let Some(first) = lines.insert(entry.key.as_ref(), entry.line) {
            let message = format!("duplicate key; the first is on line {first}");
            return Err(Fault::new(entry.line, path.child(Step::Key(&entry.key)), message));
        }
    }
    Ok(())
}
