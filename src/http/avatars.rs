//! The pictures of accounts: initials on a color that follows from the identifier, as SVG (decision 53).

use std::fmt::Write;

use bytes::Bytes;
use hyper::header::{self, HeaderValue};

use super::conditional;
use super::edge::{Edge, joined};
use super::head::{Head, identified, refuse};
use super::response::{self, Answer};
use crate::operation::Json;
use crate::operations::{Pictured, pictured};

/// No scripts and no external content. A browser that opens the picture as a page gives it no rights.
const POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");

const SVG: HeaderValue = HeaderValue::from_static("image/svg+xml; charset=utf-8");

/// A picture depends on the account alone, and names change rarely.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=3600");

impl Edge {
    /// Answers with the picture of an account, which is as public as its profile.
    pub(super) async fn avatar(&self, login: &str, head: &Head) -> Answer {
        let login = login.to_owned();
        let account = match self.service.db.read(move |tx| pictured(tx, &login)).await {
            Ok(account) => account,
            Err(error) => return refuse(head, None, &error),
        };
        let svg = svg(&account);
        let key = &self.service.site.etag_key;
        let etag = conditional::etag(key, Json::from(svg.clone()).digest(key).hash, 0, "");
        let tags = joined(&head.headers, header::IF_NONE_MATCH);
        let unchanged = tags.is_some_and(|tags| conditional::none_match(&tags, &etag));
        let answer = if unchanged { response::json(304, None) } else { response::json(200, Some(svg.into())) };
        identified(mark(answer, &etag), head)
    }
}

/// The picture of an account.
fn svg(account: &Pictured) -> Bytes {
    // Neighbors in the list of accounts differ clearly: each hue is the golden angle further.
    let hue = account.id.rem_euclid(360) * 137 % 360;
    let corner = if account.is_organization { 12 } else { 50 };
    let initials = escaped(&initials(account));
    let mut svg = String::with_capacity(400);
    // Writing to a `String` cannot fail.
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\" width=\"100\" height=\"100\">\
         <rect width=\"100\" height=\"100\" rx=\"{corner}\" fill=\"hsl({hue}, 45%, 35%)\"/>\
         <text x=\"50\" y=\"50\" dy=\"0.35em\" text-anchor=\"middle\" font-family=\"sans-serif\" font-size=\"44\" \
         fill=\"#fff\">{initials}</text></svg>"
    );
    svg.into()
}

/// Sets the headers of such a picture. It is too short to be compressed.
fn mark(mut answer: Answer, etag: &str) -> Answer {
    let headers = &mut answer.headers;
    headers.spell_out();
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(header::CACHE_CONTROL, KEPT);
    headers.remove(&header::VARY);
    if headers.get(&header::CONTENT_TYPE).is_some() {
        headers.insert(header::CONTENT_TYPE, SVG);
    }
    headers.set(header::ETAG, etag);
    answer
}

/// The first letters of the first and the last word of the name, or of the login if there is no name.
fn initials(account: &Pictured) -> String {
    let first = |word: &str| word.chars().find(|c| c.is_alphanumeric());
    let of = |text: &str| -> Vec<char> {
        text.split(|c: char| c.is_whitespace() || "-._".contains(c)).filter_map(first).collect()
    };
    let named = account.name.as_deref().map(of).filter(|letters| !letters.is_empty());
    let letters = named.unwrap_or_else(|| of(&account.login));
    let last = letters.last().filter(|_| letters.len() > 1);
    letters.first().into_iter().chain(last).flat_map(|letter| letter.to_uppercase()).collect()
}

/// Escapes text for SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(login: &str, name: Option<&str>) -> Pictured {
        Pictured { id: 7, login: login.into(), name: name.map(str::to_owned), is_organization: false }
    }

    #[test]
    fn initials_are_those_of_the_name_or_the_login() {
        for (login, name, expected) in [
            ("octo-cat", None, "OC"),
            ("nina", None, "N"),
            ("x", Some("Ada King Lovelace"), "AL"),
            ("x", Some("  élan  "), "É"),
            ("some.body", Some("<&>"), "SB"),
            ("x", Some("<b> \"q\""), "BQ"),
            ("y", Some(""), "Y"),
        ] {
            assert_eq!(initials(&account(login, name)), expected, "{login} {name:?}");
        }
    }

    #[test]
    fn a_picture_holds_no_text_but_the_initials() {
        let svg = svg(&account("x", Some("</text><script>alert(1)</script> &z;")));
        let text = str::from_utf8(&svg).unwrap();
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{text}");
        assert!(!text.contains("script") && !text.contains('&'), "{text}");
    }
}
