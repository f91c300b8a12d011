//! CSV of people and teams, as spreadsheets save it: a header with some of the columns `login`, `email`, `team` and
//! `role`, and one row for each membership (decision 74). An e-mail address is invited and given to no account
//! (decision 72).

use std::borrow::Cow;
use std::collections::HashMap;

use super::csv_rows::{Cell, Row, rows};
use super::cursor::Cursor;
use super::desired::{Invitation, Org, Role};
use super::document::{Node, Style, Value};
use super::draft::Draft;
use super::fault::Faults;
use super::values::{self, TEAM_ROLES};
use crate::people::email;
use crate::teams::slug;

/// The columns, in any order.
const COLUMNS: &[&str] = &["login", "email", "team", "role"];

/// The words for roles in the organization.
const ORG_ROLES: &[(&str, Role)] = &[("member", Role::Member), ("admin", Role::Admin), ("owner", Role::Admin)];

/// True if a file is CSV: by its name, or because its first line is a header.
pub fn is_csv(file: &str, text: &str) -> bool {
    let is_named =
        file.len() > 4 && file.is_char_boundary(file.len() - 4) && file[file.len() - 4..].eq_ignore_ascii_case(".csv");
    is_named || rows(text).next().is_some_and(|row| row.is_ok_and(|row| row.cells.iter().all(|cell| is_column(cell))))
}

fn is_column(cell: &Cell) -> bool {
    COLUMNS.contains(&column(cell).as_str())
}

fn column(cell: &Cell) -> String {
    cell.text.trim().to_lowercase()
}

/// Reads the people and teams of the organization.
pub fn read(text: &str, login: &str, faults: &Faults) -> Option<Org> {
    let nothing = Node { line: 1, value: Value::Map(Vec::new()) };
    let top = Cursor::top(&nothing, faults);
    let mut rows = rows(text);
    let columns = columns(&top, rows.next().and_then(|row| faults.keep(row)))?;
    let mut table = Table { draft: Draft::begin(&top, login), teams: HashMap::new(), invited: HashMap::new() };
    for row in rows {
        // What follows a broken row cannot be told apart.
        table.row(&columns, &faults.keep(row)?, faults);
    }
    if table.draft.org.people.iter().any(|_| true) {
        table.draft.org.lists.extend(["admins", "members"]);
    }
    table.draft.finish()
}

/// The columns of the header.
fn columns(top: &Cursor, header: Option<Row>) -> Option<Vec<String>> {
    let names: Vec<String> = header.iter().flat_map(|row| &row.cells).map(column).collect();
    for (nth, name) in names.iter().enumerate() {
        let at = top.named(name);
        if !COLUMNS.contains(&name.as_str()) {
            at.refuse_unknown("column", name, &[COLUMNS]);
        } else if names[..nth].contains(name) {
            at.wrong("this column is there twice");
        }
    }
    if !names.iter().any(|name| name == "login" || name == "email") {
        top.wrong("the first line must name the columns: login, email, team, role; one of login and email is needed");
    }
    top.faults.is_empty().then_some(names)
}

/// A table that is being read.
struct Table<'f> {
    draft: Draft<'f>,
    /// The teams by slug.
    teams: HashMap<String, usize>,
    /// The invitations by e-mail address, in the form in which they are compared.
    invited: HashMap<String, usize>,
}

impl Table<'_> {
    fn row(&mut self, columns: &[String], row: &Row, faults: &Faults) {
        let is_blank = |cell: &Cell| cell.text.trim().is_empty();
        if row.cells.iter().all(is_blank) {
            return;
        }
        let whole = Node { line: row.line, value: Value::Map(Vec::new()) };
        let whole = Cursor::top(&whole, faults);
        if row.cells.len() < columns.len() || row.cells[columns.len()..].iter().any(|cell| !is_blank(cell)) {
            whole.wrong(format!("the row has {} cells, and the header {}", row.cells.len(), columns.len()));
            return;
        }
        let node = |name: &str| {
            let cell = &row.cells[columns.iter().position(|column| column == name)?];
            let text =
                if name == "role" { cell.text.trim().to_lowercase().into() } else { Cow::from(cell.text.trim()) };
            Some(Node { line: cell.line, value: Value::Scalar(text, Style::Quoted) }).filter(|_| !is_blank(cell))
        };
        let nodes = COLUMNS.iter().map(|name| node(name)).collect::<Vec<_>>();
        let at = |nth: usize| {
            let node = nodes[nth].as_ref()?;
            Some(Cursor::top(node, faults).named(COLUMNS[nth]))
        };
        let (login, email, role) = (at(0), at(1), at(3));
        let team = match at(2) {
            Some(team) => match self.team(&team) {
                Some(index) => Some(index),
                None => return,
            },
            None => None,
        };
        match (login, email) {
            (Some(login), _) => self.person(&login, team, role.as_ref()),
            (None, Some(email)) => self.address(&email, team, role.as_ref()),
            (None, None) => whole.wrong("the row has neither a login nor an email"),
        }
        if login.is_some() && email.is_some() {
            self.draft.org.not_kept.insert("email of people with a login".to_owned());
        }
    }

    /// The team of a cell. The file lists its people and says nothing else about it.
    fn team(&mut self, at: &Cursor) -> Option<usize> {
        let name = at.keep(at.text().and_then(|name| values::team_name(at, name)))?;
        let key = slug::from_name(name).unwrap_or_else(|| name.to_owned());
        if let Some(index) = self.teams.get(&key) {
            return Some(*index);
        }
        let index = self.draft.team(at, name, None);
        let team = &mut self.draft.org.teams[index];
        team.only_people = true;
        team.lists.extend(["maintainers", "members"]);
        self.teams.insert(key, index);
        Some(index)
    }

    fn person(&mut self, login: &Cursor, team: Option<usize>, role: Option<&Cursor>) {
        match team {
            Some(team) => {
                if let Some(maintainer) = role_of(role, TEAM_ROLES, false) {
                    self.draft.membership(login, team, maintainer);
                }
            }
            None => self.draft.person(login, role_of(role, ORG_ROLES, Role::Member)),
        }
    }

    fn address(&mut self, at: &Cursor, team: Option<usize>, role: Option<&Cursor>) {
        let Some(address) = at.keep(values::address(at)) else { return };
        let org = &mut self.draft.org;
        let index = *self.invited.entry(email::key(&address)).or_insert(org.invitations.len());
        if index == org.invitations.len() {
            let (line, key) = (at.line, at.path.to_string());
            org.invitations.push(Invitation {
                email: Some(address),
                role: "direct_member",
                only_teams: true,
                line,
                key,
                ..Invitation::default()
            });
        }
        let invitation = &mut org.invitations[index];
        let Some(team) = team else {
            invitation.only_teams = false;
            if role_of(role, ORG_ROLES, Role::Member) == Some(Role::Admin) {
                invitation.role = "admin";
            }
            return;
        };
        let Some(maintainer) = role_of(role, TEAM_ROLES, false) else { return };
        match invitation.teams.iter().find(|(known, _)| *known == team) {
            Some((_, known)) if *known != maintainer => {
                at.wrong("is both a maintainer and a member of this team; list each address once");
            }
            Some(_) => {}
            None => invitation.teams.push((team, maintainer)),
        }
    }
}

fn role_of<T: Copy>(at: Option<&Cursor>, words: &[(&str, T)], usual: T) -> Option<T> {
    match at {
        Some(at) => at.keep(values::choice(at, words)),
        None => Some(usual),
    }
}
