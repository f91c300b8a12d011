//! The usual capitals of header names (decision 51): their spellings, and a fast search for them in a head.

use std::sync::LazyLock;

use memchr::memchr;

use super::response::FIXED;

/// Capitalizes the names in up to this many heads, and returns how many there were. The bytes after them stay the same.
pub fn capitalize(bytes: &mut [u8], heads: usize) -> usize {
    let spelling = &*SPELLING;
    let (mut at, mut changed) = (0, 0);
    while changed < heads && bytes[at..].starts_with(b"HTTP/1.") {
        // An interim response (1xx) comes before the response and has no headers.
        changed += usize::from(bytes[at..].get(9) != Some(&b'1'));
        let Some(end) = memchr(b'\n', &bytes[at..]) else { break };
        at += end + 1;
        let mut expected = 0;
        while let Some(length) = spelling.line(&mut bytes[at..], &mut expected) {
            at += length;
        }
        at = bytes.len().min(at + 2);
    }
    changed
}

/// The spellings of names.
static SPELLING: LazyLock<Spelling> = LazyLock::new(Spelling::new);

struct Spelling {
    /// The lines of every response, as received and as sent: one comparison instead of one for each line.
    fixed: (Vec<u8>, Vec<u8>),
    /// Names as received, up to the value, and as sent.
    names: [(Vec<u8>, &'static str); NAMES.len()],
}

/// The other names of nearly every response, in their usual order, and all names with capitals in places other than the
/// first letter and after hyphens.
const NAMES: [&str; 22] = [
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
    "Content-Length",
    "Date",
    "WWW-Authenticate",
    "X-GitHub-OTP",
    "X-OAuth-Client-Id",
    "X-XSS-Protection",
    "Location",
];

impl Spelling {
    fn new() -> Self {
        let names = NAMES.map(|name| (format!("{}: ", name.to_ascii_lowercase()).into_bytes(), name));
        let mut lower = Vec::new();
        for (name, value) in &FIXED {
            lower.extend_from_slice([name.as_str(), ": "].concat().as_bytes());
            lower.extend_from_slice(value.as_bytes());
            lower.extend_from_slice(b"\r\n");
        }
        let mut spelling = Self { fixed: (lower.clone(), lower), names };
        let mut sent = std::mem::take(&mut spelling.fixed.1);
        let mut at = 0;
        while let Some(length) = spelling.name(&mut sent[at..], &mut 0).and_then(|_| memchr(b'\n', &sent[at..])) {
            at += length + 1;
        }
        spelling.fixed.1 = sent;
        spelling
    }

    /// Changes the first line or lines and returns their length; none at the empty line that ends a head. `expected` is
    /// the index of the name that probably comes next.
    fn line(&self, bytes: &mut [u8], expected: &mut usize) -> Option<usize> {
        if bytes.first()? == &b'\r' {
            return None;
        }
        let (lower, sent) = &self.fixed;
        if *expected == 0 && bytes.starts_with(lower) {
            bytes[..sent.len()].copy_from_slice(sent);
            return Some(sent.len());
        }
        let length = self.name(bytes, expected)?;
        Some(length + memchr(b'\n', &bytes[length..])? + 1)
    }

    /// Changes the first name and returns its length.
    fn name(&self, bytes: &mut [u8], expected: &mut usize) -> Option<usize> {
        let names = (*expected..NAMES.len()).chain(0..*expected);
        for (place, (lower, sent)) in names.map(|place| (place, &self.names[place])) {
            if bytes.starts_with(lower) {
                bytes[..sent.len()].copy_from_slice(sent.as_bytes());
                *expected = place + 1;
                return Some(sent.len());
            }
        }
        let length = memchr(b':', bytes)?;
        let mut begins = true;
        for byte in &mut bytes[..length] {
            if begins {
                byte.make_ascii_uppercase();
            }
            begins = *byte == b'-';
        }
        Some(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_found_whatever_was_expected() {
        for name in NAMES.into_iter().chain(["Retry-After", "Sunset"]) {
            for expected in 0..=NAMES.len() {
                let mut line = format!("{}: etag", name.to_ascii_lowercase()).into_bytes();
                assert_eq!(SPELLING.name(&mut line, &mut expected.clone()), Some(name.len()));
                assert_eq!(line, format!("{name}: etag").as_bytes());
            }
        }
    }

    #[test]
    fn the_lines_of_every_answer_are_changed_at_once() {
        let (lower, sent) = &SPELLING.fixed;
        let mut bytes = lower.clone();
        assert_eq!(SPELLING.line(&mut bytes, &mut 0), Some(sent.len()));
        assert_eq!(&bytes, sent);
        let sent = String::from_utf8_lossy(sent);
        assert!(sent.starts_with("Server: ") && sent.contains("\r\nX-XSS-Protection: 0\r\n"), "{sent}");
        assert!(sent.contains("\r\nVary: "), "{sent}");
    }
}
