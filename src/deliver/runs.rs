//! The runs in progress: how many there are, for which receivers, and which one is next. A receiver that fails or is
//! slow gets one run at a time. It takes no capacity from the receivers that work. E-mails that a person waits for come
//! first, and e-mails about posts take no capacity from them. Organizations take turns.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use super::marks::Outcome;
use super::queue::Due;
use super::{Kind, Lane, Target};

/// The largest number of runs of one share, and of one whose last attempt failed or was slow.
const OF_SHARE: (usize, usize) = (4, 1);

/// The largest number of runs to receivers that work, and also of runs to receivers that do not.
const AT_ONCE: usize = 64;

/// The duration from which an attempt is slow.
const SLOW: Duration = Duration::from_secs(1);

/// A part of the capacity that others cannot use. The mail server has two: one for e-mails about posts of all organizations, and one
/// for all other e-mails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Share {
    Letters,
    Posts,
    Hook(i64),
}

/// Receivers that take turns. Those of the first class come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Class {
    Letters,
    Posts,
    Hooks,
}

impl Share {
    fn of(target: Target) -> Self {
        match target.kind {
            Kind::Hook => Self::Hook(target.id),
            Kind::Mail if target.is_about_posts() => Self::Posts,
            Kind::Mail => Self::Letters,
        }
    }

    fn class(self) -> Class {
        match self {
            Self::Letters => Class::Letters,
            Self::Posts => Class::Posts,
            Self::Hook(_) => Class::Hooks,
        }
    }
}

/// A lane that has a run, or had one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    /// The run is in progress; `well` says whether its receiver worked when it began.
    Running { well: bool },
    /// The run is over, but its result is not stored yet.
    Ended,
}

/// The runs of a worker.
#[derive(Default)]
pub(super) struct Runs {
    lanes: HashMap<Lane, Held>,
    /// The number of runs of each share.
    of_share: HashMap<Share, usize>,
    /// The shares whose last attempt failed or was slow.
    unwell: HashSet<Share>,
    /// The due deliveries of each receiver, and when its lease ends.
    due: BTreeMap<Target, (Instant, VecDeque<Due>)>,
    /// The receiver of each class that was served last.
    last: HashMap<Class, Target>,
}

impl Runs {
    /// Records whether a receiver works.
    pub(super) fn note(&mut self, outcome: &Outcome) {
        let share = Share::of(outcome.lane.target);
        if outcome.attempt.as_ref().is_some_and(|attempt| attempt.ok && attempt.duration < SLOW) {
            self.unwell.remove(&share);
        } else {
            self.unwell.insert(share);
        }
    }

    /// Ends a run. Its lane is free once its result is stored.
    pub(super) fn end(&mut self, lane: Lane) {
        self.lanes.insert(lane, Held::Ended);
        let share = Share::of(lane.target);
        if let Some(count) = self.of_share.get_mut(&share) {
            *count -= 1;
            if *count == 0 {
                self.of_share.remove(&share);
            }
        }
    }

    /// Frees the lanes of all ended runs, because their results are stored.
    pub(super) fn free(&mut self) {
        self.lanes.retain(|_, held| *held != Held::Ended);
        // It was read before that.
        self.due.clear();
    }

    /// The number of runs in progress.
    pub(super) fn count(&self) -> usize {
        self.of_share.values().sum()
    }

    /// Sets the due deliveries of a receiver, and when its lease ends.
    pub(super) fn offer(&mut self, target: Target, leased: Instant, mut due: Vec<Due>) {
        // New deliveries come before those that have failed.
        due.sort_by_key(|due| (due.attempts, due.id));
        self.due.insert(target, (leased, due.into()));
    }

    /// The next run, if there is capacity for one: its lane, its first delivery, and the end of the lease.
    pub(super) fn next(&mut self) -> Option<(Lane, i64, Instant)> {
        [Class::Letters, Class::Posts, Class::Hooks].into_iter().find_map(|class| self.next_of_class(class))
    }

    fn next_of_class(&mut self, class: Class) -> Option<(Lane, i64, Instant)> {
        let last = self.last.get(&class).copied();
        let of_class = self.due.keys().copied().filter(|target| Share::of(*target).class() == class);
        let (first, rest): (Vec<Target>, Vec<Target>) =
            of_class.partition(|target| last.is_none_or(|last| *target > last));
        first.into_iter().chain(rest).find_map(|target| self.next_of(target))
    }

    fn next_of(&mut self, target: Target) -> Option<(Lane, i64, Instant)> {
        let share = Share::of(target);
        let well = !self.unwell.contains(&share);
        let most = if well { OF_SHARE.0 } else { OF_SHARE.1 };
        let running = Held::Running { well };
        let is_full = self.of_share.get(&share).is_some_and(|count| *count >= most);
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
            *self.of_share.entry(share).or_default() += 1;
            self.last.insert(share.class(), target);
            return Some((lane, id, *leased));
        }
        None
    }
}
