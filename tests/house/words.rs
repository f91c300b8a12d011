//! Columns that the schema restricts to a few words: the program knows all of them, and clients can send them.

use std::collections::BTreeSet;

use guildhall::orgs::org;
use guildhall::rows::{Algorithm, NotificationSetting, Permission, Privacy};
use guildhall::teams::roles::TeamRole;
use schemars::schema_for;
use serde_json::Value;

const SCHEMA: &str = include_str!("../../schema/0001_begin.sql");

/// The words that the schema allows in a column.
fn allowed(table: &str, column: &str) -> BTreeSet<&'static str> {
    let begin = SCHEMA.find(&format!("CREATE TABLE {table} (")).unwrap();
    words_of(&SCHEMA[begin..], column)
}

fn words_of(text: &'static str, column: &str) -> BTreeSet<&'static str> {
    let (_, rest) = text.split_once(&format!("CHECK ({column} IN (")).unwrap();
    let (words, _) = rest.split_once("))").unwrap();
    words.split(", ").map(|word| word.trim_matches('\'')).collect()
}

/// The words that a document offers to clients, each with its own description.
fn offered(schema: &schemars::Schema) -> BTreeSet<&str> {
    let choices = schema.get("oneOf").and_then(Value::as_array).unwrap();
    choices.iter().map(|choice| choice["const"].as_str().unwrap()).collect()
}

#[test]
fn the_program_knows_every_word_of_the_schema() {
    let known: [(&str, &str, &[&str]); 5] = [
        ("teams", "privacy", &Privacy::WORDS),
        ("teams", "permission", &Permission::WORDS),
        ("teams", "notification_setting", &NotificationSetting::WORDS),
        ("team_members", "role", &TeamRole::WORDS),
        ("org_members", "role", &org::ROLES),
    ];
    for (table, column, words) in known {
        assert_eq!(words.iter().copied().collect::<BTreeSet<_>>(), allowed(table, column), "{table}.{column}");
    }
}

#[test]
fn callers_can_choose_every_word_of_a_team_and_no_other() {
    let chosen = [
        ("privacy", schema_for!(Privacy), allowed("teams", "privacy")),
        ("permission", schema_for!(Permission), allowed("teams", "permission")),
        ("notification_setting", schema_for!(NotificationSetting), allowed("teams", "notification_setting")),
        ("role", schema_for!(TeamRole), allowed("team_members", "role")),
    ];
    for (name, schema, words) in chosen {
        assert_eq!(offered(&schema), words, "{name}");
    }
}

#[test]
fn every_way_to_choose_reviewers_is_known_and_can_be_sent() {
    let words = words_of(include_str!("../../schema/0017_reviews.sql"), "review_algorithm");
    assert_eq!(Algorithm::WORDS.into_iter().collect::<BTreeSet<_>>(), words);
    assert_eq!(offered(&schema_for!(Algorithm)), words);
    for word in Algorithm::WORDS {
        assert_eq!(serde_json::from_value::<Algorithm>(word.into()).unwrap().word(), word);
    }
}

/// The value that a client sends is stored unchanged.
#[test]
fn what_callers_choose_is_the_word_that_is_stored() {
    for word in Privacy::WORDS {
        assert_eq!(serde_json::from_value::<Privacy>(word.into()).unwrap().word(), word);
    }
    for word in Permission::WORDS {
        assert_eq!(serde_json::from_value::<Permission>(word.into()).unwrap().word(), word);
    }
    for word in NotificationSetting::WORDS {
        assert_eq!(serde_json::from_value::<NotificationSetting>(word.into()).unwrap().word(), word);
    }
    for word in TeamRole::WORDS {
        assert_eq!(serde_json::from_value::<TeamRole>(word.into()).unwrap().word(), word);
    }
}
