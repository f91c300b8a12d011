//! Answering an invitation with the link in its e-mail (decisions 26, 27 and 69). The token in the link proves
//! that its holder reads e-mails to the address, and nothing else: it declines the invitation, and makes an account for an
//! e-mail address that no account has, but signs in no account that exists.

mod answer;
mod linked;

pub use answer::{Accept, Accepted, Decline, Look, Shown, accept, decline, look};
pub use linked::Linked;
