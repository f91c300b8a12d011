//! Entity tags, HTTP dates and conditional requests.
//!
//! Implements decision 43. The hash is keyed with a secret of this installation, so that a client cannot construct two
//! responses with the same tag. `If-Modified-Since` is ignored: a record with a date also shows values that the date
//! does not cover, such as numbers of members and repositories.

use std::time::{Duration, UNIX_EPOCH};

use xxhash_rust::xxh3::xxh3_128_with_secret;

/// The last second that an HTTP date can express, the end of the year 9999.
const LAST_DATE: i64 = 253_402_300_799;

/// The strong entity tag of a body with this hash, as one credential sees it in one media type.
#[must_use]
pub fn etag(key: &[u8; 192], hash: u128, credential_id: i64, media: &str) -> String {
    let mut parts = [0; 40];
    parts[..16].copy_from_slice(&hash.to_le_bytes());
    parts[16..32].copy_from_slice(&xxh3_128_with_secret(media.as_bytes(), key).to_le_bytes());
    parts[32..].copy_from_slice(&credential_id.to_le_bytes());
    let mut tag = [b'"'; 34];
    for (digits, byte) in tag[1..33].chunks_exact_mut(2).zip(xxh3_128_with_secret(&parts, key).to_be_bytes()) {
        digits.copy_from_slice(&[hex_digit(byte >> 4), hex_digit(byte & 15)]);
    }
    str::from_utf8(&tag).unwrap_or_default().to_owned()
}

/// The weak form of an entity tag, for a body that is compressed: other bytes with the same meaning.
#[must_use]
pub fn weak(etag: &str) -> String {
    ["W/", etag].concat()
}

/// True if an `If-None-Match` header lists this entity tag; a weak tag matches a strong one.
#[must_use]
pub fn none_match(if_none_match: &str, etag: &str) -> bool {
    let etag = opaque(etag);
    if_none_match.trim() == "*" || if_none_match.split(',').any(|tag| opaque(tag.trim()) == etag)
}

/// A time in seconds since 1970 as an HTTP date. A time that HTTP cannot express becomes the nearest one that it can.
#[must_use]
pub fn http_date(secs: i64) -> String {
    let secs = u64::try_from(secs.clamp(0, LAST_DATE)).unwrap_or_default();
    httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(secs))
}

fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

fn hex_digit(nibble: u8) -> u8 {
    b"0123456789abcdef"[usize::from(nibble)]
}

#[cfg(test)]
mod tests {
    use super::{http_date, none_match};
    use crate::operation::Json;

    const KEY: [u8; 192] = [7; 192];

    fn etag(key: &[u8; 192], body: &[u8], credential_id: i64, media: &str) -> String {
        super::etag(key, Json::from(body.to_vec()).digest(key).hash, credential_id, media)
    }

    fn key(seed: u8) -> [u8; 192] {
        let mut next = seed;
        [0; 192].map(|_: u8| {
            next = next.wrapping_mul(31).wrapping_add(17);
            next
        })
    }

    #[test]
    fn a_tag_is_32_hex_digits_in_quotes() {
        let tag = etag(&key(1), b"{}", 5, "github.v3; format=json");
        let hex = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).unwrap();
        assert_eq!(hex.len(), 32);
        assert!(hex.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)));
    }

    #[test]
    fn everything_that_counts_changes_the_tag() {
        let long = vec![b'x'; 5_000];
        let mut changed = long.clone();
        changed[4_321] = b'y';
        let tags = [
            etag(&key(1), b"{}", 5, "json"),
            etag(&key(2), b"{}", 5, "json"),
            etag(&key(1), b"[]", 5, "json"),
            etag(&key(1), b"", 5, "json"),
            etag(&key(1), b"{}", -5, "json"),
            etag(&key(1), b"{}", 6, "json"),
            etag(&key(1), b"{}", 5, "full"),
            etag(&key(1), b"{}", 5, ""),
            etag(&key(1), &long, 5, "json"),
            etag(&key(1), &changed, 5, "json"),
        ];
        for (n, tag) in tags.iter().enumerate() {
            assert!(!tags[..n].contains(tag), "{n}");
        }
        assert_eq!(etag(&key(1), b"{}", 5, "json"), tags[0]);
    }

    #[test]
    fn if_none_match() {
        let tag = etag(&KEY, b"{}", 1, "");
        for header in [
            tag.clone(),
            format!("W/{tag}"),
            format!("\"a\", {tag}"),
            format!("W/\"a,b\",W/{tag} , \"c\""),
            " * ".to_owned(),
        ] {
            assert!(none_match(&header, &tag), "{header}");
            assert!(none_match(&header, &format!("W/{tag}")), "{header}");
        }
        let bare = tag.trim_matches('"').to_owned();
        for header in ["", ",", "\"\"", "\"*\"", "W/", &bare, &tag[..20], &tag.to_uppercase().replace('"', "")] {
            assert!(!none_match(header, &tag), "{header}");
        }
    }

    #[test]
    fn dates_are_written_as_http_writes_them() {
        assert_eq!(http_date(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(http_date(i64::MIN), "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(http_date(i64::MAX), "Fri, 31 Dec 9999 23:59:59 GMT");
    }
}
