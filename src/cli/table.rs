//! Short output of commands: tables and fields, aligned and cut to the width of a terminal; otherwise lines with tabs, for other
//! programs; or JSON.

use std::io::{IsTerminal, Write};

use serde::Serialize;
use serde_json::Value;
use terminal_size::{Width, terminal_size_of};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Failure, answer_json, in_one_line, say};

/// The narrowest column that is cut, in cells.
const NARROWEST: usize = 8;

/// The width of a terminal that does not tell it, in cells.
const USUAL: usize = 80;

/// The space between columns.
const GAP: &str = "  ";

/// A column of a table, or a field: its name, and the JSON pointer to its value.
pub type Column = (&'static str, &'static str);

/// The flag for other programs.
#[derive(Debug, clap::Args)]
pub struct Output {
    /// Print JSON: the record as the API has it, or an array of records.
    #[arg(long)]
    json: bool,
}

impl Output {
    /// True if the output is for other programs.
    #[must_use]
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Prints a list. Without items, a terminal shows `none`.
    pub fn list(&self, items: &[Value], columns: &[Column], none: &str) -> Result<(), Failure> {
        if self.json {
            return answer_json(&items);
        }
        let row = |item: &Value| columns.iter().map(|(_, pointer)| cell(item.pointer(pointer))).collect();
        let headings: Vec<&str> = columns.iter().map(|(heading, _)| *heading).collect();
        print(&headings, items.iter().map(row).collect(), none)
    }

    /// Prints the fields of a record, without those that have no value.
    pub fn record(&self, record: &Value, columns: &[Column]) -> Result<(), Failure> {
        if self.json {
            return answer_json(record);
        }
        let field = |(name, pointer): &Column| vec![(*name).to_owned(), cell(record.pointer(pointer))];
        let shown: Vec<_> = columns.iter().map(field).filter(|field| !field[1].is_empty()).collect();
        write(|width| lines(&shown, width))
    }

    /// Prints the record as JSON, or says what was done.
    pub fn done(&self, record: &Value, text: &str) -> Result<(), Failure> {
        if self.json {
            return answer_json(record);
        }
        say(text);
        Ok(())
    }

    /// Prints records as JSON, or a text of lines.
    pub fn records(&self, records: &impl Serialize, text: impl FnOnce() -> String) -> Result<(), Failure> {
        if self.json { answer_json(records) } else { write(|_| text()) }
    }
}

/// A value in a table: nothing for null, `yes` or nothing for a boolean, an array as a list.
fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null | Value::Bool(false)) => String::new(),
        Some(Value::Bool(true)) => "yes".to_owned(),
        Some(Value::String(text)) => in_one_line(text),
        Some(Value::Array(items)) => items.iter().map(|item| cell(Some(item))).collect::<Vec<_>>().join(", "),
        Some(other) => other.to_string(),
    }
}

/// Prints rows under their headings. Without rows, a terminal shows `none`.
pub fn print(headings: &[&str], rows: Vec<Vec<String>>, none: &str) -> Result<(), Failure> {
    let headings = headings.iter().map(|heading| heading.to_uppercase()).collect();
    write(|width| match width {
        None => lines(&rows, None),
        Some(_) if rows.is_empty() => format!("{none}\n"),
        width => lines(&[&[headings], rows.as_slice()].concat(), width),
    })
}

/// Writes text that is made for a terminal of this width, or for none.
fn write(text: impl FnOnce(Option<usize>) -> String) -> Result<(), Failure> {
    let out = std::io::stdout();
    let width = || terminal_size_of(&out).map_or(USUAL, |(Width(width), _)| usize::from(width));
    let text = text(out.is_terminal().then(width));
    let mut out = out.lock();
    Ok(out.write_all(text.as_bytes()).and_then(|()| out.flush())?)
}

/// Rows in columns, together at most this wide; for other programs, with tabs.
fn lines(rows: &[Vec<String>], width: Option<usize>) -> String {
    let Some(width) = width else { return rows.iter().map(|row| row.join("\t") + "\n").collect() };
    let mut widths = vec![0; rows.first().map_or(0, Vec::len)];
    for row in rows {
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = cell.width().max(*widest);
        }
    }
    narrow(&mut widths, width);
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| padded(cell, *width)).collect();
        cells.join(GAP).trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// Makes the widest columns narrower until all fit: first those after the first one, which names the row.
fn narrow(widths: &mut [usize], width: usize) {
    let gaps = GAP.len() * widths.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > width {
        let is_wide = |widest: &&mut usize| **widest > NARROWEST;
        let (first, others) = widths.split_at_mut(1);
        let widest = others.iter_mut().max().filter(is_wide).or_else(|| first.iter_mut().next().filter(is_wide));
        let Some(widest) = widest else { return };
        *widest -= 1;
    }
}

/// A cell with exactly this many cells of a terminal; a longer one ends with an ellipsis.
fn padded(cell: &str, width: usize) -> String {
    let is_cut = cell.width() > width;
    let room = if is_cut { width.saturating_sub(1) } else { width };
    let (mut text, mut used) = (String::new(), 0);
    for c in cell.chars() {
        let wide = c.width().unwrap_or(0);
        if used + wide > room {
            break;
        }
        text.push(c);
        used += wide;
    }
    if is_cut {
        text.push('…');
        used += 1;
    }
    text.extend(std::iter::repeat_n(' ', width.saturating_sub(used)));
    text
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::lines;

    fn rows(rows: &[&[&str]]) -> Vec<Vec<String>> {
        rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
    }

    #[test]
    fn columns_are_aligned() {
        let shown = lines(&rows(&[&["TEAM", "PEOPLE"], &["core", "12"], &["on-call", "3"]]), Some(80));
        assert_eq!(shown, "TEAM     PEOPLE\ncore     12\non-call  3\n");
    }

    #[test]
    fn too_wide_cells_are_cut_and_wide_letters_count_twice() {
        let all = rows(&[&["core", "a very long description"], &["\u{4e16}\u{754c}", "x"]]);
        let shown = lines(&all, Some(20));
        assert_eq!(shown, "core  a very long d…\n\u{4e16}\u{754c}  x\n");
        assert!(shown.lines().all(|line| line.width() <= 20));
    }

    #[test]
    fn other_programs_get_tabs() {
        assert_eq!(lines(&rows(&[&["core", "a very long description"]]), None), "core\ta very long description\n");
    }
}
