//! The sentences about e-mails on a site without a mail server, where e-mails are files on the server (decision 46).

use super::guest::Guest;
use crate::operation::Mails;

/// The sentences about e-mails that were sent, each with the one of a site without a mail server.
const SENTENCES: [(&str, &str); 9] = [
    ("Invitation sent.", INVITED),
    ("Invitation sent again. Earlier links no longer work.", INVITED),
    ("Invited. The e-mail has a link, and they are on the team when they accept.", INVITED),
    ("Invitation sent again.", INVITED),
    ("They were invited already. The invitation is sent again, and earlier links no longer work.", ALREADY),
    (
        "They were invited already, and are on the team when they accept. Owners can send the e-mail again below.",
        ALREADY,
    ),
    (
        "You asked to join. Maintainers decide, and you get an e-mail.",
        "You asked to join. Maintainers decide, and this page then says so.",
    ),
    ("Added. Open the link in the e-mail to verify the address.", VERIFYING),
    ("Sent. Open the link in the newest e-mail to verify the address.", VERIFYING),
];

const INVITED: &str = "Invited, but this site has no mail server. A person with an account finds the invitation on their home \
                       page. For anyone else, ask the operator: the e-mail with the link is a file on the server.";

const ALREADY: &str = "They were invited already, and this site has no mail server. A person with an account finds the \
                       invitation on their home page. For anyone else, ask the operator: the e-mail with the link is a \
                       file on the server.";

const VERIFYING: &str = "This site has no mail server. Ask the operator: the e-mail with the link that verifies the address is a \
                         file on the server.";

impl Guest<'_> {
    /// True if a mail server sends e-mails.
    pub(super) fn mails(&self) -> bool {
        self.service.site.mails == Mails::AreSent
    }

    /// A sentence about what was done, as it is true on this site.
    pub(super) fn mailed(&self, sentence: &'static str) -> &'static str {
        let other = SENTENCES.iter().find(|(sent, _)| !self.mails() && *sent == sentence);
        other.map_or(sentence, |(_, other)| other)
    }
}
