//! The runs in progress: how many there are, for which receivers, and which comes next. A receiver that fails or is slow
//! gets one run at a time, and takes no capacity from the receivers that work.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use super::marks::Outcome;
use super::queue::Due;
use super::{Lane, Target};

/// How many runs there are for one receiver, and for one whose last attempt failed or was slow.
const OF_TARGET: (usize, usize) = (4, 1);

/// How many runs there are to receivers that work, and as many again to those that do not.
const AT_ONCE: usize = 64;

/// From what time on an attempt is slow.
const SLOW: Duration = Duration::from_secs(1);

/// A lane that a run has, or had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    /// By a run to a receiver that worked, or did not, when it began.
    Running { well: bool },
    /// The run is over, but what came of it is not written down yet.
    Ended,
}

/// The runs of a worker.
#[derive(Default)]
pub(super) struct Runs {
    lanes: HashMap<Lane, Held>,
    /// How many runs each receiver has.
    of_target: HashMap<Target, usize>,
    /// The receivers whose last attempt failed or was slow.
    unwell: HashSet<Target>,
    /// What is due for each receiver, and until when its lease is held.
    due: BTreeMap<Target, (Instant, VecDeque<Due>)>,
    /// The receiver that was served last.
    last: Option<Target>,
}

impl Runs {
    /// Whether a receiver works.
    pub(super) fn note(&mut self, outcome: &Outcome) {
        let target = outcome.lane.target;
        if outcome.attempt.as_ref().is_some_and(|attempt| attempt.ok && attempt.duration < SLOW) {
            self.unwell.remove(&target);
        } else {
            self.unwell.insert(target);
        }
    }

    /// A run is over. Its lane is free once what came of it is written down.
    pub(super) fn end(&mut self, lane: Lane) {
        self.lanes.insert(lane, Held::Ended);
        if let Some(count) = self.of_target.get_mut(&lane.target) {
            *count -= 1;
            if *count == 0 {
                self.of_target.remove(&lane.target);
            }
        }
    }

    /// What came of all runs that are over is written down.
    pub(super) fn free(&mut self) {
        self.lanes.retain(|_, held| *held != Held::Ended);
        // It was read before that.
        self.due.clear();
    }

    /// How many runs are under way.
    pub(super) fn count(&self) -> usize {
        self.of_target.values().sum()
    }

    /// These deliveries to a receiver are due. Its lease ends then.
    pub(super) fn offer(&mut self, target: Target, leased: Instant, mut due: Vec<Due>) {
        // What was never tried comes before what has failed.
        due.sort_by_key(|due| (due.attempts, due.id));
        self.due.insert(target, (leased, due.into()));
    }

    /// The next run that there is room for: its lane, its first delivery, and the end of the lease.
    pub(super) fn next(&mut self) -> Option<(Lane, i64, Instant)> {
        let (first, rest): (Vec<Target>, Vec<Target>) =
            self.due.keys().partition(|target| self.last.is_none_or(|last| **target > last));
        first.into_iter().chain(rest).find_map(|target| self.next_of(target))
    }

    fn next_of(&mut self, target: Target) -> Option<(Lane, i64, Instant)> {
        let well = !self.unwell.contains(&target);
        let most = if well { OF_TARGET.0 } else { OF_TARGET.1 };
        let running = Held::Running { well };
        let is_full = self.of_target.get(&target).is_some_and(|count| *count >= most);
        if is_full || self.lanes.values().filter(|held| **held == running).count() >= AT_ONCE {
            return None;
        }
        let (leased, due) = self.due.get_mut(&target)?;
        while let Some(Due { id, key, .. }) = due.pop_front() {
            let lane = Lane { target, key };
            if self.lanes.contains_key(&lane) {
                continue;
            }
            self.lanes.insert(lane, running);
            *self.of_target.entry(target).or_default() += 1;
            self.last = Some(target);
            return Some((lane, id, *leased));
        }
        None
    }
}
