//! Groups as a provider sends and reads them. A change of the people of a group changes the teams that follow it, in
//! the same transaction (decision 48).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::document::{self, invalid, key, member};
use super::members::{self, Step};
use super::operations;
use super::patch;
use super::provider::{self, Provider, identifier, number};
use super::query::Query;
use super::resource::{self, Resource, Statements, named, respond, statements};
use super::schema::{self, Schema};
use crate::db::{ByIds, by_ids, row, select};
use crate::error::{Error, Result};
use crate::journal::{Change, without_address};
use crate::members::groups;
use crate::operation::{Call, Cx, Rendered};
use crate::policy::Granted;

/// The longest name of a group.
const LONGEST_NAME: usize = 255;

row! {
    /// A group.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Group from "g" {
        /// Number.
        pub id: i64,
        /// Its name.
        pub display_name: String,
        /// The provider's identifier.
        pub external_id: Option<String>,
        created_at: i64,
        updated_at: i64,
    }
}

macro_rules! groups {
    ($rest:literal) => {
        select!(Group from "scim_groups g WHERE g.org_id = $1 ", $rest)
    };
}

impl Group {
    /// The same group, changed by what was sent.
    fn with(&self, mut body: Map<String, Value>) -> Result<Self> {
        // People are parsed separately: there may be many.
        body.retain(|name, _| !name.eq_ignore_ascii_case(members::ATTRIBUTE));
        let read = document::read(&schema::GROUP, &body)?;
        document::refuse_line_breaks(&self.sent(), &read)?;
        let text = |name: &str| read.get(name).and_then(Value::as_str).map(str::to_owned);
        let display_name = text("displayName").unwrap_or_default().trim().to_owned();
        if display_name.chars().count() > LONGEST_NAME {
            return Err(invalid(format!("`displayName` is too long (maximum is {LONGEST_NAME} characters).")));
        }
        Ok(Self { display_name, external_id: text("externalId"), ..self.clone() })
    }

    fn facts(&self) -> Value {
        json!({ "id": identifier(provider::GROUP, self.id), "display_name": without_address(&self.display_name),
                "external_id": self.external_id.as_deref().map(without_address) })
    }
}

impl Resource for Group {
    const SCHEMA: &'static Schema = &schema::GROUP;
    const KIND: char = provider::GROUP;
    const STATEMENTS: Statements = statements!(groups, "scim_groups");
    const COSTLY: Option<&'static str> = Some(members::ATTRIBUTE);

    fn id(&self) -> i64 {
        self.id
    }

    fn times(&self) -> (i64, i64) {
        (self.created_at, self.updated_at)
    }

    fn sent(&self) -> Map<String, Value> {
        let mut sent = Map::new();
        if let Some(external) = &self.external_id {
            sent.insert("externalId".into(), json!(external));
        }
        sent.insert("displayName".into(), json!(self.display_name));
        sent
    }

    fn having(cx: &mut Cx, org: i64, attribute: &str, value: &str) -> Result<Option<Vec<Self>>> {
        let found = match attribute {
            "displayname" => cx.tx.all(groups!("AND display_key = $2"), &[&org, &key(value)])?,
            "members" | "members.value" => {
                cx.tx.all(OF_PERSON, &[&org, &number(value, provider::USER).unwrap_or(0)])?
            }
            _ => return Ok(None),
        };
        Ok(Some(found))
    }

    /// The people of each group that has any.
    fn costly(cx: &mut Cx, base: &str, ids: &[i64]) -> Result<BTreeMap<i64, Value>> {
        let mut people: BTreeMap<i64, Vec<Value>> = BTreeMap::new();
        for (group, person) in by_ids::<(i64, i64)>(cx.tx, &MEMBERS, ids)? {
            let id = identifier(provider::USER, person);
            let person = json!({ "value": id, "$ref": format!("{base}/Users/{id}"), "type": "User" });
            people.entry(group).or_default().push(person);
        }
        Ok(people.into_iter().map(|(group, people)| (group, people.into())).collect())
    }
}

const OF_PERSON: &str =
    groups!("AND id IN (SELECT m.group_id FROM scim_group_members m WHERE m.member_id = $2) ORDER BY id");

static MEMBERS: ByIds = ByIds::new(
    "SELECT group_id, member_id FROM scim_group_members WHERE group_id IN ({ids}) ORDER BY group_id, member_id",
);

/// Creates a group.
pub fn create(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    let at = cx.now()?.0;
    let nothing = Group { id: 0, display_name: String::new(), external_id: None, created_at: at, updated_at: at };
    let mut group = nothing.with(call.body().clone())?;
    refuse_taken(cx, provider.id, &group)?;
    let name = key(&group.display_name);
    let id: i64 = cx.tx.run_one(CREATE, &[&provider.id, &group.display_name, &name, &group.external_id, &at])?;
    group.id = id;
    cx.record(provider.id, Change::new("scim.create_group", &json!(null), &group.facts()))?;
    let people = member(call.body(), members::ATTRIBUTE).map(members::numbers).transpose()?.unwrap_or_default();
    change(cx, provider.id, &group, &[Step::Add(people)])?;
    respond::<Group>(cx, &provider, call, id, 201)
}

const CREATE: &str = "
    INSERT INTO scim_groups (org_id, display_name, display_key, external_id, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $5) RETURNING id";

fn refuse_taken(cx: &mut Cx, org: i64, group: &Group) -> Result<()> {
    let taken = "SELECT id FROM scim_groups WHERE org_id = $1 AND display_key = $2 AND id <> $3";
    if cx.tx.any(taken, &[&org, &key(&group.display_name), &group.id])? {
        return Err(Error::Provisioning(
            "uniqueness",
            "Another group has this `displayName`. Choose another one.".into(),
        ));
    }
    Ok(())
}

/// Changes the people of a group, and with them the teams that follow it.
fn change(cx: &mut Cx, org: i64, group: &Group, steps: &[Step]) -> Result<()> {
    let concerned = members::change(cx, org, group.id, steps)?;
    if concerned.is_empty() { Ok(()) } else { groups::follow(cx, org, &concerned) }
}

/// Replaces the description of a group, including its people.
pub fn replace(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    let before: Group = named(cx, &provider, call)?;
    let after = before.with(call.body().clone())?;
    let people = member(call.body(), members::ATTRIBUTE).map(members::numbers).transpose()?.unwrap_or_default();
    save(cx, provider.id, &before, &after)?;
    change(cx, provider.id, &after, &[Step::Set(people)])?;
    respond::<Group>(cx, &provider, call, before.id, 200)
}

/// Changes parts of a group. It may have many people, so the response has a body only if the request names attributes.
pub fn modify(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    let before: Group = named(cx, &provider, call)?;
    let operations = operations::read(&schema::GROUP, call.body())?;
    let (mut wanted, mut steps) = (resource::before(cx, &provider, &before, &operations), Vec::new());
    for operation in operations {
        if operation.attribute.name == members::ATTRIBUTE {
            steps.push(members::step(operation)?);
        } else {
            patch::apply(&mut wanted, &operation)?;
        }
    }
    let after = before.with(wanted)?;
    save(cx, provider.id, &before, &after)?;
    change(cx, provider.id, &after, &steps)?;
    if Query::of_address(call)?.shown.is_chosen() {
        respond::<Group>(cx, &provider, call, before.id, 200)
    } else {
        Ok(provider::done())
    }
}

fn save(cx: &mut Cx, org: i64, before: &Group, after: &Group) -> Result<()> {
    if after == before {
        return Ok(());
    }
    refuse_taken(cx, org, after)?;
    let name = key(&after.display_name);
    cx.tx.run(SAVE, &[&after.id, &after.display_name, &name, &after.external_id, &cx.now()?.0])?;
    cx.record(org, Change::new("scim.update_group", &before.facts(), &after.facts()))
}

const SAVE: &str = "
    UPDATE scim_groups
    SET display_name = $2, display_key = $3, external_id = $4,
        updated_at = CASE WHEN updated_at > $5 THEN updated_at ELSE $5 END
    WHERE id = $1";

/// Deletes a group. Its people leave the teams that followed it, unless they are in another group that such a team
/// follows.
pub fn delete(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    let group: Group = named(cx, &provider, call)?;
    change(cx, provider.id, &group, &[Step::Set(BTreeSet::new())])?;
    cx.tx.run("DELETE FROM scim_groups WHERE id = $1", &[&group.id])?;
    cx.record(provider.id, Change::new("scim.delete_group", &group.facts(), &json!(null)))?;
    Ok(provider::done())
}
