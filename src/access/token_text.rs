//! The text of a token: how it is made, recognized, and stored.
//!
//! Implements decision 41: 30 random characters and a checksum of 6 after a prefix. Only a SHA-256 is stored, with the
//! last eight characters to recognize a token.

use sha2::{Digest, Sha256};

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY: usize = 30;
const CHECKSUM: u32 = 6;

/// Makes the text of a token from random bytes; the same bytes give the same text.
///
/// The bytes are read as one 256-bit number and reduced to 30 digits in base 62, which is 179 bits. No text is more
/// likely than another by more than one part in 2^77.
#[must_use]
pub fn mint(prefix: &str, random: &[u8; 32]) -> String {
    let mut number = *random;
    let body: String = (0..BODY).map(|_| digit(divide_by_62(&mut number))).collect();
    let checksum = checksum(&body);
    format!("{prefix}{body}{checksum}")
}

/// Divides a big-endian number in place and returns the remainder.
fn divide_by_62(number: &mut [u8; 32]) -> u32 {
    number.iter_mut().fold(0, |rest, byte| {
        let dividend = rest << 8 | u32::from(*byte);
        // It is below 256, because the remainder before it was below 62.
        *byte = (dividend / 62).to_le_bytes()[0];
        dividend % 62
    })
}

fn digit(value: u32) -> char {
    char::from(ALPHABET[value as usize % 62])
}

fn checksum(body: &str) -> String {
    let crc = crc32fast::hash(body.as_bytes());
    (0..CHECKSUM).rev().map(|place| digit(crc / 62u32.pow(place))).collect()
}

/// True if the checksum of a token is right; `None` if the text has another form.
///
/// The form is a prefix that ends in `_`, and 36 letters and digits. Older tokens, and one that an operator chose, have
/// no checksum. That is why a wrong checksum suggests a typing error but is no reason to refuse the token.
#[must_use]
pub fn checksum_ok(text: &str) -> Option<bool> {
    let (_, random) = text.rsplit_once('_')?;
    let shaped = random.len() == BODY + CHECKSUM as usize && random.bytes().all(|b| b.is_ascii_alphanumeric());
    shaped.then(|| random[BODY..] == checksum(&random[..BODY]))
}

/// The SHA-256 of a token. Tokens are stored and looked up by it.
#[must_use]
pub fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}

/// The hash of a token in lower-case hexadecimal, as records show it.
#[must_use]
pub fn hashed_hex(hash: &[u8; 32]) -> String {
    let nibbles = hash.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    nibbles.filter_map(|n| char::from_digit(n.into(), 16)).collect()
}

/// The last eight characters of a token. They let its owner recognize it.
#[must_use]
pub fn last_eight(text: &str) -> &str {
    text.char_indices().nth_back(7).map_or(text, |(start, _)| &text[start..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn checksum_of_the_known_token() {
        assert_eq!(checksum("zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ"), "0mLq17");
        assert_eq!(checksum_ok("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"), Some(true));
        assert_eq!(checksum_ok("ghp_zQWBuTSOoRi4A9spHcVY5ncnsDkxkj0mLq17"), Some(false));
    }

    #[test]
    fn other_shapes_have_no_checksum() {
        for text in ["", "_", "ghp_", "0123456789abcdef0123456789abcdef01234567", "ghp_zQW", "ghp_é"] {
            assert_eq!(checksum_ok(text), None, "{text}");
        }
        assert_eq!(checksum_ok("ghp_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq1é"), None);
        assert_eq!(checksum_ok("zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"), None);
    }

    #[test]
    fn minted_tokens_have_the_shape_and_a_right_checksum() {
        for (prefix, random) in [("ghp_", [7; 32]), ("acme_prod_", [255; 32])] {
            let token = mint(prefix, &random);
            let (body, sum) = token.strip_prefix(prefix).expect("the prefix").split_at(BODY);
            assert_eq!((body.len(), sum), (30, checksum(body).as_str()));
            assert_eq!(token, mint(prefix, &random));
        }
        assert_eq!(mint("ghp_", &[7; 32]).len(), 40);
        assert!(mint("ghp_", &[0; 32]).starts_with("ghp_000000000000000000000000000000"));
    }

    #[test]
    fn the_number_is_written_in_base_62_lowest_digit_first() {
        let mut random = [0; 32];
        random[30..].copy_from_slice(&(61u16 + 62 * 10).to_be_bytes());
        assert_eq!(&mint("", &random)[..4], "zA00");
    }

    #[test]
    fn every_digit_is_about_equally_frequent_and_every_token_is_new() {
        let tokens: HashSet<_> = (0u32..4000).map(|seed| mint("", &hash(&seed.to_string()))).collect();
        assert_eq!(tokens.len(), 4000);
        let mut seen = [0; 128];
        tokens.iter().flat_map(|t| t[..BODY].bytes()).for_each(|b| seen[b as usize] += 1);
        // 120,000 digits: 1,935 of each, with a standard deviation of 44.
        for digit in ALPHABET {
            assert!((1_715..2_155).contains(&seen[*digit as usize]), "{}", *digit as char);
        }
    }

    #[test]
    fn kept_forms() {
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hashed_hex(&hash("abc")), known);
        assert_eq!(last_eight("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"), "kJ0mLq17");
        assert_eq!((last_eight("short"), last_eight("ééééééééé")), ("short", "éééééééé"));
    }
}
