//! Durations in flags.

/// The seconds of `30` (days), `12h`, `30d` or `2w`.
pub fn seconds(text: &str) -> Result<i64, String> {
    const HOUR: i64 = 60 * 60;
    const LONGEST: i64 = 100 * 365 * 24 * HOUR;
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "h" => HOUR,
        "" | "d" => 24 * HOUR,
        "w" => 7 * 24 * HOUR,
        _ => 0,
    };
    let seconds = digits.parse::<u32>().map_or(0, |count| i64::from(count) * unit);
    match seconds {
        1..=LONGEST => Ok(seconds),
        ..=0 => Err("use a number of days, or a time such as 12h, 30d or 2w".to_owned()),
        _ => Err("the maximum is 100 years (36500d); leave the flag out for a token that does not expire".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn times_are_days_unless_they_say_otherwise() {
        for (text, expected) in [("30", 30 * 86_400), ("30d", 30 * 86_400), ("12h", 43_200), ("2w", 14 * 86_400)] {
            assert_eq!(seconds(text), Ok(expected), "{text}");
        }
        for wrong in ["", "0", "-1", "2y", "h", "1.5d", "99999999999", "2 w"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn no_token_is_to_end_later_than_in_a_hundred_years() {
        assert_eq!(seconds("36500"), Ok(36_500 * 86_400));
        for late in ["36501d", "876001h", "99999999w"] {
            assert!(seconds(late).is_err_and(|why| why.contains("100 years")), "{late}");
        }
    }
}
