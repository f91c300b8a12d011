//! The usual capitals of header names (decision 51): the lines of a head, and names that hyper has written.

use std::sync::LazyLock;

use hyper::header::{self, HeaderMap, HeaderName};
use memchr::memchr;

use super::headers::{FIXED, Headers};

/// Room for the lines of nearly every response, in bytes.
const ROOM: usize = 2_048;

/// The lines of the headers with capitals, except the headers that hyper has to know, which are returned separately.
#[must_use]
pub fn lines(headers: Headers) -> (Vec<u8>, HeaderMap) {
    let (mut lines, mut of_hyper, mut expected) = (Vec::with_capacity(ROOM), HeaderMap::new(), 0);
    let (has_fixed, others) = headers.into_parts();
    if has_fixed {
        lines.extend_from_slice(&FIXED_LINES);
    }
    for (name, value) in others {
        if is_of_hyper(&name) {
            of_hyper.insert(name, value);
        } else {
            push_name(&mut lines, &name, &mut expected);
            lines.extend_from_slice(value.as_bytes());
            lines.extend_from_slice(b"\r\n");
        }
    }
    (lines, of_hyper)
}

/// True if hyper reads the header of a response, or would write one of its own.
fn is_of_hyper(name: &HeaderName) -> bool {
    matches!(*name, header::CONNECTION | header::CONTENT_LENGTH | header::DATE | header::TRANSFER_ENCODING)
}

/// The lines of the headers that no response of the API changes.
static FIXED_LINES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut lines = Vec::new();
    for (name, value) in &FIXED {
        push_name(&mut lines, name, &mut 0);
        lines.extend_from_slice(value.as_bytes());
        lines.extend_from_slice(b"\r\n");
    }
    lines
});

/// The other names of nearly every response, in their usual order, and all names with capitals elsewhere than at the
/// beginning of a word.
const NAMES: [&str; 20] = [
    "X-GitHub-Media-Type",
    "Cache-Control",
    "Content-Type",
    "ETag",
    "Last-Modified",
    "Link",
    "X-GitHub-Request-Id",
    "X-OAuth-Scopes",
    "X-Accepted-OAuth-Scopes",
    "GitHub-Authentication-Token-Expiration",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "X-RateLimit-Used",
    "X-RateLimit-Resource",
    "WWW-Authenticate",
    "X-GitHub-OTP",
    "X-OAuth-Client-Id",
    "X-XSS-Protection",
    "Location",
];

/// The names, and each as its line begins.
static SPELLED: LazyLock<[(HeaderName, String); NAMES.len()]> = LazyLock::new(|| {
    NAMES.map(|name| (HeaderName::from_bytes(name.as_bytes()).unwrap_or(header::SERVER), format!("{name}: ")))
});

/// Adds a name with its capitals, and a colon. `expected` is the index of the name that probably comes next.
fn push_name(lines: &mut Vec<u8>, name: &HeaderName, expected: &mut usize) {
    let spelled = &*SPELLED;
    let find = |from: usize| spelled[from..].iter().position(|(known, _)| known == name).map(|after| from + after);
    if let Some(place) = find(*expected).or_else(|| find(0)) {
        lines.extend_from_slice(spelled[place].1.as_bytes());
        *expected = place + 1;
        return;
    }
    let begin = lines.len();
    lines.extend_from_slice(name.as_str().as_bytes());
    begin_words(&mut lines[begin..]);
    lines.extend_from_slice(b": ");
}

/// Copies a head without its first line, and capitalizes each word of its names. That is enough for the names that hyper
/// writes. Returns the bytes after the head.
pub fn capitalize<'a>(mut bytes: &'a [u8], to: &mut Vec<u8>) -> &'a [u8] {
    while !bytes.starts_with(b"\r\n") {
        let Some(end) = memchr(b'\n', bytes) else { return bytes };
        let (line, rest) = bytes.split_at(end + 1);
        let begin = to.len();
        to.extend_from_slice(line);
        begin_words(&mut to[begin..]);
        bytes = rest;
    }
    to.extend_from_slice(&bytes[..2]);
    &bytes[2..]
}

/// Capitalizes each word of a name, which ends with the bytes or with a colon.
fn begin_words(name: &mut [u8]) {
    let mut begins = true;
    for byte in name.iter_mut().take_while(|byte| **byte != b':') {
        if begins {
            byte.make_ascii_uppercase();
        }
        begins = *byte == b'-';
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_found_whatever_was_expected() {
        for name in NAMES.into_iter().chain(["Retry-After", "Sunset"]) {
            for expected in 0..=NAMES.len() {
                let mut line = Vec::new();
                push_name(&mut line, &name.parse().unwrap(), &mut expected.clone());
                assert_eq!(String::from_utf8(line).unwrap(), format!("{name}: "));
            }
        }
    }

    #[test]
    fn the_lines_of_every_answer_are_ready() {
        let sent = String::from_utf8_lossy(&FIXED_LINES);
        assert!(sent.starts_with("Server: ") && sent.contains("\r\nX-XSS-Protection: 0\r\n"), "{sent}");
        assert!(sent.contains("\r\nVary: "), "{sent}");
    }
}
