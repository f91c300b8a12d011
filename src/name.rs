//! Names that others are shown: how long they are, and which characters they have (decision 9).

use unicode_normalization::char::is_combining_mark;
use unicode_properties::{GeneralCategory, UnicodeEmoji, UnicodeGeneralCategory};

/// The longest name, in characters.
pub const NAME_MAX: usize = 255;

/// The refusal of a name with such characters.
pub const CANNOT_BE_SHOWN: &str = "Name contains characters that cannot be shown";

/// Returns the name without surrounding whitespace; the error says why it is no name.
pub fn valid(name: &str) -> Result<&str, String> {
    let name = name.trim();
    match name.chars().count() {
        0 => Err("Name cannot be blank".into()),
        1..=NAME_MAX if can_be_shown(name) => Ok(name),
        1..=NAME_MAX => Err(CANNOT_BE_SHOWN.into()),
        _ => Err(format!("Name is too long (maximum is {NAME_MAX} characters)")),
    }
}

/// The name in two columns, a login and a name: the name, or the login of those who have none.
#[must_use]
pub fn or_login((login, name): (Option<String>, Option<String>)) -> Option<String> {
    name.filter(|name| !name.trim().is_empty()).or(login)
}

/// The name of a person or an organization, or the login if there is none.
#[must_use]
pub fn called<'a>(name: Option<&'a str>, login: &'a str) -> &'a str {
    name.filter(|name| !name.trim().is_empty()).unwrap_or(login)
}

/// True if a name consists of visible characters and fits on one line.
#[must_use]
pub fn can_be_shown(name: &str) -> bool {
    is_one_line(name) && without_invisible(name) == name
}

/// True if a text has no line break and no other control character.
#[must_use]
pub fn is_one_line(text: &str) -> bool {
    !text.contains(breaks_line)
}

/// The text without invisible characters. Line breaks and other control characters stay.
///
/// Two kinds of invisible characters are part of visible ones and stay there: variation selectors after another
/// character, and joiners within an emoji or within a word of a script that joins its letters.
#[must_use]
pub fn without_invisible(text: &str) -> String {
    let mut before = None;
    let mut rest = text.chars();
    let mut shown = String::with_capacity(text.len());
    while let Some(c) = rest.next() {
        let stays = match c {
            ZERO_WIDTH_NON_JOINER | ZERO_WIDTH_JOINER => before.zip(rest.clone().next()).is_some_and(join),
            _ if selects_variant(c) => before.is_some(),
            _ => breaks_line(c) || !is_invisible(c),
        };
        if !stays {
            continue;
        }
        shown.push(c);
        // A joiner or selector applies to the letter or picture, not to the marks on it.
        if c.is_whitespace() {
            before = None;
        } else if !(is_combining_mark(c) || selects_variant(c)) {
            before = Some(c);
        }
    }
    shown
}

/// The text on one line, without invisible characters, and cut if it is longer than so many characters.
#[must_use]
pub fn on_one_line(text: &str, longest: usize) -> String {
    let shown = without_invisible(text).replace(breaks_line, " ");
    let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= longest {
        return line;
    }
    let end = line.char_indices().nth(longest.saturating_sub(1)).map_or(line.len(), |(at, _)| at);
    format!("{}…", line[..boundary(&line, end)].trim_end())
}

/// The last place in a text, up to this one between two characters, at which it can be cut without changing how a
/// character is drawn. A text that is drawn as one character can be cut anywhere.
#[must_use]
pub fn boundary(text: &str, end: usize) -> usize {
    let mut at = end;
    while let (Some(before), Some(after)) = (text[..at].chars().next_back(), text[at..].chars().next()) {
        if !(continues(after) || before == ZERO_WIDTH_JOINER || is_flag(before) && is_flag(after)) {
            return at;
        }
        at -= before.len_utf8();
    }
    if at == 0 { end } else { at }
}

/// True for characters that are drawn as a part of the one before.
fn continues(c: char) -> bool {
    is_combining_mark(c) || selects_variant(c) || matches!(c, ZERO_WIDTH_JOINER | '\u{1F3FB}'..='\u{1F3FF}')
}

/// True for letters of flags, of which each flag has two.
fn is_flag(c: char) -> bool {
    matches!(c, '\u{1F1E6}'..='\u{1F1FF}')
}

const ZERO_WIDTH_NON_JOINER: char = '\u{200C}';
const ZERO_WIDTH_JOINER: char = '\u{200D}';

/// True if a joiner changes how these two characters are drawn: both are emoji, or letters whose shape depends on their
/// neighbors (Arabic, Syriac and the scripts of India).
fn join((before, after): (char, char)) -> bool {
    let both = |is: fn(char) -> bool| is(before) && is(after);
    both(|c| !c.is_ascii() && c.is_emoji_char()) || both(|c| matches!(c, '\u{600}'..='\u{DFF}') && !is_invisible(c))
}

/// Variation selectors: those for emoji and ideographs, and those of Mongolian.
fn selects_variant(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' | '\u{180B}'..='\u{180D}' | '\u{180F}')
}

fn breaks_line(c: char) -> bool {
    use GeneralCategory::{Control, LineSeparator, ParagraphSeparator};
    matches!(c.general_category(), Control | LineSeparator | ParagraphSeparator)
}

/// True for characters that are drawn as nothing, or not as a part of their line.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    use GeneralCategory::{Format, PrivateUse};
    breaks_line(c) || matches!(c.general_category(), Format | PrivateUse) || is_blank(c)
}

/// Characters of other categories that are drawn as nothing: fillers, the empty Braille cell, inherent vowels, and code
/// points that Unicode reserves for more invisible characters.
fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\u{34F}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{2065}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFF8}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_pictures_and_what_shapes_them_can_be_shown() {
        for name in [
            "Ärzte & Łódź",
            "核心 チーム",
            "👩‍💻 Coders",
            "👨‍👩‍👧‍👦",
            "❤️‍🔥 On Call",
            "👩🏽‍🚒",
            "🏳️‍🌈",
            "1️⃣ First",
            "می‌خواهم",
            "क्‍ष",
            "ශ්‍රී",
            "葛\u{E0100}城",
            "e\u{301}quipe",
            "a\u{A0}b\u{3000}c",
        ] {
            assert!(can_be_shown(name), "{name:?}");
        }
    }

    #[test]
    fn what_is_invisible_or_breaks_the_line_cannot() {
        for c in [
            '\0',
            '\t',
            '\n',
            '\r',
            '\u{B}',
            '\u{1B}',
            '\u{7F}',
            '\u{85}',
            '\u{9F}',
            '\u{AD}',
            '\u{34F}',
            '\u{61C}',
            '\u{180E}',
            '\u{200B}',
            '\u{200C}',
            '\u{200D}',
            '\u{200E}',
            '\u{200F}',
            '\u{2028}',
            '\u{2029}',
            '\u{202A}',
            '\u{202E}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{2800}',
            '\u{3164}',
            '\u{E000}',
            '\u{FEFF}',
            '\u{FFA0}',
            '\u{FFFB}',
            '\u{E0001}',
            '\u{E0041}',
            '\u{F0000}',
        ] {
            for name in [format!("a{c}b"), format!("{c}ab"), format!("ab{c}"), c.to_string(), format!("🚀{c}b")] {
                assert!(!can_be_shown(&name), "{name:?}");
            }
        }
    }

    #[test]
    fn joiners_and_selectors_need_something_to_shape() {
        for name in ["\u{FE0F}", "a \u{FE0F}", "🚀\u{200D}", "\u{200D}🚀", "🚀\u{200D}\u{200D}🚀", "1\u{200D}2"]
        {
            assert!(!can_be_shown(name), "{name:?}");
        }
        assert!(!can_be_shown("می\u{200C}\u{200C}خواهم"));
        assert!(!can_be_shown("می\u{200C} x"));
    }

    #[test]
    fn invisible_characters_are_dropped_and_what_breaks_a_line_is_not() {
        for (text, shown) in [
            ("Ni\u{200B}na\u{202E}", "Nina"),
            ("\u{200B}\u{FE0F}a", "a"),
            ("👩\u{200D}💻", "👩\u{200D}💻"),
            ("1\u{200D}2", "12"),
            ("a\u{200B}\nb", "a\nb"),
        ] {
            assert_eq!(without_invisible(text), shown, "{text:?}");
        }
        assert!(
            is_one_line("Ni\u{200B}na") && !["a\nb", "a\u{2028}b", "a\u{85}b", "\u{7}"].into_iter().any(is_one_line)
        );
    }

    #[test]
    fn a_line_is_cut_at_the_end() {
        assert_eq!(on_one_line(" a\r\n\u{2028} b\u{200B}\u{7}c ", 60), "a b c");
        assert_eq!(on_one_line("ab cdef", 7), "ab cdef");
        assert_eq!(on_one_line("ab cdef", 4), "ab…");
        assert_eq!(on_one_line("ae\u{301}bc", 3), "a…");
        assert_eq!(on_one_line("👩\u{200D}💻👩\u{200D}💻", 3), "👩\u{200D}…");
    }

    #[test]
    fn a_text_is_cut_between_what_is_drawn() {
        for (text, end, at) in
            [("abc", 2, 2), ("ae\u{301}b", 2, 1), ("a👍🏽", 5, 1), ("a🇩🇪", 5, 1), ("e\u{301}\u{301}", 3, 3), ("ab", 2, 2)]
        {
            assert_eq!(boundary(text, end), at, "{text}");
        }
    }
}
