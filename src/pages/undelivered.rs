//! The reasons why deliveries fail, in words, and what to do about them.

/// A reason.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reason<'a> {
    /// The reason in words.
    pub what: &'static str,
    /// The words of the receiver or the program.
    pub said: &'a str,
    /// The advice: what to do before the delivery is tried again.
    pub way: &'static str,
}

impl Reason<'_> {
    /// True if the address of an e-mail is refused.
    pub fn is_recipient(&self) -> bool {
        self.what == RECIPIENT
    }
}

/// The reason of an e-mail whose address is refused.
const RECIPIENT: &str = "The mail server refused the recipient.";

/// The reasons of webhooks: a part of the status, the reason, and the advice.
#[rustfmt::skip]
const OF_HOOKS: [(&str, &str, &str); 14] = [
    ("the hook is switched off", "The webhook was switched off.", "Switch it on in its room if it is off."),
    ("the secrets of the hook", "The secret of the webhook cannot be read.", "Put back the key file of this site, or set the secret again."),
    ("the request cannot be sent", "The address cannot be used.", "Correct the address of the webhook."),
    ("failed to resolve", "The host of the address is not known.", "Correct the address of the webhook, or wait until the host is known."),
    ("the address is not public", "The address leads to a network that is not public.", "Correct the address, or allow the network with the setting webhooks.allow."),
    ("failed to connect", "Nothing answers at this address.", "Start the program there, or correct the address."),
    ("failed to establish TLS", "The certificate at this address is not trusted.", "Renew the certificate of the program."),
    ("the connection was closed", "The program ended the connection without an answer.", "Look into the log of the program."),
    ("timed out", "The program did not answer in time.", "It should answer at once and do its work later."),
    ("Unauthorized", "The program refused it.", "Check the secret, and the name and password in the address."),
    ("Forbidden", "The program refused it.", "Check the secret, and the name and password in the address."),
    ("Not Found", "There is nothing at this address.", "Correct the address of the webhook."),
    ("Gone", "There is nothing at this address any more.", "Correct the address of the webhook."),
    ("Method Not Allowed", "The address takes no deliveries.", "Correct the address of the webhook."),
];

/// The reasons of e-mails.
#[rustfmt::skip]
const OF_MAILS: [(&str, &str, &str); 8] = [
    ("did not answer in time", "The mail server did not answer in time.", "Check the mail server."),
    ("could not be composed", "The e-mail could not be written.", "Run the checks under Health."),
    ("cannot save the mail", "The e-mail could not be saved as a file.", "Check the disk of the data directory."),
    ("(535)", "The mail server refused the password.", "Correct the setting smtp.url, and restart the server."),
    ("(550)", RECIPIENT, "Correct the e-mail address of the person."),
    ("5.1.1", RECIPIENT, "Correct the e-mail address of the person."),
    ("onnection", "The mail server cannot be reached.", "Check the mail server and the setting smtp.url."),
    ("lacks", "The mail server cannot take this e-mail.", "Use a mail server that can."),
];

/// The reason for a status.
pub(super) fn of<'a>(kind: &str, status: &'a str) -> Reason<'a> {
    let known: &[(&str, &'static str, &'static str)] = if kind == "mail" { &OF_MAILS } else { &OF_HOOKS };
    let found = known.iter().find(|(part, ..)| status.contains(part));
    let (what, way) = match (found, kind) {
        (Some((_, what, way)), _) => (*what, *way),
        (None, "mail") => ("The mail server did not take it.", "Look into the log of the mail server."),
        (None, _) => ("The program answered that it failed.", "Look into the log of the program."),
    };
    Reason { what, said: status, way }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn a_status_has_a_reason() {
        assert_eq!(of("hook", "failed to connect").what, "Nothing answers at this address.");
        assert_eq!(of("hook", "Internal Server Error").what, "The program answered that it failed.");
        assert_eq!(of("mail", "permanent error (550): no such user").what, "The mail server refused the recipient.");
        assert_eq!(of("mail", "failed to connect").what, "The mail server did not take it.");
    }
}
