//! Names of teams: their length, and the characters that a list of teams can show (decision 9).

use unicode_normalization::char::is_combining_mark;
use unicode_properties::{GeneralCategory, UnicodeEmoji, UnicodeGeneralCategory};

use crate::error::{Error, Result};

/// The longest name, in characters.
pub const NAME_MAX: usize = 255;

/// Returns the name without surrounding whitespace; 422 if it is blank, too long or cannot be displayed.
pub fn valid(name: &str) -> Result<&str> {
    let name = name.trim();
    match name.chars().count() {
        0 => Err(Error::data("Team", "Name cannot be blank")),
        1..=NAME_MAX if can_be_shown(name) => Ok(name),
        1..=NAME_MAX => Err(Error::data("Team", "Name contains characters that cannot be shown")),
        _ => Err(Error::data("Team", format!("Name is too long (maximum is {NAME_MAX} characters)"))),
    }
}

/// Whether a name consists of visible characters and fits on one line.
///
/// Two kinds of invisible characters are part of visible ones and are allowed there: variation selectors after another
/// character, and joiners within an emoji or within a word of a script that joins its letters.
#[must_use]
pub fn can_be_shown(name: &str) -> bool {
    let mut before = None;
    let mut rest = name.chars();
    while let Some(c) = rest.next() {
        let shown = match c {
            ZERO_WIDTH_NON_JOINER | ZERO_WIDTH_JOINER => before.zip(rest.clone().next()).is_some_and(join),
            _ if selects_variant(c) => before.is_some(),
            _ => !is_invisible(c),
        };
        if !shown {
            return false;
        }
        // A joiner or selector applies to the letter or picture, not to the marks on it.
        if c.is_whitespace() {
            before = None;
        } else if !(is_combining_mark(c) || selects_variant(c)) {
            before = Some(c);
        }
    }
    true
}

const ZERO_WIDTH_NON_JOINER: char = '\u{200C}';
const ZERO_WIDTH_JOINER: char = '\u{200D}';

/// Whether a joiner changes how these two characters are drawn: both are emoji, or letters whose shape depends on their
/// neighbors (Arabic, Syriac and the scripts of India).
fn join((before, after): (char, char)) -> bool {
    let both = |is: fn(char) -> bool| is(before) && is(after);
    both(|c| !c.is_ascii() && c.is_emoji_char()) || both(|c| matches!(c, '\u{600}'..='\u{DFF}') && !is_invisible(c))
}

/// Variation selectors: those for emoji and ideographs, and those of Mongolian.
fn selects_variant(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' | '\u{180B}'..='\u{180D}' | '\u{180F}')
}

fn is_invisible(c: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator, PrivateUse};
    matches!(c.general_category(), Control | Format | LineSeparator | ParagraphSeparator | PrivateUse) || is_blank(c)
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
}
