//! Forms as browsers send them.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::multipart;

/// The largest number of fields that are read.
const FIELDS: usize = 20;

/// The fields of a form.
#[derive(Debug, Default)]
pub struct Form(Vec<(String, String)>);

impl Form {
    /// Parses a body of this media type as browsers and mail clients send forms; none if it is malformed.
    #[must_use]
    pub fn read(media: &str, body: &[u8]) -> Option<Self> {
        let text = str::from_utf8(body).ok()?;
        if let Some(boundary) = multipart::boundary(media) {
            let fields = multipart::fields(boundary, text, FIELDS)?;
            return (!text.contains('\0')).then_some(Self(fields));
        }
        Self::read_encoded(text)
    }

    /// Parses a form, or the query of a URL, with its pairs separated by `&`.
    pub(super) fn read_encoded(text: &str) -> Option<Self> {
        let decoded = |text: &str| {
            let text = text.replace('+', " ");
            percent_decode_str(&text).decode_utf8().map(Cow::into_owned).ok().filter(|text| !text.contains('\0'))
        };
        let pairs = text.split('&').filter(|pair| !pair.is_empty()).take(FIELDS);
        let fields = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((decoded(name)?, decoded(value)?))
        });
        fields.collect::<Option<_>>().map(Self)
    }

    /// The value of a field; empty if there is none.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::Form;

    #[test]
    fn a_form_is_read_as_browsers_send_it() {
        let form = Form::read("", b"login=nina&name=Nina+%C3%A9&login=other&empty").unwrap();
        assert_eq!((form.get("login"), form.get("name"), form.get("empty")), ("nina", "Nina \u{e9}", ""));
        assert_eq!(form.get("missing"), "");
        assert!([&b"\xff"[..], b"a=%ff", b"a=%00"].iter().all(|wrong| Form::read("", wrong).is_none()));
    }
}
