//! The table of records in `SPEC.md` (section 4), read, and compared with what an answer holds.

use crate::support::Value;

/// The members of a record in their order, each with whether it may be null, without those that may be absent.
pub fn members(record: &str) -> Vec<(String, bool)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/SPEC.md");
    let text = std::fs::read_to_string(path).expect("SPEC.md");
    let row = format!("| {record} | `");
    let line = text.lines().find(|line| line.starts_with(&row)).expect("a record of section 4");
    let fields = line[row.len()..].trim_end_matches([' ', '|']).trim_end_matches('`');
    let member = |word: &str| match word.strip_prefix('+').filter(|included| included.parse::<u8>().is_err()) {
        Some(included) => members(included),
        None => vec![(word.trim_end_matches('?').to_owned(), word.ends_with('?'))],
    };
    fields.split(' ').filter(|word| !word.ends_with('*')).flat_map(member).collect()
}

/// Fails unless a value has exactly the members of a record, in order, and null only where it may be.
#[track_caller]
pub fn conforms(value: &Value, record: &str) {
    conforms_to(value, &members(record));
}

/// The same for a record whose members come in another order or number.
#[track_caller]
pub fn conforms_to(value: &Value, members: &[(String, bool)]) {
    let object = value.as_object().expect("a record");
    let (got, wanted): (Vec<&str>, Vec<&str>) =
        (object.keys().map(String::as_str).collect(), members.iter().map(|(name, _)| name.as_str()).collect());
    assert_eq!(got, wanted);
    for (name, nullable) in members {
        assert!(*nullable || !object[name].is_null(), "{name} is null");
    }
}

#[test]
fn record_the_table_is_read_as_it_is_written() {
    let team = members("team");
    assert_eq!((team.first(), team.last()), (Some(&("name".into(), false)), Some(&("parent".into(), true))));
    assert_eq!(members("simple-user").len(), 18);
    assert_eq!(members("team-member").last(), Some(&("inherited".into(), false)));
}
