//! Authorization codes. A code is signed text, so that giving one stores nothing: who allowed what, in which session, and
//! what the exchange must repeat. It ends with its session.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::clock::{self, Time};
use crate::error::{Error, Result};
use crate::scope::Scopes;

/// The time for which a code works, in seconds.
const LASTS: i64 = 10 * 60;

/// The kind of its MAC.
const KIND: &str = "authorization code";

/// The longest text that is read as a code.
const LONGEST: usize = 4_096;

/// A code.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Code {
    /// The application that it is for.
    pub application: i64,
    /// The session in which the person allowed it.
    pub session: i64,
    /// The time at which it was given.
    pub given_at: Time,
    /// The scopes of its token.
    pub scopes: Scopes,
    /// The hash of the redirect URI.
    pub redirect: String,
    /// True if the request named that URI.
    pub is_named: bool,
    /// The challenge that a verifier must answer (RFC 7636).
    pub challenge: Option<String>,
}

/// A text of 43 characters: a SHA-256 in base64url.
pub(super) fn hashed(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(text))
}

impl Code {
    /// Its text. No two are the same.
    pub fn text(&self, key: &[u8; 32]) -> Result<String> {
        let unique = URL_SAFE_NO_PAD.encode(clock::random::<8>()?);
        let Self { application, session, given_at, redirect, .. } = self;
        let (named, challenge) = (if self.is_named { "named" } else { "" }, self.challenge.as_deref().unwrap_or(""));
        let (at, scopes) = (given_at.0, self.scopes.header());
        let text = format!("{application}\n{session}\n{at}\n{scopes}\n{redirect}\n{named}\n{challenge}\n{unique}");
        let mac = URL_SAFE_NO_PAD.encode(mac(key, KIND, &text)?.finalize().into_bytes());
        Ok([&URL_SAFE_NO_PAD.encode(text), ".", &mac].concat())
    }

    /// Reads the text of a code, however old it is.
    pub fn read(key: &[u8; 32], code: &str) -> Result<Option<Self>> {
        let Some((text, sent)) = code.split_once('.').filter(|_| code.len() <= LONGEST) else { return Ok(None) };
        let (Ok(text), Ok(sent)) = (URL_SAFE_NO_PAD.decode(text), URL_SAFE_NO_PAD.decode(sent)) else {
            return Ok(None);
        };
        let Ok(text) = String::from_utf8(text) else { return Ok(None) };
        if mac(key, KIND, &text)?.verify_slice(&sent).is_err() {
            return Ok(None);
        }
        Ok(Self::parse(&text))
    }

    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('\n');
        let mut next = || parts.next();
        Some(Self {
            application: next()?.parse().ok()?,
            session: next()?.parse().ok()?,
            given_at: Time(next()?.parse().ok()?),
            scopes: Scopes::grantable(next()?),
            redirect: next()?.to_owned(),
            is_named: next()? == "named",
            challenge: Some(next()?.to_owned()).filter(|challenge| !challenge.is_empty()),
        })
    }

    /// True if it can still be exchanged.
    pub fn is_open(&self, now: Time) -> bool {
        self.given_at.plus_seconds(LASTS) > now
    }

    /// True if the exchange repeats the redirect URI. `must` is true if it may not leave out one that was named.
    pub fn repeats(&self, redirect: Option<&str>, must: bool) -> bool {
        redirect.map_or(!must || !self.is_named, |uri| hashed(uri) == self.redirect)
    }

    /// True if the verifier answers the challenge, or if there is neither.
    pub fn is_answered(&self, verifier: Option<&str>) -> bool {
        match (&self.challenge, verifier) {
            (None, None) => true,
            (Some(challenge), Some(verifier)) => is_verifier(verifier) && hashed(verifier) == *challenge,
            _ => false,
        }
    }
}

fn is_verifier(text: &str) -> bool {
    (43..=128).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~".contains(&b))
}

/// The MAC of a code of this kind.
pub(super) fn mac(key: &[u8; 32], kind: &str, text: &str) -> Result<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).map_err(|error| Error::Bug(error.to_string()))?;
    mac.update(format!("{kind}\n{text}").as_bytes());
    Ok(mac)
}

#[cfg(test)]
mod tests {
    use super::{Code, hashed};
    use crate::clock::Time;
    use crate::scope::Scopes;

    fn code(challenge: Option<&str>) -> Code {
        Code {
            application: 7,
            session: 8,
            given_at: Time(9),
            scopes: Scopes::grantable("repo read:org"),
            redirect: hashed("https://app.example/callback"),
            is_named: true,
            challenge: challenge.map(str::to_owned),
        }
    }

    #[test]
    fn a_code_is_read_as_it_was_written_and_each_is_new() {
        for challenge in [None, Some("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")] {
            let (one, other) = (code(challenge).text(&[1; 32]).unwrap(), code(challenge).text(&[1; 32]).unwrap());
            assert_ne!(one, other);
            assert_eq!(Code::read(&[1; 32], &one).unwrap(), Some(code(challenge)));
            assert_eq!(Code::read(&[2; 32], &one).unwrap(), None);
        }
    }

    #[test]
    fn a_changed_code_is_none() {
        let text = code(None).text(&[1; 32]).unwrap();
        for at in [0, 10, text.len() - 2] {
            let mut other = text.clone().into_bytes();
            other[at] = if other[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(Code::read(&[1; 32], &String::from_utf8(other).unwrap()).unwrap(), None);
        }
        for other in ["", ".", "a.b", "\u{e9}.x", &"a.".repeat(4_000)] {
            assert_eq!(Code::read(&[1; 32], other).unwrap(), None);
        }
    }

    #[test]
    fn a_verifier_answers_its_challenge_alone() {
        // The example of RFC 7636.
        let (verifier, challenge) =
            ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert!(code(Some(challenge)).is_answered(Some(verifier)) && code(None).is_answered(None));
        assert!(!code(Some(challenge)).is_answered(None) && !code(None).is_answered(Some(verifier)));
        assert!(!code(Some(challenge)).is_answered(Some(challenge)), "no plain challenge");
        assert!(!code(Some(&hashed("short"))).is_answered(Some("short")));
    }
}
