//! The cost of parsing a text, computed before a parser sees it (decision 35).
//!
//! The parser takes time linear in what it finds, but two counts grow faster than the text: short rows of a table are
//! filled up to its width, and each line is compared with every open level. Here, one pass over the bytes computes an
//! upper bound of both.

/// The most characters that can begin or end something, including line breaks.
const MOST_MARKS: usize = 16_000;

/// The most table cells, including those that fill up short rows.
const MOST_CELLS: usize = 6_000;

/// The most comparisons of a line with an open level.
const MOST_COMPARISONS: usize = 1_000_000;

/// Upper bounds of what a parser can find in a text.
#[derive(Debug, Default, PartialEq, Eq)]
struct Measure {
    marks: usize,
    cells: usize,
    levels: usize,
    lines: usize,
}

/// True if a text would take too long to parse.
#[must_use]
pub fn is_costly(text: &str) -> bool {
    let Measure { marks, cells, levels, lines } = measure(text);
    marks > MOST_MARKS || cells > MOST_CELLS || levels.saturating_mul(lines) > MOST_COMPARISONS
}

fn measure(text: &str) -> Measure {
    let mut all = Measure::default();
    let (mut markers, mut columns) = (0, 0);
    for line in text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r')) {
        let start = Start::of(line);
        markers += start.markers;
        all.levels = all.levels.max(start.levels);
        all.lines += 1;
        all.marks += 1 + start.markers + line.bytes().filter(|b| is_mark(*b)).count();
        // A table ends no later than the next blank line.
        columns = if is_blank(line) { 0 } else { delimited(line).max(columns) };
        all.cells += columns;
    }
    all.levels = all.levels.min(markers);
    all
}

/// The start of a line, before its first word.
#[derive(Default)]
struct Start {
    /// Markers of quotes and list items.
    markers: usize,
    /// The greatest depth of the line: continuing an item takes at least two columns of blanks.
    levels: usize,
}

impl Start {
    fn of(line: &str) -> Self {
        let (mut markers, mut blanks) = (0, 0);
        let mut rest = line.as_bytes();
        while let Some((first, further)) = rest.split_first() {
            rest = match first {
                b' ' => {
                    blanks += 1;
                    further
                }
                b'\t' => {
                    blanks += 4;
                    further
                }
                b'>' => {
                    markers += 1;
                    further
                }
                _ => match behind_marker(rest) {
                    Some(further) => {
                        markers += 1;
                        further
                    }
                    None => break,
                },
            };
        }
        Self { markers, levels: markers + blanks / 2 }
    }
}

/// The text after the marker of a list item, if it begins with one.
fn behind_marker(text: &[u8]) -> Option<&[u8]> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let marks: &[u8] = if digits > 0 { b".)" } else { b"-*+" };
    let rest = text.get(digits..)?;
    let (mark, rest) = rest.split_first()?;
    let ends = rest.first().is_none_or(|b| matches!(b, b' ' | b'\t'));
    (ends && marks.contains(mark)).then_some(rest)
}

fn is_mark(byte: u8) -> bool {
    matches!(byte, b'*' | b'_' | b'~' | b'`' | b'[' | b']' | b'<' | b'&' | b'\\' | b'|')
}

fn is_blank(line: &str) -> bool {
    line.bytes().all(|b| matches!(b, b' ' | b'\t' | b'>'))
}

/// The number of columns of a table, if the line can be the one below its header; otherwise 0.
fn delimited(line: &str) -> usize {
    let of_row = |c| matches!(c, '|' | '-' | ':' | ' ' | '\t');
    let row = &line[line.trim_end_matches(of_row).len()..];
    if row.contains('|') { row.split('|').filter(|cell| cell.contains('-')).count() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    /// The cells, the levels and all events that a parser finds.
    fn found(text: &str) -> (usize, usize, usize) {
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        let (mut cells, mut events, mut open, mut levels) = (0, 0, 0_usize, 0);
        for event in Parser::new_ext(text, options) {
            events += 1;
            match event {
                Event::Start(Tag::TableCell) => cells += 1,
                Event::Start(Tag::Item | Tag::BlockQuote(_)) => open += 1,
                Event::End(pulldown_cmark::TagEnd::Item | pulldown_cmark::TagEnd::BlockQuote(_)) => open -= 1,
                _ => {}
            }
            levels = levels.max(open);
        }
        (cells, levels, events)
    }

    #[track_caller]
    fn bounds(text: &str) {
        let (measure, (cells, levels, events)) = (measure(text), found(text));
        let begin: String = text.chars().take(60).collect();
        assert!(cells <= measure.cells, "{begin:?}: {cells} cells, {measure:?}");
        assert!(levels <= measure.levels, "{begin:?}: {levels} levels, {measure:?}");
        let most = 6 * (measure.marks + measure.cells);
        assert!(events <= most, "{begin:?}: {events} events, {measure:?}");
    }

    #[test]
    fn nothing_is_found_that_was_not_counted() {
        const PARTS: [&str; 34] = [
            "a",
            " ",
            "  ",
            "\n",
            "\n\n",
            "\r\n",
            "\r",
            "\t",
            "> ",
            ">",
            "- ",
            "* ",
            "1. ",
            "12) ",
            "|",
            "|-|-|",
            "-|-",
            ":-:|",
            "|a|b|",
            "| - | - |",
            "*",
            "**",
            "_",
            "`",
            "[",
            "]",
            "](x)",
            "![",
            "<b>",
            "&amp;",
            "\\",
            "~~",
            "# ",
            "```",
        ];
        let mut seed: u32 = 1;
        for _ in 0..4_000 {
            let mut text = String::new();
            for _ in 0..40 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push_str(PARTS[(seed >> 16) as usize % PARTS.len()]);
            }
            bounds(&text);
        }
    }

    #[test]
    fn tables_are_counted_wherever_they_stand_and_with_what_fills_them_up() {
        let table = |before: &str, end: &str| {
            let row = |text: &str| format!("{before}{text}{end}");
            let rows = [row("|a|b|c|"), row("|-|:-:|--|"), row("|x"), row("x"), row("||||||")];
            rows.concat()
        };
        for before in ["", "> ", ">> ", "  "] {
            for end in ["\n", "\r\n", "\r"] {
                let text = table(before, end);
                bounds(&text);
                assert_eq!(found(&text).0, 12, "{text:?}");
            }
        }
        bounds("- |a|b|\n  |-|-|\n  |\n\n  |c|\n");
        assert_eq!(measure("a\n---\nb | c\n").cells, 0, "a heading is no table");
    }

    #[test]
    fn what_people_write_is_not_costly() {
        let row = "| name | 12 | [link](https://example.org/a_b) | *yes* |\n";
        assert!(!is_costly(&format!("| a | b | c | d |\n|---|--:|---|---|\n{}", row.repeat(1_100))));
        assert!(!is_costly(&"- An item with `code`, **bold** text and a [link](https://e.org).\n".repeat(950)));
        assert!(!is_costly(&"2026-11-23T01:38:43Z INFO [worker-1] job_id=42 state=\"done\" took=12ms\n".repeat(900)));
        assert!(!is_costly(&format!("{}\n", "-".repeat(120)).repeat(500)));
        assert!(!is_costly(&"        deeply indented code\n".repeat(2_000)));
        assert!(!is_costly(&"\u{10FFFF}".repeat(65_535)));
    }

    #[test]
    fn what_grows_faster_than_the_text_is_costly() {
        let wide = |columns: usize| format!("{}\n{}\n", "|a".repeat(columns), "|-".repeat(columns));
        for (columns, rows) in [(5, 20_000), (50, 200), (2_000, 10), (10_000, 1)] {
            assert!(is_costly(&format!("{}{}", wide(columns), "|\n".repeat(rows))), "{columns}");
            assert!(is_costly(&format!("{}{}", wide(columns), "a\n".repeat(rows))), "{columns}");
        }
        for marker in ["- ", "> ", ">", "1. ", "* "] {
            assert!(is_costly(&format!("{}a\n{}", marker.repeat(1_000), "a\n".repeat(30_000))), "{marker}");
        }
        let step = |n: usize| ["  ".repeat(100 * n), "- ".repeat(100), "a\n".to_owned()].concat();
        let stair: String = (0..10).map(step).collect();
        assert!(is_costly(&format!("{stair}{}", "a\n".repeat(20_000))));
        assert!(is_costly(&"*_".repeat(32_000)));
    }
}
