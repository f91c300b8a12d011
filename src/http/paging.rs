//! Pages of a list: which one the query asks for, and the `Link` header with the URLs of the others.
//!
//! Implements decisions 7 and 38.

use std::fmt::Write;

use crate::http::query::{RawPair, raw_pairs};
use crate::operation::Page;

const MAX_PER_PAGE: u64 = 100;

/// Reads `page` and `per_page` from a raw query. A value that is not a valid number means the default, which is page 1 with
/// this number of results.
#[must_use]
pub fn read(raw_query: Option<&str>, default_per_page: u64) -> Page {
    let (mut number, mut per_page) = (None, None);
    for pair in raw_pairs(raw_query.unwrap_or_default()) {
        if number.is_none() && pair.is("page") {
            number = Some(whole_number(&pair));
        } else if per_page.is_none() && pair.is("per_page") {
            per_page = Some(whole_number(&pair));
        }
    }
    let stated = |number: Option<u64>, default| number.filter(|&n| n > 0).unwrap_or(default);
    Page { number: stated(number, 1), per_page: stated(per_page, default_per_page).min(MAX_PER_PAGE) }
}

/// The value of a pair as a number: the maximum if it is too long, 0 if it is not a number.
fn whole_number(pair: &RawPair<'_>) -> u64 {
    match pair.value() {
        Ok(text) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => text.parse().unwrap_or(u64::MAX),
        _ => 0,
    }
}

/// Writes the `Link` header of a page of `total` entries; `None` if all fit on one page.
///
/// `url_without_query` is the canonical URL of the list, which we build; the query is the client's own text.
#[must_use]
pub fn link_header(
    url_without_query: &str,
    raw_query: Option<&str>,
    page: u64,
    per_page: u64,
    total: u64,
) -> Option<String> {
    let last = total.div_ceil(per_page.max(1));
    if last <= 1 {
        return None;
    }
    let page = page.max(1);
    let (before, after) = around_page(raw_query.unwrap_or_default());
    let one = url_without_query.len() + before.len() + after.len() + 40;
    let mut header = String::with_capacity(4 * one);
    let mut add = |number: u64, rel: &str| {
        let comma = if header.is_empty() { "" } else { ", " };
        // Writing to a String cannot fail.
        let _ = write!(header, "{comma}<{url_without_query}{before}{number}{after}>; rel=\"{rel}\"");
    };
    if page > 1 {
        add((page - 1).min(last), "prev");
    }
    if page < last {
        add(page + 1, "next");
        add(last, "last");
    }
    if page > 1 {
        add(1, "first");
    }
    Some(header)
}

/// The client's query before and after the page number. Later repetitions of `page`, which have no effect, are dropped.
fn around_page(raw_query: &str) -> (String, String) {
    let mut before = String::with_capacity(raw_query.len() + 8);
    before.push('?');
    let mut after = String::new();
    let mut seen = false;
    for pair in raw_pairs(raw_query) {
        if pair.is("page") {
            if !seen {
                before.push_str("page=");
            }
            seen = true;
        } else if seen {
            after.push('&');
            push_escaped(&mut after, pair.text);
        } else {
            push_escaped(&mut before, pair.text);
            before.push('&');
        }
    }
    if !seen {
        before.push_str("page=");
    }
    (before, after)
}

/// Appends query text, escaped so that it can end neither the URL nor its entry in the header.
fn push_escaped(out: &mut String, text: &str) {
    for (at, byte) in text.bytes().enumerate() {
        let is_plain = match byte {
            b'%' => {
                matches!(text.as_bytes()[at + 1..], [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
            }
            _ => byte.is_ascii_alphanumeric() || b"-._~!$&()*+=:@/?".contains(&byte),
        };
        if is_plain {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{link_header, read};
    use crate::operation::Page;

    fn link(query: &str, page: u64, total: u64) -> String {
        link_header("U", Some(query), page, 1, total).unwrap()
    }

    #[test]
    fn the_recorded_forms() {
        let of = |page| link_header("U", None, page, 30, 150).unwrap();
        assert_eq!(of(1), r#"<U?page=2>; rel="next", <U?page=5>; rel="last""#);
        assert_eq!(
            of(3),
            r#"<U?page=2>; rel="prev", <U?page=4>; rel="next", <U?page=5>; rel="last", <U?page=1>; rel="first""#
        );
        assert_eq!(of(5), r#"<U?page=4>; rel="prev", <U?page=1>; rel="first""#);
    }

    #[test]
    fn no_header_when_everything_fits_one_page() {
        for (page, total) in [(1, 0), (1, 1), (1, 30), (7, 30), (2, 0)] {
            assert_eq!(link_header("U", None, page, 30, total), None, "{page} {total}");
        }
        assert!(link_header("U", None, 1, 30, 31).is_some());
    }

    #[test]
    fn past_the_end_leads_back_to_the_last_page() {
        for page in [6, 7, u64::MAX] {
            let header = link_header("U", None, page, 30, 150).unwrap();
            assert_eq!(header, r#"<U?page=5>; rel="prev", <U?page=1>; rel="first""#);
        }
    }

    #[test]
    fn the_query_keeps_its_order() {
        assert_eq!(link("per_page=3", 1, 2), r#"<U?per_page=3&page=2>; rel="next", <U?per_page=3&page=2>; rel="last""#);
        assert!(link("page=2&per_page=1", 2, 2).starts_with("<U?page=1&per_page=1>;"));
        assert!(link("a=1&page=2&b=%20&flag", 2, 2).starts_with("<U?a=1&page=1&b=%20&flag>;"));
        assert!(link("a=1&&p%61ge=2&b=2&page=9", 2, 2).starts_with("<U?a=1&page=1&b=2>;"));
        assert!(link("page", 2, 2).starts_with("<U?page=1>;"));
        assert!(link("homepage=&page=2", 2, 2).starts_with("<U?homepage=&page=1>;"));
        assert!(link("page=2&mypage=&x=1", 2, 2).starts_with("<U?page=1&mypage=&x=1>;"));
    }

    #[test]
    fn evil_text_cannot_break_the_header() {
        let header = link("q=a,b>;\"'\r\n<é[%0a%zz%&%4", 1, 2);
        assert_eq!(
            header.split(", ").next().unwrap(),
            "<U?q=a%2Cb%3E%3B%22%27%0D%0A%3C%C3%A9%5B%0a%25zz%25&%254&page=2>; rel=\"next\""
        );
        assert_eq!(header.matches(['<', '>']).count(), 4);
        assert_eq!(header.matches('"').count(), 4);
    }

    #[test]
    fn extreme_numbers_do_not_overflow() {
        assert!(link_header("U", None, 1, 0, u64::MAX).is_some());
        assert!(link_header("U", None, 0, 1, u64::MAX).unwrap().starts_with("<U?page=2>"));
        let page = read(Some("page=99999999999999999999999&per_page=99999999999999999999999"), 30);
        assert_eq!(page, Page { number: u64::MAX, per_page: 100 });
        assert_eq!((page.offset(), page.sql()), (u64::MAX, (100, i64::MAX)));
    }

    #[test]
    fn pages_are_read() {
        for (query, number, per_page) in [
            ("", 1, 30),
            ("page=3&per_page=7", 3, 7),
            ("page=0&per_page=0", 1, 30),
            ("page=-1&per_page=-5", 1, 30),
            ("page=abc&per_page=1e3", 1, 30),
            ("page=%2B5&per_page=+5", 1, 30),
            ("page=&per_page", 1, 30),
            ("page=%FF", 1, 30),
            ("page=2&page=3&per_page=101&per_page=5", 2, 100),
            ("page=x&page=3", 1, 30),
            ("p%61ge=%32", 2, 30),
            ("per_page=100&page=007", 7, 100),
        ] {
            assert_eq!(read(Some(query), 30), Page { number, per_page }, "{query}");
        }
        assert_eq!(read(None, 100), Page { number: 1, per_page: 100 });
    }

    #[test]
    fn offset_counts_the_entries_before() {
        assert_eq!(Page { number: 1, per_page: 30 }.offset(), 0);
        assert_eq!(Page { number: 4, per_page: 30 }.offset(), 90);
    }
}
