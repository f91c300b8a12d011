//! The words of comments. `STYLE.md` lists which word is used for what, and says that doc comments do not ask.

use std::fs;
use std::path::PathBuf;

use crate::tree::{files, root};

/// Words that say nothing of the role of the person they stand for.
const VAGUE: &[&str] = &["whoever", "somebody", "nobody"];

/// Words with which a doc comment asks or names a question, instead of stating something.
const ASKING: &[&str] = &["How", "What", "Whether", "Which", "Who", "Whom", "Whose", "Why"];

/// Words that ask, too, unless they begin a subordinate clause, which a comma ends.
const CONJUNCTIONS: &[&str] = &["When", "Where"];

/// The comment of a line, if it has one. Text after `//` in a string counts too.
fn comment(line: &str) -> Option<&str> {
    line.split_once("//").map(|(_, comment)| comment)
}

/// The Rust files below a folder of the repository.
fn rust_files(folder: &str) -> Vec<PathBuf> {
    files(&root().join(folder)).into_iter().filter(|path| path.extension().is_some_and(|e| e == "rs")).collect()
}

fn vague(text: &str) -> Vec<&str> {
    let comments = text.lines().filter_map(comment);
    let words = comments.flat_map(|line| line.split(|c: char| !c.is_alphanumeric()));
    words.filter(|word| VAGUE.contains(&word.to_lowercase().as_str())).collect()
}

/// The text of a line of a doc comment.
fn documented(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::trim)
}

/// The paragraphs of all doc comments of a text.
fn paragraphs(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(|line| documented(line).unwrap_or_default()).collect();
    lines.split(|line| line.is_empty()).map(|paragraph| paragraph.join(" ")).collect()
}

/// True if a paragraph asks: by its first word, and by the lack of a comma in its first sentence.
fn asks(paragraph: &str) -> bool {
    let first = paragraph.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let sentence = paragraph.split(". ").next().unwrap_or_default();
    ASKING.contains(&first) || CONJUNCTIONS.contains(&first) && !sentence.contains(',')
}

#[test]
fn doc_comments_state_and_do_not_ask() {
    for path in ["src", "tests", "examples"].iter().flat_map(|folder| rust_files(folder)) {
        let text = fs::read_to_string(&path).unwrap();
        let asking: Vec<String> = paragraphs(&text).into_iter().filter(|paragraph| asks(paragraph)).collect();
        assert!(
            asking.is_empty(),
            "{}: state what it is, as in \"The number of\" or \"True if\": {asking:#?}",
            path.display()
        );
    }
}

#[test]
fn a_doc_comment_asks_by_the_first_word_of_a_paragraph() {
    let asking = |text: &str| paragraphs(text).iter().filter(|paragraph| asks(paragraph)).count();
    assert_eq!(asking("/// How many\n/// there are.\nlet a;\n    /// Whether it is one."), 2);
    assert_eq!(asking("//! Teams.\n//!\n//! What they are, and why."), 1);
    assert_eq!(asking("/// When it ends. Never, if absent."), 1);
    assert_eq!(asking("/// When it ends, nothing is left."), 0);
    assert_eq!(asking("/// The teams.\n/// What counts is their number.\nlet a; // What for?\n// Why not?"), 0);
    assert_eq!(asking("/// However long it takes.\n\n/// Whatever it is."), 0);
}

#[test]
fn comments_name_the_role_of_a_person() {
    for path in rust_files("src") {
        let text = fs::read_to_string(&path).unwrap();
        let found = vague(&text);
        assert!(found.is_empty(), "{}: say who is meant, not {found:?}", path.display());
    }
}

#[test]
fn vague_words_are_found_in_comments_alone() {
    assert_eq!(vague("/// Whoever calls.\nlet nobody = 1; // and nobody else"), ["Whoever", "nobody"]);
    assert!(vague("let nobody = somebody();").is_empty());
}
