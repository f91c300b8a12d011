//! Types what `docs/source-of-truth.md` says: its files are written, its commands run, and they print what it shows.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::place::{Place, outcome};

/// A block of the guide.
struct Block<'t> {
    language: &'t str,
    content: &'t str,
    /// The text before it.
    above: &'t str,
}

fn blocks<'t>(text: &'t str) -> Vec<Block<'t>> {
    let parts: Vec<&str> = text.split("```").collect();
    assert!(parts.len() % 2 == 1, "a block has no end");
    let block = |pair: &[&'t str]| {
        let (language, content) = pair[1].split_once('\n').expect("a language");
        Block { language, content, above: pair[0] }
    };
    parts.chunks_exact(2).map(block).collect()
}

/// Runs one line of a block; `>` at its end writes a file.
fn typed(place: &Place, folder: &Path, line: &str) -> String {
    let (line, file) = line.split_once(" > ").map_or((line, None), |(line, file)| (line, Some(file)));
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words[0], "guildhall", "{line}");
    let mut command: Command = place.command(&words[1..]);
    let (code, out, err) = outcome(&command.current_dir(folder).output().expect("the program runs"));
    assert!(code == 0 || words[1] == "plan" && code == 2, "{line}: {code}\n{out}{err}");
    if let Some(file) = file {
        fs::write(folder.join(file), &out).expect("to write");
    }
    out
}

#[test]
fn decision_74_the_guide_says_what_is_typed_and_what_is_printed() {
    let place = Place::new();
    let folder = tempfile::tempdir().expect("a folder");
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/source-of-truth.md")).expect("the guide");
    let (mut printed, mut ran) = (String::new(), 0);
    for Block { language, content, above } in blocks(&text) {
        match language {
            "sh" => {
                for line in content.lines() {
                    printed = typed(&place, folder.path(), line);
                    ran += 1;
                }
            }
            "text" => assert_eq!(printed, content),
            "yaml" | "json" | "csv" => {
                // The last name in backticks before the block is that of the file.
                let name = above.trim_end().rsplit('`').nth(1).expect("a name");
                let file = folder.path().join(name);
                fs::create_dir_all(file.parent().expect("a folder")).expect("to write");
                fs::write(file, content).expect("to write");
            }
            other => panic!("a block of {other}"),
        }
    }
    assert!(ran > 12, "{ran} lines");
    place.must_be_well();
}
