//! What clients asked and were answered, and whether one register that is read and written at once could have answered
//! so: whether there is an order of all operations in which each takes place between its request and its answer, and
//! each read sees the last write before it (linearizability).

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Instant;

/// What was done to a register. Each value is written once; 0 is there from the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Write(u64),
    Read(u64),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operation {
    pub action: Action,
    pub asked: Instant,
    /// None if it is not known whether it took place: it may have at any time since, or never.
    pub answered: Option<Instant>,
}

/// The operations on a register, as clients add them.
#[derive(Default)]
pub struct History(Mutex<Vec<Operation>>);

impl History {
    /// Asks, and notes what came of it: what was done, and whether the answer is known, which it returns. A read without an
    /// answer says nothing.
    pub fn record(&self, ask: impl FnOnce() -> (Action, bool)) -> bool {
        let asked = Instant::now();
        let (action, known) = ask();
        let answered = known.then(Instant::now);
        if known || matches!(action, Action::Write(_)) {
            self.0.lock().expect("no panic").push(Operation { action, asked, answered });
        }
        known
    }

    /// The operations in the order of their requests.
    pub fn operations(&self) -> Vec<Operation> {
        let mut operations = self.0.lock().expect("no panic").clone();
        operations.sort_by_key(|operation| operation.asked);
        operations
    }
}

/// Whether there is such an order. It is searched for by trying, and what was tried without success is not tried again.
pub fn is_linearizable(operations: &[Operation]) -> bool {
    let operations = &seen_or_answered(operations);
    let mut search = Search { operations, done: vec![false; operations.len()], value: 0, seen: HashSet::new() };
    let mut path: Vec<Step> = Vec::new();
    loop {
        let Some(next) = search.next() else { return true };
        path.push(Step { next, taken: None, before: search.value });
        loop {
            let Some(step) = path.last_mut() else { return false };
            if let Some(one) = step.taken.take() {
                search.take_back(one, step.before);
            }
            step.taken = step.next.pop();
            if let Some(one) = step.taken {
                search.take(one);
                break;
            }
            path.pop();
        }
    }
}

/// The operations without the writes that may never have taken place and that no read has seen: they are of no use.
fn seen_or_answered(operations: &[Operation]) -> Vec<Operation> {
    let value = |one: &Operation| match one.action {
        Action::Read(value) => Some(value),
        Action::Write(_) => None,
    };
    let read: HashSet<u64> = operations.iter().filter_map(value).collect();
    let of_use = |one: &&Operation| match one.action {
        Action::Write(value) => one.answered.is_some() || read.contains(&value),
        Action::Read(_) => true,
    };
    operations.iter().filter(of_use).copied().collect()
}

/// What may take place next, and what of it was tried last.
struct Step {
    next: Vec<usize>,
    taken: Option<usize>,
    before: u64,
}

struct Search<'o> {
    operations: &'o [Operation],
    /// Which of them have taken place.
    done: Vec<bool>,
    value: u64,
    /// What was tried: which had taken place, and the value then.
    seen: HashSet<(Vec<bool>, u64)>,
}

impl Search<'_> {
    /// The operations that may take place next; none if all that were answered have.
    fn next(&mut self) -> Option<Vec<usize>> {
        let from = self.done.iter().position(|done| !done).unwrap_or(self.done.len());
        let left = || (from..self.done.len()).filter(|one| !self.done[*one]);
        // What was asked after this takes place after the operation that was answered then.
        let end = left().filter_map(|one| self.operations[one].answered).min()?;
        if !self.seen.insert((self.done[from..].to_vec(), self.value)) {
            return Some(Vec::new());
        }
        let next: Vec<usize> = left().take_while(|one| self.operations[*one].asked <= end).collect();
        // A read that fits changes nothing, so it may be the next in any case.
        let fits = |one: &&usize| self.operations[**one].action == Action::Read(self.value);
        Some(match next.iter().find(fits) {
            Some(read) => vec![*read],
            None => next.into_iter().filter(|one| matches!(self.operations[*one].action, Action::Write(_))).collect(),
        })
    }

    fn take(&mut self, one: usize) {
        self.done[one] = true;
        if let Action::Write(value) = self.operations[one].action {
            self.value = value;
        }
    }

    fn take_back(&mut self, one: usize, before: u64) {
        self.done[one] = false;
        self.value = before;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Operations with the times of request and answer, in seconds.
    fn accepted(operations: &[(Action, u64, Option<u64>)]) -> bool {
        let zero = Instant::now();
        let at = |seconds| zero + Duration::from_secs(seconds);
        let operation = |&(action, asked, answered): &(Action, u64, Option<u64>)| Operation {
            action,
            asked: at(asked),
            answered: answered.map(at),
        };
        is_linearizable(&operations.iter().map(operation).collect::<Vec<_>>())
    }

    use Action::{Read, Write};

    #[test]
    fn what_one_register_could_answer_is_accepted() {
        assert!(accepted(&[]));
        assert!(accepted(&[(Read(0), 0, Some(1)), (Write(1), 2, Some(3)), (Read(1), 4, Some(5))]));
        // At the same time, in either order.
        assert!(accepted(&[(Write(1), 0, Some(9)), (Read(0), 1, Some(2)), (Read(1), 3, Some(4))]));
        assert!(accepted(&[(Write(1), 0, Some(9)), (Write(2), 1, Some(8)), (Read(1), 10, Some(11))]));
        // Of which nobody knows whether it happened.
        assert!(accepted(&[(Write(1), 0, None), (Read(0), 1, Some(2)), (Read(1), 3, Some(4))]));
        assert!(accepted(&[(Write(1), 0, None), (Read(0), 1, Some(2)), (Read(0), 3, Some(4))]));
    }

    #[test]
    fn a_stale_read_is_refused() {
        assert!(!accepted(&[(Write(1), 0, Some(1)), (Read(0), 2, Some(3))]));
        assert!(!accepted(&[(Write(1), 0, Some(9)), (Read(1), 1, Some(2)), (Read(0), 3, Some(4))]));
    }

    #[test]
    fn a_lost_write_and_one_that_happens_twice_are_refused() {
        let lost = [(Write(1), 0, Some(1)), (Write(2), 2, Some(3)), (Read(1), 4, Some(5))];
        assert!(!accepted(&lost));
        let twice = [(Write(1), 0, Some(1)), (Write(2), 2, Some(3)), (Read(2), 4, Some(5)), (Read(1), 6, Some(7))];
        assert!(!accepted(&twice));
        let twice = [
            (Write(1), 0, None),
            (Read(1), 1, Some(2)),
            (Write(2), 3, Some(4)),
            (Read(2), 5, Some(6)),
            (Read(1), 7, Some(8)),
        ];
        assert!(!accepted(&twice));
    }
}
