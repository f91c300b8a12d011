//! The people of a group: parses which of them a request names, adds and removes them. A group may have thousands, so
//! they are never all read to change a few.

use std::collections::BTreeSet;

use scim_v2::filter::{AttrExp, CompValue, CompareOp, ValFilter};
use serde_json::{Value, json};

use super::document::{invalid, member};
use super::operations::{Operation, Verb};
use super::provider::{self, identifier, number};
use crate::db::{Bind, Bulk, ByIds, by_ids};
use crate::error::{Error, Result};
use crate::journal::Change;
use crate::operation::Cx;

/// The attribute of a group.
pub const ATTRIBUTE: &str = "members";

/// One change of a group's people, by their numbers.
#[derive(Debug)]
pub enum Step {
    /// Adds these.
    Add(BTreeSet<i64>),
    /// Sets exactly these.
    Set(BTreeSet<i64>),
    /// Removes these.
    Remove(BTreeSet<i64>),
}

/// The people that a value of the attribute names.
pub fn numbers(value: &Value) -> Result<BTreeSet<i64>> {
    let values: &[Value] = match value {
        Value::Array(values) => values,
        Value::Null => &[],
        single => std::slice::from_ref(single),
    };
    let named = |value: &Value| {
        let text = value.as_object().and_then(|value| member(value, "value")).and_then(Value::as_str);
        text.and_then(|text| number(text, provider::USER)).ok_or_else(unknown_member)
    };
    values.iter().map(named).collect()
}

fn unknown_member() -> Error {
    invalid("The `value` of each member must be the `id` of a person of this organization.")
}

/// The change of the people that a PATCH operation makes.
pub fn step(operation: Operation) -> Result<Step> {
    match (operation.verb, &operation.filter, operation.part) {
        (Verb::Remove, Some(filter), None) => Ok(Step::Remove(picked(filter)?)),
        (_, Some(_), _) => Err(Error::Provisioning(
            "invalidPath",
            "The path of a member cannot name an attribute. Add or remove the whole member.".into(),
        )),
        (_, None, Some(_)) => {
            Err(Error::Provisioning("mutability", "A member cannot be changed. Remove it and add another one.".into()))
        }
        (Verb::Add, ..) => Ok(Step::Add(numbers(&operation.value)?)),
        (Verb::Remove, ..) if !operation.value.is_null() => Ok(Step::Remove(numbers(&operation.value)?)),
        (Verb::Remove | Verb::Replace, ..) => Ok(Step::Set(numbers(&operation.value)?)),
    }
}

/// The people that a filter selects by `value eq`, one or several joined by `or`.
fn picked(filter: &ValFilter) -> Result<BTreeSet<i64>> {
    match filter {
        ValFilter::Attr(AttrExp::Comparison(path, CompareOp::Eq, CompValue::Str(text)))
            if path.name.eq_ignore_ascii_case("value") =>
        {
            Ok(number(text, provider::USER).into_iter().collect())
        }
        ValFilter::Or(all) => {
            let all: Vec<BTreeSet<i64>> = all.iter().map(picked).collect::<Result<_>>()?;
            Ok(all.into_iter().flatten().collect())
        }
        _ => {
            let text = "A filter on members must be one or more `value eq` comparisons, joined with `or`.";
            Err(Error::Provisioning("invalidFilter", text.into()))
        }
    }
}

/// Makes the changes, in order. Returns the accounts that are tied to the people concerned.
pub fn change(cx: &mut Cx, org: i64, group: i64, steps: &[Step]) -> Result<BTreeSet<i64>> {
    let (mut added, mut removed) = (BTreeSet::new(), BTreeSet::new());
    for step in steps {
        match step {
            Step::Add(people) => added.extend(add(cx, org, group, people)?),
            Step::Remove(people) => removed.extend(remove(cx, group, people)?),
            Step::Set(people) => {
                let present: Vec<i64> = cx.tx.all(PRESENT, &[&group])?;
                let gone = present.into_iter().filter(|person| !people.contains(person));
                removed.extend(remove(cx, group, &gone.collect())?);
                added.extend(add(cx, org, group, people)?);
            }
        }
    }
    if added.is_empty() && removed.is_empty() {
        return Ok(BTreeSet::new());
    }
    cx.tx.run(TOUCH, &[&group, &cx.now()?.0])?;
    let ids = |people: &BTreeSet<i64>| people.iter().map(|id| identifier(provider::USER, *id)).collect::<Vec<_>>();
    let facts = |people| json!({ "id": identifier(provider::GROUP, group), "members": ids(people) });
    cx.record(org, Change::new("scim.update_group_members", &facts(&removed), &facts(&added)))?;
    let concerned: Vec<i64> = added.union(&removed).copied().collect();
    let records: Vec<(i64, i64, Option<i64>)> = by_ids(cx.tx, &RECORDS, &concerned)?;
    Ok(records.into_iter().filter_map(|(_, _, account)| account).collect())
}

const PRESENT: &str = "SELECT member_id FROM scim_group_members WHERE group_id = $1 ORDER BY member_id";

static RECORDS: ByIds = ByIds::new("SELECT id, org_id, user_id FROM scim_users WHERE id IN ({ids}) ORDER BY id");

/// Adds people. Returns those who were not in the group, or whom the provider names for the first time since they left.
fn add(cx: &mut Cx, org: i64, group: i64, people: &BTreeSet<i64>) -> Result<BTreeSet<i64>> {
    let ids: Vec<i64> = people.iter().copied().collect();
    let records: Vec<(i64, i64, Option<i64>)> = by_ids(cx.tx, &RECORDS, &ids)?;
    if records.iter().filter(|(_, of, _)| *of == org).count() != ids.len() {
        return Err(unknown_member());
    }
    let rows: Vec<[&dyn Bind; 2]> = ids.iter().map(|person| [&group as &dyn Bind, person]).collect();
    Ok(ADD.all(cx.tx, &rows)?.into_iter().collect())
}

static ADD: Bulk<2> = Bulk::new(
    "INSERT INTO scim_group_members (group_id, member_id) VALUES {rows}
     ON CONFLICT (group_id, member_id) DO UPDATE SET named = TRUE WHERE scim_group_members.named = FALSE
     RETURNING member_id",
);

fn remove(cx: &mut Cx, group: i64, people: &BTreeSet<i64>) -> Result<BTreeSet<i64>> {
    let mut removed = BTreeSet::new();
    for person in people {
        if cx.tx.run(REMOVE, &[&group, person])? > 0 {
            removed.insert(*person);
        }
    }
    Ok(removed)
}

const REMOVE: &str = "DELETE FROM scim_group_members WHERE group_id = $1 AND member_id = $2";

const TOUCH: &str = "
    UPDATE scim_groups
    SET updated_at = CASE WHEN updated_at > $2 THEN updated_at ELSE $2 END
    WHERE id = $1";
