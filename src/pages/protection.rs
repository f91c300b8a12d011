//! The protection of forms against cross-site request forgery: a form has a code that only matches the cookie of the
//! browser that received it, and the session that it had.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::error::{Error, Result};

/// The text that identifies the browser, and the hash of the token of its session.
type Held<'a> = (&'a str, Option<[u8; 32]>);

/// The value of the hidden field `form` in the forms of a page.
pub(super) fn code(key: &[u8; 32], held: Held<'_>, page: &str) -> Result<String> {
    Ok(URL_SAFE_NO_PAD.encode(mac(key, held, page)?.finalize().into_bytes()))
}

/// True if this is that value. The comparison takes constant time.
pub(super) fn is_genuine(key: &[u8; 32], held: Held<'_>, page: &str, code: &str) -> Result<bool> {
    let Ok(code) = URL_SAFE_NO_PAD.decode(code) else { return Ok(false) };
    Ok(mac(key, held, page)?.verify_slice(&code).is_ok())
}

fn mac(key: &[u8; 32], (browser, session): Held<'_>, page: &str) -> Result<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).map_err(|error| Error::Bug(error.to_string()))?;
    mac.update(format!("form\n{browser}\n{page}\n").as_bytes());
    mac.update(session.as_ref().map_or(&[], |session| session.as_slice()));
    Ok(mac)
}
