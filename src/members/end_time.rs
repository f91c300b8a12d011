//! The time at which a membership of a team ends (decision 64), as requests name it and responses show it.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::clock::Time;
use crate::error::{Error, Result};

/// The longest text that is read: a time with a fraction of nine digits and an offset.
const LONGEST: usize = 35;

/// A time that is shown with its fraction of a second, if it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndTime(pub Time);

/// The time between the e-mail that announces an end and the end, in seconds.
pub(super) const NOTICE_SECONDS: i64 = 7 * 86_400;

impl EndTime {
    /// Parses a time of ISO 8601 with seconds and an offset. Digits beyond microseconds are dropped.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (seconds, rest) = text.split_at_checked(19).filter(|_| text.len() <= LONGEST)?;
        let Time(whole) = Time::read(&format!("{seconds}Z"))?;
        let digits = rest.strip_prefix('.').map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
        let (fraction, offset) = match digits {
            0 => ("", rest),
            digits => (&rest[1..=digits], &rest[1 + digits..]),
        };
        let micros = fraction.bytes().chain(std::iter::repeat(b'0')).take(6);
        let micros = micros.fold(0, |micros, digit| micros * 10 + i64::from(digit - b'0'));
        Some(Self(Time(whole + micros).plus_seconds(-offset_seconds(offset)?)))
    }

    /// The end that a request names: in the future, and at most ten years ahead.
    pub fn wanted(text: &str, now: Time) -> Result<Self> {
        let refused = |message: &'static str| Error::explained("TeamMember", "invalid", "expires_at", message);
        let end = Self::read(text).ok_or_else(|| {
            refused("expires_at must be a time of ISO 8601 with an offset, such as 2030-01-31T18:00:00Z.")
        })?;
        match end.0 {
            at if at <= now => Err(refused("expires_at must be in the future.")),
            at if at > ten_years_after(now) => Err(refused("expires_at must be at most ten years ahead.")),
            _ => Ok(end),
        }
    }
}

/// The time of the e-mail that announces an end. An end less than a week ahead has none.
pub(super) fn mail_at(end: Option<Time>, now: Time) -> Option<i64> {
    end.map(|end| end.plus_seconds(-NOTICE_SECONDS)).filter(|at| *at > now).map(|at| at.0)
}

/// The seconds that a local time with this offset is ahead of UTC.
fn offset_seconds(offset: &str) -> Option<i64> {
    if offset == "Z" {
        return Some(0);
    }
    let (sign, of) = offset.split_at_checked(1)?;
    let number = |part: &str| part.parse::<i64>().ok().filter(|_| part.bytes().all(|byte| byte.is_ascii_digit()));
    let (hours, minutes) = of.split_once(':').filter(|_| of.len() == 5)?;
    let (hours, minutes) =
        (number(hours).filter(|hours| *hours < 24)?, number(minutes).filter(|minutes| *minutes < 60)?);
    let seconds = hours * 3_600 + minutes * 60;
    match sign {
        "+" => Some(seconds),
        "-" => Some(-seconds),
        _ => None,
    }
}

/// The same date and time ten years later. The 29th of February becomes the 1st of March.
fn ten_years_after(now: Time) -> Time {
    let text = now.to_string();
    let later = |date: &str| {
        let year: i64 = text.get(..4)?.parse().ok()?;
        Time::read(&format!("{:04}-{date}{}", year + 10, text.get(10..)?))
    };
    let whole = text.get(5..10).and_then(later).or_else(|| later("03-01")).unwrap_or(now);
    Time(whole.0 + now.0.rem_euclid(1_000_000))
}

impl std::fmt::Display for EndTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (text, micros) = (self.0.to_string(), self.0.0.rem_euclid(1_000_000));
        match micros {
            0 => f.write_str(&text),
            micros => write!(f, "{}.{micros:06}Z", text.trim_end_matches('Z')),
        }
    }
}

impl Serialize for EndTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for EndTime {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Time::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Time::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_with_its_fraction_and_offset_and_shown_in_utc() {
        for (text, shown) in [
            ("2030-01-31T18:00:00Z", "2030-01-31T18:00:00Z"),
            ("2030-01-31T18:00:00.5Z", "2030-01-31T18:00:00.500000Z"),
            ("2030-01-31T18:00:00.000001999+02:00", "2030-01-31T16:00:00.000001Z"),
            ("2030-01-31T18:00:00-05:30", "2030-01-31T23:30:00Z"),
            ("2030-01-01T00:00:00.000000+00:01", "2029-12-31T23:59:00Z"),
        ] {
            assert_eq!(EndTime::read(text).map(|end| end.to_string()).as_deref(), Some(shown), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_times() {
        for text in [
            "",
            "2030",
            "2030-01-31",
            "2030-01-31T18:00Z",
            "2030-01-31T18:00:00",
            "2030-01-31T18:00:00.Z",
            "2030-01-31 18:00:00Z",
            "2030-02-30T18:00:00Z",
            "2030-01-31T24:00:00Z",
            "2030-01-31T18:00:00+24:00",
            "2030-01-31T18:00:00+0200",
            "2030-01-31T18:00:00++1:00",
            "2030-01-31T18:00:00+\u{e9}1:00",
            "2030-01-31T18:00:00.1\u{e9}Z",
            "2030-01-31T18:00:0\u{e9}Z",
            "2030-01-31T18:00:00.0000000000000000Z",
            "null",
        ] {
            assert_eq!(EndTime::read(text), None, "{text}");
        }
    }

    #[test]
    fn ten_years_are_years_of_the_calendar() {
        for (now, last) in [
            ("2027-03-01T00:00:00.000007Z", "2037-03-01T00:00:00.000007Z"),
            ("2028-02-29T12:00:00Z", "2038-03-01T12:00:00Z"),
        ] {
            let now = EndTime::read(now).unwrap().0;
            assert_eq!(EndTime(ten_years_after(now)).to_string(), last);
        }
    }
}
