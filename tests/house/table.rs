//! The table has exactly the operations of `SPEC.md`.

use std::collections::{BTreeMap, BTreeSet};

use guildhall::operation::{Field, Place};
use guildhall::operations::operations;
use guildhall::policy::{Fact, Rule, Standing, sees_private_posts};

use crate::spec;

#[test]
fn the_table_has_every_operation_that_is_built_and_no_other() {
    let specified: BTreeSet<&str> = spec::operations().iter().map(|operation| operation.name).collect();
    let rows: BTreeSet<&str> = operations().iter().map(|row| row.name).collect();
    let missing: Vec<_> = specified.difference(&rows).collect();
    let unknown: Vec<_> = rows.difference(&specified).collect();
    assert!(missing.is_empty(), "section 8 has these and the table lacks them: {missing:#?}");
    assert!(
        unknown.is_empty(),
        "the table has these and section 8 lacks them, or section 16 says they are missing: {unknown:#?}"
    );
    assert_eq!(operations().len(), rows.len(), "every operation has one row");
}

/// The widest line of the table.
const WIDTH: usize = 140;

#[test]
fn every_row_of_the_table_is_one_line_of_at_most_140_columns() {
    let table = include_str!("../../src/operations.rs");
    let wide: Vec<&str> = table.lines().filter(|line| line.chars().count() > WIDTH).collect();
    assert!(wide.is_empty(), "shorten these lines of src/operations.rs: {wide:#?}");
    let in_one_line =
        |name: &&str| table.lines().any(|line| line.contains(&format!("(\"{name}\",")) && line.ends_with(','));
    let broken: Vec<_> = operations().iter().map(|row| row.name).filter(|name| !in_one_line(name)).collect();
    assert!(broken.is_empty(), "a row is one line: {broken:?}");
}

#[test]
fn every_row_has_the_verb_the_forms_the_status_and_the_scopes_of_the_specification() {
    let specified: BTreeMap<&str, spec::Operation> = spec::operations().into_iter().map(|o| (o.name, o)).collect();
    let mut differences = Vec::new();
    for row in operations() {
        let Some(expected) = specified.get(row.name) else { continue };
        let mut forms: Vec<String> =
            row.forms.iter().map(|form| if form.is_empty() { "/".into() } else { form.clone() }).collect();
        forms.sort();
        let mut statuses = row.reply.statuses();
        statuses.sort_unstable();
        let found = (row.method.name(), forms, statuses, row.scopes.header());
        let mut statuses = expected.statuses.clone();
        statuses.sort_unstable();
        let wanted = (expected.method, expected.forms.clone(), statuses, expected.scopes.as_str());
        if found != wanted {
            differences.push(format!("{}:\n  the table has  {found:?}\n  SPEC.md wants  {wanted:?}", row.name));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn every_row_has_the_parameters_of_the_specification() {
    let mut differences = Vec::new();
    for row in operations() {
        let expected = spec::parameters(row.name);
        let expected: BTreeSet<(&str, &str, bool)> =
            expected.iter().map(|(name, p)| (name.as_str(), p.place.as_str(), p.required)).collect();
        let place = |field: &Field| match field.place {
            Place::Path | Place::Accept => None,
            Place::Query | Place::Option => Some("query"),
            Place::Body => Some("body"),
        };
        let fields = &row.params.fields;
        let mut found: BTreeSet<(&str, &str, bool)> =
            fields.iter().filter_map(|f| Some((f.name.as_str(), place(f)?, f.required))).collect();
        if row.has_pages() {
            found.extend([("per_page", "query", false), ("page", "query", false)]);
        }
        for difference in found.symmetric_difference(&expected) {
            let side = if found.contains(difference) { "only in the table" } else { "only in SPEC.md" };
            differences.push(format!("{} {difference:?}: {side}", row.name));
        }
        for field in fields.iter().filter(|field| field.null_clears != spec::null_says_something(row.name, &field.name))
        {
            differences.push(format!("{} {}: SPEC.md and the table differ on null", row.name, field.name));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn every_operation_says_what_it_does_and_every_parameter_what_it_is() {
    let mut said: BTreeMap<String, &str> = BTreeMap::new();
    for row in operations() {
        assert!(row.params.description.ends_with('.'), "{} needs a doc comment on its parameters", row.name);
        if let Some(other) = said.insert(row.params.description.clone(), row.name) {
            panic!("{} and {other} are described by the same words: {}", row.name, row.params.description);
        }
        for field in &row.params.fields {
            let description = field.schema["description"].as_str().unwrap_or_default();
            assert!(description.ends_with('.'), "`{}` of {} needs a doc comment", field.name, row.name);
        }
    }
}

/// The team role of an owner is not read (`teams/team.rs`), so nothing may depend on it.
#[test]
fn no_rule_asks_what_an_owner_is_in_a_team() {
    let rules = operations().into_iter().map(|row| row.who_may.rule).chain([sees_private_posts()]);
    for rule in rules {
        let mut facts = Vec::new();
        facts_of(&rule, &mut facts);
        facts.retain(|fact| !matches!(fact, Fact::OrgOwner | Fact::TeamMember | Fact::TeamMaintainer));
        for true_ones in 0_u32..1 << facts.len() {
            let holds = |(place, _): &(usize, &Fact)| true_ones >> place & 1 == 1;
            let others = facts.iter().enumerate().filter(holds).map(|(_, fact)| *fact);
            let owner = others.fold(Standing::default().with(Fact::OrgOwner, true), |all, fact| all.with(fact, true));
            let maintainer = owner.with(Fact::TeamMember, true).with(Fact::TeamMaintainer, true);
            assert_eq!(rule.holds(owner), rule.holds(maintainer), "{rule}");
        }
    }
}

fn facts_of(rule: &Rule, facts: &mut Vec<Fact>) {
    match rule {
        Rule::Anyone => {}
        Rule::Is(fact) => facts.push(*fact),
        Rule::All(rules) | Rule::Any(rules) => rules.iter().for_each(|rule| facts_of(rule, facts)),
    }
}
