//! The operations of a provider on people: create, replace, change and delete.
//!
//! Implements decision 49: a record of the organization, which is tied to an account or not.

use serde_json::{Map, Value, json};

use super::account;
use super::document::{key, member};
use super::operations::{self, Operation, Verb};
use super::patch;
use super::provider::{self, Provider, REFUSAL, identifier};
use super::resource::{self, named, respond};
use super::schema;
use super::user::User;
use crate::error::{Error, Result};
use crate::journal::Change;
use crate::operation::{Call, Cx, Rendered};
use crate::policy::{ENTERPRISE, Granted};

/// Creates a person, and an account if there is none to tie.
pub fn create(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    let no_user = User {
        id: 0,
        name: String::new(),
        external_id: None,
        active: true,
        attributes: Map::new(),
        account: None,
        offered_to: None,
        created_at: cx.now()?.0,
        updated_at: cx.now()?.0,
    };
    let mut user = no_user.with(call.body())?;
    refuse_taken(cx, provider.id, &user)?;
    let attributes = Value::from(user.attributes.clone()).to_string();
    let id: i64 = cx.tx.run_one(
        CREATE,
        &[&provider.id, &user.name, &key(&user.name), &user.external_id, &user.active, &attributes, &cx.now()?.0],
    )?;
    user.id = id;
    keep_addresses(cx, provider.id, &user)?;
    cx.record(provider.id, Change::new("scim.create_user", &json!(null), &user.facts()))?;
    account::provision(cx, provider.id, &user)?;
    respond::<User>(cx, &provider, call, id, 201)
}

const CREATE: &str = "
    INSERT INTO scim_users (org_id, user_name, user_key, external_id, active, attributes, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $7) RETURNING id";

fn refuse_taken(cx: &mut Cx, org: i64, user: &User) -> Result<()> {
    let taken = "SELECT id FROM scim_users WHERE org_id = $1 AND user_key = $2 AND id <> $3";
    if cx.tx.any(taken, &[&org, &key(&user.name), &user.id])? {
        return Err(Error::Provisioning(
            "uniqueness",
            "Another person has this `userName`. Choose another one.".into(),
        ));
    }
    Ok(())
}

fn keep_addresses(cx: &mut Cx, org: i64, user: &User) -> Result<()> {
    cx.tx.run("DELETE FROM scim_emails WHERE member_id = $1", &[&user.id])?;
    for address in user.addresses() {
        cx.tx.run(KEEP_ADDRESS, &[&org, &address, &user.id])?;
    }
    Ok(())
}

const KEEP_ADDRESS: &str = "INSERT INTO scim_emails (org_id, email_key, member_id) VALUES ($1, $2, $3)";

/// Replaces the description of a person.
pub fn replace(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    let before: User = named(cx, &provider, call)?;
    let deactivates = member(call.body(), "active").is_some_and(is_false);
    let after = within_plan(&provider, &before, deactivates, || before.with(call.body()))?;
    save(cx, &provider, &before, &after)?;
    respond::<User>(cx, &provider, call, before.id, 200)
}

/// Changes parts of a person's description.
pub fn modify(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    let before: User = named(cx, &provider, call)?;
    let operations = operations::read(&schema::USER, call.body());
    let deactivates = operations.as_ref().is_ok_and(|operations| operations.iter().any(deactivates));
    let after = within_plan(&provider, &before, deactivates, || {
        let operations = operations?;
        let mut wanted = resource::before(cx, &provider, &before, &operations);
        if operations.iter().any(|operation| operation.attribute.name == GROUPS) {
            wanted.insert(GROUPS.into(), groups_of(cx, &before)?);
        }
        operations.iter().try_for_each(|operation| patch::apply(&mut wanted, operation))?;
        before.with(&wanted)
    })?;
    save(cx, &provider, &before, &after)?;
    respond::<User>(cx, &provider, call, before.id, 200)
}

/// The groups of a person. No record shows them, but some providers send them back with a change.
const GROUPS: &str = "groups";

fn groups_of(cx: &mut Cx, user: &User) -> Result<Value> {
    let groups: Vec<i64> = cx.tx.all(GROUPS_OF, &[&user.id])?;
    Ok(groups.into_iter().map(|group| json!({ "value": identifier(provider::GROUP, group) })).collect())
}

const GROUPS_OF: &str = "SELECT group_id FROM scim_group_members WHERE member_id = $1 ORDER BY group_id";

fn deactivates(operation: &Operation) -> bool {
    let sets_active = operation.attribute.name == "active" && operation.verb != Verb::Remove;
    sets_active && operation.filter.is_none() && is_false(&operation.value)
}

/// A well-known provider sends the word.
fn is_false(value: &Value) -> bool {
    *value == Value::Bool(false) || value.as_str().is_some_and(|text| text.eq_ignore_ascii_case("false"))
}

/// The result of a change of a record. Without the plan, the record is deactivated if the change says so, and nothing
/// else of it changes: a provider can always remove people.
fn within_plan(
    provider: &Granted<Provider>,
    before: &User,
    deactivates: bool,
    change: impl FnOnce() -> Result<User>,
) -> Result<User> {
    if provider.allows(&ENTERPRISE) {
        return change();
    }
    if deactivates {
        return Ok(User { active: false, ..before.clone() });
    }
    Err(Error::Forbidden(REFUSAL.into()))
}

fn save(cx: &mut Cx, provider: &Provider, before: &User, after: &User) -> Result<()> {
    if after != before {
        refuse_taken(cx, provider.id, after)?;
        let attributes = Value::from(after.attributes.clone()).to_string();
        let name = key(&after.name);
        cx.tx.run(
            SAVE,
            &[&after.id, &after.name, &name, &after.external_id, &after.active, &attributes, &cx.now()?.0],
        )?;
        keep_addresses(cx, provider.id, after)?;
        cx.record(provider.id, Change::new("scim.update_user", &before.facts(), &after.facts()))?;
    }
    account::settle(cx, provider.id, before, after)
}

const SAVE: &str = "
    UPDATE scim_users
    SET user_name = $2, user_key = $3, external_id = $4, active = $5, attributes = $6,
        updated_at = CASE WHEN updated_at > $7 THEN updated_at ELSE $7 END
    WHERE id = $1";

/// Deletes a person. The account that is tied to the record leaves the organization.
pub fn delete(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    let user: User = named(cx, &provider, call)?;
    account::settle(cx, provider.id, &user, &User { active: false, ..user.clone() })?;
    account::part(cx, provider.id, &user)?;
    cx.tx.run("DELETE FROM scim_users WHERE id = $1", &[&user.id])?;
    cx.record(provider.id, Change::new("scim.delete_user", &user.facts(), &json!(null)))?;
    Ok(provider::done())
}
