//! The body of a response: JSON whose long texts are stored unescaped and are escaped only while they are sent.
//!
//! A response may wait for a long time until its client reads it, so it stores each long text once, separately and
//! unescaped. The bytes of a response do not depend on how it is stored.

use std::any::Any;
use std::cell::Cell;
use std::io;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use xxhash_rust::xxh3::{Xxh3, xxh3_128_with_secret};

use crate::error::{Error, Result};

/// The length from which a text is stored separately, in bytes of JSON.
const LONG: usize = 4_096;

/// About how many bytes of JSON an item of a list has.
pub const ITEM: usize = 1_100;

/// About how many bytes of JSON are produced at a time.
const CHUNK: usize = 16 * 1_024;

/// The number of bytes of a text that are escaped at a time; each becomes at most six.
const STEP: usize = 4_096;

/// A long text, and the budgets that it counts in.
#[derive(Default)]
pub struct Text {
    /// The text, as people wrote it.
    pub text: Box<str>,
    /// Released when the text is dropped; set when a response with it begins to be sent.
    pub held: OnceLock<Box<dyn Any + Send + Sync>>,
}

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Text").field(&self.text).finish()
    }
}

/// A text that may be long.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema)]
#[schemars(transparent)]
pub struct Long(pub String);

thread_local! {
    /// True if records are being written whose long texts are stored separately.
    static WRITING: Cell<bool> = const { Cell::new(false) };
    /// The long text that was written last, until the writer takes it.
    static APART: Cell<Option<Box<str>>> = const { Cell::new(None) };
}

impl Serialize for Long {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        if self.0.len() <= LONG || !WRITING.get() {
            return serializer.serialize_str(&self.0);
        }
        APART.set(Some(self.0.as_str().into()));
        // The writer inserts the text.
        serializer.serialize_unit()
    }
}

/// JSON, complete except for its long texts.
#[derive(Debug, Clone, Default)]
pub struct Json {
    /// Everything but the long texts.
    pub frame: Bytes,
    /// The long texts, each with its place in the frame, in order.
    pub texts: Vec<(usize, Arc<Text>)>,
}

/// The values that an entity tag and the length of a response are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest {
    /// A keyed hash of the bytes.
    pub hash: u128,
    /// The number of bytes.
    pub length: u64,
}

impl From<Vec<u8>> for Json {
    fn from(frame: Vec<u8>) -> Self {
        Self { frame: frame.into(), texts: Vec::new() }
    }
}

impl From<Bytes> for Json {
    fn from(frame: Bytes) -> Self {
        Self { frame, texts: Vec::new() }
    }
}

impl Json {
    /// The JSON of a record.
    pub fn of(record: &impl Serialize, expected: usize) -> Result<Self> {
        let mut writer = Writer::with_capacity(expected);
        writer.write(record)?;
        Ok(writer.finish())
    }

    /// The JSON of a list whose items have about this many bytes; each item is dropped after it is written.
    pub fn list<T: Serialize>(
        items: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
        expected: usize,
    ) -> Result<Self> {
        let items = items.into_iter();
        let mut writer = Writer::with_capacity(16 + expected * items.len());
        let mut before = b'[';
        for item in items {
            writer.json.push(before);
            writer.write(&item)?;
            before = b',';
        }
        writer.json.extend_from_slice(if before == b'[' { b"[]" } else { b"]" });
        Ok(writer.finish())
    }

    /// The number of bytes of memory that it takes.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.frame.len() + self.texts.iter().map(|(_, text)| text.text.len()).sum::<usize>()
    }

    /// Hashes it. The hash does not depend on how its texts are stored.
    #[must_use]
    pub fn digest(&self, key: &[u8; 192]) -> Digest {
        if self.texts.is_empty() {
            return Digest { hash: xxh3_128_with_secret(&self.frame, key), length: self.frame.len() as u64 };
        }
        let (mut hash, mut length) = (Xxh3::with_secret(*key), 0);
        for chunk in self.clone().chunks() {
            hash.update(&chunk);
            length += chunk.len() as u64;
        }
        Digest { hash: hash.digest128(), length }
    }

    /// The bytes, in chunks.
    #[must_use]
    pub fn chunks(self) -> Chunks {
        Chunks { frame: self.frame, texts: self.texts.into_iter().peekable(), done: 0, open: None }
    }
}

/// True if a text of this many bytes is stored separately.
#[must_use]
pub fn is_long(text: Option<&str>) -> bool {
    text.is_some_and(|text| text.len() > LONG)
}

/// The bytes of JSON, produced one chunk at a time; what was sent is dropped.
pub struct Chunks {
    frame: Bytes,
    texts: std::iter::Peekable<std::vec::IntoIter<(usize, Arc<Text>)>>,
    /// The number of bytes of the frame that were sent.
    done: usize,
    /// The text that is being escaped, and how many of its bytes were sent.
    open: Option<(Arc<Text>, usize)>,
}

impl Iterator for Chunks {
    type Item = Bytes;

    fn next(&mut self) -> Option<Bytes> {
        if self.open.is_none() && self.texts.peek().is_none() {
            let end = self.frame.len().min(self.done + 4 * CHUNK);
            let chunk = self.frame.slice(self.done..end);
            self.done = end;
            return Some(chunk).filter(|chunk| !chunk.is_empty());
        }
        let mut chunk = Vec::with_capacity(CHUNK + 6 * STEP);
        while chunk.len() < CHUNK && (self.open.is_some() || self.texts.peek().is_some()) {
            self.extend(&mut chunk);
        }
        Some(chunk.into())
    }
}

impl Chunks {
    fn extend(&mut self, chunk: &mut Vec<u8>) {
        if let Some((text, taken)) = &mut self.open {
            let rest = &text.text[*taken..];
            let part = &rest[..rest.floor_char_boundary(STEP)];
            escape(part, chunk);
            *taken += part.len();
            if *taken == text.text.len() {
                chunk.push(b'"');
                self.open = None;
            }
        } else if let Some((place, text)) = self.texts.next() {
            chunk.extend_from_slice(&self.frame[self.done..place]);
            self.done = place;
            chunk.push(b'"');
            self.open = Some((text, 0));
        }
    }
}

/// The character after the backslash for each byte; 0 for a byte that is not escaped.
const ESCAPES: [u8; 256] = {
    let mut escapes = [0; 256];
    let mut byte = 0;
    while byte < b' ' {
        escapes[byte as usize] = b'u';
        byte += 1;
    }
    escapes[0x08] = b'b';
    escapes[0x09] = b't';
    escapes[0x0a] = b'n';
    escapes[0x0c] = b'f';
    escapes[0x0d] = b'r';
    escapes[b'"' as usize] = b'"';
    escapes[b'\\' as usize] = b'\\';
    escapes
};

/// Escapes a part of a text as the serializer of records does.
fn escape(part: &str, chunk: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut end = chunk.len();
    chunk.resize(end + 6 * part.len(), 0);
    for byte in part.as_bytes() {
        let escape = ESCAPES[usize::from(*byte)];
        if escape == 0 {
            chunk[end] = *byte;
            end += 1;
            continue;
        }
        chunk[end] = b'\\';
        chunk[end + 1] = escape;
        end += 2;
        if escape == b'u' {
            let digits = [b'0', b'0', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
            chunk[end..end + 4].copy_from_slice(&digits);
            end += 4;
        }
    }
    chunk.truncate(end);
}

/// Writes records and stores their long texts separately. The length of a text is only known at its end, and only the
/// quotation marks around it are written by themselves: those within it are escaped. Texts that are known to be long
/// often need not be escaped first.
struct Writer {
    json: Vec<u8>,
    texts: Vec<(usize, Arc<Text>)>,
    /// The start of the text that is being written.
    open: Option<usize>,
}

impl Writer {
    fn with_capacity(expected: usize) -> Self {
        Self { json: Vec::with_capacity(expected), texts: Vec::new(), open: None }
    }

    fn write(&mut self, record: &impl Serialize) -> Result<()> {
        WRITING.set(true);
        let written = serde_json::to_writer(self, record);
        WRITING.set(false);
        written.map_err(|e| Error::Bug(format!("a record cannot be written: {e}")))
    }

    fn finish(mut self) -> Json {
        if !self.texts.is_empty() {
            // Each long text was in it for a moment.
            self.json.shrink_to_fit();
        }
        Json { frame: self.json.into(), texts: self.texts }
    }

    fn quote(&mut self) {
        let Some(begin) = self.open.take() else {
            self.open = Some(self.json.len() - 1);
            return;
        };
        if self.json.len() - begin > LONG
            && let Ok(text) = serde_json::from_slice(&self.json[begin..])
        {
            self.json.truncate(begin);
            self.keep_apart(text);
        }
    }

    fn keep_apart(&mut self, text: Box<str>) {
        self.texts.push((self.json.len(), Arc::new(Text { text, held: OnceLock::new() })));
    }
}

impl io::Write for &mut Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match bytes {
            b"null" if let Some(text) = APART.take() => self.keep_apart(text),
            b"\"" => {
                self.json.push(b'"');
                self.quote();
            }
            bytes => self.json.extend_from_slice(bytes),
        }
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(bytes).map(|_| ())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(json: Json) -> Vec<u8> {
        json.chunks().flat_map(|chunk| chunk.to_vec()).collect()
    }

    #[test]
    fn the_bytes_are_those_of_the_record_however_long_its_texts_are() {
        let every: String = (0..0x80_u8).map(char::from).collect();
        let units = ["\"", "\\", "x", "\u{1}", "é", "😀", "a\"b\\c\n", "<&>", &every];
        for length in [0, 1, 4_000, 4_093, 4_094, 4_095, 4_096, 5_000, 65_535] {
            for unit in units {
                let text: String = unit.chars().cycle().take(length).collect();
                let record = serde_json::json!({ "a": text, "b": 1, "c": ["\"", text, null], "d": "" });
                let json = Json::of(&record, 0).unwrap();
                assert_eq!(json.texts.is_empty(), serde_json::to_vec(&text).unwrap().len() <= LONG);
                assert_eq!(sent(json), serde_json::to_vec(&record).unwrap(), "{length} times {unit:?}");
                let long = [Long(text.clone()), Long(String::new()), Long(text.clone())];
                assert_eq!(sent(Json::list(&long, 0).unwrap()), serde_json::to_vec(&long).unwrap());
                let list = [record.clone(), record.clone()];
                assert_eq!(sent(Json::list(&list, 0).unwrap()), serde_json::to_vec(&list).unwrap());
            }
        }
        assert_eq!(sent(Json::list::<u8>([], 0).unwrap()), b"[]");
        assert_eq!(sent(Json::from(vec![b'1'; 200_000])), vec![b'1'; 200_000]);
    }

    #[test]
    fn the_hash_of_a_body_does_not_depend_on_how_it_is_kept() {
        let key = [7; 192];
        for length in [4_096, 20_000, 65_535] {
            let record = vec!["\"\n<é".repeat(length / 5), "x".repeat(length)];
            let whole = serde_json::to_vec(&record).unwrap();
            let expected = Digest { hash: xxh3_128_with_secret(&whole, &key), length: whole.len() as u64 };
            assert_eq!([Json::list(record, 0).unwrap().digest(&key), Json::from(whole).digest(&key)], [expected; 2]);
        }
    }

    #[test]
    fn a_chunk_and_what_is_kept_are_bounded() {
        let text = "\u{1}".repeat(65_535);
        let json = Json::list(vec![text; 20], 0).unwrap();
        assert!(json.weight() < 21 * 65_535 && json.frame.len() < 100);
        assert!(json.chunks().all(|chunk| chunk.len() <= 4 * CHUNK));
    }
}
