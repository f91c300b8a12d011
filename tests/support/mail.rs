//! Mails as a recipient reads them: a small parser of its own, so that no test believes what wrote them.

use std::path::Path;

use super::waiting;

/// A mail.
#[derive(Debug, Clone)]
pub struct Mail {
    /// The headers in order, unfolded; encoded words are decoded.
    pub headers: Vec<(String, String)>,
    /// The plain text.
    pub text: String,
    /// The HTML.
    pub html: String,
}

impl Mail {
    /// Reads a mail.
    pub fn parse(raw: &str) -> Self {
        let raw = raw.replace("\r\n", "\n");
        let (headers, body) = part(&raw);
        let boundary = parameter(&header(&headers, "Content-Type"), "boundary").expect("a boundary");
        let mut mail = Self { headers, text: String::new(), html: String::new() };
        for piece in body.split(&format!("--{boundary}")).skip(1).take(2) {
            let (headers, body) = part(piece.trim_start_matches('\n'));
            let decoded = decode(&header(&headers, "Content-Transfer-Encoding"), body);
            if header(&headers, "Content-Type").starts_with("text/html") {
                mail.html = decoded;
            } else {
                mail.text = decoded;
            }
        }
        mail
    }

    /// A header; empty if there is none.
    pub fn header(&self, name: &str) -> String {
        header(&self.headers, name)
    }

    /// The address that it is for.
    pub fn to(&self) -> String {
        let to = self.header("To");
        to.rsplit_once('<').map_or(to.clone(), |(_, address)| address.trim_end_matches('>').to_owned())
    }

    /// The path of the link in its text that begins with this path.
    pub fn link(&self, path: &str) -> String {
        let found = self.text.split_whitespace().find_map(|word| word.find(path).map(|at| word[at..].to_owned()));
        found.unwrap_or_else(|| panic!("no link to {path} in {}", self.text))
    }

    /// The paths of all links to this base URL in its text and its HTML.
    pub fn links(&self, base: &str) -> Vec<String> {
        let both = [self.text.as_str(), self.html.as_str()].join(" ");
        let ends = |c: char| c.is_whitespace() || "\"<>".contains(c);
        both.split(base).skip(1).map(|after| after.split(ends).next().unwrap_or_default().to_owned()).collect()
    }
}

/// The mails of a maildir, in the order in which they were saved.
pub fn saved(folder: &Path) -> Vec<Mail> {
    let Ok(entries) = std::fs::read_dir(folder.join("new")) else { return Vec::new() };
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort_by_key(|path| {
        let changed = path.metadata().and_then(|metadata| metadata.modified()).expect("a time");
        (changed, path.clone())
    });
    files.iter().map(|path| Mail::parse(&std::fs::read_to_string(path).expect("a mail"))).collect()
}

/// Waits until the mails of a maildir are as wanted.
pub fn until(folder: &Path, wanted: impl Fn(&[Mail]) -> bool) -> Vec<Mail> {
    waiting::found(|| {
        let mails = saved(folder);
        let seen: Vec<_> = mails.iter().map(|mail| (mail.to(), mail.header("Subject"))).collect();
        if wanted(&mails) { Ok(mails) } else { Err(seen) }
    })
}

fn part(raw: &str) -> (Vec<(String, String)>, &str) {
    let (head, body) = raw.split_once("\n\n").expect("a head and a body");
    let mut headers: Vec<(String, String)> = Vec::new();
    for line in head.lines() {
        match headers.last_mut() {
            Some((_, value)) if line.starts_with([' ', '\t']) => value.push_str(line),
            _ => {
                let (name, value) = line.split_once(": ").unwrap_or_else(|| panic!("a header: {line}"));
                headers.push((name.to_owned(), value.to_owned()));
            }
        }
    }
    for (_, value) in &mut headers {
        *value = words(value);
    }
    (headers, body)
}

fn header(headers: &[(String, String)], name: &str) -> String {
    headers
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.clone())
        .unwrap_or_default()
}

fn parameter(value: &str, name: &str) -> Option<String> {
    let after = value.split(&format!("{name}=")).nth(1)?;
    Some(after.trim_start_matches('"').split(['"', ';']).next()?.to_owned())
}

/// Decodes encoded words; blanks between two of them are no part of the text.
fn words(value: &str) -> String {
    let mut text = String::new();
    let mut rest = value;
    let mut after_word = false;
    while let Some(start) = rest.find("=?") {
        let (before, word) = rest.split_at(start);
        let pieces: Vec<&str> = word.splitn(5, '?').collect();
        let [_, _, encoding, encoded, after] = pieces[..] else { break };
        if !(after_word && before.trim().is_empty()) {
            text.push_str(before);
        }
        let bytes = match encoding {
            "b" | "B" => base64(encoded),
            _ => quoted(&encoded.replace('_', " ")),
        };
        text.push_str(std::str::from_utf8(&bytes).expect("UTF-8"));
        rest = after.strip_prefix('=').expect("the end of a word");
        after_word = true;
    }
    text + rest
}

fn decode(encoding: &str, body: &str) -> String {
    let bytes = match encoding {
        "base64" => base64(body),
        "quoted-printable" => quoted(body),
        _ => body.as_bytes().to_vec(),
    };
    String::from_utf8(bytes).expect("UTF-8").replace("\r\n", "\n")
}

fn base64(text: &str) -> Vec<u8> {
    use base64::Engine;
    let text: String = text.split_whitespace().collect();
    base64::engine::general_purpose::STANDARD.decode(text).expect("base64")
}

fn quoted(text: &str) -> Vec<u8> {
    let text = text.replace("=\n", "");
    let (mut bytes, mut at) = (Vec::new(), 0);
    while let Some(byte) = text.as_bytes().get(at) {
        if let Some(hex) = text.get(at + 1..at + 3).filter(|_| *byte == b'=') {
            bytes.push(u8::from_str_radix(hex, 16).expect("two digits"));
            at += 3;
        } else {
            bytes.push(*byte);
            at += 1;
        }
    }
    bytes
}
