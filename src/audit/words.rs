//! The values of an entry as people read them.

use serde_json::{Map, Value};

/// A value that an entry has before the change, after it, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// Its name, in words.
    pub name: String,
    /// The value before, if there was one.
    pub was: Option<String>,
    /// The value after, if there is one.
    pub is: Option<String>,
}

/// The values that differ, as `shown` makes texts of them. Left out are the names that the entry is about, what a new
/// thing does not have, and hashes.
#[must_use]
pub fn changes(
    before: &Value,
    after: &Value,
    about: &[Option<&str>],
    shown: impl Fn(&str, &Value) -> Option<String>,
) -> Vec<Changed> {
    let none = Map::new();
    let [before, after] = [before, after].map(|values| values.as_object().unwrap_or(&none));
    let names = before.keys().chain(after.keys().filter(|name| !before.contains_key(*name)));
    let says_nothing = |text: &str| text == "no" || text.is_empty() || about.contains(&Some(text));
    let changed = names.filter(|name| !name.ends_with("_hash")).filter_map(|name| {
        let [was, is] = [before, after].map(|values| values.get(name).and_then(|value| shown(name, value)));
        let is_told = match (&was, &is) {
            (None, Some(only)) | (Some(only), None) => !says_nothing(only),
            (was, is) => was != is,
        };
        is_told.then(|| Changed { name: name.replace('_', " "), was, is })
    });
    changed.collect()
}

/// A value without numbers and records as text, with its texts in other words.
pub fn plain(value: &Value, in_words: &impl Fn(&str) -> String) -> Option<String> {
    match value {
        Value::Null | Value::Object(_) | Value::Number(_) => None,
        Value::Bool(true) => Some("yes".to_owned()),
        Value::Bool(false) => Some("no".to_owned()),
        Value::String(text) => Some(in_words(text)),
        Value::Array(items) if items.is_empty() => None,
        Value::Array(items) => {
            Some(items.iter().map(|item| plain(item, in_words)).collect::<Option<Vec<_>>>()?.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{changes, plain};

    fn told(before: Value, after: Value) -> Vec<(String, Option<String>, Option<String>)> {
        let changed = changes(&before, &after, &[Some("core")], |_, value| plain(value, &str::to_uppercase));
        changed.into_iter().map(|of| (of.name, of.was, of.is)).collect()
    }

    #[test]
    fn only_what_differs_is_told() {
        let some = |text: &str| Some(text.to_owned());
        let changed = told(json!({ "level": "read", "team": 3, "on": true }), json!({ "level": "write", "on": true }));
        assert_eq!(changed, [("level".to_owned(), some("READ"), some("WRITE"))]);
        let made = told(json!(null), json!({ "team_slug": "core", "is_on": false, "users": ["a", "b"], "note": "" }));
        assert_eq!(made, [("team slug".to_owned(), None, some("CORE")), ("users".to_owned(), None, some("A, B"))]);
        assert_eq!(told(json!({ "last": "x" }), json!(null)), [("last".to_owned(), some("X"), None)]);
    }

    #[test]
    fn names_that_the_entry_is_about_are_left_out() {
        let changed = changes(&json!(null), &json!({ "team_slug": "core" }), &[None, Some("core")], |_, value| {
            plain(value, &str::to_owned)
        });
        assert_eq!(changed, []);
    }
}
