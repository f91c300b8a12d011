//! The tree: which module imports which, how long files are, how they are named, and where drivers are named.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules that every module may import.
const EVERYWHERE: &[&str] = &["cache", "clock", "error", "links", "name", "record", "words"];

/// The other modules that a module of `src` may import, from the bottom up; `ARCHITECTURE.md` shows the same. A module
/// imports only modules that are listed above it.
#[rustfmt::skip]
const IMPORTS: &[(&str, &[&str])] = &[
    ("config",     &[]),
    ("policy",     &[]),
    ("scope",      &[]),
    ("caller",     &["scope"]),
    ("trust",      &[]),
    ("mail",       &["config"]),
    ("db",         &["trust"]),
    ("rows",       &["db"]),
    ("memory",     &["db", "rows"]),
    ("journal",    &["caller", "db", "rows"]),
    ("limits",     &["db", "journal"]),
    ("operation",  &["caller", "db", "journal", "limits", "memory", "policy", "scope"]),
    ("site",       &["db", "journal", "limits", "operation", "policy"]),
    ("people",     &["db", "journal", "mail", "memory", "operation", "policy", "rows", "scope", "site"]),
    ("access",     &["db", "journal", "operation", "people", "policy", "scope", "site"]),
    ("signin",     &["access", "db", "journal", "mail", "operation", "people", "policy", "site"]),
    ("members",    &["db", "journal", "operation", "people", "rows"]),
    ("orgs",       &["db", "journal", "mail", "members", "memory", "operation", "people", "policy", "scope", "site"]),
    ("setup",      &["access", "db", "journal", "operation", "orgs", "people", "policy", "signin"]),
    ("repos",      &["db", "journal", "limits", "members", "operation", "orgs", "people", "policy", "rows", "scope", "site"]),
    ("projects",   &["db", "journal", "members", "operation", "orgs", "people", "policy"]),
    ("oauth",      &["access", "db", "journal", "limits", "operation", "orgs", "people", "policy", "scope", "signin", "site"]),
    ("accounts",   &["journal", "members", "operation", "people", "policy", "repos", "signin"]),
    ("audit",      &["db", "journal", "operation", "orgs", "people", "policy", "projects", "rows", "site"]),
    ("search",     &["audit", "db", "memory", "operation", "orgs", "people", "policy", "repos", "site"]),
    ("hooks",      &["db", "journal", "operation", "orgs", "people", "policy", "repos", "site"]),
    ("sender",     &["hooks", "trust"]),
    ("identity",   &["hooks", "sender"]),
    ("teams",      &["db", "journal", "limits", "members", "memory", "operation", "orgs", "people", "policy", "projects", "repos", "rows", "search", "site"]),
    ("posts",      &["db", "journal", "operation", "people", "policy", "teams"]),
    ("sync",       &["accounts", "db", "journal", "mail", "members", "operation", "orgs", "people", "policy", "scope", "teams"]),
    ("notices",    &["db", "mail", "operation", "orgs", "people", "policy", "posts", "site", "teams"]),
    ("invited",    &["access", "db", "journal", "mail", "members", "operation", "orgs", "people", "policy", "signin"]),
    ("letters",    &["db", "hooks", "journal", "mail", "notices", "people"]),
    ("deliver",    &["db", "hooks", "journal", "letters", "mail", "members", "notices", "operation", "orgs", "policy", "sender", "site"]),
    ("import",     &["db", "journal", "mail", "members", "operation", "orgs", "people", "projects", "repos", "rows", "scope", "teams"]),
    ("export",     &["db", "import", "operation", "orgs", "people", "policy", "projects", "repos", "rows", "teams"]),
    ("plan",       &["db", "export", "import", "journal", "members", "operation", "orgs", "people", "policy", "projects", "repos", "rows", "teams"]),
    ("plans",      &["db", "import", "operation", "orgs", "people", "plan", "policy", "scope"]),
    ("store",      &["access", "config", "db", "journal", "limits", "memory", "operation", "people"]),
    ("doctor",     &["audit", "db", "deliver", "journal", "orgs", "people", "posts", "repos", "scope", "store", "teams"]),
    ("operations", &["access", "accounts", "audit", "deliver", "export", "hooks", "members", "notices", "operation", "orgs", "people", "plans", "policy", "posts", "projects", "repos", "scope", "search", "site", "sync", "teams"]),
    ("dispatch",   &["access", "db", "journal", "limits", "members", "operation"]),
    ("graphql",    &["access", "caller", "db", "dispatch", "journal", "limits", "members", "memory", "operation", "orgs", "people", "policy", "posts", "repos", "rows", "scope", "search", "teams"]),
    ("page_operations", &["access", "deliver", "hooks", "invited", "notices", "oauth", "operation", "orgs", "people", "policy", "posts", "projects", "scope", "setup", "signin", "site", "teams"]),
    ("instruments", &["config", "dispatch", "doctor", "mail"]),
    ("pages",      &["access", "audit", "deliver", "dispatch", "hooks", "identity", "instruments", "invited", "limits", "notices", "oauth", "operation", "orgs", "people", "posts", "setup", "signin", "site", "teams"]),
    ("http",       &["access", "db", "deliver", "dispatch", "graphql", "identity", "instruments", "limits", "oauth", "operation", "operations", "page_operations", "pages", "policy", "sync", "teams"]),
    ("server",     &["access", "config", "db", "deliver", "dispatch", "hooks", "http", "identity", "instruments", "journal", "letters", "mail", "members", "oauth", "plans", "sender", "signin", "store"]),
    ("dev",        &["access", "caller", "config", "db", "deliver", "dispatch", "http", "import", "journal", "limits", "operation", "people", "plan", "server", "store"]),
    ("cli",        &[EVERYTHING]),
];

/// Means every module.
const EVERYTHING: &str = "everything";

/// The longest file, in lines.
const LONGEST: usize = 400;

/// Names that say nothing about what belongs in a file.
const BANNED: &[&str] = &["utils", "util", "common", "helpers", "helper", "types", "core", "misc", "services"];

/// The names of drivers in code.
const DRIVERS: &[&str] = &["rusqlite", "libsqlite3_sys", "postgres", "tokio_postgres"];

/// The modules that may wait without blocking a thread: the edges, the store, and what is between them.
const ASYNCHRONOUS: &[&str] = &[
    "http",
    "cli",
    "db",
    "deliver",
    "dev",
    "dispatch",
    "doctor",
    "graphql",
    "identity",
    "import",
    "instruments",
    "mail",
    "main",
    "pages",
    "plan",
    "sender",
    "server",
    "store",
];

/// The tables of memberships, which only `src/members` writes.
const MEMBERSHIPS: &[&str] = &["team_members", "org_members"];

/// The tables whose rows delete memberships when they are deleted.
const HOLDERS: &[&str] = &["teams", "orgs", "users"];

/// The files that delete such rows, each with what has happened to the memberships before.
const DELETING_HOLDERS: &[(&str, &str)] = &[
    ("src/teams/delete.rs", "`members` has ended them"),
    ("src/accounts.rs", "`members` has ended them"),
    ("src/teams/naming.rs", "a team that is taken back as it is made has none"),
    ("src/orgs/create.rs", "an organization that is taken back as it is made has none"),
    ("src/orgs/delete.rs", "one entry ends the whole organization, and nothing of it is read any more"),
    ("src/people/user.rs", "an account that is taken back as it is made has none"),
];

/// Asynchronous code contains one of these words.
const WAITING: &[&str] = &["async", "await", "tokio"];

/// The directory of the package.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below a directory.
pub fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(directory) else { return found };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// The Rust files of `src`, each with its text.
fn sources() -> Vec<(PathBuf, String)> {
    let rust = files(&root().join("src")).into_iter().filter(|path| path.extension().is_some_and(|e| e == "rs"));
    rust.map(|path| (path.strip_prefix(root()).unwrap().to_owned(), fs::read_to_string(&path).unwrap())).collect()
}

/// A line without the comment at its end.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

/// The module of a file: the first name below `src`.
fn module(path: &Path) -> String {
    path.iter().nth(1).unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned()
}

/// The depth of a file's module below `src`.
fn depth(path: &Path) -> usize {
    let below = path.iter().count() - 1;
    if path.ends_with("mod.rs") { below - 1 } else { below }
}

/// The imports of a file with `crate::`, or with as many `super::` as reach the root.
fn imports(path: &Path, text: &str) -> Vec<String> {
    let mut depth = depth(path);
    let mut named = Vec::new();
    for line in text.lines().map(code) {
        if line == "mod tests {" {
            depth += 1;
        }
        for root in ["crate::", &"super::".repeat(depth)] {
            named
                .extend(line.match_indices(root).filter_map(|(at, root)| below(&line[..at], &line[at + root.len()..])));
        }
    }
    named
}

/// The name after the root of the crate.
fn below(before: &str, behind: &str) -> Option<String> {
    let alone = before.chars().next_back().is_none_or(|c| !c.is_alphanumeric() && !"_:".contains(c));
    let name: String = behind.chars().take_while(|c| c.is_alphanumeric() || "_{".contains(*c)).collect();
    alone.then_some(name)
}

#[test]
fn every_module_imports_only_what_its_floor_allows() {
    let mut violations = BTreeSet::new();
    for (path, text) in sources() {
        let module = module(&path);
        if module == "lib" || module == "main" {
            continue;
        }
        let row = IMPORTS.iter().find(|(name, _)| *name == module);
        let allowed = match row {
            Some((_, allowed)) => *allowed,
            None if EVERYWHERE.contains(&module.as_str()) => &[],
            None => panic!("{} is of a module that the import table does not know", path.display()),
        };
        for import in imports(&path, &text) {
            let allows = |name: &&str| *name == import || *name == EVERYTHING;
            if import != module && !EVERYWHERE.iter().chain(allowed).any(allows) {
                violations.insert(format!("{}: {module} may not import {import}", path.display()));
            }
        }
    }
    assert!(violations.is_empty(), "{violations:#?}");
}

#[test]
fn the_import_table_has_its_floors_in_order() {
    for (floor, (module, allowed)) in IMPORTS.iter().enumerate() {
        for name in allowed.iter().filter(|name| **name != EVERYTHING) {
            let is_below = IMPORTS[..floor].iter().any(|(below, _)| below == name);
            assert!(is_below, "{module} imports {name}, which the table does not list above it");
        }
    }
}

#[test]
fn the_import_table_lists_the_modules_that_there_are_and_so_does_the_architecture() {
    let there: BTreeSet<String> = sources().iter().map(|(path, _)| module(path)).collect();
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut rest = page.as_str();
    for (name, allowed) in IMPORTS {
        assert!(there.contains(*name), "the import table names {name}, which is not there");
        let allowed: Vec<String> = allowed.iter().map(|name| format!("`{name}`")).collect();
        let cell = match allowed.join(", ") {
            none if none.is_empty() => "-".to_owned(),
            words => words.replace("`everything`", EVERYTHING),
        };
        let row = rest.find(&format!("\n| `{name}` |"));
        let row = row.unwrap_or_else(|| panic!("ARCHITECTURE.md does not list {name} where the table does"));
        rest = &rest[row + 1..];
        let said = rest.lines().next().is_some_and(|line| line.ends_with(&format!("| {cell} |")));
        assert!(said, "ARCHITECTURE.md does not say that {name} may import {cell}");
    }
}

#[test]
fn no_file_is_too_long() {
    let folders = ["src", "tests", "schema", "scripts", "benches", "examples"];
    let mut long = Vec::new();
    let locks = ["Cargo.lock", "go.sum"];
    for path in folders.iter().flat_map(|folder| files(&root().join(folder))) {
        if locks.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        let lines = fs::read_to_string(&path).map_or(0, |text| text.lines().count());
        if lines > LONGEST {
            long.push(format!("{}: {lines} lines", path.display()));
        }
    }
    assert!(long.is_empty(), "{long:#?}");
}

#[test]
fn no_file_is_a_drawer() {
    for path in ["src", "tests"].iter().flat_map(|folder| files(&root().join(folder))) {
        let below = path.strip_prefix(root()).unwrap();
        for part in below.iter().map(|part| part.to_str().unwrap()) {
            let name = part.split('.').next().unwrap();
            assert!(!BANNED.contains(&name), "{} has the name of a drawer", below.display());
        }
    }
}

#[test]
fn only_the_store_names_a_driver() {
    for (path, text) in sources().into_iter().filter(|(path, _)| !path.starts_with("src/db")) {
        for line in text.lines().map(code) {
            for driver in DRIVERS {
                let named = line.match_indices(&format!("{driver}::")).any(|(at, _)| {
                    let before = line[..at].chars().next_back();
                    before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':')
                });
                assert!(!named, "{} names the driver {driver}: {line}", path.display());
            }
        }
    }
}

/// True if a text has a statement that begins with one of these words and continues with the table.
fn has_statement(text: &str, verbs: &[&str], table: &str) -> bool {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
    verbs.iter().any(|verb| {
        let begin: Vec<&str> = verb.split(' ').collect();
        words.windows(begin.len() + 1).any(|found| found[..begin.len()] == begin[..] && found[begin.len()] == table)
    })
}

#[test]
fn only_commands_on_the_store_act_as_the_operator() {
    let having = |code: &str| -> Vec<String> {
        let found = sources().into_iter().filter(|(_, text)| text.contains(code));
        found.map(|(path, _)| path.display().to_string()).collect()
    };
    // One file has these credentials; dispatch makes a caller of them, and GraphQL refuses them.
    let naming = ["src/cli/api/local.rs", "src/dispatch/attempt.rs", "src/graphql/run.rs"];
    assert_eq!(having("Credentials::Operator"), naming);
    assert_eq!(having("is_operator: true"), ["src/access/operator.rs"]);
}

#[test]
fn only_one_module_writes_memberships() {
    let verbs = ["INSERT INTO", "UPDATE", "DELETE FROM"];
    let is_writer = |text: &str| MEMBERSHIPS.iter().any(|table| has_statement(text, &verbs, table));
    let found: Vec<PathBuf> = sources().into_iter().filter(|(_, text)| is_writer(text)).map(|(path, _)| path).collect();
    let (own, other): (Vec<_>, Vec<_>) = found.iter().partition(|path| path.starts_with("src/members"));
    assert!(!own.is_empty(), "the test does not see how src/members writes");
    assert!(other.is_empty(), "write memberships by a function of src/members: {other:#?}");
}

#[test]
fn only_the_journal_writes_journals() {
    let tables = ["journal", "journal_facts", "journal_heads"];
    let is_writer =
        |text: &str| tables.iter().any(|table| has_statement(text, &["INSERT INTO", "UPDATE", "DELETE FROM"], table));
    let found: Vec<PathBuf> = sources().into_iter().filter(|(_, text)| is_writer(text)).map(|(path, _)| path).collect();
    let (own, other): (Vec<_>, Vec<_>) = found.iter().partition(|path| path.starts_with("src/journal"));
    assert!(!own.is_empty(), "the test does not see how src/journal writes");
    // Doctor recreates a missing head.
    assert_eq!(other, [Path::new("src/doctor/mend.rs")], "record changes with `cx.record`");
}

/// A row that is joined to one that a statement waits for is older than the lock.
#[test]
fn no_statement_that_locks_reads_anything_else() {
    let locking = sources().into_iter().flat_map(|(_, text)| {
        let texts: Vec<String> = text.split('"').map(str::to_owned).collect();
        texts.into_iter().filter(|text| text.contains("SELECT") && text.contains("FOR UPDATE"))
    });
    let locking: Vec<String> = locking.collect();
    assert!(!locking.is_empty(), "the test does not see how heads are locked");
    for sql in locking {
        assert!(!sql.contains("JOIN") && sql.matches("FROM").count() == 1, "{sql} reads more than what it locks");
    }
}

#[test]
fn what_takes_memberships_with_it_is_deleted_in_few_places() {
    let deletes = |text: &str| HOLDERS.iter().any(|table| has_statement(text, &["DELETE FROM"], table));
    let found: BTreeSet<String> = sources()
        .into_iter()
        .filter(|(path, text)| deletes(text) && !path.starts_with("src/db"))
        .map(|(path, _)| path.to_str().unwrap().to_owned())
        .collect();
    let known: BTreeSet<String> = DELETING_HOLDERS.iter().map(|(path, _)| (*path).to_owned()).collect();
    assert_eq!(found, known, "end the memberships by src/members first, then add the file to the list");
}

/// A clock may be set back, and the clock of another node may be ahead.
#[test]
fn no_statement_sets_a_time_back() {
    for (path, text) in sources() {
        let names = ["updated_at", "last_edited_at", "last_used_at", "failed_at"];
        let plain = names.iter().find(|name| text.contains(&format!("{name} = $")));
        assert!(plain.is_none(), "{}: {plain:?} may run backwards; STYLE.md says how to set it", path.display());
    }
}

#[test]
fn the_domain_is_synchronous() {
    for (path, text) in sources().into_iter().filter(|(path, _)| !ASYNCHRONOUS.contains(&module(path).as_str())) {
        for line in text.lines().map(code) {
            let waits = line.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| WAITING.contains(word));
            assert!(waits.is_none(), "{} is of the domain and must not wait: {line}", path.display());
        }
    }
}
