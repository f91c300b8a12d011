//! The threads of the pool. The thread that became free last works next: its connection has prepared the most
//! statements, and a server with little to do opens few connections.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};

use super::Worker;
use crate::error::{Error, Result};

/// A read, or the writes of a lane, with the thread's connection.
pub(super) type Work = Box<dyn FnOnce(&mut Worker) + Send>;

/// Gives work to the threads. They end when the last clone is dropped.
#[derive(Clone)]
pub(super) struct Pool(Arc<Owner>);

struct Owner(Threads);

type Threads = Arc<Mutex<State>>;

#[derive(Default)]
struct State {
    /// Work for which no thread was free, oldest first.
    queued: VecDeque<Work>,
    /// The threads without work, the one that became free last at the end.
    free: Vec<mpsc::Sender<Work>>,
    /// True once the last clone of the pool is dropped.
    ended: bool,
}

impl Pool {
    /// Starts a thread for each worker.
    pub(super) fn start(workers: impl Iterator<Item = Result<Worker>>) -> Result<Self> {
        let pool = Self(Arc::new(Owner(Threads::default())));
        for (number, worker) in workers.enumerate() {
            let (mut worker, threads) = (worker?, Arc::clone(&pool.0.0));
            let run = move || {
                while let Some(work) = next(&threads) {
                    // A panic ends the current work and not the thread.
                    if catch_unwind(AssertUnwindSafe(|| work(&mut worker))).is_err() {
                        worker.connection = None;
                    }
                }
            };
            let thread = std::thread::Builder::new().name(format!("db-{number}")).spawn(run);
            thread.map_err(|e| Error::Unavailable(e.to_string()))?;
        }
        Ok(pool)
    }

    /// Gives work to a free thread, or to the next that becomes free.
    pub(super) fn give(&self, work: Work) {
        let mut state = lock(&self.0.0);
        match state.free.pop() {
            // A thread that is free waits for its channel.
            Some(thread) => drop(thread.send(work)),
            None => state.queued.push_back(work),
        }
    }

    /// Gives work to each thread that is free. A busy one gets none.
    pub(super) fn give_each(&self, work: impl Fn() -> Work) {
        for thread in lock(&self.0.0).free.drain(..) {
            drop(thread.send(work()));
        }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        state.ended = true;
        state.free.clear();
    }
}

/// The next work of a thread, or none when the pool has ended.
fn next(threads: &Threads) -> Option<Work> {
    let mut state = lock(threads);
    if let Some(work) = state.queued.pop_front() {
        return Some(work);
    }
    if state.ended {
        return None;
    }
    let (sender, work) = mpsc::channel();
    state.free.push(sender);
    drop(state);
    work.recv().ok()
}

fn lock(threads: &Threads) -> MutexGuard<'_, State> {
    threads.lock().unwrap_or_else(PoisonError::into_inner)
}
