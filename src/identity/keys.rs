//! The keys with which a provider signs ID tokens: RSA and P-256, the only ones that are used.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey};
use serde::Deserialize;
use serde_json::Value;

/// An algorithm of signatures. Nothing else is accepted, least of all `none` and those with a shared secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// RSA with PKCS #1.
    Rs256,
    /// ECDSA with P-256.
    Es256,
}

impl Algorithm {
    /// The algorithm that a token or a key names.
    pub fn of(name: &str) -> Option<Self> {
        match name {
            "RS256" => Some(Self::Rs256),
            "ES256" => Some(Self::Es256),
            _ => None,
        }
    }
}

/// A key as it is published.
#[derive(Deserialize)]
struct Published {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

/// A set of keys as it is published.
#[derive(Deserialize)]
struct Set {
    keys: Vec<Value>,
}

/// A key.
#[derive(Debug, PartialEq, Eq)]
pub struct Key {
    id: Option<String>,
    public: Public,
}

#[derive(Debug, PartialEq, Eq)]
enum Public {
    /// The modulus and the exponent.
    Rsa(Vec<u8>, Vec<u8>),
    /// The point, uncompressed.
    P256(Vec<u8>),
}

/// The keys of a provider.
#[derive(Debug)]
pub struct Keys(Vec<Key>);

impl Keys {
    /// Reads a JSON Web Key Set. Keys that are not for these signatures are left out.
    pub fn read(body: &[u8]) -> Option<Self> {
        let set: Set = serde_json::from_slice(body).ok()?;
        Some(Self(set.keys.into_iter().filter_map(|key| serde_json::from_value(key).ok().and_then(Key::of)).collect()))
    }

    /// The key of a signature: the one that it names, or the only one for its algorithm if it names none.
    pub fn find(&self, algorithm: Algorithm, id: Option<&str>) -> Option<&Key> {
        let fits = |key: &&Key| key.algorithm() == algorithm && (id.is_none() || key.id.as_deref() == id);
        let mut found = self.0.iter().filter(fits);
        let key = found.next()?;
        (id.is_some() || found.next().is_none()).then_some(key)
    }
}

impl Key {
    fn of(key: Published) -> Option<Self> {
        if key.usage.is_some_and(|usage| usage != "sig") {
            return None;
        }
        let bytes = |text: Option<String>| URL_SAFE_NO_PAD.decode(text?).ok();
        let public = match (key.kty.as_str(), key.crv.as_deref()) {
            ("RSA", _) => Public::Rsa(number(&bytes(key.n)?), number(&bytes(key.e)?)),
            ("EC", Some("P-256")) => Public::P256([vec![4], bytes(key.x)?, bytes(key.y)?].concat()),
            _ => return None,
        };
        let made = Self { id: key.kid, public };
        let is_for_it = key.alg.is_none_or(|alg| Algorithm::of(&alg) == Some(made.algorithm()));
        is_for_it.then_some(made)
    }

    /// A key has one algorithm, whatever a token says.
    fn algorithm(&self) -> Algorithm {
        match self.public {
            Public::Rsa(..) => Algorithm::Rs256,
            Public::P256(_) => Algorithm::Es256,
        }
    }

    /// True if the owner of this key has signed the message. RSA keys of less than 2048 bits sign nothing.
    pub fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        match &self.public {
            Public::Rsa(n, e) => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature).is_ok()
            }
            Public::P256(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(message, signature).is_ok()
            }
        }
    }
}

/// A number without zeros before it, which some providers write.
fn number(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().skip_while(|byte| *byte == 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Option<Keys> {
        Keys::read(text.as_bytes())
    }

    #[test]
    fn keys_for_something_else_are_left_out() {
        let set = r#"{"keys": [
            {"kty": "RSA", "kid": "a", "n": "AAH_", "e": "AQAB"}, {"kty": "RSA", "kid": "b", "use": "enc", "n": "_w", "e": "AQAB"},
            {"kty": "RSA", "kid": "c", "alg": "RS512", "n": "_w", "e": "AQAB"}, {"kty": "oct", "kid": "d", "k": "_w"},
            {"kty": "EC", "kid": "e", "crv": "P-384", "x": "_w", "y": "_w"}, {"kty": "RSA", "kid": "f"}, 7,
            {"kty": "EC", "kid": "g", "crv": "P-256", "x": "_w", "y": "_w", "alg": "ES256", "use": "sig"}]}"#;
        let ids: Vec<_> = keys(set).unwrap().0.into_iter().filter_map(|key| key.id).collect();
        assert_eq!(ids, ["a", "g"]);
        for wrong in ["", "[]", "{}", r#"{"keys": {}}"#] {
            assert!(keys(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_signature_names_its_key_unless_there_is_only_one() {
        let one = keys(r#"{"keys": [{"kty": "RSA", "kid": "a", "n": "_w", "e": "AQAB"}]}"#).unwrap();
        assert!(one.find(Algorithm::Rs256, None).is_some() && one.find(Algorithm::Rs256, Some("a")).is_some());
        assert!(one.find(Algorithm::Rs256, Some("b")).is_none() && one.find(Algorithm::Es256, Some("a")).is_none());
        let two =
            r#"{"keys": [{"kty": "RSA", "kid": "a", "n": "_w", "e": "AQAB"}, {"kty": "RSA", "n": "_w", "e": "AQAB"}]}"#;
        assert!(keys(two).unwrap().find(Algorithm::Rs256, None).is_none());
    }
}
