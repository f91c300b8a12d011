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
    /// Asks, and notes what came of it: what was done, and whether the answer is known. A read without an answer says
    /// nothing.
    pub fn record(&self, ask: impl FnOnce() -> (Action, bool)) {
        let asked = Instant::now();
        let (action, known) = ask();
        let answered = known.then(Instant::now);
        if known || matches!(action, Action::Write(_)) {
            self.0.lock().expect("no panic").push(Operation { action, asked, answered });
        }
    }

    /// The operations in the order of their requests.
    pub fn operations(&self) -> Vec<Operation> {
        let mut operations = self.0.lock().expect("no panic").clone();
        operations.sort_by_key(|operation| operation.asked);
        operations
    }
}

/// Whether there is such an order.
pub fn is_linearizable(operations: &[Operation]) -> bool {
    let mut search = Search { operations, seen: HashSet::new() };
    search.goes_on(&mut vec![false; operations.len()], 0, 0)
}

struct Search<'o> {
    operations: &'o [Operation],
    /// What was tried without success: which operations had taken place, and the value then.
    seen: HashSet<(Vec<bool>, u64)>,
}

impl Search<'_> {
    /// Whether the operations that have not taken place yet can follow. All before `from` have.
    fn goes_on(&mut self, done: &mut Vec<bool>, mut from: usize, value: u64) -> bool {
        while done.get(from) == Some(&true) {
            from += 1;
        }
        let left = || (from..done.len()).filter(|one| !done[*one]);
        // Whatever was asked after this must take place after the operation that was answered then.
        let Some(end) = left().filter_map(|one| self.operations[one].answered).min() else { return true };
        if !self.seen.insert((done[from..].to_vec(), value)) {
            return false;
        }
        let next: Vec<usize> = left().take_while(|one| self.operations[*one].asked <= end).collect();
        for one in next {
            let after = match self.operations[one].action {
                Action::Write(written) => written,
                Action::Read(read) if read == value => value,
                Action::Read(_) => continue,
            };
            done[one] = true;
            if self.goes_on(done, from, after) {
                return true;
            }
            done[one] = false;
        }
        false
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
