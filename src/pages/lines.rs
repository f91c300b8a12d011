//! Texts of people on one line of a page: in a row of a list, a breadcrumb, an option, a part of a sentence
//! (decision 53). A page shows their beginnings, so that it stays short whatever people are called. Only headings of the
//! first level show names whole, and fields and elements with `dir="auto"` show texts whole.
//!
//! Templates do not have to think of it: they put each text of a person on a line into `<bdi>`, which also keeps its
//! direction from changing the rest of the line. There and in headings, marks that pile up on a character are left out.

use memchr::memchr_iter;
use unicode_normalization::char::is_combining_mark;

use crate::name::boundary;

/// The most characters of a text on a line.
const LONGEST: usize = 60;

/// The most bytes of it: 53 characters of Chinese, or 32 that are escaped. Both are as wide as others, or hardly names.
const BYTES: usize = 160;

/// The most marks on one character: more than any language needs, and few enough not to cover the lines around it.
const MARKS: usize = 4;

/// The text without the marks that a character has beyond those; none if it has no such character.
fn without_piles(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let mut marks = 0;
    let stays = |c: &char| {
        marks = if !c.is_ascii() && is_combining_mark(*c) { marks + 1 } else { 0 };
        marks <= MARKS
    };
    let low: String = text.chars().filter(stays).collect();
    (low.len() < text.len()).then_some(low)
}

/// The HTML of a page, in which texts on lines are cut. Most pages have none that is too long.
pub(super) fn cut(html: String) -> String {
    let (mut short, mut copied) = (String::new(), 0);
    // The beginning of a text on a line, and the end of a heading.
    let (mut begun, mut heading) = (None, 0);
    for at in memchr_iter(b'<', html.as_bytes()) {
        if let Some(text) = begun.take().and_then(|begin| html.get(begin..at)) {
            let low = without_piles(text);
            let whole = low.as_deref().unwrap_or(text);
            let kept = end(whole).map(|end| whole[..boundary(whole, end)].trim_end());
            if kept.is_some() || low.is_some() {
                short.push_str(&html[copied..at - text.len()]);
                short.push_str(kept.unwrap_or(whole));
                copied = at;
            }
            // A button that leads to a question ends with one itself.
            if kept.is_some() && !html[at..].starts_with("</bdi>…") {
                short.push('…');
            }
        }
        // Few elements begin with these letters.
        let Some(b'b' | b'h' | b'o') = html.as_bytes().get(at + 1).filter(|_| at >= heading) else { continue };
        let element = &html[at..];
        let end_of = |sign| at + element.find(sign).unwrap_or(element.len());
        if element.starts_with("<bdi>") {
            begun = Some(at + "<bdi>".len());
        } else if element.starts_with("<option") {
            begun = Some(end_of(">") + 1);
        } else if element.starts_with("<h1") {
            heading = end_of("</h1>");
            if let Some(low) = without_piles(&html[at..heading]) {
                short.push_str(&html[copied..at]);
                short.push_str(&low);
                copied = heading;
            }
        }
    }
    if copied == 0 {
        return html;
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
    use super::{BYTES, LONGEST, MARKS, cut};

    /// The beginning of a text of one character.
    fn beginning(of: &str) -> String {
        format!("{}…", of.repeat(LONGEST - 1))
    }

    #[test]
    fn lines_are_cut_and_the_rest_is_not() {
        let long = "x".repeat(LONGEST + 1);
        for line in ["<bdi>", "<option value=\"1\" selected>"] {
            let of = |text: &str| format!("<p>a {line}{text}</bdi> {long}</p>");
            assert_eq!(cut(of(&long)), of(&beginning("x")));
            assert_eq!(cut(of(&long[1..])), of(&long[1..]));
        }
        for whole in [
            format!("<h1>Delete <bdi>{long}</bdi> of <bdi>{long}</bdi>?</h1>"),
            format!("<title>{long}</title> <span class=\"sr\">{long}</span>"),
            format!("<input value=\"{long}\"><textarea dir=\"auto\">{long}</textarea>"),
            "no element, <bdi>".to_owned(),
            "<h1><bdi>".to_owned(),
            "a < b <".to_owned(),
            format!("<option <bdi>{long}"),
            String::new(),
        ] {
            assert_eq!(cut(whole.clone()), whole);
        }
        let asks = |text: &str| format!("<a>Leave <bdi>{text}</bdi>…</a>");
        assert_eq!(cut(asks(&long)), asks(beginning("x").trim_end_matches('…')));
        let after = cut(format!("<h1>{long}</h1><bdi>{long}</bdi>"));
        assert_eq!(after, format!("<h1>{long}</h1><bdi>{}</bdi>", beginning("x")));
    }

    #[test]
    fn a_line_has_few_bytes_however_it_is_escaped() {
        for (character, most) in [("é", 59), ("核", 52), ("🚀", 39), ("&#60;", 31)] {
            let line = |number| format!("<bdi>{}</bdi>", character.repeat(number));
            let short = format!("<bdi>{}…</bdi>", character.repeat(most));
            for long in [61, 255] {
                assert_eq!(cut(line(long)), short, "{character}");
            }
            assert_eq!(cut(line(most)), line(most), "{character}");
            assert!(short.len() - "<bdi></bdi>".len() <= BYTES, "{character}");
        }
    }

    #[test]
    fn a_pile_of_marks_on_a_line_is_low() {
        let [low, high] = [MARKS, 100].map(|marks| format!("Z{}", "\u{301}".repeat(marks)));
        let page = |text: &str| {
            let field = format!("<input value=\"{high}\"><textarea>{high}</textarea>");
            format!("<h1>A {text} <b>b</b></h1>{field}<p><bdi>{text}</bdi> and <bdi>c</bdi></p>")
        };
        assert_eq!(cut(page(&high)), page(&low));
        for whole in ["ấ e\u{301} e\u{302}\u{301}", "بِسْمِ ٱللَّهِ", "שָּׁלוֹם", "कि", "plain"]
        {
            assert_eq!(cut(page(whole)), page(whole));
        }
    }

    #[test]
    fn no_character_is_cut_in_the_middle() {
        let before = "x".repeat(LONGEST - 2);
        for drawn in ["e\u{301}", "👩\u{200D}💻", "👍🏽", "❤\u{FE0F}", "🇩🇪"] {
            let html = format!("<bdi>{before}{drawn}{before}</bdi>");
            assert_eq!(cut(html), format!("<bdi>{before}…</bdi>"), "{drawn}");
        }
    }

    #[test]
    fn a_sign_of_the_text_itself_is_a_character() {
        let html = format!("<bdi>{}</bdi>", "&".repeat(LONGEST + 1));
        assert_eq!(cut(html), format!("<bdi>{}</bdi>", beginning("&")));
    }
}
