//! The limit on guessing the names of hidden teams: how many refusals a person gets that disclose something that they
//! may not see (decision 9).
//!
//! A refused transaction leaves nothing in the database, so each node counts in memory.

use super::requests::{Caller, Limiter};
use crate::clock::Time;
use crate::error::{Error, Result};

/// Refuses every name, free or not, to a person who got too many refusals that disclosed teams that they do not see.
pub fn refuse_guessing(guesses: &Limiter, person: i64, now: Time) -> Result<()> {
    let quota = guesses.peek(Caller::Person(person), now.seconds());
    if quota.remaining > 0 { Ok(()) } else { Err(Error::Abuse { retry_after: quota.wait(now.seconds()) }) }
}

/// The error for a person whose request would disclose something that they may not see. It is counted once per request,
/// after the request.
pub fn charge_disclosure(guesses: &Limiter, person: Option<i64>, now: Time, error: Error) -> Error {
    let (refusal, person) = match (error, person) {
        (Error::Disclosing(refusal), Some(person)) => (refusal, person),
        (error, _) => return error,
    };
    let quota = guesses.charge(Caller::Person(person), now.seconds());
    if quota.refused { Error::Abuse { retry_after: quota.wait(now.seconds()) } } else { *refusal }
}
