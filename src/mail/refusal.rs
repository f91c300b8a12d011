//! The refusal of an e-mail by a mail server: its reason, and whether it is permanent.

use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::response::Response;

/// Replies that concern the client or the connection, after any command.
const OF_SERVICE: [u16; 10] = [500, 501, 502, 503, 504, 521, 530, 534, 535, 538];

/// The prefixes of the enhanced codes of such replies: policy, which mostly concerns the sending client, and the e-mail
/// address of the sender.
const ENHANCED_OF_SERVICE: [&str; 3] = ["5.7.", "5.1.7", "5.1.8"];

/// A refusal.
pub(super) struct Refusal {
    /// The reply code; 0 if there was no reply.
    pub code: u16,
    /// The reply of the server, or the error.
    pub status: String,
    /// True if the e-mail will never be accepted.
    pub permanent: bool,
}

impl Refusal {
    /// A refusal before a recipient was named. It concerns the connection, the password or the sender, so a retry may
    /// succeed.
    pub(super) fn of_service(error: &SmtpError) -> Self {
        Self { code: error.status().map_or(0, u16::from), status: said(error), permanent: false }
    }

    /// A refusal of a recipient or a text: permanent if the server says so.
    pub(super) fn of_mail(error: &SmtpError) -> Self {
        let refusal = Self::of_service(error);
        let reply = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
        let is_of_service = OF_SERVICE.contains(&refusal.code)
            || ENHANCED_OF_SERVICE.iter().any(|enhanced| reply.starts_with(enhanced));
        Self { permanent: error.is_permanent() && !is_of_service, ..refusal }
    }

    /// No reply before the timeout.
    pub(super) fn late() -> Self {
        Self::unable("the mail server did not answer in time")
    }

    /// A reply that makes no sense after its command.
    pub(super) fn unexpected(reply: &Response) -> Self {
        let (code, text) = (u16::from(reply.code()), reply.first_line().unwrap_or_default());
        Self { code, status: format!("unexpected reply: {code} {text}"), permanent: false }
    }

    /// A reason why the e-mail cannot be sent now.
    pub(super) fn unable(status: &str) -> Self {
        Self { code: 0, status: status.to_owned(), permanent: false }
    }
}

/// The text of an error with its causes, which say more than the error itself.
fn said(error: &SmtpError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        cause = inner.source();
    }
    text
}
