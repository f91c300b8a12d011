//! The words of comments. `STYLE.md` lists which word is used for what.

use std::fs;

use crate::tree::{files, root};

/// Words that say nothing of the role of the person they stand for.
const VAGUE: &[&str] = &["whoever", "somebody", "nobody"];

/// The comment of a line, if it has one. Text after `//` in a string counts too.
fn comment(line: &str) -> Option<&str> {
    line.split_once("//").map(|(_, comment)| comment)
}

fn vague(text: &str) -> Vec<&str> {
    let comments = text.lines().filter_map(comment);
    let words = comments.flat_map(|line| line.split(|c: char| !c.is_alphanumeric()));
    words.filter(|word| VAGUE.contains(&word.to_lowercase().as_str())).collect()
}

#[test]
fn comments_name_the_role_of_a_person() {
    for path in files(&root().join("src")).iter().filter(|path| path.extension().is_some_and(|e| e == "rs")) {
        let text = fs::read_to_string(path).unwrap();
        let found = vague(&text);
        assert!(found.is_empty(), "{}: say who is meant, not {found:?}", path.display());
    }
}

#[test]
fn vague_words_are_found_in_comments_alone() {
    assert_eq!(vague("/// Whoever calls.\nlet nobody = 1; // and nobody else"), ["Whoever", "nobody"]);
    assert!(vague("let nobody = somebody();").is_empty());
}
