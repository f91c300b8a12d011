//! Times as people say them.

use crate::clock::Time;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// A time in the past or the future, as seen now: `2 hours ago`, `in 5 days`; the day from a month on.
pub(super) fn relative(at: Time, now: Time) -> String {
    let seconds = now.seconds() - at.seconds();
    let (count, unit) = match seconds.abs() {
        ..MINUTE => return if seconds >= 0 { "just now".into() } else { "in less than a minute".into() },
        away @ ..HOUR => (away / MINUTE, "minute"),
        away @ ..DAY => (away / HOUR, "hour"),
        away if away < 30 * DAY => (away / DAY, "day"),
        _ => return at.day(),
    };
    match (count, unit, seconds >= 0) {
        (1, "day", true) => "yesterday".into(),
        (1, "day", false) => "tomorrow".into(),
        (1, _, true) => format!("1 {unit} ago"),
        (1, _, false) => format!("in 1 {unit}"),
        (_, _, true) => format!("{count} {unit}s ago"),
        (_, _, false) => format!("in {count} {unit}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_people_say_them() {
        let now = Time::read("2026-11-27T10:47:00Z").expect("a time");
        for (seconds, expected) in [
            (0, "just now"),
            (59, "just now"),
            (60, "1 minute ago"),
            (2 * HOUR + 5, "2 hours ago"),
            (25 * HOUR, "yesterday"),
            (5 * DAY, "5 days ago"),
            (30 * DAY, "28 October 2026"),
            (-30, "in less than a minute"),
            (-HOUR, "in 1 hour"),
            (-DAY, "tomorrow"),
            (-3 * DAY, "in 3 days"),
            (-40 * DAY, "6 January 2027"),
        ] {
            assert_eq!(relative(now.plus_seconds(-seconds), now), expected, "{seconds}");
        }
    }
}
