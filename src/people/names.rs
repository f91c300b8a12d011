//! The names of people by their logins, for pages whose records have logins alone.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::login;
use super::me::Me;
use crate::db::{ByIds, by_ids, row, select};
use crate::error::{Error, Result};
use crate::operation::{Cx, Record};
use crate::policy::Granted;

/// The most logins at a time.
const MOST: usize = 100;

row! {
    /// A person with a name.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    pub struct NamedPerson from "u" {
        /// Login.
        pub login: String,
        /// Name.
        pub name: String,
    }
}

/// Look up the names of people.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Logins {
    /// Logins, with commas between them.
    pub logins: String,
}

/// Looks up the names of the people with these logins. Those who have no name are left out.
pub fn list(cx: &mut Cx, _: Granted<Me>, p: Logins) -> Result<Record<Vec<NamedPerson>>> {
    let keys: BTreeSet<String> =
        p.logins.split(',').map(str::trim).filter(|of| !of.is_empty()).map(login::key).collect();
    if keys.len() > MOST {
        return Err(Error::explained("User", "invalid", "logins", format!("Use at most {MOST} logins.")));
    }
    let keys: Vec<String> = keys.into_iter().collect();
    Ok(by_ids::<NamedPerson>(cx.tx, &NAMES, &keys)?.into())
}

static NAMES: ByIds = ByIds::new(select!(NamedPerson from
    "logins l JOIN users u ON u.id = l.user_id WHERE l.login_key IN ({ids}) AND l.current = TRUE AND u.name IS NOT NULL"));
