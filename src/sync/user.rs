//! A person as a provider sends and reads them.
//!
//! Implements decision 49: a record of the organization, which is tied to an account or not.

use serde_json::{Map, Value, json};

use super::document::{self, invalid, key};
use super::provider::{self, identifier};
use super::resource::{Resource, Statements, statements};
use super::schema::{self, Schema};
use crate::db::{row, select};
use crate::error::{Error, Result};
use crate::journal::without_address;
use crate::mail::address;
use crate::name;
use crate::operation::Cx;
use crate::people::email;

/// The longest name that a provider gives.
const LONGEST_NAME: usize = 255;

row! {
    /// A person as the provider describes them.
    #[derive(Debug, Clone, PartialEq)]
    pub struct User from "s" {
        /// Number.
        pub id: i64,
        /// The name that the provider uses.
        pub name: String = "s.user_name",
        /// The provider's identifier.
        pub external_id: Option<String>,
        /// True if the provider wants the person in the organization.
        pub active: bool = "coalesce(s.active, TRUE)",
        /// The other attributes that were sent, in the form of the schema.
        pub attributes: Map<String, Value> => attributes,
        /// The account that is tied to it.
        pub account: Option<i64> = "s.user_id",
        /// An account whose owner may accept the tie.
        pub offered_to: Option<i64>,
        pub(super) created_at: i64,
        pub(super) updated_at: i64,
    }
}

fn attributes(held: String) -> Result<Map<String, Value>> {
    serde_json::from_str(&held).map_err(|error| Error::Bug(error.to_string()))
}

macro_rules! users {
    ($rest:literal) => {
        select!(User from "scim_users s WHERE s.org_id = $1 ", $rest)
    };
}

impl User {
    /// The e-mail addresses, as the provider writes them.
    pub fn written_addresses(&self) -> impl Iterator<Item = &str> {
        addresses(&self.attributes).into_iter().map(str::trim)
    }

    /// The e-mail addresses that e-mail can be sent to, as accounts have them.
    #[must_use]
    pub fn usable_addresses(&self) -> Vec<String> {
        self.written_addresses().filter_map(address::read).collect()
    }

    /// The e-mail addresses, in the form in which they are compared.
    #[must_use]
    pub fn addresses(&self) -> Vec<String> {
        let mut keys: Vec<String> = self.written_addresses().map(email::key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The display name.
    #[must_use]
    pub fn called(&self) -> Option<&str> {
        let formatted = self.attributes.get("name").map(|name| &name["formatted"]);
        self.attributes.get("displayName").or(formatted).and_then(Value::as_str)
    }

    /// The same person, changed by what was sent. A person stays active, or not, unless that is sent.
    pub(super) fn with(&self, body: &Map<String, Value>) -> Result<Self> {
        let mut attributes = document::read(&schema::USER, body)?;
        document::refuse_line_breaks(&self.sent(), &attributes)?;
        self.refuse_new_addresses(&attributes)?;
        let mut take = |name: &str| attributes.shift_remove(name);
        let text = |value: Option<Value>| value.as_ref().and_then(Value::as_str).map(str::to_owned);
        let name = text(take("userName")).unwrap_or_default().trim().to_owned();
        if name.chars().count() > LONGEST_NAME {
            return Err(invalid(format!("`userName` is too long (maximum is {LONGEST_NAME} characters).")));
        }
        let external_id = text(take("externalId"));
        let active = take("active").and_then(|value| value.as_bool()).unwrap_or(self.active);
        Ok(Self { name, external_id, active, attributes, ..self.clone() })
    }

    /// Refuses an e-mail address that no e-mail can be sent to, unless the person had it before.
    fn refuse_new_addresses(&self, attributes: &Map<String, Value>) -> Result<()> {
        let known = addresses(&self.attributes);
        let refused = |one: &&str| address::read(one.trim()).is_none() && !known.contains(one);
        match addresses(attributes).into_iter().find(refused) {
            Some(one) => {
                let one = name::on_one_line(one, LONGEST_NAME);
                Err(invalid(format!("`emails` has {one:?}, which is not an e-mail address. Correct it.")))
            }
            None => Ok(()),
        }
    }

    /// The facts for the audit log.
    pub(super) fn facts(&self) -> Value {
        json!({ "id": identifier(provider::USER, self.id), "user_name": without_address(&self.name),
                "external_id": self.external_id.as_deref().map(without_address), "active": self.active })
    }
}

fn addresses(attributes: &Map<String, Value>) -> Vec<&str> {
    let emails = attributes.get("emails").and_then(Value::as_array);
    emails.into_iter().flatten().filter_map(|one| one["value"].as_str()).collect()
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
        sent.insert("active".into(), json!(self.active));
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
