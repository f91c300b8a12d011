//! Answering an invitation with the link in its e-mail (decisions 26, 27 and 69). The token in the link identifies the
//! invited person: it proves control of the e-mail address, so an operation under it needs no other credentials.

mod answer;
mod linked;

pub use answer::{Accept, Accepted, Decline, Look, Shown, accept, decline, look};
pub use linked::Linked;
