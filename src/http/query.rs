//! Text from the request line: query pairs and path segments, decoded.
//!
//! Implements decision 7 (the first of duplicate query keys counts). Text that is not UTF-8 or contains NUL is an error
//! value. It never reaches a database, which would refuse it.

use std::borrow::Cow;
use std::fmt;

use percent_encoding::percent_decode_str;

/// More pairs than any client sends. The rest is not read, so that a hostile query costs little.
const MAX_PAIRS: usize = 256;

/// Text of the request line that cannot be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadEscape;

impl fmt::Display for BadEscape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("The URL contains text that cannot be decoded. Send percent-encoded UTF-8 without NUL.")
    }
}

impl std::error::Error for BadEscape {}

/// One pair of a query as the client wrote it.
#[derive(Debug, Clone, Copy)]
pub struct RawPair<'a> {
    /// The whole pair, still encoded.
    pub text: &'a str,
    key: &'a str,
    value: &'a str,
}

impl<'a> RawPair<'a> {
    /// True if the decoded key is `name`.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.key == name || (is_encoded(self.key) && self.key().is_ok_and(|key| key == name))
    }

    /// The decoded key.
    pub fn key(&self) -> Result<Cow<'a, str>, BadEscape> {
        decode_form(self.key)
    }

    /// The decoded value; empty when the pair has none.
    pub fn value(&self) -> Result<Cow<'a, str>, BadEscape> {
        decode_form(self.value)
    }
}

/// The pairs of a raw query in the client's order, undecoded; empty ones are skipped.
pub fn raw_pairs(raw_query: &str) -> impl Iterator<Item = RawPair<'_>> {
    raw_query.split('&').filter(|text| !text.is_empty()).take(MAX_PAIRS).map(|text| {
        let (key, value) = text.split_once('=').unwrap_or((text, ""));
        RawPair { text, key, value }
    })
}

/// The decoded pairs of a raw query in the client's order, without those whose key cannot be decoded. A value that
/// cannot be decoded is kept as an error; otherwise a later pair with the same key would count.
pub fn pairs(raw_query: &str) -> impl Iterator<Item = (Cow<'_, str>, Result<Cow<'_, str>, BadEscape>)> {
    raw_pairs(raw_query).filter_map(|pair| Some((pair.key().ok()?, pair.value())))
}

/// Decodes one segment of a path; an escaped slash in it is data.
pub fn decode_segment(segment: &str) -> Result<Cow<'_, str>, BadEscape> {
    if is_plain(segment) {
        return Ok(Cow::Borrowed(segment));
    }
    let well_formed = segment
        .split('%')
        .skip(1)
        .all(|rest| matches!(rest.as_bytes(), [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit()));
    if well_formed { decode(segment) } else { Err(BadEscape) }
}

/// True if there is nothing to decode or to refuse, as in nearly all requests.
fn is_plain(raw: &str) -> bool {
    raw.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'%')
}

fn is_encoded(raw: &str) -> bool {
    raw.bytes().any(|byte| matches!(byte, b'%' | b'+'))
}

/// Decodes a key or value of a query, where `+` is a space and a stray `%` is a literal percent sign.
fn decode_form(raw: &str) -> Result<Cow<'_, str>, BadEscape> {
    if raw.contains('+') {
        let spaced = raw.replace('+', " ");
        return decode(&spaced).map(|text| Cow::Owned(text.into_owned()));
    }
    decode(raw)
}

fn decode(raw: &str) -> Result<Cow<'_, str>, BadEscape> {
    let text = if raw.contains('%') {
        percent_decode_str(raw).decode_utf8().map_err(|_| BadEscape)?
    } else {
        Cow::Borrowed(raw)
    };
    if text.contains('\0') { Err(BadEscape) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{BadEscape, MAX_PAIRS, decode_segment, pairs};

    fn value(raw: &str, key: &str) -> Option<Result<String, BadEscape>> {
        pairs(raw).find(|(found, _)| found == key).map(|(_, value)| value.map(Cow::into_owned))
    }

    #[test]
    fn pairs_are_decoded_in_order() {
        let all: Vec<_> = pairs("a=1&&b=x+y%26z&flag&c=&d=a=b&%C3%A4=%2B&e=100%")
            .map(|(k, v)| (k.into_owned(), v.unwrap().into_owned()))
            .collect();
        let expected = [("a", "1"), ("b", "x y&z"), ("flag", ""), ("c", ""), ("d", "a=b"), ("ä", "+"), ("e", "100%")];
        let expected: Vec<_> = expected.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        assert_eq!(all, expected);
        assert_eq!(pairs("").count(), 0);
    }

    #[test]
    fn the_first_of_duplicates_counts_however_it_is_written() {
        assert_eq!(value("role=all&role=member", "role"), Some(Ok("all".to_owned())));
        assert_eq!(value("r%6Fle=member&role=all", "role"), Some(Ok("member".to_owned())));
        assert_eq!(value("Role=member&roles=x", "role"), None);
        assert_eq!(value("role", "role"), Some(Ok(String::new())));
    }

    #[test]
    fn undecodable_text_is_an_error_value_of_its_own_pair() {
        assert_eq!(value("q=%FF", "q"), Some(Err(BadEscape)));
        assert_eq!(value("q=a+%C3", "q"), Some(Err(BadEscape)));
        assert_eq!(value("q=%00", "q"), Some(Err(BadEscape)));
        assert_eq!(value("%FF=1&q=2", "q"), Some(Ok("2".to_owned())));
    }

    #[test]
    fn of_pairs_a_bad_key_is_left_out_and_a_bad_value_is_an_error() {
        let all: Vec<_> = pairs("%FF=1&q=a+%C3&q=2&n=%00").collect();
        let expected = [("q", Err(BadEscape)), ("q", Ok("2")), ("n", Err(BadEscape))];
        assert_eq!(all, expected.map(|(key, value)| (Cow::from(key), value.map(Cow::from))));
    }

    #[test]
    fn a_hostile_query_is_cut() {
        let long = "x&".repeat(MAX_PAIRS) + "page=2";
        assert_eq!(pairs(&long).count(), MAX_PAIRS);
        assert_eq!(value(&long, "page"), None);
    }

    #[test]
    fn plain_text_is_borrowed() {
        assert!(matches!(decode_segment("team-1"), Ok(Cow::Borrowed("team-1"))));
        assert!(matches!(pairs("a=b").next(), Some((_, Ok(Cow::Borrowed("b"))))));
    }

    #[test]
    fn segments() {
        for (raw, text) in [
            ("", ""),
            ("a+b", "a+b"),
            ("a%20b", "a b"),
            ("a%2Fb", "a/b"),
            ("%C3%A4", "ä"),
            ("%2525", "%25"),
            ("..", ".."),
        ] {
            assert_eq!(decode_segment(raw).as_deref(), Ok(text), "{raw}");
        }
        for raw in ["%", "a%2", "%zz", "%%20", "%+1", "%ff", "%C3", "%00", "a%00b", "%é"] {
            assert_eq!(decode_segment(raw), Err(BadEscape), "{raw}");
        }
    }
}
