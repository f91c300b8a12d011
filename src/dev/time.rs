//! Changes of the clock.

use serde_json::{Map, Value, json};

use super::refusal::{Refusal, only};
use crate::clock::{ManualClock, Time};

/// The last time that RFC 3339 can express.
const LAST: i64 = 253_402_300_799;

/// The units of a duration, in seconds.
const UNITS: [(char, i64); 5] = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400), ('w', 604_800)];

const FORMS: &str = "use a whole number with a unit, such as 90s, 30m, 12h, 8d or 2w";

/// Changes the clock as the body says: `now` or `advance`, and `frozen`. If this fails, nothing has changed.
pub fn change(clock: &ManualClock, body: &Map<String, Value>) -> Result<(), Refusal> {
    only(body, &["now", "advance", "frozen"])?;
    let frozen = match body.get("frozen") {
        None => None,
        Some(Value::Bool(frozen)) => Some(*frozen),
        Some(_) => return Err(Refusal::of("frozen", "use true or false")),
    };
    match (body.get("now"), body.get("advance")) {
        (Some(_), Some(_)) => return Err(Refusal::of("advance", "`now` is there too; send one of them")),
        (Some(now), None) => set(clock, now)?,
        (None, Some(by)) => advance(clock, by)?,
        (None, None) if frozen.is_none() => return Err(Refusal::new(422, "send `now`, `advance` or `frozen`")),
        (None, None) => {}
    }
    if let Some(frozen) = frozen {
        clock.freeze(frozen);
    }
    Ok(())
}

/// The clock as responses show it.
pub fn shown(clock: &ManualClock) -> Value {
    json!({ "now": clock.now(), "frozen": clock.is_frozen() })
}

fn set(clock: &ManualClock, to: &Value) -> Result<(), Refusal> {
    let to = to.as_str().and_then(Time::read);
    let to = to.ok_or_else(|| Refusal::of("now", "use a time in UTC such as 2030-01-01T00:00:00Z"))?;
    let set = clock.set(|now| (to.seconds() >= now.seconds()).then_some(to.max(now)));
    set.map(drop).ok_or_else(|| {
        let now = clock.now();
        Refusal::of("now", format!("the clock is at {now} already and does not go back; reset the server first"))
    })
}

fn advance(clock: &ManualClock, by: &Value) -> Result<(), Refusal> {
    let by = by.as_str().and_then(seconds).ok_or_else(|| Refusal::of("advance", FORMS))?;
    let set = clock.set(|now| Some(now.plus_seconds(by)).filter(|at| at.seconds() <= LAST));
    set.map(drop).ok_or_else(|| Refusal::of("advance", "the clock would pass the year 9999"))
}

fn seconds(text: &str) -> Option<i64> {
    let unit = text.chars().next_back()?;
    let (_, seconds) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let count = text.strip_suffix(unit)?;
    if !count.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    count.parse::<i64>().ok()?.checked_mul(*seconds)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn durations_have_a_unit() {
        for (text, expected) in [("90s", 90), ("30m", 1_800), ("1h", 3_600), ("8d", 691_200), ("2w", 1_209_600)] {
            assert_eq!(seconds(text), Some(expected), "{text}");
        }
        for wrong in ["", "d", "8", "-8d", "+8d", "1.5h", "8 d", "8y", "99999999999999999999w"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
