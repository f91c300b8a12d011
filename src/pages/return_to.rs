//! The page to which a person returns after signing in: only one of this site.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::cookies::RETURN;
use super::form::Form;
use super::guest::Guest;
use super::layout::Shown;
use crate::links::{Links, segment};

/// The longest path, with its query.
const LONGEST: usize = 4_000;

/// The escapes that browsers and proxies could read as a part of a path.
const AMBIGUOUS: [&str; 3] = ["%2f", "%5c", "%2e"];

/// The path, if it leads to a page of this site on its host.
pub(super) fn checked(links: &Links, path: &str) -> Option<String> {
    let below = path.strip_prefix(links.prefix())?;
    let rest = below.strip_prefix("/ui").or_else(|| below.strip_prefix("/login"))?;
    let is_page = rest.is_empty() || rest.starts_with(['/', '?']);
    let is_plain = path.len() <= LONGEST && path.bytes().all(|byte| byte.is_ascii_graphic() && !b"#\\".contains(&byte));
    // A query names parameters, some of which are URLs. It cannot lead elsewhere.
    (is_page && is_plain && is_clear(path.split('?').next().unwrap_or_default())).then(|| path.to_owned())
}

/// True if no browser and no proxy can read the path as another one.
fn is_clear(path: &str) -> bool {
    let (before, last) = path.rsplit_once('/').unwrap_or_default();
    let is_step = |segment: &str| matches!(segment, "." | "..");
    let is_escaped = || AMBIGUOUS.iter().any(|escape| path.to_ascii_lowercase().contains(escape));
    let mut folders = before.split('/').skip(1);
    !is_step(last) && folders.all(|name| !name.is_empty() && !is_step(name)) && !(path.contains('%') && is_escaped())
}

impl Guest<'_> {
    /// The path that the query or the form names; empty if it names none of this site.
    pub(super) fn return_to(&self) -> String {
        let named = match &self.visit.form {
            Some(form) => form.get("return_to").to_owned(),
            None => Form::read_encoded(&self.visit.query).unwrap_or_default().get("return_to").to_owned(),
        };
        checked(&self.visit.links, &named).unwrap_or_default()
    }

    /// The path that the browser keeps since it asked for a code; empty if there is none.
    pub(super) fn kept(&self) -> String {
        let kept = RETURN.read(self.visit).unwrap_or_default();
        checked(&self.visit.links, &percent_decode_str(&kept).decode_utf8_lossy()).unwrap_or_default()
    }

    /// The page, while the browser keeps the path that the form names, for the link in the e-mail.
    pub(super) fn keeping(&self, shown: Shown) -> Shown {
        let to = utf8_percent_encode(&self.return_to(), NON_ALPHANUMERIC).to_string();
        if to.is_empty() && RETURN.read(self.visit).is_none() {
            return shown;
        }
        Shown { cookie: Some(RETURN.set(self.visit, Some(to).filter(|to| !to.is_empty()))), ..shown }
    }

    /// The page after signing in.
    pub(super) fn returned(&self, to: String) -> Shown {
        Shown::see(if to.is_empty() { self.visit.links.html_path("") } else { to })
    }

    /// The page to sign in, which leads back to this one.
    #[must_use]
    pub fn lead_to_login(&self) -> Shown {
        Shown::see(self.login_from_here())
    }

    /// The path on the host of that page.
    pub(super) fn login_from_here(&self) -> String {
        self.login_path("", &self.here())
    }

    /// The path on the host of the visited page; empty if it cannot be returned to.
    pub(super) fn here(&self) -> String {
        checked(&self.visit.links, &self.visit.target()).unwrap_or_default()
    }

    /// The home page after this was done to an organization or account.
    pub(super) fn see_home(&self, done: &str, to: &str) -> Shown {
        Shown::see(self.visit.links.html_path(&format!("?{done}={}", segment(to))))
    }

    /// The path on the host of a page of signing in, which leads to that path afterwards.
    pub(super) fn login_path(&self, below: &str, return_to: &str) -> String {
        let query = match return_to {
            "" => String::new(),
            path => format!("?return_to={}", utf8_percent_encode(path, NON_ALPHANUMERIC)),
        };
        [self.visit.links.prefix(), "/login", below, &query].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::checked;
    use crate::links::Links;

    #[test]
    fn only_pages_of_this_site_are_returned_to() {
        for origin in ["https://a.b", "https://a.b/teams"] {
            let links = Links { origin: origin.into(), api: origin.into() };
            let at = |path: &str| [links.prefix(), path].concat();
            for good in ["/ui", "/ui/", "/ui?x=1", "/ui/orgs/acme?q=a%20b", "/login/oauth/authorize?a=https%3A%2F%2Fx"]
            {
                assert_eq!(checked(&links, &at(good)), Some(at(good)));
            }
            let evil = [
                "",
                "/",
                "/uix",
                "/ui@evil",
                "/ui.evil",
                "/loginx",
                "/orgs/acme",
                "/api/v3/user",
                "//evil/ui",
                "/ui//evil",
                "/ui/..//evil",
                "/ui/../evil",
                "/ui/.",
                "/ui/..",
                "/ui/%2e%2e/x",
                "/ui/%2Fevil",
                "/ui\\evil",
                "/\\evil",
                "/ui/%5Cevil",
                "/ui/a b",
                "/ui/\r\nx",
                "/ui#x",
                "/ui/\u{e9}",
                ":8421/ui",
                "@evil/ui",
                ".evil/ui",
            ];
            for path in evil {
                assert_eq!(checked(&links, &at(path)), None, "{path}");
            }
            for path in ["https://a.b/ui", "https://evil/ui", "http:/ui", "ui", "javascript:alert(1)"] {
                assert_eq!(checked(&links, path), None, "{path}");
            }
            assert_eq!(checked(&links, &at(&format!("/ui/{}", "a".repeat(4_000)))), None);
        }
    }
}
