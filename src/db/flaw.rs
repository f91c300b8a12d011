//! Faults that tests inject to check that they would detect them. Release builds do not contain this.

/// A fault in the guarantees on which cached reads and commits on PostgreSQL depend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// A proof is shared with readers that arrived after its question was sent.
    ShareLate,
    /// Writes insert what they see into the cache of all readers.
    FillWhileWriting,
    /// A commit whose response was lost is retried without checking whether it happened.
    RepeatBlindly,
}
