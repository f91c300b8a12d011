//! ID tokens (OpenID Connect Core, section 3.1.3.7): reading them, and everything that must hold before they are believed.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::keys::{Algorithm, Key};
use super::{Claims, Refused};
use crate::clock::Time;

/// The difference between the clocks of provider and site that is accepted, in seconds.
const SKEW: i64 = 60;

/// The longest time ago at which a token was made, in seconds: it was asked for a moment ago.
const OLDEST: i64 = 10 * 60;

/// The longest subject (OpenID Connect Core, section 2).
const LONGEST_SUBJECT: usize = 255;

/// The beginning of a token.
#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    crit: Option<Value>,
}

/// The claims of a token that are checked.
#[derive(Deserialize)]
struct Checked {
    iss: String,
    aud: Audience,
    azp: Option<String>,
    exp: i64,
    iat: i64,
    nbf: Option<i64>,
    nonce: String,
    at_hash: Option<String>,
}

/// The clients that a token is for.
#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

/// The claims about a person. Providers leave out what they do not know, and some write what is no text.
#[derive(Deserialize)]
struct Said {
    sub: String,
    name: Option<Value>,
    preferred_username: Option<Value>,
    email: Option<Value>,
    email_verified: Option<Value>,
}

/// The claims that a token must have.
pub struct Expected<'a> {
    /// The issuer.
    pub issuer: &'a str,
    /// The client that it is for.
    pub client: &'a str,
    /// The text that it repeats.
    pub nonce: &'a str,
    /// The token that came with it.
    pub access_token: Option<&'a str>,
    /// The time.
    pub now: Time,
}

/// A token that was read, and not verified.
pub struct IdToken<'a> {
    /// The algorithm of its signature.
    pub algorithm: Algorithm,
    /// The key of its signature.
    pub key_id: Option<String>,
    signed: &'a str,
    payload: Vec<u8>,
    signature: Vec<u8>,
}

impl<'a> IdToken<'a> {
    /// Reads a token. One that is not signed, or signed in another way, is refused.
    pub fn read(token: &'a str) -> Result<Self, Refused> {
        let malformed = || Refused::because("the ID token is malformed");
        let decoded = |text: &str| URL_SAFE_NO_PAD.decode(text).map_err(|_| malformed());
        let (signed, signature) = token.rsplit_once('.').ok_or_else(malformed)?;
        let (header, payload) = signed.split_once('.').ok_or_else(malformed)?;
        let header: Header = serde_json::from_slice(&decoded(header)?).map_err(|_| malformed())?;
        let algorithm = Algorithm::of(&header.alg).filter(|_| header.crit.is_none());
        let algorithm =
            algorithm.ok_or_else(|| Refused::because("the ID token is signed in a way that is not accepted"))?;
        Ok(Self { algorithm, key_id: header.kid, signed, payload: decoded(payload)?, signature: decoded(signature)? })
    }

    /// Verifies the signature with this key.
    pub fn verify(&self, key: &Key) -> Result<(), Refused> {
        let is_right = key.verifies(self.signed.as_bytes(), &self.signature);
        if is_right { Ok(()) } else { Err(Refused::because("the signature of the ID token is wrong")) }
    }

    /// The claims about the person, if the token is a new one, from this provider, for this client and this sign-in.
    pub fn claims(&self, expected: &Expected<'_>) -> Result<Claims, Refused> {
        let checked = serde_json::from_slice(&self.payload);
        let checked: Checked = checked.map_err(|error| Refused::because(format!("the ID token is wrong: {error}")))?;
        match checked.wrong(expected) {
            Some(what) => Err(Refused::because(format!("the ID token has the wrong {what}"))),
            None => said(&self.payload),
        }
    }
}

impl Checked {
    /// The name of a claim that is wrong, if one is.
    fn wrong(&self, expected: &Expected<'_>) -> Option<&'static str> {
        let now = expected.now.seconds();
        let (is_for_us, is_for_others) = match &self.aud {
            Audience::One(client) => (client == expected.client, false),
            Audience::Several(clients) => (clients.iter().any(|client| client == expected.client), clients.len() > 1),
        };
        let is_party = self.azp.as_ref().map_or(!is_for_others, |party| party == expected.client);
        let is_hash = |hash: &String| expected.access_token.is_some_and(|token| *hash == half_hash(token));
        let checks = [
            ("issuer", self.iss == expected.issuer),
            ("audience", is_for_us),
            ("authorized party", is_party),
            ("expiry", now - SKEW < self.exp),
            ("time", (now - SKEW - OLDEST..=now + SKEW).contains(&self.iat)),
            ("beginning", self.nbf.is_none_or(|begins| begins <= now + SKEW)),
            ("nonce", self.nonce == expected.nonce),
            ("hash of the access token", self.at_hash.as_ref().is_none_or(is_hash)),
        ];
        checks.into_iter().find(|(_, holds)| !holds).map(|(what, _)| what)
    }
}

/// The left half of the hash of a token.
fn half_hash(token: &str) -> String {
    URL_SAFE_NO_PAD.encode(&Sha256::digest(token)[..16])
}

/// The claims about a person in a JSON object.
pub fn said(body: &[u8]) -> Result<Claims, Refused> {
    let said: Said = serde_json::from_slice(body).map_err(|_| Refused::because("the claims have no subject"))?;
    let is_subject = said.sub.len() <= LONGEST_SUBJECT && said.sub.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if said.sub.trim().is_empty() || !is_subject {
        return Err(Refused::because("the subject is no text of 1 to 255 ASCII characters"));
    }
    let text = |claim: Option<Value>| match claim {
        Some(Value::String(text)) if !text.trim().is_empty() && !text.contains(char::is_control) => Some(text),
        _ => None,
    };
    Ok(Claims {
        subject: said.sub,
        name: text(said.name),
        username: text(said.preferred_username),
        email: text(said.email),
        email_verified: said.email_verified == Some(Value::Bool(true)),
    })
}
