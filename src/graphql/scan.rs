//! Refuses queries before a parser sees them (decision 60). One pass over the bytes, without recursion.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::problem::Problem;

/// The longest query, in bytes.
const LONGEST: usize = 64 << 10;

/// The greatest depth of nested brackets.
const DEEPEST: usize = 64;

/// The most tokens. A parser's work grows with them.
const MOST_TOKENS: usize = 5_000;

/// The marks at the beginning and the end of a block string.
const QUOTES: &[u8] = b"\"\"\"";

/// The same within a block string.
const ESCAPED: &[u8] = b"\\\"\"\"";

/// Refuses a query that is too long, too deeply nested, or has too many tokens.
pub fn scan(query: &str) -> Result<(), Problem> {
    if query.len() > LONGEST {
        return Err(Problem::of("MAX_QUERY_SIZE_EXCEEDED", "The query is longer than 64 KiB. Send a shorter one."));
    }
    let Scanned { tokens, depth } = measure(query.as_bytes());
    if depth > DEEPEST {
        let text = "The brackets of the query are nested more than 64 deep. Select less of it at a time.";
        return Err(Problem::of("MAX_DEPTH_EXCEEDED", text));
    }
    if tokens > MOST_TOKENS {
        let text = "The query has more than 5,000 tokens. Send it in parts.";
        return Err(Problem::of("MAX_TOKENS_EXCEEDED", text));
    }
    Ok(())
}

/// The variables of a query: an object, or a JSON text of one, as some clients send it. Refuses those that have too many
/// values, before any of them is compared with its type.
pub fn scan_variables(sent: Option<&Value>) -> Result<Cow<'_, Map<String, Value>>, Problem> {
    let wrong = || Problem::untyped("Variables must be an object.");
    let variables = match sent {
        None | Some(Value::Null) => Cow::default(),
        Some(Value::Object(fields)) => Cow::Borrowed(fields),
        Some(Value::String(text)) => Cow::Owned(parse_variables(text)?.ok_or_else(wrong)?),
        Some(_) => return Err(wrong()),
    };
    refuse_many(&variables)?;
    Ok(variables)
}

/// Parses variables that were sent as a text, whose brackets were not counted with those of the body; None if it is not one of an
/// object.
fn parse_variables(text: &str) -> Result<Option<Map<String, Value>>, Problem> {
    if text.trim().is_empty() {
        return Ok(Some(Map::new()));
    }
    if measure(text.as_bytes()).depth > DEEPEST {
        let text = "The brackets of the variables are nested more than 64 deep. Send less of them at a time.";
        return Err(Problem::of("MAX_DEPTH_EXCEEDED", text));
    }
    Ok(serde_json::from_str::<Option<_>>(text).map(Option::unwrap_or_default).ok())
}

fn refuse_many(variables: &Map<String, Value>) -> Result<(), Problem> {
    let mut left: Vec<&Value> = variables.values().collect();
    let mut values = 0;
    while let Some(value) = left.pop() {
        values += 1;
        match value {
            Value::Array(items) => left.extend(items),
            Value::Object(fields) => left.extend(fields.values()),
            _ => {}
        }
        if values + left.len() > MOST_TOKENS {
            let text = "The variables have more than 5,000 values. Send them in parts.";
            return Err(Problem::of("MAX_TOKENS_EXCEEDED", text));
        }
    }
    Ok(())
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Scanned {
    tokens: usize,
    depth: usize,
}

fn measure(text: &[u8]) -> Scanned {
    let (mut all, mut depth, mut at) = (Scanned::default(), 0_usize, 0);
    while let Some(byte) = text.get(at) {
        let rest = &text[at..];
        let length = match byte {
            b'#' => rest.iter().take_while(|b| !matches!(b, b'\n' | b'\r')).count(),
            b' ' | b'\t' | b'\n' | b'\r' | b',' => 1,
            b'"' => string(rest),
            byte if is_word(*byte) => rest.iter().take_while(|b| is_word(**b)).count(),
            _ => 1,
        };
        match byte {
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_ignored = matches!(byte, b'#' | b' ' | b'\t' | b'\n' | b'\r' | b',');
        all.tokens += usize::from(!is_ignored);
        all.depth = all.depth.max(depth);
        at += length;
    }
    all
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The length of the string at the beginning. One that does not end is as long as its line, or as the text.
fn string(text: &[u8]) -> usize {
    if text.starts_with(QUOTES) {
        let mut at = 3;
        while at < text.len() && !text[at..].starts_with(QUOTES) {
            at += if text[at..].starts_with(ESCAPED) { 4 } else { 1 };
        }
        return (at + 3).min(text.len());
    }
    let mut at = 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\n' | b'\r' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_brackets_are_counted_outside_of_texts_and_comments() {
        let count = |text: &str| measure(text.as_bytes());
        assert_eq!(count("{ a(b: \"{{ \\\" [[\"), c } # {{{"), Scanned { tokens: 9, depth: 2 });
        assert_eq!(count("{a(b:\"\"\"[[ \\\"\"\" [ \" \"\"\")}"), Scanned { tokens: 8, depth: 2 });
        assert_eq!(count("\"{\n{"), Scanned { tokens: 2, depth: 1 });
        assert_eq!(count("\"\\"), Scanned { tokens: 1, depth: 0 });
        assert_eq!(count("\"\"\"{"), Scanned { tokens: 1, depth: 0 });
    }

    #[test]
    fn what_is_too_long_too_deep_or_too_wide_is_refused() {
        assert!(scan(&"[".repeat(64)).is_ok());
        assert!(scan(&"[".repeat(65)).is_err());
        assert!(scan(&"{".repeat(1 << 20)).is_err());
        assert!(scan(&"a ".repeat(5_000)).is_ok());
        assert!(scan(&"a ".repeat(5_001)).is_err());
        assert!(scan(&"#".repeat(LONGEST)).is_ok());
        assert!(scan(&"#".repeat(LONGEST + 1)).is_err());
    }
}
