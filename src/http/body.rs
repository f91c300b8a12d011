//! Reads a body and checks its length, its size, and that it is a JSON object that is not too deep (decisions 4, 7,
//! 40).

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use hyper::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use hyper::{HeaderMap, Method, Version};
use serde_json::{Map, Value};

use super::minimum_rate::{self, MinimumRate};
use crate::dispatch::Room;
use crate::error::{Error, Result};
use crate::limits::fixed;
use crate::operation::{Call, Operation};

/// The largest body, in bytes.
pub const LARGEST: usize = fixed::LARGEST_BODY;

/// The largest body that is a file, in bytes.
const LARGEST_FILE: usize = fixed::LARGEST_FILE;

/// The longest form of an application, in bytes.
pub const LONGEST_FORM: usize = 16 << 10;

/// The amount of an unneeded body that is read, in bytes.
const WASTE: usize = 16 << 20;

/// The largest body for which memory is allocated step by step, in bytes. Larger bodies get all the memory they may
/// need at once: the system provides it to the process only as the body arrives, and gets it back as soon as the body
/// is dropped. An allocator would not return pieces of every size.
const PIECEMEAL: usize = 64 << 10;

/// About how much memory a value takes besides its text, in bytes.
const VALUE: usize = 80;

/// The greatest depth of nested arrays and objects.
const DEEPEST: usize = 64;

/// True if a request does not say how long its body is, although its method and version require it.
#[must_use]
pub fn lacks_length(verb: &Method, version: Version, headers: &HeaderMap) -> bool {
    let silent = !headers.contains_key(CONTENT_LENGTH) && !headers.contains_key(TRANSFER_ENCODING);
    silent && *verb == Method::PUT && version <= Version::HTTP_11
}

/// Reads a body as the fields of a JSON object; an empty body has none. A list or a text is the only field of an operation
/// that has such a field. Its memory counts against the limit.
pub async fn members(
    verb: Method,
    lacks_length: bool,
    alone: Option<&str>,
    body: &mut Incoming,
    mut room: Room,
) -> Result<(Map<String, Value>, Room)> {
    if lacks_length {
        return Err(Error::LengthRequired);
    }
    if body.size_hint().lower() > LARGEST as u64 {
        return Err(Error::TooLarge(LARGEST));
    }
    let bytes = collect(body, LARGEST, &mut room).await?;
    let members = if is_too_deep(&bytes) {
        Err(Error::BadRequest("Problems parsing JSON: it is nested too deeply.".into()))
    } else {
        room.grow(bytes.len() + values(&bytes) * VALUE).await?;
        object(&bytes, alone)
    };
    // Hardly any DELETE has parameters, and some clients send an arbitrary body with it.
    let members = if verb == Method::DELETE { members.unwrap_or_default() } else { members? };
    Ok((members, room))
}

/// Reads a body as the bytes of a form of at most this many.
pub async fn form(body: &mut Incoming, longest: usize, mut room: Room) -> Result<Vec<u8>> {
    if body.size_hint().lower() > longest as u64 {
        return Err(Error::TooLarge(longest));
    }
    let bytes = collect(body, LARGEST, &mut room).await?;
    if bytes.len() > longest { Err(Error::TooLarge(longest)) } else { Ok(bytes) }
}

/// Reads a body as its operation takes it.
pub async fn read(
    row: &Operation,
    verb: Method,
    lacks_length: bool,
    body: &mut Incoming,
    room: Room,
) -> Result<(Map<String, Value>, Room)> {
    if row.reads_file {
        return Box::pin(file(body, room)).await;
    }
    members(verb, lacks_length, row.alone, body, room).await
}

/// Reads a body as the text of a file, which becomes the only field. Its memory counts twice, because the row copies it.
async fn file(body: &mut Incoming, mut room: Room) -> Result<(Map<String, Value>, Room)> {
    if body.size_hint().lower() > LARGEST_FILE as u64 {
        return Err(Error::TooLarge(LARGEST_FILE));
    }
    let bytes = collect(body, LARGEST_FILE, &mut room).await?;
    room.grow(2 * bytes.len()).await?;
    let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    let text = text.ok_or_else(|| Error::BadRequest("The file is not UTF-8 without NUL. Save it as UTF-8.".into()))?;
    Ok((Map::from_iter([(Call::FILE.to_owned(), text.into())]), room))
}

/// Reads a body of at most this many bytes to its end. Memory is allocated as the body arrives, whatever its
/// `Content-Length` says.
async fn collect(body: &mut Incoming, largest: usize, room: &mut Room) -> Result<Vec<u8>> {
    let (mut rate, mut bytes, mut counted) = (MinimumRate::begin(), Vec::new(), 0);
    while let Some(piece) = piece(body, &mut rate).await? {
        let length = bytes.len() + piece.len();
        if length > largest {
            return Err(Error::TooLarge(largest));
        }
        if length > counted {
            counted = length.max(2 * counted).min(largest);
            room.grow(counted).await?;
            let capacity = if counted > PIECEMEAL { largest } else { counted };
            bytes.reserve_exact(capacity - bytes.len());
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// The next bytes of a body.
async fn piece(body: &mut Incoming, rate: &mut MinimumRate) -> Result<Option<Bytes>> {
    let frame = tokio::time::timeout_at(rate.due(), body.frame()).await;
    let bytes = match frame {
        Err(_) => {
            return Err(Error::BadRequest("The request body did not arrive in time. Send the request again.".into()));
        }
        Ok(Some(Err(_))) => {
            return Err(Error::BadRequest("The request body is incomplete. Send the request again.".into()));
        }
        Ok(None) => return Ok(None),
        Ok(Some(Ok(frame))) => frame.into_data().unwrap_or_default(),
    };
    rate.moved(bytes.len());
    minimum_rate::moved(bytes.len());
    Ok(Some(bytes))
}

/// Reads and drops the rest of a body that is not needed, for a limited time. If the connection were closed while the
/// client still writes, the client could not read why the request was refused.
pub async fn discard(mut body: Incoming) {
    let (mut rate, mut taken) = (MinimumRate::begin(), 0);
    while let Ok(Some(bytes)) = piece(&mut body, &mut rate).await {
        taken += bytes.len();
        if taken > WASTE {
            break;
        }
    }
}

/// Parses a JSON object that is not too deep, or its only field.
fn object(bytes: &[u8], alone: Option<&str>) -> Result<Map<String, Value>> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    match (serde_json::from_slice(bytes), alone) {
        (Ok(Value::Object(members)), _) => Ok(members),
        (Ok(Value::Null), _) => Ok(Map::new()),
        (Ok(list @ Value::Array(_)), Some(name)) => Ok(Map::from_iter([(name.to_owned(), list)])),
        (Ok(text @ Value::String(_)), Some(name)) => Ok(Map::from_iter([(name.to_owned(), vec![text].into())])),
        (Ok(_), _) => Err(Error::BadRequest("Body should be a JSON object".into())),
        (Err(_), _) => Err(Error::BadRequest("Problems parsing JSON".into())),
    }
}

/// An upper bound of the number of values in JSON: separators are counted, even those in strings.
fn values(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| matches!(byte, b',' | b':' | b'[')).count()
}

fn is_too_deep(bytes: &[u8]) -> bool {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(depth: usize) -> Vec<u8> {
        format!("{{\"a\":{}1{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1)).into_bytes()
    }

    #[test]
    fn an_object_is_read_and_nothing_else() {
        assert_eq!(object(b"{\"a\":1,\"a\":2}", None).unwrap().get("a"), Some(&Value::from(2)));
        for empty in [&b""[..], b" \n", b"null", b"{}"] {
            assert!(object(empty, None).unwrap().is_empty());
        }
        for bad in [&b"["[..], b"[]", b"1", b"\"x\"", b"{\"a\":}", b"\xff", b"{} {}"] {
            assert!(matches!(object(bad, None), Err(Error::BadRequest(_))), "{bad:?}");
        }
    }

    #[test]
    fn a_list_or_a_text_is_the_only_field_if_there_is_one() {
        let of = |body: &[u8]| object(body, Some("emails")).unwrap().remove("emails");
        assert_eq!(of(b"[\"a\", \"b\"]"), Some(vec!["a", "b"].into()));
        assert_eq!((of(b"\"a\""), of(b"{\"emails\": 1}")), (Some(vec!["a"].into()), Some(1.into())));
        assert!(matches!(object(b"1", Some("emails")), Err(Error::BadRequest(_))));
    }

    #[test]
    fn depth_counts_outside_of_text_only() {
        assert!(!is_too_deep(&nested(DEEPEST)));
        assert!(is_too_deep(&nested(DEEPEST + 1)));
        let text = format!("{{\"a\":\"\\\"{}\"}}", "[".repeat(1_000));
        assert!(!is_too_deep(text.as_bytes()));
    }
}
