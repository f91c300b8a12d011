//! A page is a client of the table: it has no SQL, no fact of the policy and no table of the database.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::tree::{files, root};

/// The tables of the database, from its migrations.
fn tables() -> BTreeSet<String> {
    let schema = files(&root().join("schema"));
    let texts = schema.iter().map(|path| fs::read_to_string(path).unwrap());
    let named = |text: String| -> Vec<String> {
        let names = text.split("CREATE TABLE ").skip(1).filter_map(|rest| rest.split([' ', '(']).next());
        names.map(str::to_owned).collect()
    };
    texts.flat_map(named).collect()
}

/// The element in which a page shows a secret, for the script that copies it.
const SECRET: &[u8] = b"class=\"secret\"";

/// The words of the policy and of the store that no page names.
const BARRED: [&str; 7] =
    ["crate::db", "crate::policy", "crate::rows", "crate::memory", "Fact::", "Granted", "Standing"];

#[test]
fn pages_name_no_sql_no_fact_and_no_table() {
    let tables = tables();
    assert!(tables.len() > 30 && tables.contains("team_members"), "the test sees the tables: {tables:?}");
    let pages = files(&root().join("src/pages"));
    assert!(pages.len() > 40, "the test sees the pages");
    for path in pages {
        let text = fs::read_to_string(&path).unwrap();
        let barred = BARRED.into_iter().find(|word| text.contains(word));
        assert!(barred.is_none(), "{} names {barred:?}: ask an operation", path.display());
        for verb in ["SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM ", "FROM ", "JOIN "] {
            let named = tables.iter().find(|table| text.contains(&format!("{verb}{table}")));
            assert!(named.is_none() && !text.contains("SELECT "), "{} has a statement on {named:?}", path.display());
        }
    }
}

/// The templates that show a token or a secret. Each is shown in response to a form only, so it is never compressed;
/// `decision_43_pages_are_compressed_unless_they_show_a_secret` sends the forms of all of them.
const WITH_SECRETS: [&str; 2] = ["settings/application.html", "settings/tokens.html"];

#[test]
fn templates_that_show_a_secret_are_known() {
    let pages = root().join("pages");
    let shows = |path: &PathBuf| {
        let text = fs::read(path).unwrap();
        text.windows(SECRET.len()).any(|bytes| bytes == SECRET)
    };
    let found = files(&pages).into_iter().filter(shows);
    let found: BTreeSet<_> = found.map(|path| path.strip_prefix(&pages).unwrap().display().to_string()).collect();
    assert_eq!(found, WITH_SECRETS.map(str::to_owned).into());
}

#[test]
fn the_pictures_of_pages_are_shown_and_small() {
    let shown = ["README.md", "docs/pages.md"].map(|page| fs::read_to_string(root().join(page)).unwrap()).concat();
    let pictures = files(&root().join("docs/pictures"));
    assert_eq!(pictures.len(), 12);
    for path in &pictures {
        let name = path.file_name().unwrap().display().to_string();
        assert!(shown.contains(&format!("pictures/{name})")), "no document shows {name}");
    }
    let named = shown.matches("pictures/").count();
    assert_eq!(named, pictures.len() + 1, "README.md and docs/pages.md both show the team");
    let bytes: u64 = pictures.iter().map(|path| fs::metadata(path).unwrap().len()).sum();
    assert!(bytes < 1_000_000, "{bytes} bytes");
}
