//! Maps every form of every operation in the table to its row.
//!
//! Implements decisions 2 (forms), 5 (HEAD wherever GET exists, POST where only PATCH exists) and 82 (what the service
//! does not have cannot be written: 404).

use std::sync::Arc;

use hyper::Method as Verb;

use crate::error::{Error, Result};
use crate::http::query::decode_segment;
use crate::operation::{Method, Operation, Path};

/// The rows of one path, by verb.
#[derive(Debug, Clone, Copy, Default)]
struct Rows([Option<u16>; 5]);

/// The rows of one path, and the names of its parameters.
struct Found {
    rows: Rows,
    /// True if the service does not have what the path names.
    absent: bool,
    legacy: bool,
    /// The names of its parameters, in order.
    names: Vec<Arc<str>>,
}

/// The router.
pub struct Routes {
    paths: matchit::Router<Found>,
}

/// The result of a lookup.
#[derive(Debug)]
pub enum Route {
    /// A row of the table.
    Operation {
        /// The index of the row.
        row: usize,
        /// The parameters of the path.
        path: Path,
        /// True if the form of the path is deprecated.
        legacy: bool,
    },
    /// There is no such path (404).
    Unknown,
    /// The path has other verbs, which are listed here (405).
    Verb(String),
}

impl Routes {
    /// Builds the router. Two rows with the same path and verb are a bug in the table.
    pub fn new(operations: &[Operation]) -> Result<Self> {
        let mut paths: Vec<(String, Rows, bool)> = Vec::new();
        for (row, operation) in operations.iter().enumerate() {
            let row = u16::try_from(row).map_err(|e| Error::Bug(e.to_string()))?;
            for (number, form) in operation.forms.iter().enumerate() {
                let at = paths.iter().position(|(path, ..)| path == form).unwrap_or_else(|| {
                    paths.push((form.clone(), Rows::default(), operation.is_legacy(number)));
                    paths.len() - 1
                });
                if paths[at].1.0[operation.method as usize].replace(row).is_some() {
                    return Err(Error::Bug(format!("two operations share {} {form}", operation.method.name())));
                }
            }
        }
        let mut router = matchit::Router::new();
        for (path, rows, legacy) in paths {
            let absent = rows.0.iter().flatten().all(|row| operations[usize::from(*row)].absent);
            let path = if path.is_empty() { "/".to_owned() } else { path };
            let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).map(Arc::from);
            let found = Found { rows, absent, legacy, names: names.collect() };
            router.insert(path, found).map_err(|e| Error::Bug(format!("routes: {e}")))?;
        }
        Ok(Self { paths: router })
    }

    /// Finds the row for a verb and a path without its prefix.
    pub fn find(&self, verb: &Verb, path: &str) -> Result<Route> {
        let Ok(found) = self.paths.at(path) else { return Ok(Route::Unknown) };
        let Found { rows, absent, legacy, names } = found.value;
        let Some(row) = rows.of(verb) else {
            return Ok(if *absent { Route::Unknown } else { Route::Verb(rows.allowed()) });
        };
        let mut parameters = Vec::with_capacity(found.params.len());
        for (name, (_, value)) in names.iter().zip(found.params.iter()) {
            let value = decode_segment(value)
                .map_err(|_| Error::BadRequest("The path is not valid: percent-encode it as UTF-8.".into()))?;
            parameters.push((Arc::clone(name), value.into_owned()));
        }
        Ok(Route::Operation { row, path: Path(parameters), legacy: *legacy })
    }
}

impl Rows {
    fn of(self, verb: &Verb) -> Option<usize> {
        let row = |method: Method| self.0[method as usize];
        let row = match *verb {
            Verb::GET | Verb::HEAD => row(Method::Get),
            Verb::PUT => row(Method::Put),
            // A client that cannot send PATCH may send POST.
            Verb::POST => row(Method::Post).or(row(Method::Patch)),
            Verb::PATCH => row(Method::Patch),
            Verb::DELETE => row(Method::Delete),
            _ => None,
        };
        row.map(usize::from)
    }

    fn allowed(self) -> String {
        let all = [Verb::GET, Verb::HEAD, Verb::PUT, Verb::POST, Verb::PATCH, Verb::DELETE];
        let names: Vec<&str> = all.iter().filter(|verb| self.of(verb).is_some()).map(Verb::as_str).collect();
        names.join(", ")
    }
}
