//! The ID of a request: in its response, in the log and in the journal.

/// Five groups of hexadecimal digits that differ from those of any other request of this or another process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestId([u8; LENGTH]);

/// 29 digits and four colons.
const LENGTH: usize = 33;

impl RequestId {
    /// The ID of the request with this number in the process with that number.
    #[must_use]
    pub fn new(process: u64, number: u64) -> Self {
        let groups = [(process >> 48, 4), (process >> 32, 4), (process, 7), (number >> 32, 6), (number, 8)];
        let (mut text, mut at) = ([b':'; LENGTH], 0);
        for (group, digits) in groups {
            for place in (0..digits).rev() {
                text[at] = b"0123456789ABCDEF"[(group >> (4 * place) & 15) as usize];
                at += 1;
            }
            at += 1;
        }
        Self(text)
    }

    /// As text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn process_and_number_are_both_in_it() {
        let id = RequestId::new(0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210);
        assert_eq!(id.as_str(), "0123:4567:9ABCDEF:DCBA98:76543210");
        assert_eq!(RequestId::new(0, 1).as_str(), "0000:0000:0000000:000000:00000001");
    }
}
