//! Compressed responses (docs/decisions/0042).
//!
//! A response is compressed only where its maker says so here. Those are reads, GraphQL, documents and files: none shows a
//! token or a secret, which are shown only once, by the write that made them.

use std::io::Write;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderMap, HeaderValue};

use super::headers::Headers;
use super::outgoing::{Outgoing, WHOLE};
use crate::operation::Json;

/// A shorter body takes hardly fewer packets when it is compressed.
const SHORTEST: u64 = 1_025;

/// A longer body is produced while it is sent. To compress it would also keep a thread from other requests for too long.
const LONGEST: u64 = WHOLE as u64;

/// The level of responses that are made for one request. Higher ones take longer and save next to nothing.
const FAST: u32 = 3;

/// The level of what is compressed once.
const BEST: u32 = 9;

/// True if a body of this length is compressed for a client that sent these headers.
#[must_use]
pub fn applies(length: u64, sent: &HeaderMap) -> bool {
    (SHORTEST..=LONGEST).contains(&length) && accepts(sent)
}

/// The compressed form of a body.
#[must_use]
pub fn compressed(body: Json) -> Json {
    gzip(body.chunks(), FAST).into()
}

/// A page, compressed if that applies.
#[must_use]
pub fn page(html: String, sent: &HeaderMap, headers: &mut Headers) -> Outgoing {
    if !applies(html.len() as u64, sent) {
        return Bytes::from(html).into();
    }
    mark(headers);
    gzip([html], FAST).into()
}

/// Says that the body is compressed.
pub fn mark(headers: &mut Headers) {
    headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
}

/// A body that is the same for everyone, in both forms.
pub struct Document {
    plain: Bytes,
    compressed: Bytes,
}

impl Document {
    /// Compresses it.
    #[must_use]
    pub fn new(plain: impl Into<Bytes>) -> Self {
        let plain = plain.into();
        let compressed = gzip([&plain], BEST).into();
        Self { plain, compressed }
    }

    /// The form for a client that sent these headers.
    pub fn body(&self, sent: &HeaderMap, headers: &mut Headers) -> Outgoing {
        if !accepts(sent) {
            return self.plain.clone().into();
        }
        mark(headers);
        self.compressed.clone().into()
    }
}

fn gzip<T: AsRef<[u8]>>(parts: impl IntoIterator<Item = T>, level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    for part in parts {
        // Writing to a `Vec` cannot fail.
        let _ = encoder.write_all(part.as_ref());
    }
    encoder.finish().unwrap_or_default()
}

/// True if a client prefers gzip to an uncompressed body (RFC 9110, section 12.5.3), or accepts both alike. One that says
/// nothing gets what it can read for certain.
fn accepts(sent: &HeaderMap) -> bool {
    let (mut gzip, mut identity, mut any) = (None, None, None);
    let values = sent.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    for element in values.flat_map(|value| value.split(',')) {
        let (coding, weight) = match element.split_once(';') {
            Some((coding, parameter)) => (coding.trim(), weight(parameter).unwrap_or(0)),
            None => (element.trim(), 1_000),
        };
        let is = |name: &str| coding.eq_ignore_ascii_case(name);
        let known = match () {
            () if is("gzip") || is("x-gzip") => &mut gzip,
            () if is("identity") => &mut identity,
            () if is("*") => &mut any,
            () => continue,
        };
        // If a coding is listed twice, the more careful reading counts.
        *known = Some(known.map_or(weight, |before: u16| before.min(weight)));
    }
    let gzip = gzip.or(any).unwrap_or(0);
    gzip > 0 && gzip >= identity.unwrap_or(0)
}

/// The weight in a parameter, in thousandths; none if it is malformed.
fn weight(parameter: &str) -> Option<u16> {
    let (name, value) = parameter.trim().split_once('=')?;
    let (whole, digits) = value.split_once('.').unwrap_or((value, ""));
    if !name.eq_ignore_ascii_case("q") || digits.len() > 3 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    match whole {
        "0" => format!("{digits:0<3}").parse().ok(),
        "1" if digits.bytes().all(|digit| digit == b'0') => Some(1_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn accepts(values: &[&str]) -> bool {
        let mut sent = HeaderMap::new();
        for value in values {
            sent.append(ACCEPT_ENCODING, HeaderValue::from_str(value).unwrap());
        }
        super::accepts(&sent)
    }

    #[test]
    fn a_client_gets_gzip_if_it_prefers_it_or_has_no_preference() {
        for sent in [
            "gzip",
            "GZip",
            "x-gzip",
            "deflate, gzip, br",
            "gzip;q=0.001",
            "gzip;q=1.000",
            "gzip ; Q=0.5",
            "\tgzip\t",
            "*",
            "*;q=0.1",
            "br;q=1.0, gzip;q=0.8, *;q=0.1",
            "identity;q=0, gzip",
            "identity;q=0.5, gzip;q=0.5",
            "gzip, identity",
            "*;q=0, gzip",
            ",, gzip ,",
            "compress;q=x, gzip",
        ] {
            assert!(accepts(&[sent]), "{sent}");
        }
        assert!(accepts(&["br", "gzip"]) && accepts(&["gzip;q=0.5", "identity;q=0.2"]));
    }

    #[test]
    fn a_client_that_does_not_want_gzip_or_is_not_understood_gets_no_gzip() {
        for sent in [
            "",
            " ",
            ",",
            "identity",
            "identity;q=0",
            "br",
            "gzip;q=0",
            "gzip;q=0.000",
            "x-gzip;q=0, br",
            "*;q=0",
            "gzip;q=0, *",
            "identity, gzip;q=0.5",
            "gzip, gzip;q=0",
            "gzip;q=0, x-gzip",
            "gzip;q=2",
            "gzip;q=1.001",
            "gzip;q=0.1234",
            "gzip;q=-1",
            "gzip;q=",
            "gzip;q",
            "gzip;",
            "gzip;q=.5",
            "gzip;q=0,5",
            "gzip;x=1",
            "gzip;q=0.5;q=1",
            "gzip;q= 0.5",
            "gzip q=1",
            "gzipped",
            "\"gzip\"",
            "gzip/1",
            "*/*",
            "q=1",
            "gzip;q=NaN",
            "gzip;q=1e0",
        ] {
            assert!(!accepts(&[sent]), "{sent}");
        }
        assert!(!accepts(&[]) && !accepts(&["gzip", "gzip;q=0"]));
        let mut sent = HeaderMap::new();
        sent.insert(ACCEPT_ENCODING, HeaderValue::from_bytes(b"gzip, \xff").unwrap());
        assert!(!super::accepts(&sent));
        assert!(!accepts(&[&"gzip;q=0,".repeat(5_000)]) && accepts(&[&"gzip,".repeat(5_000)]));
    }

    #[test]
    fn only_bodies_of_a_middle_length_are_compressed() {
        let sent = HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static("gzip"))]);
        let lengths = [0, 1_024, 1_025, 262_144, 262_145];
        assert_eq!(lengths.map(|length| applies(length, &sent)), [false, false, true, true, false]);
        assert!(!applies(1_025, &HeaderMap::new()));
    }

    #[test]
    fn a_decoder_finds_the_body_again() {
        for length in [0, 1, 5_000, 200_000] {
            let text: String = "Some \"text\"\n é".chars().cycle().take(length).collect();
            let body = Json::of(&[&text, "\"\n", &text], 0).unwrap();
            let plain: Vec<u8> = body.clone().chunks().flatten().collect();
            let mut found = Vec::new();
            flate2::read::GzDecoder::new(&compressed(body).frame[..]).read_to_end(&mut found).unwrap();
            assert_eq!(found, plain);
        }
    }
}
