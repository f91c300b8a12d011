//! The imports of the files of `src`: which file imports names from which, read from their texts.
//!
//! Found are every `use`, and every path with `::` that begins with `crate`, `super`, `self`, a module below the file
//! or a name that the file imports. A path is resolved to the file that defines its last name, through re-exports. Not
//! found are methods and fields, macros without a path, and what macros generate.

use std::collections::{BTreeMap, BTreeSet};

/// The name of a module, from the root of the crate.
pub type Module = Vec<String>;

/// The modules of a crate, each with the content of its file.
pub struct Crate {
    files: BTreeMap<Module, File>,
}

/// The content of one file.
#[derive(Default)]
struct File {
    /// The names that it imports, each with its path.
    aliases: BTreeMap<String, Module>,
    /// The modules of which it imports all names.
    globs: Vec<Module>,
    /// All paths in it.
    paths: Vec<Module>,
    /// The names that it defines.
    items: BTreeSet<String>,
}

impl Crate {
    /// Reads texts, each under the path of its file below `src`.
    pub fn read<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Crate {
        let texts: Vec<(Module, &str)> = texts.into_iter().map(|(path, text)| (module(path), text)).collect();
        let names: BTreeSet<&Module> = texts.iter().map(|(name, _)| name).collect();
        let files = texts.iter().map(|(name, text)| (name.clone(), File::read(name, text, &names))).collect();
        Crate { files }
    }

    /// The files from which each file imports names.
    pub fn imports(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let of = |name: &Module, file: &File| -> BTreeSet<Module> {
            let named = file.aliases.values().chain(&file.paths).filter_map(|path| self.home(path, 0));
            let all = file.globs.iter().filter_map(|path| self.home(path, 0).or_else(|| Some(path.clone())));
            named.chain(all).filter(|home| home != name).collect()
        };
        self.files.iter().map(|(name, file)| (name.clone(), of(name, file))).collect()
    }

    /// The module that defines the target of a path; none if the path leads to a module or out of the crate.
    fn home(&self, path: &[String], steps: usize) -> Option<Module> {
        let deepest = (0..=path.len()).rev().find(|end| self.files.contains_key(&path[..*end]))?;
        let (at, rest) = path.split_at(deepest);
        let (name, behind) = rest.split_first()?;
        let file = &self.files[at];
        let onward = file.aliases.get(name).filter(|target| target[..] != path[..=deepest] && steps < 9);
        if let (Some(target), false) = (onward, file.items.contains(name)) {
            let whole = [&target[..], behind].concat();
            let is_module = self.files.contains_key(&whole);
            return self.home(&whole, steps + 1).or_else(|| (!is_module).then(|| at.to_vec()));
        }
        let from_all = file.globs.iter().find(|glob| {
            let defines = |file: &File| file.items.contains(name) || file.aliases.contains_key(name);
            !file.items.contains(name) && self.files.get(*glob).is_some_and(defines)
        });
        match from_all {
            Some(glob) if steps < 9 => self.home(&[&glob[..], rest].concat(), steps + 1),
            _ => Some(at.to_vec()),
        }
    }
}

/// The module of a file below `src`.
fn module(path: &str) -> Module {
    let path = path.trim_end_matches(".rs");
    let path = path.strip_suffix("mod").map_or(path, |folder| folder.trim_end_matches('/'));
    path.split('/').filter(|name| !name.is_empty() && *name != "lib" && *name != "main").map(str::to_owned).collect()
}

/// The keywords that define the name after them.
const DEFINING: &[&str] = &["fn", "struct", "enum", "trait", "const", "static", "type", "union"];

impl File {
    fn read(name: &Module, text: &str, all: &BTreeSet<&Module>) -> File {
        let tokens = tokens(text);
        let mut file = File::default();
        let mut inline = Inline::default();
        let mut found: Vec<(Module, Module)> = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            inline.pass(&tokens[at..]);
            let here = || [&name[..], &inline.names()].concat();
            let next = tokens.get(at + 1).copied().unwrap_or_default();
            match tokens[at] {
                "use" if next != "<" => {
                    let mut leaves = Vec::new();
                    at = tree(&tokens, at + 1, &mut Vec::new(), &mut leaves);
                    for (path, alias) in leaves {
                        file.import(absolute(&path, &here(), name, all), alias);
                    }
                    continue;
                }
                "macro_rules" => drop(file.items.insert(tokens.get(at + 2).copied().unwrap_or_default().to_owned())),
                word if DEFINING.contains(&word) && inline.0.is_empty() => drop(file.items.insert(next.to_owned())),
                word if is_name(word) && next == "::" && (at == 0 || tokens[at - 1] != "::") => {
                    let path = path(&tokens[at..]);
                    at += 2 * (path.len() - 1);
                    found.push((path, here()));
                }
                _ => {}
            }
            at += 1;
        }
        file.paths = found
            .iter()
            .filter_map(|(path, here)| file.aliased(path).or_else(|| absolute(path, here, name, all)))
            .collect();
        file.globs.retain(|glob| glob != name);
        file
    }

    /// Records what a `use` imports, if it is from this crate.
    fn import(&mut self, path: Option<Module>, alias: String) {
        match path {
            Some(path) if alias == "*" => self.globs.push(path),
            Some(path) => drop(self.aliases.insert(alias, path)),
            None => {}
        }
    }

    /// A path that begins with a name that the file imports.
    fn aliased(&self, path: &Module) -> Option<Module> {
        let target = self.aliases.get(&path[0])?;
        Some([&target[..], &path[1..]].concat())
    }
}

/// The inline modules that contain a token, each with the number of open braces around its own.
#[derive(Default)]
struct Inline(Vec<(String, usize)>, usize);

impl Inline {
    fn pass(&mut self, tokens: &[&str]) {
        match *tokens {
            ["mod", name, "{", ..] => self.0.push((name.to_owned(), self.1)),
            ["{", ..] => self.1 += 1,
            ["}", ..] => {
                self.1 -= 1;
                self.0.pop_if(|(_, around)| *around == self.1);
            }
            _ => {}
        }
    }

    fn names(&self) -> Module {
        self.0.iter().map(|(name, _)| name.clone()).collect()
    }
}

/// The path with which tokens begin.
fn path(tokens: &[&str]) -> Module {
    let behind = tokens[1..].chunks_exact(2).take_while(|two| two[0] == "::" && is_name(two[1]));
    [tokens[0]].into_iter().chain(behind.map(|two| two[1])).map(str::to_owned).collect()
}

/// A path from the root of the crate, if it is one of this crate. `here` is the module that contains it, in the file of
/// `name`.
fn absolute(path: &[String], here: &[String], name: &Module, all: &BTreeSet<&Module>) -> Option<Module> {
    let first = path.first()?.as_str();
    let supers = path.iter().take_while(|name| *name == "super").count();
    match first {
        "crate" => Some(path[1..].to_vec()),
        "self" if path.get(1).is_some_and(|name| name == "super") => absolute(&path[1..], here, name, all),
        "self" => Some([here, &path[1..]].concat()),
        "super" => Some([here.get(..here.len().checked_sub(supers)?)?, &path[supers..]].concat()),
        _ => {
            let below = [&name[..], &path[..1]].concat();
            all.contains(&below).then(|| [&name[..], path].concat())
        }
    }
}

/// Parses one tree of a `use` from here on, and returns where it ends.
fn tree(tokens: &[&str], mut at: usize, path: &mut Module, leaves: &mut Vec<(Module, String)>) -> usize {
    let depth = path.len();
    while let Some(token) = tokens.get(at) {
        match *token {
            "::" => at += 1,
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|token| *token != "}") {
                    at = tree(tokens, at, path, leaves);
                    at += usize::from(tokens.get(at) == Some(&","));
                }
                path.truncate(depth);
                return at + 1;
            }
            "*" => {
                leaves.push((path.clone(), "*".to_owned()));
                path.truncate(depth);
                return at + 1;
            }
            word if is_name(word) => {
                if word != "self" || depth == 0 && path.is_empty() {
                    path.push(word.to_owned());
                }
                at += 1;
                if tokens.get(at) != Some(&"::") {
                    let renamed = (tokens.get(at) == Some(&"as")).then(|| tokens[at + 1]);
                    let alias = renamed.map_or_else(|| path.last().unwrap().clone(), str::to_owned);
                    leaves.push((path.clone(), alias));
                    path.truncate(depth);
                    return at + if renamed.is_some() { 2 } else { 0 };
                }
            }
            _ => return at + 1,
        }
    }
    at
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The words and symbols of a text, without its comments and strings.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => string(rest),
            'r' if rest.starts_with("r\"") => 2 + rest[2..].find('"').map_or(0, |end| end + 1),
            'r' if rest.starts_with("r#\"") => rest.find("\"#").map_or(rest.len(), |end| end + 2),
            '\'' => character(rest),
            ':' if rest.starts_with("::") => 2,
            c if c.is_alphanumeric() || c == '_' => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            c => c.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        if !token.starts_with(|c: char| c.is_whitespace() || "\"'".contains(c))
            && !token.starts_with("//")
            && !token.starts_with("/*")
            && !token.starts_with("r\"")
            && !token.starts_with("r#\"")
        {
            tokens.push(token);
        }
        rest = behind;
    }
    tokens
}

/// The length of the string at the start of a text.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == '"' && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// The length of the character or the lifetime at the start of a text.
fn character(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some((at, escaped))) => {
            let from = at + escaped.len_utf8();
            text[from..].find('\'').map_or(text.len(), |end| from + end + 1)
        }
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}
