//! The headers of a response until they are written.
//!
//! A response has about 15 headers besides [`FIXED`]. A list that is searched from its beginning is cheaper for so few
//! than a hash map, which hashes each name when it is set and again when it is written.

use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};

/// The list has room for the headers of nearly every response.
const ROOM: usize = 20;

const EXPOSED: HeaderValue = HeaderValue::from_static(
    "ETag, Link, Location, Retry-After, X-GitHub-OTP, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Used, \
     X-RateLimit-Resource, X-RateLimit-Reset, X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Poll-Interval, \
     X-GitHub-Media-Type, Deprecation, Sunset",
);
const VARY: HeaderValue =
    HeaderValue::from_static("Accept, Authorization, Cookie, X-GitHub-OTP, Accept-Encoding, X-Requested-With");

/// Headers that no response of the API changes.
pub const FIXED: [(HeaderName, HeaderValue); 9] = [
    (header::SERVER, HeaderValue::from_static("Guildhall")),
    (header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")),
    (header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("deny")),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_XSS_PROTECTION, HeaderValue::from_static("0")),
    (header::REFERRER_POLICY, HeaderValue::from_static("origin-when-cross-origin, strict-origin-when-cross-origin")),
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'")),
    (header::VARY, VARY),
];

/// The headers of a response, each at most once.
#[derive(Debug, Clone, Default)]
pub struct Headers {
    has_fixed: bool,
    others: Vec<(HeaderName, HeaderValue)>,
}

impl Headers {
    /// All headers of [`FIXED`], and no others. They are not in the list unless one of them is changed, and their lines
    /// are ready (`spelling.rs`).
    #[must_use]
    pub fn fixed() -> Self {
        Self { has_fixed: true, others: Vec::with_capacity(ROOM) }
    }

    /// Sets a header that is not in the list yet, without looking for it.
    pub fn add(&mut self, name: HeaderName, value: HeaderValue) {
        debug_assert!(self.get(&name).is_none(), "{name} is there already");
        self.others.push((name, value));
    }

    /// Sets a header, in place of one with the same name.
    pub fn insert(&mut self, name: HeaderName, value: HeaderValue) {
        match self.others.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.others.push((name, value)),
        }
    }

    /// Sets a header whose text is ours. Text that is invalid in a header is left out.
    pub fn set(&mut self, name: HeaderName, value: impl TryInto<HeaderValue>) {
        if let Ok(value) = value.try_into() {
            self.insert(name, value);
        }
    }

    /// The value of a header that is not in [`FIXED`].
    #[must_use]
    pub fn get(&self, name: &HeaderName) -> Option<&HeaderValue> {
        self.others.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Leaves a header out.
    pub fn remove(&mut self, name: &HeaderName) {
        self.others.retain(|(known, _)| known != name);
    }

    /// Moves the headers of [`FIXED`] into the list, before one of them is changed.
    pub fn spell_out(&mut self) {
        if std::mem::take(&mut self.has_fixed) {
            self.others.splice(0..0, FIXED);
        }
    }

    /// A flag that is true if all headers of [`FIXED`] come first, and the other headers.
    #[must_use]
    pub fn into_parts(self) -> (bool, Vec<(HeaderName, HeaderValue)>) {
        (self.has_fixed, self.others)
    }
}

impl From<Headers> for HeaderMap {
    fn from(mut headers: Headers) -> Self {
        headers.spell_out();
        headers.others.into_iter().collect()
    }
}
