//! Documents that were parsed and checked against the schema. Most clients send the same few texts again and again.
//!
//! Both depend on the text alone, because the schema is part of the program. So a cached document is never outdated, and
//! all callers share it. What depends on the variables or on the caller, such as the count of nodes and the scopes, is
//! computed for each request.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Schema};
use foldhash::{HashMap, HashMapExt};

use super::problem::Problem;
use super::scan::scan;

/// The longest text whose document is cached, in bytes.
const LONGEST: usize = 8 << 10;

/// How much text the cached documents have together, in bytes. A document takes up to a hundred times as much. When
/// there would be more, all of them are dropped.
const MOST: usize = 128 << 10;

/// A valid document.
pub type Document = Arc<Valid<ExecutableDocument>>;

static DOCUMENTS: LazyLock<Mutex<Documents>> = LazyLock::new(Mutex::default);

/// The document of a text, which is refused if it is too large, does not parse or does not fit the schema.
pub fn document(schema: &Valid<Schema>, text: &str) -> Result<Document, Vec<Problem>> {
    let documents = || DOCUMENTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = documents().by_text.get(text) {
        return Ok(Arc::clone(known));
    }
    scan(text).map_err(|problem| vec![problem])?;
    let parsed = ExecutableDocument::parse_and_validate(schema, text, "query.graphql");
    let document = Arc::new(parsed.map_err(|found| Problem::of_document(&found.errors))?);
    documents().insert(text, &document);
    Ok(document)
}

#[derive(Default)]
struct Documents {
    by_text: HashMap<Box<str>, Document>,
    length: usize,
}

impl Documents {
    fn insert(&mut self, text: &str, document: &Document) {
        if text.len() > LONGEST {
            return;
        }
        if self.length + text.len() > MOST {
            *self = Self { by_text: HashMap::new(), length: 0 };
        }
        // Another request may have inserted it in the meantime.
        if self.by_text.insert(text.into(), Arc::clone(document)).is_none() {
            self.length += text.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cached_has_a_bound() {
        let schema = Schema::parse_and_validate("type Query { a: Int }", "schema.graphql").unwrap();
        let document = Arc::new(ExecutableDocument::parse_and_validate(&schema, "{ a }", "query.graphql").unwrap());
        let mut documents = Documents::default();
        documents.insert(&"a".repeat(LONGEST + 1), &document);
        assert!(documents.by_text.is_empty());
        for n in 0..10_000 {
            let text = format!("{n:0>100}");
            documents.insert(&text, &document);
            documents.insert(&text, &document);
            assert!(documents.by_text.contains_key(text.as_str()) && documents.length <= MOST);
            assert_eq!(documents.by_text.keys().map(|text| text.len()).sum::<usize>(), documents.length);
        }
    }
}
