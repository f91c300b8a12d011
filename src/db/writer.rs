//! Writes that share a transaction: all that wait run one after the other and are committed once (docs/decisions/0006).
//!
//! A request that fails before it has changed anything leaves nothing to undo, and the others are not affected. If one
//! fails later, the transaction is rolled back and the others run again with a savepoint each. Savepoints cost time,
//! and a request is rarely refused so late.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::at_commit::Collected;
use super::tx::Tx;
use crate::error::{Error, Result};

/// A request that waits to be written.
pub(super) trait Job: Send {
    /// Runs the closure and stores its result. Returns whether its changes are to be committed.
    fn run(&mut self, tx: &mut Tx<'_>) -> bool;
    /// Replaces the result with an error.
    fn fail(&mut self, error: Error);
    /// True if it must run again, because the data that it decided on has changed.
    fn is_stale(&self) -> bool;
    /// Sends the stored result to the caller.
    fn answer(self: Box<Self>);
    /// The channel that the caller waits on.
    fn runtime(&self) -> Option<Handle>;
}

struct Waiting<R, F> {
    work: F,
    result: Result<R>,
    /// True if the closure must run again.
    stale: bool,
    answer: oneshot::Sender<Result<R>>,
    runtime: Option<Handle>,
}

impl<R: Send, F: FnMut(&mut Tx<'_>) -> Result<R> + Send> Job for Waiting<R, F> {
    fn run(&mut self, tx: &mut Tx<'_>) -> bool {
        self.result = tx.carry_out(&mut self.work);
        self.stale = self.result.is_err() && tx.rerun().is_some();
        self.result.is_ok()
    }

    fn fail(&mut self, error: Error) {
        self.result = Err(error);
        self.stale = false;
    }

    fn is_stale(&self) -> bool {
        self.stale
    }

    fn answer(self: Box<Self>) {
        // The caller may be gone. The write remains.
        drop(self.answer.send(self.result));
    }

    fn runtime(&self) -> Option<Handle> {
        self.runtime.clone()
    }
}

/// Makes a job of a closure. Also returns the channel on which its result arrives.
pub(super) fn job<R, F>(work: F) -> (Box<dyn Job>, oneshot::Receiver<Result<R>>)
where
    R: Send + 'static,
    F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
{
    let (answer, receiver) = oneshot::channel();
    let result = Err(Error::Unavailable("the write was not run".into()));
    (Box::new(Waiting { work, result, stale: false, answer, runtime: Handle::try_current().ok() }), receiver)
}

/// Requests whose transaction has ended. They are answered when this is dropped, so that none is forgotten.
struct Answers(Vec<Box<dyn Job>>);

impl Drop for Answers {
    fn drop(&mut self) {
        self.0.drain(..).for_each(Job::answer);
    }
}

/// Answers many requests from within the runtime. To wake each of them from this thread takes longer than the answer
/// itself.
pub(super) fn answer(batch: Vec<Box<dyn Job>>) {
    let runtime = if batch.len() > 1 { batch.first().and_then(|job| job.runtime()) } else { None };
    let answers = Answers(batch);
    match runtime {
        Some(runtime) => drop(runtime.spawn(async move { drop(answers) })),
        None => drop(answers),
    }
}

/// An engine's part of a shared transaction.
pub(super) trait Session {
    /// Begins a transaction.
    fn begin(&mut self) -> Result<()>;

    /// Commits it. The argument is the number of requests in it.
    fn commit(&mut self, requests: usize) -> Result<()>;

    /// Rolls it back.
    fn roll_back(&mut self);

    /// Runs a statement on savepoints.
    fn divide(&mut self, sql: &'static str) -> Result<()>;

    /// Runs a function with a transaction.
    fn with<R>(&mut self, collected: &mut Collected, work: impl FnOnce(&mut Tx<'_>) -> R) -> R;

    /// True if there has been a change to undo since the last call.
    fn take_changed(&mut self) -> bool;

    /// Drops what requests have found, because one of them is rolled back.
    fn forget(&mut self);

    /// True if the engine itself has ended the transaction.
    fn has_ended(&self) -> bool;

    /// True if it has taken so long that no further request may begin.
    fn is_late(&self) -> bool {
        false
    }
}

/// The end of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// This many requests were committed. The others were not begun.
    Committed(usize),
    /// The request at this position failed, and all requests were rolled back.
    Undone(usize),
}

/// Runs the requests in one transaction. If they are separate, each has its own savepoint.
pub(super) fn transaction<S: Session, J: AsMut<dyn Job>>(
    session: &mut S,
    collected: &mut Collected,
    batch: &mut [J],
    apart: bool,
) -> Result<Ended> {
    collected.restart();
    session.begin()?;
    let mut begun = 0;
    for (place, job) in batch.iter_mut().enumerate() {
        if place > 0 && session.is_late() {
            break;
        }
        begun += 1;
        let job = job.as_mut();
        let stays = run(session, collected, job, apart).unwrap_or_else(|error| {
            job.fail(Error::Unavailable(error.to_string()));
            false
        });
        if !stays {
            session.roll_back();
            return Ok(Ended::Undone(place));
        }
    }
    #[expect(clippy::redundant_closure_for_method_calls, reason = "the method is of one lifetime, this of any")]
    let written = session.with(collected, |tx| tx.write_collected()).and_then(|()| session.commit(begun));
    written.inspect_err(|_| session.roll_back()).map(|()| Ended::Committed(begun))
}

/// Runs a request. Returns whether the transaction may be committed with what is left of it.
fn run<S: Session>(session: &mut S, collected: &mut Collected, job: &mut dyn Job, apart: bool) -> Result<bool> {
    if apart {
        session.divide("SAVEPOINT request")?;
    }
    session.take_changed();
    collected.begin();
    let ran = session.with(collected, |tx| catch_unwind(AssertUnwindSafe(|| job.run(tx))));
    let kept = ran.unwrap_or_else(|_| {
        job.fail(Error::Bug("a write panicked".into()));
        false
    });
    let undo = !kept && session.take_changed();
    let alone = undo && apart && !session.has_ended();
    if !kept {
        collected.undo(alone);
    }
    if undo {
        session.forget();
    }
    if alone {
        session.divide("ROLLBACK TO request")?;
    }
    if session.has_ended() {
        return Err(Error::Unavailable("the database ended the transaction".into()));
    }
    if apart {
        session.divide("RELEASE request")?;
    }
    Ok(!undo || apart)
}
