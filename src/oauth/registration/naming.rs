//! The names of applications: those that no application may have, and what looks like them (decision 62).

use deunicode::deunicode_char;
use unicode_security::confusable_detection::skeleton;

use super::invalid;
use crate::error::Result;
use crate::name;

/// The names that no other application may have: that of the service, and that of the application that is there from the
/// start.
const RESERVED: [&str; 2] = ["Guildhall", "GitHub CLI"];

/// Returns the name without surrounding whitespace, or says why no application may have it.
pub(super) fn checked(given: &str) -> Result<String> {
    let name = name::valid(given).map_err(|why| invalid("name", format!("{why}.")))?;
    if RESERVED.iter().any(|reserved| looks(reserved) == looks(name)) {
        return Err(invalid("name", format!("No application may be called {name}.")));
    }
    Ok(name.to_owned())
}

/// The look of a name: names that differ only in case, spaces, marks, width, or letters that look the same, have the same.
fn looks(name: &str) -> String {
    let letters: String = skeleton(name).filter(|c| c.is_alphanumeric() || *c == '|').map(latin).collect();
    letters.to_ascii_lowercase().replace(['i', '1', '|'], "l")
}

/// The Latin letters that a letter is drawn like, which may differ from those for its sound.
fn latin(c: char) -> String {
    match c {
        '\u{0421}' | '\u{0441}' | '\u{03F9}' | '\u{03F2}' => "c".to_owned(),
        '\u{0412}' | '\u{0432}' | '\u{0392}' | '\u{042C}' | '\u{044C}' => "b".to_owned(),
        '\u{041D}' | '\u{043D}' | '\u{0397}' | '\u{04BA}' | '\u{04BB}' => "h".to_owned(),
        '\u{03C5}' | '\u{057D}' => "u".to_owned(),
        '\u{0501}' => "d".to_owned(),
        '\u{050C}' | '\u{0261}' => "g".to_owned(),
        '\u{04CF}' | '\u{04C0}' => "l".to_owned(),
        c if c.is_ascii() => c.to_string(),
        c => deunicode_char(c).unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::checked;

    #[test]
    fn a_reserved_name_is_taken_in_every_look() {
        for name in [
            "Guildhall",
            " GUILDHALL ",
            "Guild Hall",
            "guild\u{A0}hall",
            "Guild-Hall.",
            "\u{FF27}\u{FF55}\u{FF49}\u{FF4C}\u{FF44}\u{FF48}\u{FF41}\u{FF4C}\u{FF4C}",
            "G\u{FC}ildh\u{E1}ll",
            "Gui\u{301}ldhall",
            "Gu\u{0456}ldh\u{0430}ll",
            "GuiIdhaII",
            "Gu1ldha||",
            "\u{1D406}uildhall",
            "GitHub CLI",
            "github-cli",
            "GITHUBCLI",
            "Git Hub \u{0421}LI",
            "Gith\u{03C5}b CLI",
            "\u{13C0}uildhall",
            "GUI\u{13DE}DHA\u{13DE}\u{13DE}",
            "\u{A4D6}\u{A4F4}\u{A4F2}\u{A4E1}\u{A4D3}\u{A4E7}\u{A4EE}\u{A4E1}\u{A4E1}",
            "\u{0581}uildhall",
            "Guildha\u{14AA}\u{14AA}",
            "Guildha\u{A781}\u{A781}",
            "Guildha\u{0627}\u{0627}",
            "Guildha\u{2D4F}\u{2D4F}",
            "Guildha\u{2502}\u{2502}",
            "G\u{222A}ildhall",
        ] {
            assert!(checked(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn other_names_are_free() {
        for name in ["Guildhall Planner", "Rota", "GitHub", "CLI", "\u{30C1}\u{30FC}\u{30E0}", "\u{1F680}", "\u{2013}"]
        {
            assert_eq!(checked(name).map_err(|e| e.to_string()), Ok(name.to_owned()));
        }
    }

    #[test]
    fn a_name_can_be_shown() {
        for name in ["", " ", "a\u{202E}b", "Guild\u{200B}hall", "a\nb"] {
            assert!(checked(name).is_err(), "{name:?}");
        }
    }
}
