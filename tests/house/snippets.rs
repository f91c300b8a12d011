//! Reads the walk-throughs of `CONTRIBUTING.md` as edits of files, and applies them.
//!
//! An edit belongs to the file that was last named in bold. Before a block of code, `below`, `above` or `at the end of`
//! and code in backticks say where it goes: next to the only line that contains this code, or at the end of what that
//! line opens. Below a line that opens something is below what closes it, and above a line is above its comments. A block
//! without such words is a new file. In prose, code, the word `to` and code mean that the first becomes the second.

use std::collections::BTreeMap;

/// The files that were edited, with their texts.
pub type Files = BTreeMap<String, String>;

/// One edit of a file.
pub struct Edit {
    /// The number of the line that says it.
    line: usize,
    /// The file, as its path in the repository.
    pub file: String,
    change: Change,
}

enum Change {
    Create(String),
    Append(String),
    Insert(Place, String, String),
    Replace(String, String),
}

#[derive(Clone, Copy)]
enum Place {
    Below,
    Above,
    AtTheEndOf,
}

const PLACES: [(&str, Place); 3] =
    [("below", Place::Below), ("above", Place::Above), ("at the end of", Place::AtTheEndOf)];

/// The edits of some lines of a document, in their order.
pub fn edits<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<Edit> {
    let mut reader = Reader::default();
    let mut lines = lines;
    while let Some((line, text)) = lines.next() {
        let prose = text.trim_start();
        match prose.strip_prefix("```") {
            Some(language) => {
                reader.end_paragraph();
                let indent = text.len() - prose.len();
                let inside = lines.by_ref().take_while(|(_, text)| text.trim() != "```");
                let block: Vec<&str> = inside.map(|(_, text)| text.get(indent..).unwrap_or_default()).collect();
                if language != "sh" {
                    reader.block(line, block.join("\n") + "\n");
                }
            }
            None if prose.is_empty() => reader.end_paragraph(),
            None => {
                if begins_item(prose) {
                    reader.end_paragraph();
                }
                reader.line = line;
                reader.paragraph.extend([prose, " "]);
            }
        }
    }
    reader.end_paragraph();
    reader.edits
}

fn begins_item(prose: &str) -> bool {
    prose.starts_with("- ") || prose.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(". ")
}

/// The state of reading so far.
#[derive(Default)]
struct Reader {
    edits: Vec<Edit>,
    file: String,
    paragraph: String,
    line: usize,
    /// The place where the block that follows goes, and the code that is there.
    place: Option<(Place, String)>,
    /// True if it goes at the end of the file.
    is_append: bool,
}

impl Reader {
    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        if paragraph.is_empty() {
            return;
        }
        (self.place, self.is_append) = (None, paragraph.to_lowercase().contains("at the end of the file"));
        let mut last = None;
        for (before, code) in spans(&paragraph) {
            let words = before.trim().to_lowercase();
            let place = PLACES.iter().find(|(word, _)| words.ends_with(word));
            if before.ends_with("**") {
                code.clone_into(&mut self.file);
            } else if let (" to ", Some(from)) = (before, last) {
                self.add(self.line, Change::Replace(from, code.to_owned()));
            } else if let Some((_, place)) = place {
                self.place = Some((*place, code.to_owned()));
            }
            last = Some(code.to_owned());
        }
    }

    fn block(&mut self, line: usize, text: String) {
        let change = match self.place.take() {
            Some((place, anchor)) => Change::Insert(place, anchor, text),
            None if self.is_append => Change::Append(text),
            None => Change::Create(text),
        };
        self.add(line, change);
    }

    fn add(&mut self, line: usize, change: Change) {
        self.edits.push(Edit { line, file: self.file.clone(), change });
    }
}

/// The code in backticks, each with the text before it.
fn spans(paragraph: &str) -> Vec<(&str, &str)> {
    let mut spans = Vec::new();
    let mut rest = paragraph;
    while let Some(begin) = rest.find('`') {
        let ticks = rest[begin..].len() - rest[begin..].trim_start_matches('`').len();
        let inside = &rest[begin + ticks..];
        let Some(end) = inside.find(&"`".repeat(ticks)) else { break };
        spans.push((&rest[..begin], inside[..end].trim()));
        rest = &inside[end + ticks..];
    }
    spans
}

/// The texts of the edited files, or what is wrong with an edit. `read` reads a file that there is.
pub fn apply(edits: &[Edit], read: impl Fn(&str) -> Option<String>) -> Result<Files, String> {
    let mut files = Files::new();
    for Edit { line, file, change } in edits {
        let text = files.get(file).cloned().or_else(|| read(file));
        let edited = changed(text, change).map_err(|wrong| format!("CONTRIBUTING.md:{line}: {file}: {wrong}"))?;
        files.insert(file.clone(), edited);
    }
    Ok(files)
}

fn changed(text: Option<String>, change: &Change) -> Result<String, String> {
    match (change, text) {
        (Change::Create(block), None) => Ok(block.clone()),
        (Change::Create(_), Some(_)) => Err("the file is there, so say where this block goes".to_owned()),
        (_, None) => Err("there is no such file".to_owned()),
        (Change::Append(block), Some(text)) => Ok(format!("{text}\n{block}")),
        (Change::Insert(place, anchor, block), Some(text)) => inserted(&text, *place, anchor, block),
        (Change::Replace(from, to), Some(text)) => match text.matches(from).count() {
            1 => Ok(text.replace(from, to)),
            times => Err(format!("`{from}` is in the file {times} times, not once")),
        },
    }
}

fn inserted(text: &str, place: Place, anchor: &str, block: &str) -> Result<String, String> {
    let lines: Vec<&str> = text.lines().collect();
    let found: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].contains(anchor)).collect();
    let [at] = found[..] else { return Err(format!("`{anchor}` is in {} lines, not in one", found.len())) };
    let indent = lines[at].len() - lines[at].trim_start().len();
    let (at, indent) = match place {
        Place::Below => (end_of(&lines, at) + 1, indent),
        Place::AtTheEndOf => (end_of(&lines, at), indent + 4),
        Place::Above => {
            let is_about = |line: &&&str| line.trim_start().starts_with("///") || line.trim_start().starts_with("#[");
            (at - lines[..at].iter().rev().take_while(is_about).count(), indent)
        }
    };
    let margin = " ".repeat(indent);
    let block = block.lines().map(|line| if line.is_empty() { String::new() } else { format!("{margin}{line}") });
    let around = [&lines[..at], &lines[at..]].map(|part| part.iter().map(|line| (*line).to_owned()));
    let [before, after] = around;
    Ok(before.chain(block).chain(after).map(|line| line + "\n").collect())
}

/// The line that closes what this one opens, or this one if it opens nothing.
fn end_of(lines: &[&str], at: usize) -> usize {
    let margin = &lines[at][..lines[at].len() - lines[at].trim_start().len()];
    let closes = |line: &str| line.strip_prefix(margin).is_some_and(|rest| rest.starts_with(['}', ')', ']']));
    let mut end = at;
    while lines[end].ends_with(['{', '(', '[']) {
        end += 1 + lines[end + 1..].iter().position(|line| closes(line)).unwrap_or_default();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(document: &str, text: &str) -> Result<String, String> {
        let edits = edits(document.lines().enumerate());
        apply(&edits, |file| (file == "a").then(|| text.to_owned())).map(|files| files.into_values().collect())
    }

    #[test]
    fn a_block_goes_where_the_sentence_before_it_says() {
        let text = "fn a(\n) {\n    1;\n}\n\n/// B.\nfn b() {}\n";
        let block = "```rust\nnew\n```";
        let place = |words: &str| applied(&format!("1. **`a`**: add it {words}:\n\n{block}"), text);
        assert_eq!(place("below `fn a`").unwrap(), "fn a(\n) {\n    1;\n}\nnew\n\n/// B.\nfn b() {}\n");
        assert_eq!(place("above `fn b`").unwrap(), "fn a(\n) {\n    1;\n}\n\nnew\n/// B.\nfn b() {}\n");
        assert_eq!(place("at the end of `fn a`").unwrap(), "fn a(\n) {\n    1;\n    new\n}\n\n/// B.\nfn b() {}\n");
        assert_eq!(place("at the end of the file").unwrap(), format!("{text}\nnew\n"));
        assert_eq!(
            place("somewhere").unwrap_err(),
            "CONTRIBUTING.md:2: a: the file is there, so say where this block goes"
        );
        assert_eq!(place("below `fn`").unwrap_err(), "CONTRIBUTING.md:2: a: `fn` is in 2 lines, not in one");
        assert_eq!(place("below `fn c`").unwrap_err(), "CONTRIBUTING.md:2: a: `fn c` is in 0 lines, not in one");
    }

    #[test]
    fn prose_changes_what_is_there_once() {
        assert_eq!(applied("**`a`**: change `1` to `2`, and ``3`` to\n`` `4` ``.", "1 3").unwrap(), "2 `4`");
        let twice = applied("**`a`**: `1` to `2`", "1 1").unwrap_err();
        assert_eq!(twice, "CONTRIBUTING.md:0: a: `1` is in the file 2 times, not once");
        assert!(applied("**`b`**: `1` to `2`", "").unwrap_err().ends_with("there is no such file"));
        assert_eq!(applied("**`b`**: write\n\n```\nnew\n```", "").unwrap(), "new\n");
    }
}
