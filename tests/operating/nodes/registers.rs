//! Registers that clients of several nodes read and write: the descriptions of teams.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::nodes::history::{Action, History, contradiction};
use crate::support::{Answer, Client, json};

/// The description of a team, which begins as 0.
#[derive(Default)]
pub struct Register {
    history: History,
    /// The last value that was written.
    last: AtomicU64,
}

impl Register {
    /// Writes the next value; whether that was acknowledged.
    pub fn write(&self, owner: &Client, team: usize) -> bool {
        let value = self.last.fetch_add(1, Ordering::SeqCst) + 1;
        let change = json!({ "name": format!("R{team}"), "description": value.to_string() }).to_string();
        let asked = Instant::now();
        let answer = owner.attempt("PATCH", &format!("/orgs/acme/teams/r{team}"), Some(change));
        let done = is_done(&answer, 200);
        self.history.note(Action::Write(value), asked, done);
        done
    }

    /// Reads; whether there was an answer.
    pub fn read(&self, owner: &Client, team: usize) -> bool {
        let asked = Instant::now();
        let answer = owner.attempt("GET", &format!("/orgs/acme/teams/r{team}"), None);
        let Some(answer) = whole(answer) else { return false };
        let value = answer.json["description"].as_str().and_then(|text| text.parse().ok()).expect("a number");
        self.history.note(Action::Read(value), asked, true);
        true
    }

    /// Fails unless one register could have answered so.
    #[track_caller]
    pub fn must_be_linearizable(&self) {
        assert_eq!(self.contradiction(), None);
    }

    /// The reason why one register could not have answered so.
    pub fn contradiction(&self) -> Option<String> {
        let operations = self.history.operations();
        let why = contradiction(&operations)?;
        Some(format!("in {} operations on a description: {why}", operations.len()))
    }
}

/// True if a write was acknowledged. If not, its outcome is unknown: the service was not able to tell it, or the node
/// is gone.
pub fn is_done<E>(answer: &Result<Answer, E>, status: u16) -> bool {
    let Ok(answer) = answer else { return false };
    assert!([status, 503].contains(&answer.status), "{} answered {} {}", answer.request, answer.status, answer.text);
    answer.status == status
}

/// The answer to a read, unless there is none or the node died in the middle of it.
pub fn whole<E>(answer: Result<Answer, E>) -> Option<Answer> {
    if is_done(&answer, 200) { answer.ok().filter(|answer| !answer.json.is_null()) } else { None }
}
