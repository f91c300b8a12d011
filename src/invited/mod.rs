//! Answering an invitation by the link in its mail (decisions 26, 27 and 69). The token in the link stands for the invited
//! person: it proves control of the address, so an operation under it needs no other credentials.

mod answer;
mod linked;

pub use answer::{Accept, Accepted, Decline, Look, Shown, accept, decline, look};
pub use linked::Linked;
