//! Texts in YAML: bare where every parser reads them as text, otherwise in double quotes.

use std::borrow::Cow;

/// Words that some version of YAML does not read as text, in lower case.
const TAKEN: &[&str] = &["null", "true", "false", "yes", "no", "on", "off", "y", "n", ".inf", ".nan"];

/// A text so that every parser reads it as the same text.
pub fn scalar(text: &str) -> Cow<'_, str> {
    if is_plain(text) { Cow::Borrowed(text) } else { Cow::Owned(quoted(text)) }
}

/// Begins with a plain letter, and contains no special character.
fn is_plain(text: &str) -> bool {
    let word = text.strip_prefix('.').unwrap_or(text);
    let begins = word.starts_with(|c: char| c.is_ascii_alphabetic());
    let plain = |c: char| c.is_ascii_alphanumeric() || " -_./()+,;&'!?@".contains(c);
    begins && text.chars().all(plain) && !text.ends_with(' ') && !TAKEN.contains(&text.to_ascii_lowercase().as_str())
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Characters that are not printable, and those that some parsers read as the end of a line.
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => escape(&mut out, 'x', c, 2),
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => escape(&mut out, 'u', c, 4),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn escape(out: &mut String, kind: char, c: char, digits: usize) {
    let code = format!("{:0digits$x}", u32::from(c));
    out.extend(['\\', kind]);
    out.push_str(&code);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_every_reader_takes_for_text_is_bare() {
        for bare in ["Core", "release managers", ".github", "a.b/c", "it's", "v1", "nope"] {
            assert_eq!(scalar(bare), bare);
        }
        for other in
            ["", " a", "a ", "yes", "No", "~", "1e3", "0x1", "007", ".inf", "...", "---", "- a", "a: b", "a #b"]
        {
            assert_eq!(scalar(other), format!("\"{other}\""));
        }
        assert_eq!(scalar("a\n\"b\"\\\u{85}\u{2028}😀"), "\"a\\n\\\"b\\\"\\\\\\x85\\u2028😀\"");
    }
}
