//! The health checks: whether the process answers, and whether it can serve requests.

use bytes::Bytes;
use serde_json::json;

use crate::dispatch::Service;

/// The status and the body of a health check, if the path is one.
pub(super) async fn health(path: &str, service: &Service) -> Option<(u16, Bytes)> {
    let well = Bytes::from_static(br#"{"status":"ok"}"#);
    match path {
        "/healthz" => Some((200, well)),
        "/readyz" => Some(match service.ready().await {
            Ok(()) => (200, well),
            Err(advice) => (503, json!({ "status": advice }).to_string().into()),
        }),
        _ => None,
    }
}
