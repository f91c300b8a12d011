//! Faults that tests put in on purpose, to see that they find them. Release builds have nothing of this.

/// A fault in what memory and commits on PostgreSQL rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// A proof is shared with readers who came after its question was sent.
    ShareLate,
    /// Writes keep what they see in the memory of all readers.
    FillWhileWriting,
    /// A commit whose answer is lost is run again, whether it happened or not.
    RepeatBlindly,
}
