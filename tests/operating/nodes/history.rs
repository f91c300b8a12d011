//! The history of what clients have requested, and whether one register that is read and written atomically could have
//! responded like this: whether there is an order of all operations in which each happens between its request and its
//! response, and each read returns the last write before it (linearizability).
//!
//! Each value is written once, so it is known which write a read has seen. Then no order has to be searched for. In any
//! order, a write is followed by the reads of its value, and then comes the next write: the values take turns. One value
//! **comes before** another if an operation with the first was answered before one with the second was asked. If two
//! values come before each other, there is no order. Otherwise there is one: a longer circle of values always has two
//! in it that come before each other (Gibbons and Korach, "Testing Shared Memories", 1997). The test at the end of this
//! file compares that with trying all orders.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;

/// An operation on a register. Each value is written once; 0 is there from the beginning.
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
    /// Notes that this was asked then, and whether it has been answered now. A read without an answer says nothing.
    pub fn note(&self, action: Action, asked: Instant, answered: bool) {
        let answered = answered.then(Instant::now);
        if answered.is_some() || matches!(action, Action::Write(_)) {
            self.add(Operation { action, asked, answered });
        }
    }

    pub fn add(&self, operation: Operation) {
        self.0.lock().expect("no panic").push(operation);
    }

    pub fn operations(&self) -> Vec<Operation> {
        self.0.lock().expect("no panic").clone()
    }
}

/// The operations with one value.
#[derive(Clone, Copy, Default, Debug)]
struct Turn {
    write: Option<Operation>,
    /// The operation that was answered first; None if that is one that may never have been.
    first: Option<Operation>,
    /// The operation that was asked last; None if there is only the beginning.
    last: Option<Operation>,
}

impl Turn {
    fn add(&mut self, operation: Operation) {
        if matches!(operation.action, Action::Write(_)) {
            self.write = Some(operation);
        }
        let first = [self.first, Some(operation)].into_iter().flatten().filter(|one| one.answered.is_some());
        self.first = first.min_by_key(|one| one.answered);
        self.last = [self.last, Some(operation)].into_iter().flatten().max_by_key(|one| one.asked);
    }

    /// True if an operation with this value was answered before one with the other was requested.
    fn comes_before(&self, other: &Self) -> bool {
        let (Some(first), Some(last)) = (self.first, other.last) else { return false };
        first.answered < Some(last.asked)
    }
}

/// The reason why no register could have answered so; None if one could.
pub fn contradiction(operations: &[Operation]) -> Option<String> {
    let mut turns: BTreeMap<u64, Turn> = BTreeMap::new();
    for operation in operations {
        let (Action::Write(value) | Action::Read(value)) = operation.action;
        turns.entry(value).or_default().add(*operation);
    }
    // A write whose outcome is unknown, and whose effect no read has seen, may be left out.
    turns.retain(|_, turn| turn.first.is_some());
    // The value of the beginning is older than any other.
    let beginning = turns.remove(&0).unwrap_or_default();
    for (value, turn) in &turns {
        let Some(write) = turn.write else { return Some(format!("{value} was read and never written")) };
        if turn.first.is_some_and(|first| first.answered < Some(write.asked)) {
            return Some(format!("{value} was read before it was written: {turn:?}"));
        }
        if turn.comes_before(&beginning) {
            return Some(format!("the beginning was read after {value}: {beginning:?}, {turn:?}"));
        }
        for (other, against) in turns.range(..value) {
            if turn.comes_before(against) && against.comes_before(turn) {
                return Some(format!("{other} and {value} come before each other: {against:?}, {turn:?}"));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Action::{Read, Write};
    use super::*;

    /// Operations with the times of request and answer, in seconds.
    fn history(operations: &[(Action, u64, Option<u64>)]) -> Vec<Operation> {
        let zero = Instant::now();
        let at = |seconds| zero + Duration::from_secs(seconds);
        let operation = |&(action, asked, answered): &(Action, u64, Option<u64>)| Operation {
            action,
            asked: at(asked),
            answered: answered.map(at),
        };
        operations.iter().map(operation).collect()
    }

    #[track_caller]
    fn must_be_accepted(operations: &[(Action, u64, Option<u64>)]) {
        assert_eq!(contradiction(&history(operations)), None);
    }

    #[track_caller]
    fn must_be_refused(operations: &[(Action, u64, Option<u64>)]) {
        assert!(contradiction(&history(operations)).is_some());
    }

    #[test]
    fn what_one_register_could_answer_is_accepted() {
        must_be_accepted(&[]);
        must_be_accepted(&[(Read(0), 0, Some(1)), (Write(1), 2, Some(3)), (Read(1), 4, Some(5))]);
        // At the same time, in either order.
        must_be_accepted(&[(Write(1), 0, Some(9)), (Read(0), 1, Some(2)), (Read(1), 3, Some(4))]);
        must_be_accepted(&[(Write(1), 0, Some(9)), (Write(2), 1, Some(8)), (Read(1), 10, Some(11))]);
        // Its outcome is unknown.
        must_be_accepted(&[(Write(1), 0, None), (Read(0), 1, Some(2)), (Read(1), 3, Some(4))]);
        must_be_accepted(&[(Write(1), 0, None), (Read(0), 1, Some(2)), (Read(0), 3, Some(4))]);
    }

    #[test]
    fn a_stale_read_is_refused() {
        must_be_refused(&[(Write(1), 0, Some(1)), (Read(0), 2, Some(3))]);
        must_be_refused(&[(Write(1), 0, Some(9)), (Read(1), 1, Some(2)), (Read(0), 3, Some(4))]);
        must_be_refused(&[(Write(1), 0, None), (Read(1), 1, Some(2)), (Read(0), 3, Some(4))]);
    }

    #[test]
    fn a_write_that_is_lost_is_refused() {
        must_be_refused(&[(Write(1), 0, Some(1)), (Write(2), 2, Some(3)), (Read(1), 4, Some(5))]);
    }

    #[test]
    fn a_write_that_happens_twice_is_refused() {
        let again = [(Read(2), 4, Some(5)), (Read(1), 6, Some(7))];
        must_be_refused(&[[(Write(1), 0, Some(1)), (Write(2), 2, Some(3))], again].concat());
        must_be_refused(
            &[[(Write(1), 0, None), (Write(2), 2, Some(3))], [(Read(1), 1, Some(1)), again[0]], again].concat(),
        );
    }

    #[test]
    fn what_nobody_wrote_or_not_yet_is_refused() {
        must_be_refused(&[(Read(1), 0, Some(1))]);
        must_be_refused(&[(Read(1), 0, Some(1)), (Write(1), 2, Some(3))]);
    }

    /// True if there is an order of those that are left, found by trying all.
    fn has_order(left: &[Operation], value: u64) -> bool {
        let may_be_next = |one: &Operation| left.iter().all(|other| other.answered.is_none_or(|end| one.asked <= end));
        left.iter().all(|one| one.answered.is_none())
            || left.iter().enumerate().filter(|(_, one)| may_be_next(one)).any(|(place, one)| {
                let after = match one.action {
                    Write(written) => written,
                    Read(read) => read,
                };
                let rest = [&left[..place], &left[place + 1..]].concat();
                (one.action != Read(after) || after == value) && has_order(&rest, after)
            })
    }

    #[test]
    fn the_rule_says_the_same_as_trying_all_orders() {
        let (mut next, mut accepted) = (crate::nodes::sequence(1), 0);
        for _ in 0..20_000 {
            let mut operation = |action| {
                let asked = next(12) as u64;
                let answered = Some(asked + next(6) as u64);
                (action, asked, answered.filter(|_| !matches!(action, Write(_)) || next(5) > 0))
            };
            let writes: Vec<_> = (1..=3).map(|value| operation(Write(value))).collect();
            let reads: Vec<_> = (0..4).map(|_| operation(Read(0))).collect();
            let reads = reads.into_iter().map(|(_, asked, answered)| (Read(next(4) as u64), asked, answered));
            let operations = history(&writes.iter().copied().chain(reads).collect::<Vec<_>>());
            let found = contradiction(&operations);
            assert_eq!(found.is_none(), has_order(&operations, 0), "{found:?}: {operations:#?}");
            accepted += usize::from(found.is_none());
        }
        assert!((1_000..19_000).contains(&accepted), "{accepted} were accepted");
    }
}
