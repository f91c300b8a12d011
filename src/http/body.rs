//! Reading a body: its length, its size, and that it is a JSON object that is not too deep (decisions 4, 7, 40).

use std::time::Duration;

use http_body_util::{BodyExt, Limited};
use hyper::body::{Body, Incoming};
use hyper::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use hyper::{HeaderMap, Method, Version};
use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// The largest body, in bytes.
pub const LARGEST: usize = 1 << 20;

/// How much of an unwanted body is taken in, in bytes.
const WASTE: usize = 16 << 20;

/// How deep arrays and objects may stand in each other.
const DEEPEST: usize = 64;

/// How long a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(30);

/// Whether a request says nothing of how long its body is, although its method and version demand it.
#[must_use]
pub fn lacks_length(verb: &Method, version: Version, headers: &HeaderMap) -> bool {
    let silent = !headers.contains_key(CONTENT_LENGTH) && !headers.contains_key(TRANSFER_ENCODING);
    silent && *verb == Method::PUT && version <= Version::HTTP_11
}

/// Reads a body as the members of a JSON object; an empty one has none.
pub async fn members(verb: Method, lacks_length: bool, body: &mut Incoming) -> Result<Map<String, Value>> {
    if lacks_length {
        return Err(Error::LengthRequired);
    }
    if body.size_hint().lower() > LARGEST as u64 {
        return Err(Error::TooLarge);
    }
    let collected = tokio::time::timeout(PATIENCE, Limited::new(body, LARGEST).collect()).await;
    let bytes = match collected {
        Err(_) => return Err(Error::BadRequest("The body did not arrive in time.".into())),
        Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => return Err(Error::TooLarge),
        Ok(Err(_)) => return Err(Error::BadRequest("The body could not be read to its end.".into())),
        Ok(Ok(body)) => body.to_bytes(),
    };
    let members = object(&bytes);
    // Hardly a DELETE takes parameters, and some clients send anything with it.
    if verb == Method::DELETE { Ok(members.unwrap_or_default()) } else { members }
}

/// Takes in what is left of a body that nobody wants, for a while. If the connection were closed on a caller who
/// still writes, they would not get to read why they were refused.
pub async fn discard(mut body: Incoming) {
    let mut taken = 0;
    let rest = async {
        while let Some(Ok(frame)) = body.frame().await {
            taken += frame.data_ref().map_or(0, bytes::Bytes::len);
            if taken > WASTE {
                break;
            }
        }
    };
    if tokio::time::timeout(PATIENCE, rest).await.is_err() {
        tracing::debug!("the rest of an unwanted body did not arrive in time");
    }
}

fn object(bytes: &[u8]) -> Result<Map<String, Value>> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    if is_too_deep(bytes) {
        return Err(Error::BadRequest("Problems parsing JSON: it is nested too deeply.".into()));
    }
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(_) => Err(Error::BadRequest("Body should be a JSON object".into())),
        Err(_) => Err(Error::BadRequest("Problems parsing JSON".into())),
    }
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
        assert_eq!(object(b"{\"a\":1,\"a\":2}").unwrap().get("a"), Some(&Value::from(2)));
        for empty in [&b""[..], b" \n", b"null", b"{}"] {
            assert!(object(empty).unwrap().is_empty());
        }
        for bad in [&b"["[..], b"[]", b"1", b"\"x\"", b"{\"a\":}", b"\xff", b"{} {}"] {
            assert!(matches!(object(bad), Err(Error::BadRequest(_))), "{bad:?}");
        }
    }

    #[test]
    fn depth_counts_outside_of_text_only() {
        assert!(object(&nested(DEEPEST)).is_ok());
        assert!(object(&nested(DEEPEST + 1)).is_err());
        let text = format!("{{\"a\":\"\\\"{}\"}}", "[".repeat(1_000));
        assert!(object(text.as_bytes()).is_ok());
    }
}
