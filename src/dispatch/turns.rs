//! Turns on the store's pool. A read that needs a thread of the pool takes a turn when it knows its caller. If the caller
//! has none left, the read gives the thread back, waits, and runs again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::client::{Client, Turn};
use crate::error::{Error, Result, Scarce};

/// The turn of one request.
#[derive(Default)]
pub(super) struct RequestTurn(Mutex<State>);

#[derive(Default)]
enum State {
    #[default]
    None,
    Wanted(Arc<Client>),
    Held {
        _turn: Turn,
    },
}

impl RequestTurn {
    /// Takes a turn, unless the request has it. After an error, the request must [`wait`](Self::wait).
    pub fn take(&self, client: impl FnOnce() -> Arc<Client>) -> Result<()> {
        let mut state = self.lock();
        if matches!(*state, State::Held { .. }) {
            return Ok(());
        }
        let client = client();
        *state = match client.try_turn() {
            Some(turn) => State::Held { _turn: turn },
            None => State::Wanted(client),
        };
        if matches!(*state, State::Wanted(_)) { Err(Error::Busy(Scarce::ClientReaders)) } else { Ok(()) }
    }

    /// Ends the turn after a run. Returns true if the run had no turn and has one now, so that it must be repeated.
    pub async fn wait(&self) -> Result<bool> {
        let State::Wanted(client) = std::mem::take(&mut *self.lock()) else { return Ok(false) };
        let turn = client.turn().await?;
        *self.lock() = State::Held { _turn: turn };
        Ok(true)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
