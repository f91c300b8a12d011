//! Texts of people on one line of a page: in a row of a list, a breadcrumb, an option, a part of a sentence
//! (decision 53). A page shows their beginnings, so that it stays short whatever people are called. Only headings of the
//! first level show names whole, and fields and elements with `dir="auto"` show texts whole.
//!
//! Templates do not have to think of it: they put each text of a person on a line into `<bdi>`, which also keeps its
//! direction from changing the rest of the line.

use crate::name::boundary;

/// The most characters of a text on a line.
const LONGEST: usize = 60;

/// The most bytes of it: 53 characters of Chinese, or 32 that are escaped. Both are as wide as others, or hardly names.
const BYTES: usize = 160;

/// The beginnings of elements that are one line.
const LINES: [&str; 2] = ["<bdi>", "<option"];

/// The beginning and the end of an element with a whole name.
const HEADING: [&str; 2] = ["<h1", "</h1>"];

/// The HTML of a page, in which texts on lines are cut. Most pages have none that is too long, so that only the signs
/// that begin elements are looked at.
pub(super) fn cut(html: &str) -> String {
    let (mut short, mut copied, mut at) = (String::with_capacity(html.len()), 0, 0);
    while let Some(found) = html[at..].find('<') {
        at += found;
        let tag = &html[at..];
        match tag.as_bytes().get(1) {
            Some(b'h') if tag.starts_with(HEADING[0]) => at += tag.find(HEADING[1]).map_or(tag.len(), |end| end + 1),
            Some(b'b' | b'o') if LINES.iter().any(|line| tag.starts_with(line)) => {
                at += tag.find('>').map_or(tag.len(), |end| end + 1);
                let text = &html[at..at + html[at..].find('<').unwrap_or(html.len() - at)];
                if let Some(end) = end(text) {
                    short.push_str(&html[copied..at]);
                    short.push_str(text[..boundary(text, end)].trim_end());
                    short.push('…');
                    copied = at + text.len();
                }
                at += text.len();
            }
            _ => at += 1,
        }
    }
    short.push_str(&html[copied..]);
    short
}

/// The place at which an escaped text is cut, with room for an ellipsis; none if it is not too long.
fn end(text: &str) -> Option<usize> {
    // A character is one byte at least.
    if text.len() <= LONGEST || text.len() <= BYTES && ends(text).nth(LONGEST).is_none() {
        return None;
    }
    ends(text).take(LONGEST - 1).take_while(|end| *end <= BYTES - '…'.len_utf8()).last()
}

/// The ends of the characters of an escaped text.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let c = text[at..].chars().next()?;
        let escaped = (c == '&').then(|| text[at..].find(';')).flatten();
        at += escaped.map_or(c.len_utf8(), |end| end + 1);
        Some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::{BYTES, LONGEST, cut};

    /// The beginning of a text of one character.
    fn beginning(of: &str) -> String {
        format!("{}…", of.repeat(LONGEST - 1))
    }

    #[test]
    fn lines_are_cut_and_the_rest_is_not() {
        let long = "x".repeat(LONGEST + 1);
        for line in ["<bdi>", "<option value=\"1\" selected>"] {
            let of = |text: &str| format!("<p>a {line}{text}</bdi> {long}</p>");
            assert_eq!(cut(&of(&long)), of(&beginning("x")));
            assert_eq!(cut(&of(&long[1..])), of(&long[1..]));
        }
        for whole in [
            format!("<h1>Delete <bdi>{long}</bdi> of <bdi>{long}</bdi>?</h1>"),
            format!("<title>{long}</title> <span class=\"sr\">{long}</span>"),
            format!("<input value=\"{long}\"><textarea dir=\"auto\">{long}</textarea>"),
            "no element, <bdi>".to_owned(),
            "<h1><bdi>".to_owned(),
            "a < b <".to_owned(),
            String::new(),
        ] {
            assert_eq!(cut(&whole), whole);
        }
        let after = cut(&format!("<h1>{long}</h1><bdi>{long}</bdi>"));
        assert_eq!(after, format!("<h1>{long}</h1><bdi>{}</bdi>", beginning("x")));
    }

    #[test]
    fn a_line_has_few_bytes_however_it_is_escaped() {
        for (character, most) in [("é", 59), ("核", 52), ("🚀", 39), ("&#60;", 31)] {
            let line = |number| format!("<bdi>{}</bdi>", character.repeat(number));
            let short = format!("<bdi>{}…</bdi>", character.repeat(most));
            for long in [61, 255] {
                assert_eq!(cut(&line(long)), short, "{character}");
            }
            assert_eq!(cut(&line(most)), line(most), "{character}");
            assert!(short.len() - "<bdi></bdi>".len() <= BYTES, "{character}");
        }
    }

    #[test]
    fn no_character_is_cut_in_the_middle() {
        let before = "x".repeat(LONGEST - 2);
        for drawn in ["e\u{301}", "👩\u{200D}💻", "👍🏽", "❤\u{FE0F}", "🇩🇪"] {
            let html = format!("<bdi>{before}{drawn}{before}</bdi>");
            assert_eq!(cut(&html), format!("<bdi>{before}…</bdi>"), "{drawn}");
        }
    }

    #[test]
    fn a_sign_of_the_text_itself_is_a_character() {
        let html = format!("<bdi>{}</bdi>", "&".repeat(LONGEST + 1));
        assert_eq!(cut(&html), format!("<bdi>{}</bdi>", beginning("&")));
    }
}
