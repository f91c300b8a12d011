//! The e-mail addresses that e-mail can be sent to. What is given is read by the parser that later sends to it.

use idna::AsciiDenyList;
use lettre::Address;

use crate::name;

/// The longest e-mail address, as in the SMTP standard.
const LONGEST: usize = 254;

/// Reads an e-mail address, and returns it as it is stored: with the domain in ASCII. None if no e-mail can be sent to
/// it. Quoted names before the `@` and IP addresses behind it are valid in e-mail, but are not accepted.
#[must_use]
pub fn read(text: &str) -> Option<String> {
    let (local, domain) = text.rsplit_once('@')?;
    let in_ascii = ascii_domain(domain)?;
    let address = Address::new(local, if domain.is_ascii() { domain } else { &in_ascii }).ok()?.to_string();
    let is_plain = !local.starts_with('"') && !local.contains(|c: char| c.is_whitespace() || name::is_invisible(c));
    (is_plain && address.len() <= LONGEST).then_some(address)
}

/// A domain in ASCII and in lower case, with `xn--` for labels in other letters; none if it cannot be a domain.
#[must_use]
pub fn ascii_domain(domain: &str) -> Option<String> {
    idna::domain_to_ascii_cow(domain.as_bytes(), AsciiDenyList::STD3).ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn an_address_has_a_name_and_a_domain() {
        for good in ["a@b", "Olivia.O+x@Example.org", "o'hara@x.org", "ö@example.org", "用户@x.org"] {
            assert_eq!(read(good).as_deref(), Some(good));
        }
        let long = format!("{}@x.org", "x".repeat(65));
        let longer = format!("x@{}org", "abcdefgh.".repeat(28));
        for bad in [
            "",
            "@",
            "a@",
            "@b",
            "nothing",
            "a b@c",
            "a@b\n",
            "a..b@x.org",
            ".a@x.org",
            "a.@x.org",
            "a@-x.org",
            "a@x-.org",
            "a@b..c",
            "a@b.",
            "a@.b",
            "a@x_y.org",
            &long,
            &longer,
        ] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn an_address_is_one_address_that_can_be_seen() {
        for bad in ["a@b@c", "<a@b>", "a@b,c@d", "a,b@c", "a@b;", "\"a\"@b", "\"a@b\"@c", "a@[::1]", "a@[127.0.0.1]"] {
            assert_eq!(read(bad), None, "{bad}");
        }
        for unseen in ["a\u{202e}@b", "a\u{200b}@b", "a\u{feff}b@c", "a\u{7}@b", "a\u{3000}b@c"] {
            assert_eq!(read(unseen), None, "{unseen:?}");
        }
    }

    #[test]
    fn a_domain_in_other_letters_is_stored_in_ascii() {
        assert_eq!(read("ö@Exämple.org").as_deref(), Some("ö@xn--exmple-cua.org"));
        assert_eq!(read("a@ｅｘａｍｐｌｅ。org").as_deref(), Some("a@example.org"));
        assert_eq!(read("a@डाटामेल.भारत").as_deref(), Some("a@xn--c2bd4bq1db8d.xn--h2brj9c"));
        assert_eq!(read("a@xn--exmple-cua.org").as_deref(), Some("a@xn--exmple-cua.org"));
    }
}
