//! All people of the site, as its administrators look for them (decision 61).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::Time;
use crate::db::{ByIds, Tx, by_ids, row, select};
use crate::error::{Error, Result};
use crate::operation::{Cx, Record};
use crate::policy::Granted;
use crate::site::Site;

/// The longest text that is looked for, in characters.
const LONGEST: usize = 200;

/// The most people at a time.
const MOST: i64 = 100;

/// The number of people who are looked up at once.
const PART: usize = 100;

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
    if !q.is_empty() {
        return Ok(matching(cx.tx, &q, which, (after, most))?.into());
    }
    let sql = match which {
        Which::All => ALL,
        Which::Suspended => SUSPENDED,
        Which::Administrators => ADMINISTRATORS,
    };
    Ok(cx.tx.all::<Listed>(sql, &[&after, &most])?.into())
}

const ALL: &str = select!(Listed from "users u WHERE u.id > $1 ORDER BY u.id LIMIT $2");
const SUSPENDED: &str = select!(Listed from "users u WHERE u.suspended = TRUE AND u.id > $1 ORDER BY u.id LIMIT $2");
const ADMINISTRATORS: &str =
    select!(Listed from "users u WHERE u.site_admin = TRUE AND u.id > $1 ORDER BY u.id LIMIT $2");

/// The people who match a text, after an ID. Those who match are looked up first, so that a store reads no others.
fn matching(tx: &mut Tx, q: &str, which: Which, (after, most): (i64, i64)) -> Result<Vec<Listed>> {
    let ids: Vec<i64> = tx.all(MATCHING, &[&after, &q, &format!("{q}\u{10FFFF}")])?;
    let most = usize::try_from(most).unwrap_or_default();
    let mut people: Vec<Listed> = Vec::new();
    for part in ids.chunks(PART) {
        let wanted = by_ids::<Listed>(tx, &BY_IDS, part)?.into_iter().filter(|person| match which {
            Which::All => true,
            Which::Suspended => person.suspended,
            Which::Administrators => person.site_admin,
        });
        people.extend(wanted);
        if people.len() >= most {
            break;
        }
    }
    people.truncate(most);
    Ok(people)
}

const MATCHING: &str = "
    SELECT id FROM (
        SELECT id FROM (SELECT id FROM searched_people
                        WHERE login_text >= $2 AND login_text < $3 ORDER BY login_text LIMIT 1000) by_login
        UNION
        SELECT id FROM (SELECT id FROM searched_people
                        WHERE name_text >= $2 AND name_text < $3 ORDER BY name_text LIMIT 1000) by_name
        UNION
        SELECT user_id FROM (SELECT user_id FROM searched_emails
                             WHERE email_text >= $2 AND email_text < $3 ORDER BY email_text LIMIT 1000) by_email
        UNION
        SELECT id FROM (SELECT id, login_text, name_text FROM searched_people
                        WHERE id > 0 ORDER BY id LIMIT 10000) first
        WHERE replace(login_text, $2, '') <> login_text OR replace(name_text, $2, '') <> name_text) found
    WHERE id > $1 ORDER BY id";

static BY_IDS: ByIds = ByIds::new(select!(Listed from "users u WHERE u.id IN ({ids}) ORDER BY u.id"));
