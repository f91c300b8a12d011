//! The credentials in an `Authorization` header: none, a token, or something unreadable.
//!
//! Implements decision 41: `token T`, `Bearer T` in any case, and Basic with the token as user or as password.
//! Unreadable credentials get the response of a wrong token (decision 19).

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::token_text::checksum_ok;

const LONGEST_TOKEN: usize = 255;

const LENIENT: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const BASE64: GeneralPurpose = GeneralPurpose::new(&STANDARD, LENIENT);

/// The credentials that a caller presents.
#[derive(Clone, PartialEq, Eq)]
pub enum Presented<'a> {
    /// No header: an anonymous request.
    None,
    /// The text of a token, not yet looked up.
    Token(Cow<'a, str>),
    /// A header that contains no token in a known form.
    Malformed,
}

impl fmt::Debug for Presented<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Presented::None => "None",
            // Never the token itself: this text ends up in logs.
            Presented::Token(_) => "Token(..)",
            Presented::Malformed => "Malformed",
        })
    }
}

/// Reads the value of the `Authorization` header.
#[must_use]
pub fn read(header: Option<&[u8]>) -> Presented<'_> {
    match header {
        None => Presented::None,
        Some(value) => token(value).map_or(Presented::Malformed, Presented::Token),
    }
}

fn token(value: &[u8]) -> Option<Cow<'_, str>> {
    let value = std::str::from_utf8(value).ok()?.trim();
    let (scheme, rest) = value.split_once([' ', '\t'])?;
    if scheme.eq_ignore_ascii_case("token") || scheme.eq_ignore_ascii_case("bearer") {
        accept(rest).map(Cow::Borrowed)
    } else if scheme.eq_ignore_ascii_case("basic") {
        basic(rest.trim()).map(Cow::Owned)
    } else {
        None
    }
}

fn basic(encoded: &str) -> Option<String> {
    let decoded = String::from_utf8(BASE64.decode(encoded).ok()?).ok()?;
    let (user, password) = decoded.split_once(':')?;
    let token = match password.trim() {
        "" | "x-oauth-basic" => user,
        // Some clients require a password, so users may enter anything there.
        password if checksum_ok(user) == Some(true) && checksum_ok(password).is_none() => user,
        password => password,
    };
    accept(token).map(str::to_owned)
}

fn accept(token: &str) -> Option<&str> {
    let token = token.trim();
    let plain = token.bytes().all(|byte| byte.is_ascii_graphic());
    let readable = plain || !token.contains(|c: char| c.is_whitespace() || c.is_control());
    let length = if plain { token.len() } else { token.chars().count() };
    (readable && (1..=LONGEST_TOKEN).contains(&length)).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: &str = "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";

    fn presented(value: &str) -> Option<String> {
        match read(Some(value.as_bytes())) {
            Presented::Token(token) => Some(token.into_owned()),
            Presented::Malformed => None,
            Presented::None => panic!("a header is never nothing"),
        }
    }

    fn basic_header(pair: &str) -> String {
        format!("Basic {}", BASE64.encode(pair))
    }

    #[test]
    fn no_header_is_anonymous_and_an_empty_one_is_malformed() {
        assert_eq!(read(None), Presented::None);
        for value in ["", "  ", "token", "token ", "Bearer   ", "Basic", "Basic "] {
            assert_eq!(presented(value), None, "{value:?}");
        }
    }

    #[test]
    fn token_and_bearer_in_any_case_with_extra_spaces() {
        for scheme in ["token", "Token", "TOKEN", "Bearer", "bearer", "BEARER"] {
            assert_eq!(presented(&format!("{scheme} {T}")).as_deref(), Some(T));
            assert_eq!(presented(&format!("  {scheme}  \t {T}  ")).as_deref(), Some(T));
        }
    }

    #[test]
    fn basic_with_the_token_as_user_or_as_password() {
        let pairs =
            ["octocat:T", ":T", "T:x-oauth-basic", "T:", "x-access-token:T", "octocat:T\n", "T:anything", "T:T"];
        for pair in pairs {
            assert_eq!(presented(&basic_header(&pair.replace('T', T))).as_deref(), Some(T), "{pair}");
        }
        let unpadded = basic_header(&format!("{T}:")).replace('=', "");
        assert_eq!(presented(&unpadded.replace("Basic", "bAsIc  ")).as_deref(), Some(T));
        assert_eq!(presented(&basic_header("octocat:a:b")).as_deref(), Some("a:b"));
    }

    #[test]
    fn basic_without_a_token_is_malformed() {
        for pair in ["", ":", " : ", ":x-oauth-basic", "nocolon", "u:two words"] {
            assert_eq!(presented(&basic_header(pair)), None, "{pair:?}");
        }
        assert_eq!(presented("Basic %%%"), None);
        assert_eq!(presented(&format!("Basic {}", BASE64.encode(b"user:\xff\xfe"))), None);
    }

    #[test]
    fn other_schemes_and_unreadable_values_are_malformed() {
        for value in [T, "Digest username=a", "Negotiate abc", "tokenX abc", "token a b", "token a\0b"] {
            assert_eq!(presented(value), None, "{value:?}");
        }
        assert_eq!(read(Some(b"token \xff\xfe")), Presented::Malformed);
    }

    #[test]
    fn tokens_of_up_to_255_characters() {
        for longest in ["a".repeat(255), "é".repeat(255)] {
            assert_eq!(presented(&format!("token {longest}")).as_deref(), Some(&*longest));
            assert_eq!(presented(&basic_header(&format!("u:{longest}"))).as_deref(), Some(&*longest));
            assert_eq!(presented(&format!("token {longest}a")), None);
            assert_eq!(presented(&basic_header(&format!("{longest}a:"))), None);
        }
    }

    #[test]
    fn the_token_is_not_shown_in_logs() {
        let header = format!("token {T}");
        assert_eq!(format!("{:?}", read(Some(header.as_bytes()))), "Token(..)");
    }
}
