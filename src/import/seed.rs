//! The seed of `guildhall dev`: peribolos YAML, and next to its `orgs` the people and tokens that tests need.

use std::collections::HashMap;
use std::path::Path;

use super::cursor::Cursor;
use super::desired::Org;
use super::fault::{Fault, Faults, shown};
use super::{check, document, peribolos, read, values};
use crate::clock::Time;
use crate::people::login;
use crate::scope::Scopes;

/// The keys of a seed.
const KEYS: &[&str] = &["orgs", "users", "tokens", "now", "frozen"];

/// The length that the text of a token may have, so that clients can present it.
const TOKEN_LENGTH: std::ops::RangeInclusive<usize> = 8..=255;

/// The content of a seed file.
#[derive(Debug, Default)]
pub struct Seed {
    /// The organizations.
    pub orgs: Vec<Org>,
    /// People, in the order of the file.
    pub users: Vec<SeedUser>,
    /// Tokens, in the order of the file.
    pub tokens: Vec<SeedToken>,
    /// The time at which the clock starts.
    pub now: Option<Time>,
    /// True if the clock starts frozen.
    pub frozen: bool,
}

/// A person, who may belong to organizations of the same file.
#[derive(Debug)]
pub struct SeedUser {
    /// The place of the person in the file.
    pub place: Place,
    /// Their login.
    pub login: String,
    /// Their name.
    pub name: Option<String>,
    /// Their verified e-mail address, with its place.
    pub email: Option<(Place, String)>,
    /// True if they are a site administrator.
    pub site_admin: bool,
}

/// A token.
#[derive(Debug)]
pub struct SeedToken {
    /// The place of its login in the file.
    pub place: Place,
    /// Its text.
    pub text: String,
    /// The person that it belongs to.
    pub login: String,
    /// Its scopes.
    pub scopes: Scopes,
}

/// A position in a seed, for an error that only the store can find.
#[derive(Debug, Clone)]
pub struct Place {
    line: u32,
    key: String,
    file: String,
}

impl Place {
    fn of(at: &Cursor, file: &str) -> Self {
        Self { line: at.line, key: at.path.to_string(), file: file.to_owned() }
    }

    /// An error at this position.
    #[must_use]
    pub fn fault(&self, message: String) -> Fault {
        Fault { file: self.file.clone(), line: self.line, key: self.key.clone(), message }
    }
}

/// Reads and checks a seed, as far as that is possible without a store.
pub fn read(path: &Path) -> Result<Seed, Faults> {
    let file = path.display().to_string();
    let faults = Faults::default();
    let text = faults.keep(read::content(path));
    let seed = text.map(|text| seed(&text, &file, &faults)).unwrap_or_default();
    check::files(&seed.orgs, &faults);
    faults.in_file(&file).ended().map(|()| seed)
}

fn seed(text: &str, file: &str, faults: &Faults) -> Seed {
    let Some(root) = faults.keep(document::parse(text)) else { return Seed::default() };
    let top = Cursor::top(&root, faults);
    top.only(&[KEYS]);
    let mut orgs = peribolos::orgs(&top);
    for org in &mut orgs {
        file.clone_into(&mut org.file);
    }
    let now = top.read("now", |at| {
        let text = at.text()?;
        Time::read(text)
            .ok_or_else(|| at.fault(format!("{} is not a time; write it as 2026-01-01T00:00:00Z", shown(text))))
    });
    Seed {
        orgs,
        users: users(&top, file),
        tokens: tokens(&top, file),
        now,
        frozen: top.flag("frozen").unwrap_or(false),
    }
}

fn users(top: &Cursor, file: &str) -> Vec<SeedUser> {
    let (mut users, mut lines) = (Vec::new(), HashMap::new());
    let Some(all) = top.get("users") else { return users };
    for (login, at) in all.entries() {
        if let Some(first) = lines.insert(login::key(login), at.line) {
            at.wrong(format!("{} is listed twice; see line {first}", shown(login)));
        }
        at.only(&[&["email", "name", "site_admin"]]);
        at.keep(values::login(&at, login));
        users.push(SeedUser {
            place: Place::of(&at, file),
            login: login.to_owned(),
            name: at.read("name", values::name).flatten(),
            email: at.read("email", |at| Ok((Place::of(at, file), values::address(at)?))),
            site_admin: at.flag("site_admin").unwrap_or(false),
        });
    }
    users
}

fn tokens(top: &Cursor, file: &str) -> Vec<SeedToken> {
    let mut tokens = Vec::new();
    let Some(all) = top.get("tokens") else { return tokens };
    for (text, at) in all.entries() {
        if !TOKEN_LENGTH.contains(&text.len()) || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            at.wrong("the text of a token has 8 to 255 ASCII letters, digits and signs, and no spaces");
        }
        at.only(&[&["login", "scopes"]]);
        if at.get("login").is_none() {
            at.wrong("add \"login\", the person that the token belongs to");
        }
        let scopes = at.read("scopes", scopes).unwrap_or_default();
        let login = at.read("login", |at| Ok((Place::of(at, file), values::login(at, at.text()?)?.to_owned())));
        tokens.extend(login.map(|(place, login)| SeedToken { place, text: text.to_owned(), login, scopes }));
    }
    tokens
}

/// A list of scopes, or a text with commas.
fn scopes(at: &Cursor) -> Result<Scopes, Fault> {
    if let Ok(text) = at.text() {
        return Scopes::parse(text).map_err(|error| at.fault(error.to_string()));
    }
    let names: Vec<_> = at.items().into_iter().flatten().collect();
    let mut scopes = Vec::with_capacity(names.len());
    for at in &names {
        let name = at.text()?;
        Scopes::from_names([name]).map_err(|error| at.fault(error.to_string()))?;
        scopes.push(name);
    }
    Scopes::from_names(scopes).map_err(|error| at.fault(error.to_string()))
}
