//! People as a provider sends and reads them.
//!
//! Keeps decision 49: a record of the organization, which is tied to an account or not.

use serde_json::{Map, Value, json};

use super::account;
use super::document::{self, invalid, member};
use super::patch;
use super::provider::{self, Provider, identifier};
use super::resource::{Resource, Statements, key, named, respond, statements};
use super::routes::REFUSAL;
use super::schema::{self, Schema};
use crate::db::{FromRow, Row};
use crate::error::{Error, Result};
use crate::journal::{Change, without_address};
use crate::operation::{Call, Cx, Rendered};
use crate::people::email;
use crate::policy::{ENTERPRISE, Granted};

/// The longest name that a provider gives.
const LONGEST_NAME: usize = 255;

/// A person as the provider describes them.
#[derive(Debug, Clone, PartialEq)]
pub struct User {
    /// Number.
    pub id: i64,
    /// The name that the provider knows.
    pub name: String,
    /// The provider's identifier.
    pub external_id: Option<String>,
    /// Whether the provider wants the person in the organization, if it says so.
    pub active: Option<bool>,
    /// What else was sent, as the schema has it.
    pub attributes: Map<String, Value>,
    /// The account that is tied to it.
    pub account: Option<i64>,
    /// An account whose owner may accept the tie.
    pub offered_to: Option<i64>,
    created_at: i64,
    updated_at: i64,
}

impl FromRow for User {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let attributes: String = row.get(4)?;
        Ok(Self {
            id: row.get(0)?,
            name: row.get(1)?,
            external_id: row.get(2)?,
            active: row.get(3)?,
            attributes: serde_json::from_str(&attributes).map_err(|e| Error::Bug(e.to_string()))?,
            account: row.get(5)?,
            offered_to: row.get(6)?,
            created_at: row.get(7)?,
            updated_at: row.get(8)?,
        })
    }
}

macro_rules! users {
    ($rest:literal) => {
        concat!(
            "SELECT id, user_name, external_id, active, attributes, user_id, offered_to, created_at, updated_at",
            " FROM scim_users WHERE org_id = $1 ",
            $rest
        )
    };
}

impl User {
    /// The addresses, in the form in which they are compared.
    #[must_use]
    pub fn addresses(&self) -> Vec<String> {
        let emails = self.attributes.get("emails").and_then(Value::as_array);
        let mut keys: Vec<String> =
            emails.into_iter().flatten().filter_map(|one| one["value"].as_str()).map(email::key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Whether the provider wants the person in the organization: whoever is not said to be inactive is active.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.active != Some(false)
    }

    /// The name for people.
    #[must_use]
    pub fn called(&self) -> Option<&str> {
        let formatted = self.attributes.get("name").map(|name| &name["formatted"]);
        self.attributes.get("displayName").or(formatted).and_then(Value::as_str)
    }

    /// The same person with what was sent.
    fn with(&self, body: &Map<String, Value>) -> Result<Self> {
        let mut attributes = document::read(&schema::USER, body)?;
        let mut take = |name: &str| attributes.shift_remove(name);
        let text = |value: Option<Value>| value.as_ref().and_then(Value::as_str).map(str::to_owned);
        let name = text(take("userName")).unwrap_or_default().trim().to_owned();
        if name.chars().count() > LONGEST_NAME {
            return Err(invalid(format!("`userName` is too long (maximum is {LONGEST_NAME} characters).")));
        }
        let external_id = text(take("externalId"));
        let active = take("active").and_then(|value| value.as_bool());
        Ok(Self { name, external_id, active, attributes, ..self.clone() })
    }

    fn facts(&self) -> Value {
        json!({ "id": identifier(provider::USER, self.id), "user_name": without_address(&self.name),
                "external_id": self.external_id.as_deref().map(without_address), "active": self.active })
    }
}

impl Resource for User {
    const SCHEMA: &'static Schema = &schema::USER;
    const KIND: char = provider::USER;
    const STATEMENTS: Statements = statements!(users, "scim_users");

    fn id(&self) -> i64 {
        self.id
    }

    fn times(&self) -> (i64, i64) {
        (self.created_at, self.updated_at)
    }

    fn sent(&self) -> Map<String, Value> {
        let mut sent = self.attributes.clone();
        sent.insert("userName".into(), json!(self.name));
        if let Some(active) = self.active {
            sent.insert("active".into(), json!(active));
        }
        if let Some(external) = &self.external_id {
            sent.insert("externalId".into(), json!(external));
        }
        sent
    }

    fn having(cx: &mut Cx, org: i64, attribute: &str, value: &str) -> Result<Option<Vec<Self>>> {
        let found = match attribute {
            "username" => cx.tx.all(users!("AND user_key = $2"), &[&org, &key(value)])?,
            "emails" | "emails.value" => cx.tx.all(BY_ADDRESS, &[&org, &email::key(value)])?,
            _ => return Ok(None),
        };
        Ok(Some(found))
    }
}

const BY_ADDRESS: &str =
    users!("AND id IN (SELECT e.member_id FROM scim_emails e WHERE e.org_id = $1 AND e.email_key = $2) ORDER BY id");

/// Creates a person, and an account if nobody has one to be tied.
pub fn create(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    let nobody = User {
        id: 0,
        name: String::new(),
        external_id: None,
        active: None,
        attributes: Map::new(),
        account: None,
        offered_to: None,
        created_at: cx.now()?.0,
        updated_at: cx.now()?.0,
    };
    let mut user = nobody.with(call.body())?;
    user.active = Some(user.is_active());
    refuse_taken(cx, provider.id, &user)?;
    let attributes = Value::from(user.attributes.clone()).to_string();
    let (id,): (i64,) = cx.tx.one(
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

/// Puts another description in the place of a person's.
pub fn replace(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    let before: User = named(cx, &provider, call)?;
    let deactivates = member(call.body(), "active").is_some_and(is_false);
    let after = within_plan(&provider, &before, deactivates, || {
        let sent = before.with(call.body())?;
        Ok(User { active: sent.active.or(before.active), ..sent })
    })?;
    save(cx, &provider, &before, &after)?;
    respond::<User>(cx, &provider, call, before.id, 200)
}

/// Changes parts of a person's description.
pub fn modify(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    let before: User = named(cx, &provider, call)?;
    let operations = patch::read(call.body());
    let deactivates = operations.as_ref().is_ok_and(|operations| operations.iter().any(deactivates));
    let after = within_plan(&provider, &before, deactivates, || {
        let mut wanted = before.sent();
        for operation in operations? {
            patch::apply(&schema::USER, &mut wanted, &operation)?;
        }
        before.with(&wanted)
    })?;
    save(cx, &provider, &before, &after)?;
    respond::<User>(cx, &provider, call, before.id, 200)
}

fn deactivates(operation: &patch::Operation) -> bool {
    operation.attribute().name.eq_ignore_ascii_case("active") && is_false(&operation.value)
}

/// A well known provider sends the word.
fn is_false(value: &Value) -> bool {
    *value == Value::Bool(false) || value.as_str().is_some_and(|text| text.eq_ignore_ascii_case("false"))
}

/// What becomes of a record by a change. Without the plan it is deactivated, if the change says so, and nothing else
/// of it changes: a provider can always take people off.
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
        return Ok(User { active: Some(false), ..before.clone() });
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

/// Forgets a person. The account that is tied to the record leaves the organization.
pub fn delete(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    let user: User = named(cx, &provider, call)?;
    account::settle(cx, provider.id, &user, &User { active: Some(false), ..user.clone() })?;
    account::part(cx, provider.id, &user)?;
    cx.tx.run("DELETE FROM scim_users WHERE id = $1", &[&user.id])?;
    cx.record(provider.id, Change::new("scim.delete_user", &user.facts(), &json!(null)))?;
    Ok(provider::done())
}
