//! All people of the site, as its administrators look for them (decision 61).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::Time;
use crate::db::{row, select};
use crate::error::{Error, Result};
use crate::operation::{Cx, Record};
use crate::policy::Granted;
use crate::site::Site;

/// The longest text that is looked for, in characters.
const LONGEST: usize = 200;

/// The most people at a time.
const MOST: i64 = 100;

row! {
    /// A person in the list of all people.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Listed from "u" {
        /// ID.
        pub id: i64,
        /// Login.
        pub login: String,
        /// Name.
        pub name: Option<String>,
        /// Primary e-mail address.
        pub email: Option<String> = "(SELECT e.email FROM emails e WHERE e.user_id = u.id AND e.is_primary = TRUE)",
        /// True if they administer the site.
        pub site_admin: bool,
        /// True if the account is suspended.
        pub suspended: bool,
        /// Creation time of the account.
        pub created_at: Time,
    }
}

/// The people to list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Which {
    /// Everyone.
    #[default]
    All,
    /// Only those who are suspended.
    Suspended,
    /// Only site administrators.
    Administrators,
}

/// List people of the site, by ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct List {
    /// A text of at most 200 characters with which the login, the name or an e-mail address begins. Of the first 10,000
    /// people, also those who have it anywhere in their login or name. Of each kind, at most 1,000 are found.
    pub q: Option<String>,
    /// The people to list. Default: all.
    pub which: Option<Which>,
    /// Only people after the one with this ID.
    pub after: Option<i64>,
    /// The most people to list, 1 to 100.
    pub most: i64,
}

/// Lists people.
pub fn list(cx: &mut Cx, _: Granted<Site>, p: List) -> Result<Record<Vec<Listed>>> {
    let (after, most, which) = (p.after.unwrap_or(0).max(0), p.most.clamp(1, MOST), p.which.unwrap_or_default());
    let q = p.q.unwrap_or_default().trim().to_ascii_lowercase();
    if q.chars().count() > LONGEST {
        return Err(Error::explained("User", "invalid", "q", format!("Use at most {LONGEST} characters.")));
    }
    let people: Vec<Listed> = if q.is_empty() {
        let sql = match which {
            Which::All => ALL,
            Which::Suspended => SUSPENDED,
            Which::Administrators => ADMINISTRATORS,
        };
        cx.tx.all(sql, &[&after, &most])?
    } else {
        let (suspended, administrators) = (which == Which::Suspended, which == Which::Administrators);
        let end = format!("{q}\u{10FFFF}");
        cx.tx.all(MATCHING, &[&after, &most, &q, &end, &suspended, &administrators])?
    };
    Ok(people.into())
}

const ALL: &str = select!(Listed from "users u WHERE u.id > $1 ORDER BY u.id LIMIT $2");
const SUSPENDED: &str = select!(Listed from "users u WHERE u.suspended = TRUE AND u.id > $1 ORDER BY u.id LIMIT $2");
const ADMINISTRATORS: &str =
    select!(Listed from "users u WHERE u.site_admin = TRUE AND u.id > $1 ORDER BY u.id LIMIT $2");

const MATCHING: &str = select!(Listed from
    "(SELECT id FROM (SELECT id FROM searched_people
                      WHERE login_text >= $3 AND login_text < $4 ORDER BY login_text LIMIT 1000) by_login
      UNION
      SELECT id FROM (SELECT id FROM searched_people
                      WHERE name_text >= $3 AND name_text < $4 ORDER BY name_text LIMIT 1000) by_name
      UNION
      SELECT user_id FROM (SELECT user_id FROM searched_emails
                           WHERE email_text >= $3 AND email_text < $4 ORDER BY email_text LIMIT 1000) by_email
      UNION
      SELECT id FROM (SELECT id, login_text, name_text FROM searched_people
                      WHERE id > 0 ORDER BY id LIMIT 10000) first
      WHERE replace(login_text, $3, '') <> login_text OR replace(name_text, $3, '') <> name_text) found
     CROSS JOIN users u
     WHERE u.id = found.id AND u.id > $1 AND (u.suspended = TRUE OR $5 = FALSE) AND (u.site_admin = TRUE OR $6 = FALSE)
     ORDER BY u.id LIMIT $2");
