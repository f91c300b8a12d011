//! Routes: every form of every operation, read off the table, to its row.
//!
//! Keeps decisions 2 (forms) and 5 (HEAD wherever GET, POST where only PATCH exists).

use std::sync::Arc;

use hyper::Method as Verb;

use crate::error::{Error, Result};
use crate::http::query::decode_segment;
use crate::operation::{Method, Operation, Path};

/// The rows of one path, by verb.
#[derive(Debug, Clone, Copy, Default)]
struct Rows([Option<u16>; 5]);

/// What stands at one path.
struct Found {
    rows: Rows,
    legacy: bool,
    /// The names of its parameters, in order.
    names: Vec<Arc<str>>,
}

/// The router.
pub struct Routes {
    paths: matchit::Router<Found>,
}

/// Where a request goes.
#[derive(Debug)]
pub enum Route {
    /// To a row of the table.
    Operation {
        /// Which.
        row: usize,
        /// The parameters of the path.
        path: Path,
        /// Whether the path is in a form that is only kept for old clients.
        legacy: bool,
    },
    /// Nowhere: there is no such path (404).
    Unknown,
    /// Nowhere: the path has other verbs, these (405).
    Verb(String),
}

impl Routes {
    /// Builds the router; two rows of one path and verb are a mistake in the table.
    pub fn new(operations: &[Operation]) -> Result<Self> {
        let mut paths: Vec<(String, Rows)> = Vec::new();
        for (row, operation) in operations.iter().enumerate() {
            let row = u16::try_from(row).map_err(|e| Error::Bug(e.to_string()))?;
            for form in &operation.forms {
                let at = paths.iter().position(|(path, _)| path == form).unwrap_or_else(|| {
                    paths.push((form.clone(), Rows::default()));
                    paths.len() - 1
                });
                if paths[at].1.0[operation.method as usize].replace(row).is_some() {
                    return Err(Error::Bug(format!("two operations share {} {form}", operation.method.name())));
                }
            }
        }
        let mut router = matchit::Router::new();
        for (path, rows) in paths {
            let legacy = path.starts_with("/teams/");
            let path = if path.is_empty() { "/".to_owned() } else { path };
            let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).map(Arc::from);
            let found = Found { rows, legacy, names: names.collect() };
            router.insert(path, found).map_err(|e| Error::Bug(format!("routes: {e}")))?;
        }
        Ok(Self { paths: router })
    }

    /// Finds the row for a verb and a path without its prefix.
    pub fn find(&self, verb: &Verb, path: &str) -> Result<Route> {
        let Ok(found) = self.paths.at(path) else { return Ok(Route::Unknown) };
        let Found { rows, legacy, names } = found.value;
        let Some(row) = rows.of(verb) else { return Ok(Route::Verb(rows.allowed())) };
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
