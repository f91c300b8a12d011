//! Counts in memory how many requests a person or an anonymous IP address may send in a window of time.
//!
//! Implements decision 39. The counts are per node and in memory. All tokens of a person count together, in a window
//! that starts with the first request in it. The time is always passed in. `resources.rs` has the limiter of each
//! resource. Another counts refusals that disclose something that a person may not see (decision 9).
//!
//! Memory is limited. Each person always has a window of their own, and there are no more persons than accounts. An
//! attacker can have any number of IP addresses, so only about `capacity` of them have a window of their own; while
//! that many windows are live, all other IP addresses share one.

use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::HashMap;

const SHARDS: usize = 64;

/// The caller whose requests are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A person, by id, whatever token they use.
    Person(i64),
    /// An anonymous caller, by IP address; of an IPv6 address, the first 64 bits count.
    Address(IpAddr),
}

/// The requests that a caller has made in the current window, and those that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Requests allowed in a window.
    pub limit: u32,
    /// Requests left in this window.
    pub remaining: u32,
    /// Requests made in this window; refused ones do not count.
    pub used: u32,
    /// The time at which the window ends, in epoch seconds.
    pub reset: i64,
    /// True if this request is over the limit.
    pub refused: bool,
}

impl Quota {
    /// Seconds until the window ends, at least one.
    #[must_use]
    pub fn wait(&self, now: i64) -> u32 {
        u32::try_from(self.reset - now).unwrap_or(1).max(1)
    }
}

#[derive(Clone, Copy)]
struct Window {
    start: i64,
    lasts: i64,
    used: u32,
}

impl Window {
    fn new(now: i64, lasts: i64) -> Window {
        Window { start: now, lasts, used: 0 }
    }

    /// It is also over that long before its start, so that a clock that was set back cannot keep a window for days.
    fn is_over(&self, now: i64) -> bool {
        now.abs_diff(self.start) >= self.lasts.unsigned_abs()
    }

    fn charge(&mut self, now: i64, limit: u32, points: u32) -> Quota {
        if self.is_over(now) {
            *self = Window::new(now, self.lasts);
        }
        let refused = points > limit.saturating_sub(self.used);
        self.used += if refused { 0 } else { points };
        Quota { refused, ..self.quota(limit) }
    }

    /// Refunds a request charged at `now`, unless this window is a later one.
    fn refund(&mut self, now: i64) {
        if self.start <= now && !self.is_over(now) {
            self.used = self.used.saturating_sub(1);
        }
    }

    fn peek(&self, now: i64, limit: u32) -> Quota {
        let window = if self.is_over(now) { Window::new(now, self.lasts) } else { *self };
        window.quota(limit)
    }

    fn quota(&self, limit: u32) -> Quota {
        let remaining = limit.saturating_sub(self.used);
        let reset = self.start.saturating_add(self.lasts);
        Quota { limit, remaining, used: self.used, reset, refused: false }
    }
}

/// One shard: the windows of some callers.
#[derive(Default)]
struct Windows {
    by_key: HashMap<u64, Window>,
    swept_at: i64,
}

impl Windows {
    /// True if there is room for one more window, after removing those that are over.
    ///
    /// Removes them at most once a second, so that a flood of new IP addresses cannot make each request costly.
    fn has_room(&mut self, now: i64, room: usize) -> bool {
        if self.by_key.len() >= room && self.swept_at != now {
            self.swept_at = now;
            self.by_key.retain(|_, window| !window.is_over(now));
        }
        self.by_key.len() < room
    }
}

/// Counts the requests of all callers on this node.
pub struct Limiter {
    per_person: u32,
    per_address: u32,
    lasts: i64,
    room_in_shard: usize,
    persons: [Mutex<Windows>; SHARDS],
    addresses: [Mutex<Windows>; SHARDS],
    overflow: Mutex<Window>,
}

impl Limiter {
    /// A limiter, per minute, of something that only persons do.
    #[must_use]
    pub fn of_persons(per_minute: u32) -> Limiter {
        Limiter::lasting(60, per_minute, 0, 0)
    }

    /// A limiter of what a caller may do in this many seconds. It counts about `capacity` anonymous IP addresses
    /// separately at a time.
    #[must_use]
    pub fn lasting(lasts: i64, per_person: u32, per_address: u32, capacity: usize) -> Limiter {
        Limiter {
            per_person,
            per_address,
            lasts,
            room_in_shard: capacity.div_ceil(SHARDS),
            persons: std::array::from_fn(|_| Mutex::default()),
            addresses: std::array::from_fn(|_| Mutex::default()),
            overflow: Mutex::new(Window::new(i64::MIN, lasts)),
        }
    }

    /// Counts one request, unless the caller is over the limit.
    pub fn charge(&self, caller: Caller, now: i64) -> Quota {
        self.charge_points(caller, now, 1)
    }

    /// Counts a request that costs this many points, unless the caller has fewer left.
    pub fn charge_points(&self, caller: Caller, now: i64, points: u32) -> Quota {
        let (shard, key, limit) = self.place(caller);
        let mut windows = lock(shard);
        if let Some(window) = windows.by_key.get_mut(&key) {
            return window.charge(now, limit, points);
        }
        let has_room = windows.has_room(now, self.room_in_shard);
        if has_room || matches!(caller, Caller::Person(_)) {
            return windows.by_key.entry(key).or_insert(Window::new(now, self.lasts)).charge(now, limit, points);
        }
        lock(&self.overflow).charge(now, limit, points)
    }

    /// Refunds a request that was charged at `now`, because its response was 304, which costs nothing.
    pub fn refund(&self, caller: Caller, now: i64) -> Quota {
        self.look(caller, now, |window, limit| {
            window.refund(now);
            window.peek(now, limit)
        })
    }

    /// The quota of the caller, without counting a request.
    pub fn peek(&self, caller: Caller, now: i64) -> Quota {
        self.look(caller, now, |window, limit| window.peek(now, limit))
    }

    /// Runs `f` on the window that counts the caller, or on an unused one that is dropped afterwards.
    fn look(&self, caller: Caller, now: i64, f: impl FnOnce(&mut Window, u32) -> Quota) -> Quota {
        let (shard, key, limit) = self.place(caller);
        let mut windows = lock(shard);
        if let Some(window) = windows.by_key.get_mut(&key) {
            return f(window, limit);
        }
        if matches!(caller, Caller::Person(_)) || windows.has_room(now, self.room_in_shard) {
            return f(&mut Window::new(now, self.lasts), limit);
        }
        f(&mut lock(&self.overflow), limit)
    }

    /// The shard and key of a caller, and the limit that applies.
    fn place(&self, caller: Caller) -> (&Mutex<Windows>, u64, u32) {
        let (shards, key, limit) = match caller {
            Caller::Person(id) => (&self.persons, id.cast_unsigned(), self.per_person),
            Caller::Address(ip) => (&self.addresses, address_key(ip), self.per_address),
        };
        // The golden ratio spreads keys that differ little; the top bits of the product are mixed best.
        let mixed = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (&shards[(mixed >> 58) as usize % SHARDS], key, limit)
    }
}

/// The network of an IP address. IPv4 is below 2^32, where no IPv6 network is ever assigned.
#[must_use]
pub fn address_key(ip: IpAddr) -> u64 {
    match ip.to_canonical() {
        IpAddr::V4(v4) => u64::from(v4.to_bits()),
        IpAddr::V6(v6) => (v6.to_bits() >> 64) as u64,
    }
}

/// The counters stay valid whatever a thread did while it held the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::thread;

    const NOW: i64 = 1_600_000_000;
    const MAX: Caller = Caller::Person(7);

    fn hourly(per_person: u32, per_address: u32, capacity: usize) -> Limiter {
        Limiter::lasting(3600, per_person, per_address, capacity)
    }

    fn address(text: &str) -> Caller {
        Caller::Address(text.parse().unwrap())
    }

    fn numbered(n: u32) -> Caller {
        Caller::Address(IpAddr::V4(n.into()))
    }

    fn live_windows(shards: &[Mutex<Windows>]) -> usize {
        shards.iter().map(|s| lock(s).by_key.len()).sum()
    }

    #[test]
    fn a_window_starts_at_first_use_and_lasts_an_hour() {
        let limiter = hourly(2, 1, 64);
        let quota = |remaining, used, reset, refused| Quota { limit: 2, remaining, used, reset, refused };
        assert_eq!(limiter.peek(MAX, NOW), quota(2, 0, NOW + 3600, false));
        assert_eq!(limiter.charge(MAX, NOW), quota(1, 1, NOW + 3600, false));
        assert_eq!(limiter.charge(MAX, NOW + 10), quota(0, 2, NOW + 3600, false));
        assert_eq!(limiter.charge(MAX, NOW + 3599), quota(0, 2, NOW + 3600, true));
        assert_eq!(limiter.peek(MAX, NOW + 3599), quota(0, 2, NOW + 3600, false));
        assert_eq!(limiter.peek(MAX, NOW + 3600), quota(2, 0, NOW + 7200, false));
        assert_eq!(limiter.charge(MAX, NOW + 3700), quota(1, 1, NOW + 7300, false));
    }

    #[test]
    fn a_limiter_of_persons_has_a_window_of_a_minute() {
        let limiter = Limiter::of_persons(1);
        assert!(!limiter.charge(MAX, NOW).refused);
        assert_eq!((limiter.charge(MAX, NOW + 59).refused, limiter.peek(MAX, NOW + 59).reset), (true, NOW + 60));
        assert!(!limiter.charge(MAX, NOW + 60).refused);
        assert!(!limiter.charge(Caller::Person(8), NOW + 60).refused);
    }

    #[test]
    fn a_refund_gives_back_one_call_of_the_same_window() {
        let limiter = hourly(2, 1, 64);
        assert_eq!(limiter.refund(MAX, NOW).used, 0);
        limiter.charge(MAX, NOW);
        limiter.charge(MAX, NOW);
        assert_eq!(limiter.refund(MAX, NOW).remaining, 1);
        assert!(!limiter.charge(MAX, NOW).refused);
        assert!(limiter.charge(MAX, NOW).refused);

        assert_eq!(limiter.charge(MAX, NOW + 3600).used, 1);
        limiter.refund(MAX, NOW + 3599); // charged before this window began
        assert_eq!(limiter.peek(MAX, NOW + 3600).used, 1);
    }

    #[test]
    fn persons_and_addresses_are_counted_apart() {
        let limiter = hourly(1, 1, 4096);
        let first = [MAX, Caller::Person(8), numbered(7), address("2001:db8::1"), address("2001:db8:0:1::1")];
        for caller in first {
            assert!(!limiter.charge(caller, NOW).refused, "{caller:?}");
        }
        assert!(limiter.charge(MAX, NOW).refused);
        assert!(limiter.charge(address("2001:db8::ffff:0:0:1"), NOW).refused, "same /64");
        assert!(limiter.charge(address("::ffff:0.0.0.7"), NOW).refused, "mapped IPv4");
    }

    #[test]
    fn a_limit_of_zero_refuses_everything() {
        let limiter = hourly(0, 0, 64);
        assert!(limiter.charge(MAX, NOW).refused);
        assert!(limiter.charge(numbered(1), NOW).refused);
    }

    #[test]
    fn a_flood_of_addresses_shares_one_window_and_spares_the_others() {
        let limiter = hourly(5, 60, 640);
        limiter.charge(numbered(0), NOW);
        let passed = (1..100_000).filter(|n| !limiter.charge(numbered(*n), NOW).refused).count();
        assert_eq!(live_windows(&limiter.addresses), 640);
        assert_eq!(passed, 639 + 60);
        assert_eq!(limiter.charge(numbered(0), NOW).used, 2);
        assert!(!limiter.charge(MAX, NOW).refused);

        let late = numbered(99_999);
        assert_eq!(limiter.peek(late, NOW).remaining, 0);
        assert_eq!(limiter.refund(late, NOW).remaining, 1);
        assert_eq!(limiter.charge(numbered(99_998), NOW).remaining, 0);

        assert_eq!(limiter.charge(late, NOW + 3600).used, 1, "room again when the windows are over");
        assert!(live_windows(&limiter.addresses) <= 640);
    }

    #[test]
    fn persons_are_never_dropped_while_live_and_swept_when_over() {
        let limiter = hourly(2, 1, 64);
        (0..10_000).for_each(|id| assert_eq!(limiter.charge(Caller::Person(id), NOW).used, 1));
        (0..10_000).for_each(|id| assert_eq!(limiter.charge(Caller::Person(id), NOW + 3599).used, 2));
        (10_000..11_000).for_each(|id| assert_eq!(limiter.charge(Caller::Person(id), NOW + 3600).used, 1));
        assert_eq!(live_windows(&limiter.persons), 1_000);
    }

    #[test]
    fn a_clock_set_back_does_not_lock_anybody_out() {
        let limiter = hourly(1, 1, 64);
        limiter.charge(MAX, NOW);
        assert!(limiter.charge(MAX, NOW - 1).refused);
        assert_eq!(limiter.charge(MAX, NOW - 86_400).reset, NOW - 86_400 + 3600);
        limiter.charge(Caller::Person(8), i64::MAX);
        assert!(!limiter.charge(Caller::Person(8), i64::MIN).refused);
    }

    #[test]
    fn exactly_the_limit_passes_under_parallel_threads() {
        let limiter = hourly(5_000, 300, 640);
        let callers = [MAX, Caller::Person(8), Caller::Person(71), numbered(1), address("2001:db8::1")];
        let passed: [AtomicU32; 5] = Default::default();
        let run = |seed: usize| {
            for i in 0..10_000 {
                let who = (i + seed) % callers.len();
                if limiter.charge(callers[who], NOW).refused {
                    continue;
                }
                if (i / callers.len() + seed).is_multiple_of(3) {
                    limiter.refund(callers[who], NOW);
                } else {
                    passed[who].fetch_add(1, Relaxed);
                }
            }
        };
        thread::scope(|scope| (0..8).for_each(|seed| drop(scope.spawn(move || run(seed)))));
        for (caller, passed) in callers.into_iter().zip(&passed) {
            let quota = limiter.peek(caller, NOW);
            assert_eq!((passed.load(Relaxed), quota.used), (quota.limit, quota.limit), "{caller:?}");
        }
    }
}
