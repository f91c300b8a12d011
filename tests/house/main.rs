//! Checks the rules of the repository: the tree and its imports, and that `SPEC.md`, the table, the `OpenAPI` document
//! and the tests say the same.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a document that cannot be read fails the test")]

mod circles;
mod compatibility;
mod contributing;
mod document;
mod locks;
mod pages;
mod paths;
mod prose;
mod reserved;
mod rooms;
mod rules;
mod snippets;
mod spec;
mod table;
mod tree;
mod webhooks;
mod words;
