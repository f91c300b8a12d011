//! The rows that pages call and that are not part of the API: what a link in an e-mail permits. They are in no document
//! of the API, and have no path there either. Each page reads once, which the primary limit counts; submitting its form
//! is free, so that a page costs one request (decision 61).

use crate::invited;
use crate::notices::unsubscribing;
use crate::operation::{Operation, delete, get, post, put};
use crate::people::email_link;
use crate::policy::{ANYONE, SIGNED_IN};
use crate::scope::NONE;

/// All rows.
#[rustfmt::skip]
#[must_use]
pub fn operations() -> Vec<Operation> { vec![
    get   ("invited.look",         "", NONE, ANYONE, invited::look).timed(),
    post  ("invited.accept",       "", NONE, ANYONE, invited::accept).by_link().free(),
    delete("invited.decline",      "", NONE, ANYONE, invited::decline).by_link().free(),
    get   ("emails.look",          "", NONE, SIGNED_IN, email_link::look),
    post  ("emails.verify",        "", NONE, SIGNED_IN, email_link::verify).free(),
    get   ("unsubscribing.look",   "", NONE, ANYONE, unsubscribing::look),
    put   ("unsubscribing.choose", "", NONE, ANYONE, unsubscribing::choose).by_link().free(),
] }
