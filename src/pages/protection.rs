//! The protection of forms against cross-site request forgery: a form has a code that only matches the cookie of the
//! browser that received it, and the session that it had.
//!
//! Codes are masked with other random bytes in each response, so the length of a compressed page says nothing about them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::error::{Error, Result};

/// The text that identifies the browser, and the hash of the token of its session.
type Held<'a> = (&'a str, Option<[u8; 32]>);

/// The value of the hidden field `form` in the forms of a page, masked with these random bytes.
pub(super) fn code(key: &[u8; 32], held: Held<'_>, page: &str, mask: [u8; 32]) -> Result<String> {
    let masked = xor(mask, mac(key, held, page)?.finalize().into_bytes().into());
    Ok(URL_SAFE_NO_PAD.encode([mask, masked].concat()))
}

/// True if this is that value. The comparison takes constant time.
pub(super) fn is_genuine(key: &[u8; 32], held: Held<'_>, page: &str, code: &str) -> Result<bool> {
    let code = URL_SAFE_NO_PAD.decode(code).unwrap_or_default();
    let Some((mask, masked)) = code.split_first_chunk() else { return Ok(false) };
    let Ok(masked) = masked.try_into() else { return Ok(false) };
    Ok(mac(key, held, page)?.verify_slice(&xor(*mask, masked)).is_ok())
}

fn xor(mask: [u8; 32], mut bytes: [u8; 32]) -> [u8; 32] {
    bytes.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
    bytes
}

fn mac(key: &[u8; 32], (browser, session): Held<'_>, page: &str) -> Result<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).map_err(|error| Error::Bug(error.to_string()))?;
    mac.update(format!("form\n{browser}\n{page}\n").as_bytes());
    mac.update(session.as_ref().map_or(&[], |session| session.as_slice()));
    Ok(mac)
}
