//! Secrets that must be used again are sealed with a key outside the database (decision 41): ChaCha20-Poly1305 with a
//! key that is derived from the key file, and a random nonce before the ciphertext.

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use crate::clock;
use crate::error::{Error, Result};

/// The purpose of a sealed text. A text that is moved to another place in the database cannot be opened there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The secret of a webhook of this organization.
    HookSecret(i64),
    /// The user and the password that a webhook of this organization sends.
    HookCredentials(i64),
}

impl Purpose {
    fn text(self) -> String {
        match self {
            Self::HookSecret(org) => format!("hook secret {org}"),
            Self::HookCredentials(org) => format!("hook credentials {org}"),
        }
    }
}

/// Seals a text.
pub fn seal(key: &[u8; 32], purpose: Purpose, text: &str) -> Result<Vec<u8>> {
    let nonce: [u8; NONCE_LEN] = clock::random()?;
    let mut sealed = text.as_bytes().to_vec();
    let sealing = cipher(key)?.seal_in_place_append_tag(
        Nonce::assume_unique_for_key(nonce),
        Aad::from(purpose.text()),
        &mut sealed,
    );
    sealing.map_err(|_| Error::Bug("a secret could not be sealed".into()))?;
    Ok([&nonce[..], &sealed].concat())
}

/// Opens a text that was sealed for the same purpose; none if it was sealed with another key or changed since.
#[must_use]
pub fn open(key: &[u8; 32], purpose: Purpose, sealed: &[u8]) -> Option<String> {
    let (nonce, text) = sealed.split_at_checked(NONCE_LEN)?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
    let mut text = text.to_vec();
    let opened = cipher(key).ok()?.open_in_place(nonce, Aad::from(purpose.text()), &mut text).ok()?;
    String::from_utf8(opened.to_vec()).ok()
}

fn cipher(key: &[u8; 32]) -> Result<LessSafeKey> {
    let key = UnboundKey::new(&CHACHA20_POLY1305, key).map_err(|_| Error::Bug("a key of the wrong length".into()))?;
    Ok(LessSafeKey::new(key))
}

#[cfg(test)]
mod tests {
    use super::{Purpose, open, seal};

    #[test]
    fn only_the_key_and_the_purpose_open_what_they_sealed() {
        let (key, other) = ([1; 32], [2; 32]);
        let sealed = seal(&key, Purpose::HookSecret(7), "hush").unwrap();
        assert_eq!(open(&key, Purpose::HookSecret(7), &sealed).as_deref(), Some("hush"));
        assert!(!sealed.windows(4).any(|part| part == b"hush"));
        assert_ne!(seal(&key, Purpose::HookSecret(7), "hush").unwrap(), sealed, "each has a nonce of its own");
        assert_eq!(open(&other, Purpose::HookSecret(7), &sealed), None);
        assert_eq!(open(&key, Purpose::HookSecret(8), &sealed), None);
        assert_eq!(open(&key, Purpose::HookCredentials(7), &sealed), None);
        for place in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[place] ^= 1;
            assert_eq!(open(&key, Purpose::HookSecret(7), &changed), None, "byte {place}");
        }
        assert_eq!(open(&key, Purpose::HookSecret(7), &sealed[..11]), None);
    }
}
