//! Writes that share a transaction: all that wait are run one after the other, and committed once (decision record 0006).
//!
//! A request that fails before it has changed anything has nothing to be undone, and others do not notice. If one
//! fails later, the transaction is rolled back and the others are run again with a savepoint each: savepoints cost time,
//! and a request is hardly ever refused so late.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::at_commit::Collected;
use super::tx::Tx;
use crate::error::{Error, Result};

/// A request that waits to be written.
pub(super) trait Job: Send {
    /// Runs the closure and keeps its result; whether what it did shall stay.
    fn run(&mut self, tx: &mut Tx<'_>) -> bool;
    /// Puts an error in the place of the result.
    fn fail(&mut self, error: Error);
    /// Whether it has to be run again, because what it decided on has changed.
    fn is_stale(&self) -> bool;
    /// Answers the request with what was kept.
    fn answer(self: Box<Self>);
    /// Where the caller waits.
    fn runtime(&self) -> Option<Handle>;
}

struct Waiting<R, F> {
    work: F,
    result: Result<R>,
    /// Whether the result is that it has to be run again.
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
        // The caller may have gone; the write stays.
        drop(self.answer.send(self.result));
    }

    fn runtime(&self) -> Option<Handle> {
        self.runtime.clone()
    }
}

/// A closure as a job, and where its result will arrive.
pub(super) fn job<R, F>(work: F) -> (Box<dyn Job>, oneshot::Receiver<Result<R>>)
where
    R: Send + 'static,
    F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
{
    let (answer, receiver) = oneshot::channel();
    let result = Err(Error::Unavailable("the write was not run".into()));
    (Box::new(Waiting { work, result, stale: false, answer, runtime: Handle::try_current().ok() }), receiver)
}

/// Requests whose transaction has ended, answered when this is dropped: wherever that happens, none is forgotten.
struct Answers(Vec<Box<dyn Job>>);

impl Drop for Answers {
    fn drop(&mut self) {
        self.0.drain(..).for_each(Job::answer);
    }
}

/// Answers many from within the runtime: to wake each of them from this thread takes longer than its answer.
pub(super) fn answer(batch: Vec<Box<dyn Job>>) {
    let runtime = if batch.len() > 1 { batch.first().and_then(|job| job.runtime()) } else { None };
    let answers = Answers(batch);
    match runtime {
        Some(runtime) => drop(runtime.spawn(async move { drop(answers) })),
        None => drop(answers),
    }
}

/// An engine's part in a transaction that requests share.
pub(super) trait Session {
    /// Begins a transaction.
    fn begin(&mut self) -> Result<()>;

    /// Commits it, with so many requests.
    fn commit(&mut self, requests: usize) -> Result<()>;

    /// Gives it up.
    fn roll_back(&mut self);

    /// Runs a statement on savepoints.
    fn divide(&mut self, sql: &'static str) -> Result<()>;

    /// Runs something with a transaction.
    fn with<R>(&mut self, collected: &mut Collected, work: impl FnOnce(&mut Tx<'_>) -> R) -> R;

    /// Whether there is something to undo since this was asked last.
    fn take_changed(&mut self) -> bool;

    /// Forgets what requests have found, because one of them is undone.
    fn forget(&mut self);

    /// Whether the engine has ended the transaction by itself.
    fn has_ended(&self) -> bool;

    /// Whether it has taken so long that no further request is to begin.
    fn is_late(&self) -> bool {
        false
    }
}

/// How a transaction has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// So many requests were committed; the others were not begun.
    Committed(usize),
    /// The request in this place ended it, and is undone with all the others.
    Undone(usize),
}

/// Runs the requests in one transaction, each in a savepoint if they are apart.
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

/// Runs a request; whether the transaction may be committed with what is left of it.
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
