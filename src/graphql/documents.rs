//! Documents that were parsed and checked against the schema. Most clients send the same few texts again and again.
//!
//! Both depend on the text alone, because the schema is part of the program. So a cached document is never outdated, and
//! all callers share it. What depends on the variables or on the caller, such as the count of nodes and the scopes, is
//! computed for each request.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Schema};

use super::problem::Problem;
use super::scan::scan;
use crate::cache::Cache;

/// The longest text whose document is cached, in bytes.
const LONGEST: usize = 8 << 10;

/// The text of all cached documents together, in bytes. A document takes up to a hundred times as much.
const MOST: usize = 128 << 10;

/// A valid document.
pub type Document = Arc<Valid<ExecutableDocument>>;

static DOCUMENTS: LazyLock<Mutex<Cache<Box<str>, Document>>> = LazyLock::new(|| Mutex::new(Cache::new(MOST)));

/// The document of a text, which is refused if it is too large, does not parse or does not fit the schema.
pub fn document(schema: &Valid<Schema>, text: &str) -> Result<Document, Vec<Problem>> {
    let documents = || DOCUMENTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = documents().get(text) {
        return Ok(known);
    }
    scan(text).map_err(|problem| vec![problem])?;
    let parsed = ExecutableDocument::parse_and_validate(schema, text, "query.graphql");
    let document = Arc::new(parsed.map_err(|found| Problem::of_document(&found.errors))?);
    if text.len() <= LONGEST {
        documents().insert(text.into(), Arc::clone(&document), text.len());
    }
    Ok(document)
}
