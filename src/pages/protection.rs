//! The protection of forms against cross-site request forgery: a form has a code that only matches the cookie of the
//! browser that received it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cookie::{Cookie, SameSite};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::form::Form;
use super::layout::Shown;
use super::visit::Visit;
use crate::clock;
use crate::error::{Error, Result};

/// The protection of the forms of a page: their code, and the matching cookie.
pub(super) struct Protection {
    /// The value of the hidden field `form`.
    pub code: String,
    /// The cookie, if the browser has none yet.
    pub cookie: Option<String>,
}

/// The name of the cookie. With TLS, no other host can set it.
fn name(visit: &Visit) -> &'static str {
    if visit.tls { "__Host-guildhall-form" } else { "guildhall-form" }
}

fn held(visit: &Visit) -> Option<String> {
    let cookies = Cookie::split_parse(visit.cookies.as_str()).filter_map(std::result::Result::ok);
    let mut values = cookies.filter(|cookie| cookie.name() == name(visit)).map(|cookie| cookie.value().to_owned());
    values.next().filter(|value| value.len() == 43)
}

fn mac(key: &[u8; 32], cookie: &str, page: &str) -> Result<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).map_err(|error| Error::Bug(error.to_string()))?;
    mac.update(format!("form\n{cookie}\n{page}").as_bytes());
    Ok(mac)
}

/// Protects the forms of a page.
pub(super) fn protect(key: &[u8; 32], visit: &Visit, page: &str) -> Result<Protection> {
    let (value, is_new) = match held(visit) {
        Some(value) => (value, false),
        None => (URL_SAFE_NO_PAD.encode(clock::random::<32>()?), true),
    };
    let code = URL_SAFE_NO_PAD.encode(mac(key, &value, page)?.finalize().into_bytes());
    let cookie = is_new.then(|| {
        // The cookie is also sent when a link is opened from another site, so the forms of other tabs continue to work.
        let cookie = Cookie::build((name(visit), value)).path("/").http_only(true).same_site(SameSite::Lax);
        cookie.secure(visit.tls).build().to_string()
    });
    Ok(Protection { code, cookie })
}

/// The page that refuses a form, unless it was sent by the browser that received it, from our own page.
pub(super) fn refuse(key: &[u8; 32], visit: &Visit, page: &str, form: &Form) -> Result<Option<Shown>> {
    if is_genuine(key, visit, page, form)? {
        return Ok(None);
    }
    let why = "It was not sent from this page, or your browser blocks cookies. Open the link in the e-mail again.";
    Shown::message(visit, 403, "This form cannot be used", &[why]).map(Some)
}

fn is_genuine(key: &[u8; 32], visit: &Visit, page: &str, form: &Form) -> Result<bool> {
    let Some(cookie) = held(visit).filter(|_| !visit.is_foreign) else { return Ok(false) };
    let Ok(code) = URL_SAFE_NO_PAD.decode(form.get("form")) else { return Ok(false) };
    Ok(mac(key, &cookie, page)?.verify_slice(&code).is_ok())
}
