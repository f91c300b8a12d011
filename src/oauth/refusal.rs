//! Reasons to refuse the request of an application for a token, or for the code of a device. Each is a part of the reply,
//! not an error: an error would undo what a refusal changes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The reason why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The application is unknown, or its secret is wrong.
    Client,
    /// A parameter is missing.
    Request,
    /// There is no such type of grant.
    GrantType,
    /// The code is wrong, too old or used, or its person may not be signed in any more; or the verifier is wrong.
    Code,
    /// The redirect URI is another one.
    Redirect,
    /// The application may not sign in devices.
    DeviceFlow,
    /// The code of the device is wrong, of another application, or redeemed.
    DeviceCode,
    /// The code of the device is too old.
    Expired,
    /// The person does not allow the device, or may not be signed in any more.
    Denied,
    /// The person has not answered yet.
    Pending,
    /// The device did not wait. From now on it waits this many seconds between attempts.
    SlowDown(i64),
}
