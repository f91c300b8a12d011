//! Forms as `multipart/form-data` (RFC 7578), which mail clients use to unsubscribe (RFC 8058). A form has at most 16
//! KiB and its fields are texts, so a simple loop over its parts is enough.

/// The boundary of a body with this media type, if it has parts.
pub(super) fn boundary(media: &str) -> Option<&str> {
    let (kind, parameters) = media.split_once(';')?;
    if !kind.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    parameter(parameters, "boundary").filter(|boundary| !boundary.is_empty())
}

/// The fields of such a body, up to this number; none if it is malformed.
pub(super) fn fields(boundary: &str, body: &str, most: usize) -> Option<Vec<(String, String)>> {
    let delimiter = format!("\r\n--{boundary}");
    // The first delimiter may be at the start of the body.
    let body = format!("\r\n{body}");
    let mut fields = Vec::new();
    for part in body.split(&delimiter).skip(1) {
        if part.starts_with("--") {
            return Some(fields);
        }
        let part = part.trim_start_matches([' ', '\t']).strip_prefix("\r\n")?;
        let (head, value) = part.split_once("\r\n\r\n")?;
        let name = head.lines().find_map(name)?;
        if fields.len() < most {
            fields.push((name.to_owned(), value.to_owned()));
        }
    }
    None
}

/// The name of a field, if this line of its head contains it.
fn name(line: &str) -> Option<&str> {
    let (header, value) = line.split_once(':')?;
    let (_, parameters) = value.split_once(';').filter(|_| header.eq_ignore_ascii_case("Content-Disposition"))?;
    parameter(parameters, "name")
}

/// The value of a parameter. Neither boundaries nor the names of our fields contain separators.
fn parameter<'a>(parameters: &'a str, wanted: &str) -> Option<&'a str> {
    let pairs = parameters.split(';').filter_map(|pair| pair.split_once('='));
    let mut values = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case(wanted));
    values.next().map(|(_, value)| value.trim().trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::{boundary, fields};

    #[test]
    fn fields_stand_between_boundaries() {
        let body = "before\r\n--x\r\nContent-Type: text/plain\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\n1\r\n2\
                    \r\n--x \r\nContent-Disposition: form-data; name=b\r\n\r\n\r\n--x--\r\nafter";
        let read = fields("x", body, 9).unwrap();
        assert_eq!(read, [("a".to_owned(), "1\r\n2".to_owned()), ("b".to_owned(), String::new())]);
        assert_eq!(fields("x", body, 1).unwrap().len(), 1);
        for wrong in ["", "--x", "--x\r\n\r\n1\r\n--x--", "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1"] {
            assert_eq!(fields("x", wrong, 9), None, "{wrong}");
        }
    }

    #[test]
    fn a_boundary_may_be_quoted() {
        assert_eq!(boundary("Multipart/Form-Data; charset=utf-8; Boundary=\"a b\""), Some("a b"));
        for other in ["application/x-www-form-urlencoded", "multipart/mixed; boundary=x", "multipart/form-data"] {
            assert_eq!(boundary(other), None, "{other}");
        }
    }
}
