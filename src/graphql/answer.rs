//! The body of a response: its data and errors, or, if it was refused, only its errors.

use serde_json::{Value, json};

use super::problem::Problem;
use super::running::LARGEST;

/// The response to a request that was not carried out: errors, and no data.
pub fn refusal(problems: Vec<Problem>) -> Vec<u8> {
    let errors: Vec<Value> = problems.into_iter().map(Problem::into_value).collect();
    json!({ "errors": errors }).to_string().into_bytes()
}

/// The response to a request that used too much.
pub fn too_much() -> Vec<u8> {
    let text = "Resource limits for this query exceeded. Ask for less at a time.";
    refusal(vec![Problem::of(TOO_MUCH, text)])
}

/// The type of the error of a request that used too much.
pub const TOO_MUCH: &str = "RESOURCE_LIMITS_EXCEEDED";

/// The result of an operation that was carried out, as JSON.
#[derive(Debug, Default)]
pub struct Written {
    /// The data.
    pub data: Vec<u8>,
    /// The errors, one after the other, as in a list.
    errors: Vec<u8>,
}

impl Written {
    /// Data without errors.
    pub fn of(data: &[u8]) -> Self {
        Self { data: data.to_vec(), errors: Vec::new() }
    }

    /// The length of everything.
    pub fn len(&self) -> usize {
        self.data.len().saturating_add(self.errors.len())
    }

    /// Notes an error.
    pub fn note(&mut self, problem: Problem) {
        self.join(problem.into_value().to_string().as_bytes());
    }

    fn join(&mut self, errors: &[u8]) {
        if !self.errors.is_empty() && !errors.is_empty() {
            self.errors.push(b',');
        }
        self.errors.extend_from_slice(errors);
    }

    /// Adds a part of the data, with its errors.
    pub fn append(&mut self, part: &Self) {
        self.data.extend_from_slice(&part.data);
        self.join(&part.errors);
    }

    /// Adds a part of the data that has an error.
    pub fn refuse(&mut self, problem: Problem) {
        self.data.extend_from_slice(b"null");
        self.note(problem);
    }

    /// The body of the response, unless it is too long.
    pub fn body(self) -> Option<Vec<u8>> {
        let mut body = Vec::with_capacity(self.len() + 64);
        body.extend_from_slice(b"{\"data\":");
        body.extend_from_slice(&self.data);
        if !self.errors.is_empty() {
            body.extend_from_slice(b",\"errors\":[");
            body.extend_from_slice(&self.errors);
            body.push(b']');
        }
        body.push(b'}');
        Some(body).filter(|body| body.len() <= LARGEST)
    }
}
