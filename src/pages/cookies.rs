//! The cookies of pages: one that identifies the browser, and one with the token of the session. With TLS, no other host
//! can set them.

use cookie::{Cookie, SameSite};

use super::visit::Visit;

/// A cookie.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    /// Its name with TLS, and without.
    names: [&'static str; 2],
    /// The time for which a browser keeps it, in seconds.
    seconds: i64,
    /// The length of its values, if all have the same.
    length: Option<usize>,
}

const DAY: i64 = 24 * 60 * 60;

/// The length of 32 random bytes.
const LENGTH: Option<usize> = Some(43);

/// Identifies the browser, but no person.
pub(super) const BROWSER: Kind =
    Kind { names: ["__Host-guildhall-browser", "guildhall-browser"], seconds: 365 * DAY, length: LENGTH };

/// The session of a person.
pub(super) const SESSION: Kind =
    Kind { names: ["__Host-guildhall-session", "guildhall-session"], seconds: 90 * DAY, length: LENGTH };

/// The page to which the person returns who opens the link that this browser asked for.
pub(super) const RETURN: Kind =
    Kind { names: ["__Host-guildhall-return", "guildhall-return"], seconds: 15 * 60, length: None };

impl Kind {
    fn name(self, visit: &Visit) -> &'static str {
        if visit.tls { self.names[0] } else { self.names[1] }
    }

    /// The value that the browser sent, if it has the form of one.
    pub fn read(self, visit: &Visit) -> Option<String> {
        let cookies = Cookie::split_parse(visit.cookies.as_str()).filter_map(std::result::Result::ok);
        let named = cookies.filter(|cookie| cookie.name() == self.name(visit));
        named
            .map(|cookie| cookie.value().to_owned())
            .find(|value| self.length.is_none_or(|length| value.len() == length))
    }

    /// The header that sets it; without a value, the one that removes it.
    pub fn set(self, visit: &Visit, value: Option<String>) -> String {
        let seconds = if value.is_some() { self.seconds } else { 0 };
        // A cookie that is also sent when a link is opened from another site: other tabs continue to work.
        let cookie = Cookie::build((self.name(visit), value.unwrap_or_default())).path("/").http_only(true);
        let cookie =
            cookie.same_site(SameSite::Lax).secure(visit.tls).max_age(cookie::time::Duration::seconds(seconds));
        cookie.build().to_string()
    }
}
