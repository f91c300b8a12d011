//! Converts team names to slugs, and to the key that sorts and compares names.
//!
//! Implements decisions 9 and 38. The fallback `team-<id>` for names without a slug needs the team's ID, so it is made
//! where the team is inserted.

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// Makes the slug of a team name; `None` when nothing in the name can be transliterated.
#[must_use]
pub fn from_name(name: &str) -> Option<String> {
    let mut slug = Slug { text: String::with_capacity(name.len()), gap: false };
    for c in name.chars() {
        if c.is_ascii() {
            slug.push(c);
        } else if let Some(letters) = latin(c) {
            slug.push_all(letters);
        } else {
            decompose_compatible(c, |part| match latin(part) {
                Some(letters) => slug.push_all(letters),
                None if is_combining_mark(part) => {}
                None => slug.push(part),
            });
        }
    }
    (!slug.text.is_empty()).then_some(slug.text)
}

/// The form of a name for sorting and for comparing without regard to case.
#[must_use]
pub fn name_key(name: &str) -> String {
    name.to_lowercase()
}

/// A slug being built. A gap becomes a dash only when a letter follows, so dashes are never doubled or at either end.
struct Slug {
    text: String,
    gap: bool,
}

impl Slug {
    fn push(&mut self, c: char) {
        if !c.is_ascii_alphanumeric() && c != '_' {
            self.gap = true;
            return;
        }
        if self.gap && !self.text.is_empty() {
            self.text.push('-');
        }
        self.gap = false;
        self.text.push(c.to_ascii_lowercase());
    }

    fn push_all(&mut self, letters: &str) {
        for c in letters.chars() {
            self.push(c);
        }
    }
}

/// Latin letters that Unicode does not decompose into an ASCII letter and a mark.
fn latin(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' | 'ẞ' => "ss",
        'æ' | 'Æ' => "ae",
        'œ' | 'Œ' => "oe",
        'þ' | 'Þ' => "th",
        'ŋ' | 'Ŋ' => "ng",
        'ø' | 'Ø' => "o",
        'ł' | 'Ł' | 'ŀ' | 'Ŀ' => "l",
        'đ' | 'Đ' | 'ð' | 'Ð' => "d",
        'ħ' | 'Ħ' => "h",
        'ŧ' | 'Ŧ' => "t",
        'ı' | 'ɨ' | 'Ɨ' => "i",
        'ĸ' => "k",
        'ſ' => "s",
        'ƒ' => "f",
        'ƀ' => "b",
        'ǥ' | 'Ǥ' => "g",
        'ƶ' | 'Ƶ' => "z",
        '×' => "x",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{from_name, name_key};

    #[test]
    fn known_pairs() {
        for (name, slug) in [
            ("My TEam Näme", "my-team-name"),
            ("developers.redhat.com - Push", "developers-redhat-com-push"),
            ("cn.jenkins.io", "cn-jenkins-io"),
            ("fork_this admin", "fork_this-admin"),
            ("quarkiverse-hibernate_types", "quarkiverse-hibernate_types"),
            ("Monkeys & Bananas", "monkeys-bananas"),
            ("rustup.rs", "rustup-rs"),
        ] {
            assert_eq!(from_name(name).as_deref(), Some(slug), "{name}");
        }
    }

    #[test]
    fn latin_letters_become_ascii() {
        for (name, slug) in [
            ("Straße", "strasse"),
            ("STRASSE ẞ", "strasse-ss"),
            ("Æsir œuvre", "aesir-oeuvre"),
            ("Smørrebrød Ǿ", "smorrebrod-o"),
            ("Łódź", "lodz"),
            ("Đặng ðýr Þór", "dang-dyr-thor"),
            ("ısı İstanbul", "isi-istanbul"),
            ("Ħal Ŋa ĸ ŧ ſ", "hal-nga-k-t-s"),
            ("Señor Ångström Çelik ș", "senor-angstrom-celik-s"),
            ("na\u{308}ive \u{FB01}x", "naive-fix"),
            ("ＦＵＬＬ width ①", "full-width-1"),
            ("coŀlegi", "collegi"),
            ("ǽ", "ae"),
        ] {
            assert_eq!(from_name(name).as_deref(), Some(slug), "{name}");
        }
    }

    #[test]
    fn everything_else_is_one_dash_inside_and_none_at_the_ends() {
        for (name, slug) in [
            ("  a  --  b  ", "a-b"),
            ("--a--", "a"),
            ("a🚀🚀b", "a-b"),
            ("開発 team", "team"),
            ("C++/Go (core)", "c-go-core"),
            ("_private_", "_private_"),
            ("a\nb\u{0}c", "a-b-c"),
            ("42", "42"),
            ("¨x¨", "x"),
        ] {
            assert_eq!(from_name(name).as_deref(), Some(slug), "{name}");
        }
    }

    #[test]
    fn a_name_without_letters_has_no_slug() {
        for name in ["", " ", "---", "🚀", "開発", "Команда", "\u{308}", "..."] {
            assert_eq!(from_name(name), None, "{name}");
        }
    }

    #[test]
    fn a_slug_is_its_own_slug() {
        for name in ["My TEam Näme", "a_-b", "Łódź ¼ team"] {
            let slug = from_name(name);
            assert_eq!(slug.as_deref().and_then(from_name), slug, "{name}");
        }
    }

    #[test]
    fn the_key_ignores_case() {
        assert_eq!(name_key("ÄRZTE Team"), name_key("ärzte tEAM"));
        assert_ne!(name_key("a-b"), name_key("a b"));
    }
}
