//! The e-mails of a generation, read back from its maildir.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use mailparse::parse_mail;
use serde_json::{Value, json};

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
    let mails = files.iter().map(|(_, path)| shown(&std::fs::read(path)?));
    Ok(json!({ "mail": mails.collect::<std::io::Result<Vec<_>>>()? }))
}

/// An e-mail as responses show it.
fn shown(raw: &[u8]) -> std::io::Result<Value> {
    let mail = parse_mail(raw).map_err(std::io::Error::other)?;
    let body = |kind: &str| {
        let body = mail.parts().find(|part| part.ctype.mimetype == kind)?.get_body().ok()?;
        Some(body.replace("\r\n", "\n").trim_end().to_owned())
    };
    let headers = mail.headers.iter().map(|header| (header.get_key().to_ascii_lowercase(), header.get_value()));
    // The boundary of the parts is random, and useless without them.
    let headers: BTreeMap<String, String> = headers.filter(|(name, _)| name != "content-type").collect();
    let (to, subject) = (headers.get("to"), headers.get("subject"));
    Ok(json!({
        "to": to, "subject": subject, "text": body("text/plain"), "html": body("text/html"), "headers": headers
    }))
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn headers_and_both_parts_are_decoded() {
        let raw = "To: Ann <a@b.example>\r\nSubject: =?utf-8?b?w7Y=?=\r\n =?utf-8?q?_=C3=A9?= end\r\n\
                   Content-Type: multipart/alternative;\r\n boundary=\"XyZ\"\r\n\r\n\
                   --XyZ\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\
                   \r\n\r\na=3Db =C3=B6=\r\nc\r\n--XyZ\r\nContent-Type: text/html\r\n\
                   Content-Transfer-Encoding: base64\r\n\r\nPGI+\r\n--XyZ--\r\n";
        let mail = shown(raw.as_bytes()).unwrap();
        assert_eq!((&mail["to"], &mail["subject"]), (&"Ann <a@b.example>".into(), &"ö é end".into()));
        assert_eq!((&mail["text"], &mail["html"]), (&"a=b öc".into(), &"<b>".into()));
        assert!(mail["headers"]["content-type"].is_null() && mail["headers"]["subject"] == mail["subject"]);
    }

    #[test]
    fn a_header_without_encoded_words_stays_as_it_is() {
        for text in ["plain", "=?broken", "a =? b ? c", ""] {
            assert_eq!(shown(format!("Subject: {text}\r\n\r\n").as_bytes()).unwrap()["subject"], text);
        }
    }
}
