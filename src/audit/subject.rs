//! The subject of an entry, read from its values before and after: people by login, a team, a repository.

use serde_json::Value;

use crate::journal::chain::Entry;

/// The people and things that an entry is about.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// The logins of the people.
    pub users: Vec<String>,
    /// The team.
    pub team: Thing,
    /// The repository.
    pub repo: Thing,
}

/// A team or a repository.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Thing {
    /// Its identifier.
    pub id: Option<i64>,
    /// Its names at that time, if the entry has them; the name after the change comes first. For a team it is the slug,
    /// for a repository the owner and the name.
    pub names: Vec<String>,
}

/// A value of an entry, from the stored text.
#[must_use]
pub fn value(text: Option<&String>) -> Value {
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

impl Subject {
    /// The subject of an entry with these values.
    #[must_use]
    pub fn of(action: &str, before: &Value, after: &Value) -> Self {
        let mut subject = Self::default();
        let (kind, _) = action.split_once('.').unwrap_or((action, ""));
        for values in [after, before] {
            subject.add(kind, values);
        }
        subject
    }

    /// The subject of an entry.
    #[must_use]
    pub fn of_entry(entry: &Entry) -> Self {
        let action = entry.action.as_deref().unwrap_or_default();
        Self::of(action, &value(entry.before.as_ref()), &value(entry.after.as_ref()))
    }

    fn add(&mut self, kind: &str, values: &Value) {
        self.add_people(kind, values);
        self.team.add(&values["team"], &values["team_slug"]);
        self.team.add(&values["team"]["id"], &values["team"]["slug"]);
        self.repo.add(&values["repository"], &values["full_name"]);
        match kind {
            "team" => self.team.add(&values["id"], &values["slug"]),
            "repo" => self.repo.add(&values["id"], &values["full_name"]),
            _ => {}
        }
    }

    fn add_people(&mut self, kind: &str, values: &Value) {
        let each = |list: &'static str| values[list].as_array().into_iter().flatten();
        let listed = each("users").chain(each("members").map(|member| &member["login"]));
        let own = (kind == "user").then_some(&values["login"]);
        for login in [&values["user"]].into_iter().chain(own).chain(listed).filter_map(Value::as_str) {
            if !self.users.iter().any(|known| known == login) {
                self.users.push(login.to_owned());
            }
        }
    }
}

impl Thing {
    fn add(&mut self, id: &Value, name: &Value) {
        if let Some(id) = id.as_i64() {
            self.id.get_or_insert(id);
            if let Some(name) = name.as_str() {
                self.names.push(name.to_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Subject, Thing};

    fn thing(id: i64, names: &[&str]) -> Thing {
        Thing { id: Some(id), names: names.iter().map(|name| (*name).to_owned()).collect() }
    }

    #[test]
    fn the_subject_is_read_from_the_values() {
        let seat = json!({ "team": 7, "user": "max", "role": "member" });
        let subject = Subject::of("team.add_member", &Value::Null, &seat);
        assert_eq!((subject.users, subject.team), (vec!["max".to_owned()], thing(7, &[])));
        let many = json!({ "team": 7, "team_slug": "core", "users": ["max", "tom"] });
        let subject = Subject::of("team.remove_member", &many, &Value::Null);
        assert_eq!((subject.users.len(), subject.team), (2, thing(7, &["core"])));
        let gone = json!({ "team": { "id": 7, "slug": "core" }, "members": [{ "id": 3, "login": "max" }] });
        let subject = Subject::of("team.destroy", &gone, &Value::Null);
        assert_eq!((subject.users, subject.team), (vec!["max".to_owned()], thing(7, &["core"])));
        let (old, new) = (json!({ "id": 2, "full_name": "acme/a" }), json!({ "id": 2, "full_name": "acme/b" }));
        assert_eq!(Subject::of("repo.rename", &old, &new).repo, thing(2, &["acme/b", "acme/a"]));
        let renamed = (json!({ "login": "tom" }), json!({ "id": 3, "login": "thomas" }));
        assert_eq!(Subject::of("user.rename", &renamed.0, &renamed.1).users, ["thomas", "tom"]);
    }

    #[test]
    fn what_has_an_identifier_of_its_own_is_no_team() {
        let subject = Subject::of("project.create", &Value::Null, &json!({ "id": 7, "slug": "x", "login": "max" }));
        assert_eq!(subject, Subject::default());
    }
}
