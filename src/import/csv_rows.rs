//! The rows of CSV (RFC 4180), one after the other, each with its line. The separator is that of the header: a comma, a
//! semicolon, which spreadsheets use where the comma separates decimals, or a tab.

use std::borrow::Cow;

use super::fault::Fault;

/// A row with its cells.
#[derive(Debug)]
pub struct Row<'t> {
    /// The line where it begins.
    pub line: u32,
    /// Its cells; at least one.
    pub cells: Vec<Cell<'t>>,
}

/// One cell.
#[derive(Debug)]
pub struct Cell<'t> {
    /// The line where it begins.
    pub line: u32,
    /// Its text, without quotes.
    pub text: Cow<'t, str>,
}

/// The rows of a text. After an error, there are none.
pub struct Rows<'t> {
    rest: &'t str,
    line: u32,
    separator: char,
}

/// Begins with the first line.
pub fn rows(text: &str) -> Rows<'_> {
    let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let header = rest.lines().next().unwrap_or_default();
    let separator = header.chars().find(|char| matches!(char, ',' | ';' | '\t')).unwrap_or(',');
    Rows { rest, line: 1, separator }
}

impl<'t> Iterator for Rows<'t> {
    type Item = Result<Row<'t>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let mut row = Row { line: self.line, cells: Vec::new() };
        loop {
            let line = self.line;
            let cell = if self.rest.starts_with('"') { self.quoted() } else { self.plain() };
            match cell {
                Ok(text) => row.cells.push(Cell { line, text }),
                Err(message) => {
                    self.rest = "";
                    return Some(Err(Fault::new(line, "", message)));
                }
            }
            if let Some(rest) = self.rest.strip_prefix(self.separator) {
                self.rest = rest;
            } else {
                // What is left begins with the end of the line, or is empty.
                self.rest = self.rest.strip_prefix('\r').unwrap_or(self.rest);
                self.rest = self.rest.strip_prefix('\n').unwrap_or(self.rest);
                self.line = self.line.saturating_add(1);
                return Some(Ok(row));
            }
        }
    }
}

impl<'t> Rows<'t> {
    /// A cell without quotes.
    fn plain(&mut self) -> Result<Cow<'t, str>, &'static str> {
        let is_end = |char| char == self.separator || char == '\n';
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        let cell = &self.rest[..end];
        let cell =
            if self.rest[end..].starts_with(self.separator) { cell } else { cell.strip_suffix('\r').unwrap_or(cell) };
        if cell.contains('"') {
            return Err("a quote is inside a cell; quote the whole cell, and double the quotes in it");
        }
        self.rest = &self.rest[cell.len()..];
        Ok(cell.into())
    }

    /// A cell in quotes. A doubled quote is one of the text.
    fn quoted(&mut self) -> Result<Cow<'t, str>, &'static str> {
        let all = &self.rest[1..];
        let mut end = 0;
        loop {
            let Some(quote) = all[end..].find('"') else {
                return Err("a quote begins here and does not end; the file may be incomplete");
            };
            end += quote;
            if !all[end + 1..].starts_with('"') {
                break;
            }
            end += 2;
        }
        let (cell, rest) = (&all[..end], &all[end + 1..]);
        let is_over = rest.is_empty() || [self.separator, '\n', '\r'].iter().any(|char| rest.starts_with(*char));
        if !is_over {
            return Err("text follows the quotes of a cell; quote the whole cell, and double the quotes in it");
        }
        let breaks = cell.bytes().filter(|byte| *byte == b'\n').count();
        self.line = self.line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
        self.rest = rest;
        Ok(if cell.contains('"') { cell.replace("\"\"", "\"").into() } else { cell.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::rows;

    /// Each row as its line and its cells.
    fn read(text: &str) -> Vec<String> {
        let row = |row: Result<super::Row, super::Fault>| match row {
            Ok(row) => {
                let cells: Vec<&str> = row.cells.iter().map(|cell| cell.text.as_ref()).collect();
                format!("{} {}", row.line, cells.join("|"))
            }
            Err(fault) => fault.to_string(),
        };
        rows(text).map(row).collect()
    }

    #[test]
    fn rows_end_with_the_line_and_quotes_hold_anything() {
        assert_eq!(read("a,b\r\n1,2\r\n\r\n3,"), ["1 a|b", "2 1|2", "3 ", "4 3|"]);
        assert_eq!(read("\u{feff}a;b\n\"x;\n\"\"y\"\"\";2\n3;4\n"), ["1 a|b", "2 x;\n\"y\"|2", "4 3|4"]);
        assert_eq!(read("a\tb\n1\t\"2\""), ["1 a|b", "2 1|2"]);
        assert_eq!(read(""), [""; 0]);
    }

    #[test]
    fn broken_quotes_are_refused_with_their_line() {
        assert!(read("a,b\n1,\"2\n3,4")[1].starts_with(":2: a quote begins here"));
        assert!(read("a,b\n1,2\"")[1].starts_with(":2: a quote is inside"));
        assert!(read("a,b\n\"1\"2,3\n4,5")[1].starts_with(":2: text follows"));
        assert_eq!(read("a,b\n\"1\"2,3\n4,5").len(), 2);
    }
}
