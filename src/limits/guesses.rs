//! The limit on guessing the names of hidden teams: how many refusals a person gets that tell them what they may not see
//! (decision 9).
//!
//! A refused transaction leaves nothing in the database, so each node counts in memory.

use super::requests::{Caller, Limiter};
use crate::clock::Time;
use crate::error::{Error, Result};

/// Refuses a name to a person who was told too often of teams that they do not see, whether the name is free or not.
pub fn refuse_guessing(guesses: &Limiter, person: i64, now: Time) -> Result<()> {
    let quota = guesses.peek(Caller::Person(person), now.seconds());
    if quota.remaining > 0 { Ok(()) } else { Err(Error::Abuse { retry_after: quota.wait(now.seconds()) }) }
}

/// What a person is answered whom a request would tell what they may not see; counted once a request, after it.
pub fn told(guesses: &Limiter, person: Option<i64>, now: Time, error: Error) -> Error {
    let (refusal, person) = match (error, person) {
        (Error::Disclosing(refusal), Some(person)) => (refusal, person),
        (error, _) => return error,
    };
    let quota = guesses.charge(Caller::Person(person), now.seconds());
    if quota.refused { Error::Abuse { retry_after: quota.wait(now.seconds()) } } else { *refusal }
}
