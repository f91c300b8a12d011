//! The first start (decision 71): a link with which the operator makes the first organization and its owner on a page. It
//! works once, and only while the site has nothing but the first site administrator's account.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use subtle::ConstantTimeEq;

use crate::access::{bootstrap, token_text};
use crate::clock::{self, Time};
use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::journal::{Author, Change, SITE};
use crate::operation::{Caller, Cx, Done, Path, Record, Subject};
use crate::orgs::create;
use crate::people::chosen::{self, as_person};
use crate::people::email_changes::{self, Person};
use crate::people::{admin, login, user};
use crate::policy::{Granted, Standing};
use crate::signin;

/// The time for which the link works, in seconds.
const LASTS: i64 = 24 * 60 * 60;

/// Ends the link that there is, and makes another one; none if the site has an organization or an account. Returns its
/// token, of which only the hash is stored. The journal of the site is locked.
pub fn renew(tx: &mut Tx, author: &Author<'_>) -> Result<Option<String>> {
    end(tx)?;
    if !is_untouched(tx)? {
        return Ok(None);
    }
    let token = token_text::hashed_hex(&clock::random::<32>()?);
    let hash = token_text::hashed_hex(&token_text::hash(&token));
    tx.run(STORE, &[&format!("{} {hash}", author.at.plus_seconds(LASTS).0)])?;
    author.record(tx, SITE, Change::new("setup_link.create", &json!(null), &json!({ "by": "operator" })))?;
    Ok(Some(token))
}

const STORE: &str = "INSERT INTO site (name, value) VALUES ('setup_link', $1)";

/// Ends the link that there is.
pub fn end(tx: &mut Tx) -> Result<()> {
    tx.run("DELETE FROM site WHERE name = 'setup_link'", &[]).map(drop)
}

/// True if there is no organization, and no account but that of the first site administrator.
fn is_untouched(tx: &mut Tx) -> Result<bool> {
    if tx.any("SELECT 1 FROM orgs LIMIT 1", &[])? {
        return Ok(false);
    }
    let (people, first): (Vec<i64>, _) = (tx.all(FIRST_TWO, &[])?, bootstrap::account_id(tx)?);
    Ok(people.iter().all(|person| Some(*person) == first))
}

const FIRST_TWO: &str = "SELECT id FROM users ORDER BY id LIMIT 2";

/// True if this is the token of a link that still works.
pub fn works(tx: &mut Tx, token: &str, now: Time) -> Result<bool> {
    let stored: Option<String> = tx.maybe("SELECT value FROM site WHERE name = 'setup_link'", &[])?;
    let Some((expires, hash)) = stored.as_deref().and_then(|value| value.split_once(' ')) else { return Ok(false) };
    let presented = token_text::hashed_hex(&token_text::hash(token));
    let is_it = bool::from(presented.as_bytes().ct_eq(hash.as_bytes()));
    Ok(is_it && expires.parse().is_ok_and(|expires: i64| now.0 < expires) && is_untouched(tx)?)
}

/// A link that still works, and the browser that opened it.
#[derive(Debug, Clone)]
pub struct SetupLink {
    browser: [u8; 32],
}

impl Subject for SetupLink {
    const FORMS: &'static [&'static str] = &["/ui/setup/{token}/{browser}"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let now = cx.now()?;
        if !works(cx.tx, path.get("token").unwrap_or_default(), now)? {
            return Err(Error::NotFound);
        }
        Ok((Self { browser: signin::browser_of(path)? }, Standing::default()))
    }

    /// All that makes an account or an organization takes this lock, so that only one use of a link succeeds.
    fn locks(_: &mut Tx, _: &Caller, _: &Path) -> Result<Vec<Lock>> {
        Ok(vec![Lock::Journal(SITE)])
    }

    fn canonical(&self) -> String {
        String::new()
    }
}

/// See if a link works.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Look {}

/// Does nothing for a link that works.
pub fn look(_: &mut Cx, _: Granted<SetupLink>, _: Look) -> Result<Done> {
    Ok(Done)
}

/// Set up the site.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Begin {
    /// Login of the organization, or its name, from which the login is made.
    pub org: String,
    /// Login of its owner.
    pub login: String,
    /// Name of the owner.
    pub name: String,
    /// E-mail address of the owner.
    pub email: String,
    /// The `User-Agent` header of the browser.
    pub agent: String,
}

/// The site after it was set up.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Begun {
    /// Login of the organization.
    pub org: String,
    /// The token of the owner's session.
    pub session: String,
}

/// Makes the organization and its owner, who administers the site too, and signs the owner in. The link ends.
pub fn begin(cx: &mut Cx, link: Granted<SetupLink>, p: Begin) -> Result<Record<Begun>> {
    let mut owner = chosen::create(cx, &p.login, Some(&p.name))?;
    owner.site_admin = true;
    let org = as_person(cx, &owner, |cx| {
        user::announce(cx, &owner)?;
        admin::make_site_admin(cx, &owner)?;
        let of = Person { id: owner.id, login: &owner.login };
        email_changes::ask(cx, of, &[p.email])?;
        // The login of `Acme Tools Co.` is made from it, and it stays the name.
        let typed = p.org.trim();
        let login = typed.trim_end_matches('.');
        let name = (login::normalize(login) != typed).then_some(typed);
        create::begin(cx, login, name, &owner)
    })?;
    end(cx.tx)?;
    let session = signin::start(cx, &owner, "setup", (&link.browser, &p.agent))?;
    Ok(Begun { org: org.login, session }.into())
}
