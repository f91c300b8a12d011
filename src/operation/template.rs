//! Long lists of similar records, written by a template (docs/decisions/0004).
//!
//! One sample of the record is serialized like any record, with marks where items differ, and cut at the marks. Each
//! item then consists of the pieces between the marks, copied, with its own values inserted. So a list cannot differ
//! from the record: there is no second description of it.

use crate::db::Cacheable;

/// The text of a sample record, cut at its marks.
pub struct Template<S> {
    pieces: Vec<(String, Option<S>)>,
}

impl<S: Copy> Template<S> {
    /// Cuts the text of a sample wherever one of the marks occurs. If several marks begin alike, the first counts.
    #[must_use]
    pub fn cut(sample: &str, marks: &[(impl AsRef<str>, S)]) -> Self {
        let mut begins = [false; 256];
        for (mark, _) in marks {
            begins[usize::from(mark.as_ref().as_bytes()[0])] = true;
        }
        let mut pieces = Vec::with_capacity(32);
        let (mut piece, mut at) = (0, 0);
        while at < sample.len() {
            let rest = &sample.as_bytes()[at..];
            let may_begin = begins[usize::from(rest[0])];
            let found = marks.iter().filter(|_| may_begin).find(|(mark, _)| rest.starts_with(mark.as_ref().as_bytes()));
            if let Some((mark, slot)) = found {
                pieces.push((sample[piece..at].to_owned(), Some(*slot)));
                at += mark.as_ref().len();
                piece = at;
            } else {
                at += 1;
            }
        }
        pieces.push((sample[piece..].to_owned(), None));
        Self { pieces }
    }

    /// The same, with a part that is constant and may contain anything, including marks.
    #[must_use]
    pub fn cut_around(sample: &str, plain: &str, marks: &[(impl AsRef<str>, S)]) -> Self {
        let Some((before, after)) = sample.split_once(plain) else { return Self::cut(sample, marks) };
        let mut whole = Self::cut(before, marks);
        whole.pieces.push((plain.to_owned(), None));
        whole.pieces.extend(Self::cut(after, marks).pieces);
        whole
    }

    /// Writes one item: the pieces, and the item's value at each mark.
    pub fn write(&self, json: &mut Vec<u8>, mut fill: impl FnMut(S, &mut Vec<u8>)) {
        for (piece, slot) in &self.pieces {
            json.extend_from_slice(piece.as_bytes());
            if let Some(slot) = slot {
                fill(*slot, json);
            }
        }
    }
}

impl<S: Send + Sync + 'static> Cacheable for Template<S> {
    fn weight(&self) -> usize {
        self.pieces.iter().map(|(piece, _)| piece.len()).sum()
    }
}

/// Templates that are used together.
impl<S: Send + Sync + 'static, const N: usize> Cacheable for [Template<S>; N] {
    fn weight(&self) -> usize {
        self.iter().map(Cacheable::weight).sum()
    }
}

/// Writes free text, quoted and escaped. Most text has nothing to escape, which is checked many bytes at a time.
pub fn push_text(words: &str, json: &mut Vec<u8>) {
    let escaped = words.bytes().filter(|byte| *byte < b' ' || *byte == b'"' || *byte == b'\\').count();
    if escaped == 0 {
        json.push(b'"');
        json.extend_from_slice(words.as_bytes());
        json.push(b'"');
    } else if serde_json::to_writer(&mut *json, words).is_err() {
        // Serializing text and writing to memory cannot fail.
        json.extend_from_slice(b"\"\"");
    }
}

/// Writes a list: each item by the function, separated by commas.
pub fn list<T>(items: &[T], expected: usize, mut write: impl FnMut(&T, &mut Vec<u8>)) -> Vec<u8> {
    let mut json = Vec::with_capacity(2 + items.len() * expected);
    json.push(b'[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            json.push(b',');
        }
        write(item, &mut json);
    }
    json.push(b']');
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_the_sample_with_its_own_values() {
        let template = Template::cut(r#"{"a":"<A>","b":{"c":"x<A>"},"n":<N>}"#, &[("<A>", 'a'), ("<N>", 'n')]);
        let body = list(&["p", "q"], 8, |item, json| {
            template.write(json, |slot, json| json.extend_from_slice(if slot == 'a' { item } else { "1" }.as_bytes()));
        });
        let expected = r#"[{"a":"p","b":{"c":"xp"},"n":1},{"a":"q","b":{"c":"xq"},"n":1}]"#;
        assert_eq!(String::from_utf8(body).unwrap(), expected);
        assert_eq!(list::<u8>(&[], 0, |_, _| ()), b"[]");
    }

    #[test]
    fn text_is_quoted_and_escaped() {
        for words in ["", "plain é", "a \"b\" \\ \n\u{1}"] {
            let mut json = Vec::new();
            push_text(words, &mut json);
            assert_eq!(json, serde_json::to_vec(words).unwrap());
        }
    }

    #[test]
    fn what_is_cut_around_stays_as_it_is() {
        let template =
            Template::cut_around(r#"{"a":"<A>","b":{"c":"<A>"},"d":"<A>"}"#, r#"{"c":"<A>"}"#, &[("<A>", 'a')]);
        let mut json = Vec::new();
        template.write(&mut json, |_, json| json.push(b'1'));
        assert_eq!(String::from_utf8(json).unwrap(), r#"{"a":"1","b":{"c":"<A>"},"d":"1"}"#);
    }
}
