//! Time and randomness, real and for tests. This is the only file that reads the system's clock or its random bytes.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// An instant: UTC microseconds since 1970, as the database stores it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub i64);

impl Time {
    /// Whole seconds since 1970.
    #[must_use]
    pub fn seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// This instant plus this many seconds, which may be negative.
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(1_000_000)))
    }
}

impl Time {
    /// `YYYY-MM-DDTHH:MM:SSZ`, the format of all timestamps in requests and responses.
    #[must_use]
    pub fn text(self) -> [u8; 20] {
        let seconds = if WRITABLE.contains(&self.seconds()) { self.seconds() } else { 0 };
        let (year, month, day) = date(seconds.div_euclid(DAY));
        let second = seconds.rem_euclid(DAY);
        let mut text = *b"0000-00-00T00:00:00Z";
        let parts = [year / 100, year % 100, month, day, second / 3600, second / 60 % 60, second % 60];
        for (at, part) in [0, 2, 5, 8, 11, 14, 17].into_iter().zip(parts) {
            let part = u8::try_from(part).unwrap_or_default();
            (text[at], text[at + 1]) = (b'0' + part / 10, b'0' + part % 10);
        }
        text
    }
}

impl std::fmt::Display for Time {
    /// The same as text.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(str::from_utf8(&self.text()).unwrap_or_default())
    }
}

/// The CPU time that this thread has used.
#[must_use]
pub fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

const DAY: i64 = 86_400;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Time {
    /// The day for people, in UTC: `8 January 2026`.
    #[must_use]
    pub fn day(self) -> String {
        let (year, month, day) = date(self.seconds().div_euclid(DAY));
        let month = usize::try_from(month - 1).ok().and_then(|month| MONTHS.get(month)).copied();
        format!("{day} {} {year}", month.unwrap_or_default())
    }

    /// The minute for people, in UTC: `8 January 2026, 09:30 UTC`.
    #[must_use]
    pub fn minute(self) -> String {
        let minute = self.seconds().rem_euclid(DAY) / 60;
        format!("{}, {:02}:{:02} UTC", self.day(), minute / 60, minute % 60)
    }
}

impl Time {
    /// Parses a timestamp in the format of requests and responses.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let number = |part: std::ops::Range<usize>| text.get(part)?.parse::<i64>().ok();
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        let time = number(11..13)? * 3_600 + number(14..16)? * 60 + number(17..19)?;
        // Counted from a 1st of March, as below.
        let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        let days = 365 * year + leaps + (153 * month + 2) / 5 + day - 1 - 719_468;
        let read = Self((days * DAY + time) * 1_000_000);
        (read.text() == text.as_bytes()).then_some(read)
    }
}

impl<'de> serde::Deserialize<'de> for Time {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = <std::borrow::Cow<'_, str> as serde::Deserialize>::deserialize(deserializer)?;
        Self::read(&text).ok_or_else(|| serde::de::Error::custom("no time"))
    }
}

/// The seconds of the years 0 to 9999, which the format can express; any other time is written as 1970.
const WRITABLE: std::ops::RangeInclusive<i64> = -62_167_219_200..=253_402_300_799;

/// Year, month and day of a day since 1970, in the Gregorian calendar. It counts from a 1st of March: then the leap day
/// is the last day of a year, and every five months have 153 days.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + 400 * era + i64::from(month <= 2), month, day)
}

impl serde::Serialize for Time {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl schemars::JsonSchema for Time {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Time".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "format": "date-time" })
    }
}

/// The source of the time.
#[derive(Debug, Clone, Default)]
pub enum Clock {
    /// The system's clock.
    #[default]
    System,
    /// A clock that tests set.
    Manual(Arc<ManualClock>),
}

impl Clock {
    /// The time now.
    #[must_use]
    pub fn now(&self) -> Time {
        match self {
            Self::System => {
                #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the clock")]
                let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
                Time(since.map_or(0, |d| i64::try_from(d.as_micros()).unwrap_or(i64::MAX)))
            }
            Self::Manual(clock) => clock.now(),
        }
    }
}

/// A clock that tests set, and clients of `guildhall dev`. It is frozen or runs.
#[derive(Debug)]
pub struct ManualClock(Mutex<Hands>);

/// The time that was set last and, unless the clock is frozen, when that was.
#[derive(Debug, Clone, Copy)]
struct Hands {
    at: Time,
    running_since: Option<Instant>,
}

impl Hands {
    fn now(self) -> Time {
        let passed = self.running_since.map_or(Duration::ZERO, |since| since.elapsed());
        Time(self.at.0.saturating_add(i64::try_from(passed.as_micros()).unwrap_or(i64::MAX)))
    }
}

impl ManualClock {
    /// A clock that shows this time.
    #[must_use]
    pub fn new(at: Time, frozen: bool) -> Self {
        Self(Mutex::new(Hands { at, running_since: (!frozen).then(Instant::now) }))
    }

    /// The time now.
    #[must_use]
    pub fn now(&self) -> Time {
        self.hands(|hands| hands.now())
    }

    /// True if it is frozen.
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        self.hands(|hands| hands.running_since.is_none())
    }

    /// Sets the time, which is found from the current time. `None` leaves the clock as it is.
    pub fn set(&self, time: impl FnOnce(Time) -> Option<Time>) -> Option<Time> {
        self.hands(|hands| {
            let at = time(hands.now())?;
            *hands = Hands { at, running_since: hands.running_since.map(|_| Instant::now()) };
            Some(at)
        })
    }

    /// Stops the clock, or lets it run on.
    pub fn freeze(&self, frozen: bool) {
        self.hands(|hands| *hands = Hands { at: hands.now(), running_since: (!frozen).then(Instant::now) });
    }

    fn hands<R>(&self, work: impl FnOnce(&mut Hands) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Lets an action happen at most once a minute.
#[derive(Debug, Default)]
pub struct Minutely(Mutex<Option<Instant>>);

impl Minutely {
    /// The action has not happened yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// True if the last time was at least a minute ago. If so, this counts as the next time.
    pub fn is_due(&self) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let due = last.is_none_or(|last| last.elapsed() >= Duration::from_mins(1));
        if due {
            *last = Some(Instant::now());
        }
        due
    }
}

/// Lets an action happen at most once an hour of the service's clock.
#[derive(Debug, Default)]
pub struct Hourly(Mutex<Option<Time>>);

impl Hourly {
    /// True if the last time was at least an hour ago, or the clock was set back. If so, this counts as the next time.
    pub fn is_due(&self, now: Time) -> bool {
        const HOUR: i64 = 3_600_000_000;
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let due = last.is_none_or(|last| !(last.0..last.0.saturating_add(HOUR)).contains(&now.0));
        if due {
            *last = Some(now);
        }
        due
    }
}

/// Bytes from the system's random generator, for tokens, keys and identifiers.
pub fn random<const N: usize>() -> Result<[u8; N]> {
    drawn(Stream::Responses)
}

/// The same for what no response shows, such as names of files and random delays. Such bytes are drawn while requests are
/// served, in any order; `guildhall dev` repeats the others, so these have a stream of their own.
pub fn random_aside<const N: usize>() -> Result<[u8; N]> {
    drawn(Stream::Aside)
}

/// From now on, this process draws the same random bytes after each call of this. For `guildhall dev` only: tokens and
/// keys can be predicted.
pub fn repeat_randomness() {
    *REPEATED.lock().unwrap_or_else(PoisonError::into_inner) = Some([0; 2]);
}

/// The number of blocks that were drawn from each stream, if randomness is repeated.
static REPEATED: Mutex<Option<[u64; 2]>> = Mutex::new(None);

#[derive(Debug, Clone, Copy)]
enum Stream {
    Responses,
    Aside,
}

fn drawn<const N: usize>(stream: Stream) -> Result<[u8; N]> {
    use rand::TryRng;
    let mut bytes = [0; N];
    if let Some(drawn) = REPEATED.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        let drawn = &mut drawn[stream as usize];
        for part in bytes.chunks_mut(32) {
            let block = Sha256::digest(format!("guildhall dev {stream:?} {drawn}"));
            part.copy_from_slice(&block[..part.len()]);
            *drawn += 1;
        }
        return Ok(bytes);
    }
    rand::rngs::SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|e| Error::Unavailable(format!("the system gives no randomness: {e}")))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Hourly, Time};

    #[test]
    fn days_are_written_as_people_write_them() {
        let day = |seconds: i64| Time(seconds * 1_000_000).day();
        assert_eq!(
            [day(0), day(951_782_400), day(1_767_225_599)],
            ["1 January 1970", "29 February 2000", "31 December 2025"]
        );
    }

    #[test]
    fn an_hourly_action_is_due_again_after_an_hour_and_if_the_clock_was_set_back() {
        let hourly = Hourly::default();
        let due = |minutes: i64| hourly.is_due(Time(minutes * 60_000_000));
        let dues = [100, 100, 159, 160, 161, 90, 91, 150].map(due);
        assert_eq!(dues, [true, false, false, true, false, true, false, true]);
    }

    #[test]
    fn times_are_written_as_clients_read_them() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (784_111_777, "1994-11-06T08:49:37Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"),
            (-62_162_035_200, "0000-03-01T00:00:00Z"),
            (253_402_300_800, "1970-01-01T00:00:00Z"),
        ] {
            assert_eq!(Time(seconds * 1_000_000 + 999_999).to_string(), text);
            let read = Time::read(text).unwrap();
            assert_eq!(read.to_string(), text);
            assert!(read.seconds() == seconds || seconds > 253_402_300_799);
        }
        assert_eq!(Time(i64::MIN).to_string(), "1970-01-01T00:00:00Z");
        for wrong in ["", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00"]
        {
            assert_eq!(Time::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn every_day_of_400_years_follows_the_one_before() {
        let mut expected = (1800, 1, 1);
        for day in -62_091..84_006 {
            assert_eq!(super::date(day), expected, "day {day}");
            let (year, month, date) = expected;
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let last = match month {
                2 => 28 + i64::from(leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            expected = match (month, date) {
                (12, 31) => (year + 1, 1, 1),
                (_, date) if date == last => (year, month + 1, 1),
                _ => (year, month, date + 1),
            };
        }
        assert_eq!(expected.0, 2200);
    }
}
