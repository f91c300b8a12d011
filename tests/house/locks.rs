//! No lock is held across a statement, except a `db::Slot`, which a read on the thread of a connection does not wait for.

use std::fs;

use crate::tree::{files, root};

/// The words of locks that any thread waits for.
const LOCKS: [&str; 2] = ["Mutex", "RwLock"];

/// The words in the code of a file that runs statements.
const TRANSACTIONS: [&str; 2] = ["Tx", "tx."];

/// Those of these words that are in the code of a file, its tests aside.
fn found<'w>(code: &str, words: &[&'w str]) -> Vec<&'w str> {
    let code = code.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = || code.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    let is_word = |line: &str, word: &str| {
        line.match_indices(word).any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    words.iter().copied().filter(|word| lines().any(|line| is_word(line, word))).collect()
}

#[test]
fn a_file_with_a_lock_runs_no_statement() {
    let mut looked_at = 0;
    for path in files(&root().join("src")) {
        let shown = path.strip_prefix(root()).unwrap().display().to_string();
        // The store's own locks guard its threads and caches. `guildhall dev` is for one developer.
        if shown.starts_with("src/db/") || shown.starts_with("src/dev/") {
            continue;
        }
        let code = fs::read_to_string(&path).unwrap();
        let locks = found(&code, &LOCKS);
        if locks.is_empty() {
            continue;
        }
        looked_at += 1;
        let transactions = found(&code, &TRANSACTIONS);
        assert!(
            transactions.is_empty(),
            "{shown} has {locks:?} and {transactions:?}: move what is locked to a file of its own, or use db::Slot"
        );
    }
    assert!(looked_at > 5, "only {looked_at} files with locks were found");
}

#[test]
fn a_lock_beside_a_statement_is_found() {
    let bad = "use std::sync::Mutex;\nfn f(cx: &mut Cx) { cx.tx.run(SQL, &[]); }";
    assert_eq!((found(bad, &LOCKS), found(bad, &TRANSACTIONS)), (vec!["Mutex"], vec!["tx."]));
    assert_eq!(found("// Mutex\nlet matx.run = 1;", &["Mutex", "tx."]), Vec::<&str>::new());
}
