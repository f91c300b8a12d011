//! Cursors of a search: a position between two entries, sealed with the journal and the search, so that the cursor of
//! another organization or of another search is refused.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq;

use crate::error::Result;
use crate::journal::chain;

/// The number of bytes of the seal in a cursor.
const SEAL: usize = 16;

/// The search that a cursor belongs to.
#[derive(Debug, Clone, Copy)]
pub struct Of<'a> {
    /// The key of the chains.
    pub key: &'a [u8; 32],
    /// The journal.
    pub journal: i64,
    /// The phrase, and everything else in the search except the page size.
    pub search: &'a str,
}

impl Of<'_> {
    /// The cursor after this many entries of the journal.
    pub fn write(self, place: i64) -> Result<String> {
        let mut bytes = place.to_be_bytes().to_vec();
        bytes.extend(self.seal(place)?);
        Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
    }

    /// The position of a cursor; none if it does not belong to this search.
    pub fn read(self, text: &str) -> Result<Option<i64>> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).unwrap_or_default();
        let Some((place, seal)) = bytes.split_first_chunk() else { return Ok(None) };
        let place = i64::from_be_bytes(*place);
        Ok(bool::from(self.seal(place)?.ct_eq(seal)).then_some(place))
    }

    fn seal(self, place: i64) -> Result<Vec<u8>> {
        let mut seal = chain::of_cursor(self.key, self.journal, self.search, place)?;
        seal.truncate(SEAL);
        Ok(seal)
    }
}

#[cfg(test)]
mod tests {
    use super::Of;

    #[test]
    fn a_cursor_is_read_only_where_it_was_written() {
        let of = Of { key: &[7; 32], journal: 3, search: "desc actor:max" };
        let cursor = of.write(1_234).unwrap();
        assert_eq!(of.read(&cursor).unwrap(), Some(1_234));
        for other in [Of { journal: 4, ..of }, Of { search: "asc actor:max", ..of }, Of { key: &[8; 32], ..of }] {
            assert_eq!(other.read(&cursor).unwrap(), None, "{other:?}");
        }
        for wrong in ["", "A", "AAAA", "ä", &cursor[1..], &format!("{cursor}AAAA"), &cursor.replacen('A', "B", 1)] {
            assert_eq!(of.read(wrong).unwrap(), None, "{wrong}");
        }
    }
}
