//! The body of a response: its data and errors, or, if it was refused, only its errors.

use apollo_compiler::response::ExecutionResponse;
use serde_json::{Value, json};

use super::problem::Problem;
use super::running::LARGEST;
use crate::error::{Error, Result};

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

/// The response to a request that was carried out, unless it is too long.
pub fn written(answer: ExecutionResponse) -> Result<Option<Vec<u8>>> {
    let bug = |error: serde_json::Error| Error::Bug(error.to_string());
    let mut body = b"{\"data\":".to_vec();
    serde_json::to_writer(&mut body, &answer.data).map_err(bug)?;
    if !answer.errors.is_empty() {
        let errors: Vec<Value> = answer.errors.into_iter().map(|error| Problem::of_field(error).into_value()).collect();
        body.extend_from_slice(b",\"errors\":");
        serde_json::to_writer(&mut body, &errors).map_err(bug)?;
    }
    body.push(b'}');
    Ok(Some(body).filter(|body| body.len() <= LARGEST))
}
