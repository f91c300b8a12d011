//! The e-mails of a generation, read back from its maildir.

use std::path::Path;
use std::time::SystemTime;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

/// The e-mails of a maildir, in the order in which they were saved.
pub fn list(folder: &Path) -> std::io::Result<Value> {
    let entries = match std::fs::read_dir(folder.join("new")) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(json!({ "mail": [] })),
        entries => entries?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry?;
        let saved = entry.metadata()?.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        files.push((saved, entry.path()));
    }
    files.sort();
    let mails = files.iter().map(|(_, path)| std::fs::read(path).map(|raw| shown(&String::from_utf8_lossy(&raw))));
    Ok(json!({ "mail": mails.collect::<std::io::Result<Vec<_>>>()? }))
}

/// An e-mail as responses show it.
fn shown(raw: &str) -> Value {
    let raw = raw.replace("\r\n", "\n");
    let (headers, body) = part(&raw);
    let kind = headers.get("content-type").cloned().unwrap_or_default();
    let (mut text, mut html) = (None, None);
    for piece in pieces(&kind, body) {
        let (headers, body) = part(piece);
        let of = |name: &str| headers.get(name).map(String::as_str).unwrap_or_default();
        let decoded = decoded(of("content-transfer-encoding"), body);
        *(if of("content-type").starts_with("text/html") { &mut html } else { &mut text }) = Some(decoded);
    }
    let (to, subject) = (headers.get("to").cloned(), headers.get("subject").cloned());
    // The boundary of the parts is random, and useless without them.
    let kept = headers.into_iter().filter(|(name, _)| name != "content-type");
    let headers: Map<String, Value> = kept.map(|(name, value)| (name, value.into())).collect();
    json!({ "to": to, "subject": subject, "text": text, "html": html, "headers": headers })
}

/// The parts of a multipart body, or the body itself.
fn pieces<'b>(kind: &str, body: &'b str) -> Vec<&'b str> {
    let Some((_, rest)) = kind.split_once("boundary=") else { return vec![body] };
    let boundary = rest.trim_start_matches('"').split(['"', ';']).next().unwrap_or_default();
    let ends = |piece: &&str| !piece.starts_with("--");
    let between = body.split(&format!("--{boundary}")[..]).skip(1).filter(ends).collect::<Vec<_>>();
    between.into_iter().map(|piece| piece.trim_start_matches('\n')).collect()
}

/// The headers of a part, unfolded and decoded, by their names in lower case; and what follows them.
fn part(raw: &str) -> (std::collections::BTreeMap<String, String>, &str) {
    let (head, body) = raw.split_once("\n\n").unwrap_or((raw, ""));
    let unfolded = head.replace("\n ", " ").replace("\n\t", " ");
    let headers = unfolded.lines().filter_map(|line| line.split_once(':'));
    (headers.map(|(name, value)| (name.to_ascii_lowercase(), words(value.trim()))).collect(), body)
}

/// Decodes the encoded words of a header (RFC 2047). Blanks between two of them are dropped.
fn words(value: &str) -> String {
    let (mut text, mut rest, mut after_word) = (String::new(), value, false);
    while let Some(start) = rest.find("=?") {
        let (before, word) = rest.split_at(start);
        let pieces: Vec<&str> = word.splitn(5, '?').collect();
        let [_, _, encoding, encoded, after] = pieces[..] else { break };
        let Some(after) = after.strip_prefix('=') else { break };
        if !(after_word && before.trim().is_empty()) {
            text.push_str(before);
        }
        let encoding = if encoding.eq_ignore_ascii_case("b") { "base64" } else { "quoted-printable" };
        text.push_str(&decoded(encoding, &encoded.replace('_', " ")));
        (rest, after_word) = (after, true);
    }
    text + rest
}

fn decoded(encoding: &str, body: &str) -> String {
    let bytes = match encoding.to_ascii_lowercase().as_str() {
        "base64" => STANDARD.decode(body.split_whitespace().collect::<String>()).unwrap_or_default(),
        "quoted-printable" => unquoted(body),
        _ => body.as_bytes().to_vec(),
    };
    String::from_utf8_lossy(&bytes).replace("\r\n", "\n").trim_end().to_owned()
}

/// Decodes quoted-printable (RFC 2045).
fn unquoted(body: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), body.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| str::from_utf8(digits).ok());
        let coded = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        rest = match (first, coded) {
            (b'=', Some(byte)) => {
                bytes.push(byte);
                &after[2..]
            }
            // A soft end of the line.
            (b'=', None) if after.first() == Some(&b'\n') => &after[1..],
            _ => {
                bytes.push(*first);
                after
            }
        };
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{shown, words};

    #[test]
    fn headers_and_both_parts_are_decoded() {
        let raw = "To: Ann <a@b.example>\r\nSubject: =?utf-8?b?w7Y=?=\r\n =?utf-8?q?_=C3=A9?= end\r\n\
                   Content-Type: multipart/alternative;\r\n boundary=\"XyZ\"\r\n\r\n\
                   --XyZ\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\
                   \r\n\r\na=3Db =C3=B6=\r\nc\r\n--XyZ\r\nContent-Type: text/html\r\n\
                   Content-Transfer-Encoding: base64\r\n\r\nPGI+\r\n--XyZ--\r\n";
        let mail = shown(raw);
        assert_eq!((&mail["to"], &mail["subject"]), (&"Ann <a@b.example>".into(), &"ö é end".into()));
        assert_eq!((&mail["text"], &mail["html"]), (&"a=b öc".into(), &"<b>".into()));
        assert!(mail["headers"]["content-type"].is_null() && mail["headers"]["subject"] == mail["subject"]);
    }

    #[test]
    fn a_header_without_encoded_words_stays_as_it_is() {
        for text in ["plain", "=?broken", "a =? b ? c", ""] {
            assert_eq!(words(text), text);
        }
    }
}
