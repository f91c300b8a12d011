//! Forms as browsers send them.

use std::borrow::Cow;

use mailparse::{ParsedContentType, ParsedMail, parse_content_type, parse_mail};
use percent_encoding::percent_decode_str;

use crate::limits::fixed::LARGEST_BODY;
use crate::links::segment;

/// The largest number of fields of a form; one with more is malformed. A page that asks about an application has one for each of 20 organizations.
const FIELDS: usize = 30;

/// The longest form without long texts, in bytes.
const SHORT: usize = 16 << 10;

/// The longest form with names and a description, each of whose characters may take 12 bytes.
const USUAL: usize = 32 << 10;

/// The longest form with the text of a post, in bytes. The longest text takes three quarters of it if each of its
/// characters is encoded with twelve.
const LONG: usize = LARGEST_BODY;

/// The longest form in parts, in bytes: only programs send them, to unsubscribe. Reading a long one takes a time that grows
/// with the square of its length, and a stack that grows with its nesting.
const LONGEST_IN_PARTS: usize = 4 << 10;

/// The longest media type of a form in parts, in bytes.
const LONGEST_MEDIA: usize = 200;

/// The fields of a form.
#[derive(Debug, Default)]
pub struct Form(Vec<(String, String)>);

impl Form {
    /// Parses a body of this media type as browsers and mail clients send forms; none if it is malformed.
    #[must_use]
    pub fn read(media: &str, body: &[u8]) -> Option<Self> {
        let text = str::from_utf8(body).ok()?;
        match boundary(media) {
            Some(_) if body.len() > LONGEST_IN_PARTS => None,
            Some(boundary) => Self::read_parts(media, &boundary, text).filter(|_| !text.contains('\0')),
            None => Self::read_encoded(text),
        }
    }

    /// The most bytes of a form that is sent to this path, which follow from its fields. Only posts have long texts, and
    /// the forms for people who are not signed in are the shortest.
    #[must_use]
    pub fn longest(path: &str) -> usize {
        let Some(below) = path.strip_prefix("/ui") else { return SHORT };
        if ["/setup/", "/invitations/", "/unsubscribe/"].iter().any(|at| below.starts_with(at)) {
            SHORT
        } else if below.contains("/discussions") {
            LONG
        } else {
            USUAL
        }
    }

    /// Parses a form in parts (RFC 7578), as mail clients send it to unsubscribe (RFC 8058).
    fn read_parts(media: &str, boundary: &str, body: &str) -> Option<Self> {
        let form = format!("Content-Type: {media}\r\n\r\n{body}");
        let form = parse_mail(form.as_bytes()).ok().filter(|_| body.contains(&format!("--{boundary}--")))?;
        let field = |part: &ParsedMail<'_>| {
            let name = part.get_content_disposition().params.remove("name")?;
            Some((name, String::from_utf8(part.get_body_raw().ok()?).ok()?))
        };
        if form.subparts.len() > FIELDS {
            return None;
        }
        form.subparts.iter().map(field).collect::<Option<_>>().map(Self)
    }

    /// Parses a form, or the query of a URL, with its pairs separated by `&`.
    pub(super) fn read_encoded(text: &str) -> Option<Self> {
        let decoded = |text: &str| {
            let text = text.replace('+', " ");
            percent_decode_str(&text).decode_utf8().map(Cow::into_owned).ok().filter(|text| !text.contains('\0'))
        };
        let pairs = || text.split('&').filter(|pair| !pair.is_empty());
        if pairs().nth(FIELDS).is_some() {
            return None;
        }
        let fields = pairs().map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((decoded(name)?, decoded(value)?))
        });
        fields.collect::<Option<_>>().map(Self)
    }

    /// The values of a field.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// True if there is a field of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// True if there are several fields of this name.
    #[must_use]
    pub fn repeats(&self, name: &str) -> bool {
        self.0.iter().filter(|(known, _)| known == name).nth(1).is_some()
    }

    /// The fields, in order.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The fields as the query of a URL.
    pub(super) fn encoded(&self) -> String {
        let pairs = self.fields().map(|(name, value)| format!("{}={}", segment(name), segment(value)));
        pairs.collect::<Vec<_>>().join("&")
    }

    /// The value of a field; empty if there is none.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }
}

/// The boundary of a body with this media type, if it has parts.
fn boundary(media: &str) -> Option<String> {
    if media.len() > LONGEST_MEDIA {
        return None;
    }
    let ParsedContentType { mimetype, mut params, .. } = parse_content_type(media);
    params.remove("boundary").filter(|boundary| mimetype == "multipart/form-data" && !boundary.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{FIELDS, Form, boundary};

    #[test]
    fn a_form_is_read_as_browsers_send_it() {
        let form = Form::read("", b"login=nina&name=Nina+%C3%A9&login=other&empty").unwrap();
        assert_eq!((form.get("login"), form.get("name"), form.get("empty")), ("nina", "Nina \u{e9}", ""));
        assert_eq!(form.get("missing"), "");
        assert!([&b"\xff"[..], b"a=%ff", b"a=%00"].iter().all(|wrong| Form::read("", wrong).is_none()));
    }

    #[test]
    fn fields_stand_between_boundaries() {
        let body = "before\r\n--x\r\nContent-Type: text/plain\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\n1\r\n2\
                    \r\n--x \r\nContent-Disposition: form-data; name=b\r\n\r\n\r\n--x--\r\nafter";
        let fields = |body: &str| Form::read("multipart/form-data; boundary=x", body.as_bytes()).map(|form| form.0);
        let read = fields(body).unwrap();
        assert_eq!(read, [("a".to_owned(), "1\r\n2".to_owned()), ("b".to_owned(), String::new())]);
        let part = "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n";
        assert_eq!(fields(&format!("{}--x--", part.repeat(FIELDS))).unwrap().len(), FIELDS);
        assert_eq!(fields(&format!("{}--x--", part.repeat(FIELDS + 1))), None);
        for wrong in ["", "--x", "--x\r\n\r\n1\r\n--x--", "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1"] {
            assert_eq!(fields(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_form_in_parts_is_short() {
        let media = "multipart/form-data; boundary=0";
        let levels = |most: usize| -> String {
            let level = |n: usize| format!("--{n}\r\nContent-Type:multipart/x;boundary={}\r\n\r\n", n + 1);
            (0..most).map(level).chain(["--0--".to_owned()]).collect()
        };
        assert!(Form::read(media, levels(80).as_bytes()).is_none(), "a part without a name");
        assert!(levels(80).len() < super::LONGEST_IN_PARTS);
        assert!(Form::read(media, levels(6_000).as_bytes()).is_none());
        let encoded = "=?".repeat(200_000);
        let part = format!("--0\r\nContent-Disposition: form-data; name=\"{encoded}\"\r\n\r\na\r\n--0--");
        assert!(Form::read(media, part.as_bytes()).is_none());
        assert_eq!(boundary(&format!("multipart/form-data; boundary=\"{encoded}\"")), None);
    }

    #[test]
    fn a_boundary_may_be_quoted() {
        let read = boundary("Multipart/Form-Data; charset=utf-8; Boundary=\"a b\"");
        assert_eq!(read.as_deref(), Some("a b"));
        for other in ["application/x-www-form-urlencoded", "multipart/mixed; boundary=x", "multipart/form-data"] {
            assert_eq!(boundary(other), None, "{other}");
        }
    }
}
