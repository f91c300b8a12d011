//! Changes of a person's e-mail addresses, each with its audit entry and its e-mails (decision 72).
//!
//! Nothing here looks up whether another account has an address, except where it is verified: so a response tells as
//! little about it as the time that it takes. The audit log has keyed hashes of addresses.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::email::{self, Email, Held};
use super::user;
use crate::error::{Error, Result};
use crate::journal::{Change, EmailChange, Event, SITE, chain};
use crate::mail::address;
use crate::name::on_one_line;
use crate::operation::Cx;

/// The most e-mail addresses that a person has.
const MOST: usize = 50;

/// The person whose e-mail addresses change.
#[derive(Clone, Copy)]
pub struct Person<'a> {
    /// ID.
    pub id: i64,
    /// Login.
    pub login: &'a str,
}

impl Person<'_> {
    /// The facts of an audit entry about one of the e-mail addresses.
    fn facts(self, cx: &Cx, email: &str) -> Result<Value> {
        Ok(json!({ "user": self.login, "email_hash": hash(cx, email)? }))
    }
}

pub(super) fn hash(cx: &Cx, email: &str) -> Result<String> {
    chain::of_address(&cx.site.audit_key, &email::key(email))
}

/// Adds e-mail addresses, each unverified, and asks for an e-mail with its link. One that the person has is not added
/// again: if it is unverified, its link is sent again, and earlier ones end.
pub fn ask(cx: &mut Cx, person: Person<'_>, addresses: &[String]) -> Result<Vec<Email>> {
    let (held, wanted) = (email::of(cx.tx, person.id)?, read(addresses)?);
    refuse_too_many(&held, &wanted)?;
    let mut shown = Vec::new();
    for address in wanted {
        let key = email::key(&address);
        let known = held.iter().find(|held| held.has_key(&key));
        shown.push(match known {
            Some(known) if known.shown.verified => known.shown.clone(),
            known => asked(cx, person, known, address)?,
        });
    }
    Ok(shown)
}

fn asked(cx: &mut Cx, person: Person<'_>, known: Option<&Held>, address: String) -> Result<Email> {
    let facts = person.facts(cx, &address)?;
    cx.count_mail(&hash(cx, &address)?, person.id)?;
    let user = person.id;
    if let Some(known) = known {
        let generation = known.generation + 1;
        cx.tx.run("UPDATE emails SET generation = $2 WHERE id = $1", &[&known.id, &generation])?;
        cx.record(SITE, Change::of(&Event::EmailAdded { user, email: known.id, generation }))?;
        return Ok(known.shown.clone());
    }
    let added = Event::EmailAdded { user, email: email::add_unverified(cx.tx, user, &address)?, generation: 1 };
    cx.record(SITE, Change::new("user.add_email", &json!(null), &facts).with_event(&added))?;
    Ok(Email { email: address, primary: false, verified: false, visibility: None })
}

/// Adds e-mail addresses that count as verified; 422 for one that another account has verified.
pub fn give(cx: &mut Cx, person: Person<'_>, addresses: &[String]) -> Result<Vec<Email>> {
    let (held, wanted) = (email::of(cx.tx, person.id)?, read(addresses)?);
    refuse_too_many(&held, &wanted)?;
    for address in &wanted {
        let key = email::key(address);
        let known = held.iter().find(|held| held.has_key(&key));
        let is_new = match known {
            Some(known) if known.shown.verified => continue,
            Some(known) => email::verify(cx.tx, known.id, address)?,
            None => email::add(cx.tx, person.id, address)?,
        };
        if !is_new {
            let holder: String = cx.tx.one(HOLDER, &[&key])?;
            let text =
                format!("The account {holder} has verified the e-mail address {address}. Remove it there first.");
            return Err(Error::explained("User", "already_exists", "email", text));
        }
        verified(cx, person, &held, "user.add_email", address)?;
    }
    let keys: Vec<String> = wanted.iter().map(|address| email::key(address)).collect();
    let shown = email::of(cx.tx, person.id)?.into_iter();
    Ok(shown.filter(|held| keys.iter().any(|key| held.has_key(key))).map(|held| held.shown).collect())
}

const HOLDER: &str = "SELECT u.login FROM emails e JOIN users u ON u.id = e.user_id WHERE e.email_key = $1";

/// Verifies an unverified e-mail address; 422 if another account was faster.
pub fn verify(cx: &mut Cx, person: Person<'_>, (id, address): (i64, &str)) -> Result<()> {
    let held = email::of(cx.tx, person.id)?;
    if !email::verify(cx.tx, id, address)? {
        let text = format!("Another account has verified the e-mail address {address} in the meantime.");
        return Err(Error::explained("User", "already_exists", "email", text));
    }
    verified(cx, person, &held, "user.verify_email", address)
}

/// Records an address that is verified now, and tells the primary one from before.
fn verified(cx: &mut Cx, person: Person<'_>, before: &[Held], action: &'static str, address: &str) -> Result<()> {
    let facts = json!({ "user": person.login, "email_hash": hash(cx, address)?, "verified": true });
    let change = Change::new(action, &json!(null), &facts);
    let primary = before.iter().find(|held| held.shown.primary);
    cx.record(SITE, telling(change, person, primary, EmailChange::Added))
}

fn telling(change: Change, person: Person<'_>, told: Option<&Held>, what: EmailChange) -> Change {
    let Some(told) = told else { return change };
    change.with_event(&Event::EmailChanged { user: person.id, address: told.shown.email.clone(), change: what })
}

/// Removes e-mail addresses; 404 for one that the person does not have, and 422 for the last verified one.
pub fn remove(cx: &mut Cx, person: Person<'_>, addresses: &[String]) -> Result<()> {
    refuse_none_or_many(addresses)?;
    let (mut held, mut removed) = (email::of(cx.tx, person.id)?, Vec::new());
    // An address that is in the list twice is removed once.
    let keys: BTreeSet<String> = addresses.iter().map(|address| email::key(address.trim())).collect();
    for key in keys {
        let found: Vec<Held> = held.extract_if(.., |held| held.has_key(&key)).collect();
        if found.is_empty() {
            return Err(Error::Absent("The account has no such e-mail address.".into()));
        }
        removed.extend(found);
    }
    let is_verified = |held: &Held| held.shown.verified;
    if removed.iter().any(is_verified) && !held.iter().any(is_verified) {
        let text = "The last verified e-mail address cannot be removed. Add and verify another one first.";
        return Err(Error::explained("User", "unprocessable", "email", text));
    }
    for gone in &removed {
        email::remove(cx.tx, person.id, gone.id)?;
        let change = Change::new("user.remove_email", &person.facts(cx, &gone.shown.email)?, &json!(null));
        let told = Some(gone).filter(|gone| is_verified(gone));
        cx.record(SITE, telling(change, person, told, EmailChange::Removed))?;
    }
    if removed.iter().any(|gone| gone.shown.visibility == Some("public")) {
        publish(cx, person.id, None)?;
    }
    Ok(())
}

/// Makes one of the verified e-mail addresses the primary one, and hides it; 422 for any other.
pub fn set_primary(cx: &mut Cx, person: Person<'_>, address: &str) -> Result<()> {
    let (held, key) = (email::of(cx.tx, person.id)?, email::key(address.trim()));
    let Some(new) = held.iter().find(|held| held.shown.verified && held.has_key(&key)) else {
        let text = "This is not one of your verified e-mail addresses. Add it, and open the link in the e-mail first.";
        return Err(Error::explained("User", "invalid", "email", text));
    };
    if new.shown.primary {
        return Ok(());
    }
    email::set_primary(cx.tx, person.id, new.id)?;
    let old = held.iter().find(|held| held.shown.primary);
    let before = old.map(|old| person.facts(cx, &old.shown.email)).transpose()?;
    let change = Change::new("user.change_primary_email", &before, &person.facts(cx, &new.shown.email)?);
    cx.record(SITE, telling(change, person, old, EmailChange::Replaced))?;
    if old.is_some_and(|old| old.shown.visibility == Some("public")) { publish(cx, person.id, None) } else { Ok(()) }
}

/// Shows the primary e-mail address to everyone, or hides it; 422 if there is none.
pub fn set_visibility(cx: &mut Cx, person: Person<'_>, visibility: &'static str) -> Result<Email> {
    let held = email::of(cx.tx, person.id)?;
    let Some(mut primary) = held.into_iter().map(|held| held.shown).find(|shown| shown.primary) else {
        let text = "You have no verified e-mail address. Add one, and open the link in the e-mail first.";
        return Err(Error::explained("User", "missing", "email", text));
    };
    if primary.visibility != Some(visibility) {
        publish(cx, person.id, Some(primary.email.as_str()).filter(|_| visibility == "public"))?;
        let facts = |visibility| json!({ "user": person.login, "visibility": visibility });
        let change = Change::new("user.change_email_visibility", &facts(primary.visibility), &facts(Some(visibility)));
        cx.record(SITE, change)?;
        primary.visibility = Some(visibility);
    }
    Ok(primary)
}

/// Stores what the profile shows.
fn publish(cx: &mut Cx, user: i64, email: Option<&str>) -> Result<()> {
    cx.tx.run(PUBLISH, &[&user, &email, &cx.now()?.0])?;
    user::record_shown(cx.tx, &cx.author()?, user)
}

const PUBLISH: &str = "
    UPDATE users
    SET public_email = $2, updated_at = CASE WHEN updated_at > $3 THEN updated_at ELSE $3 END
    WHERE id = $1";

/// The e-mail addresses, as they are stored, each once.
fn read(addresses: &[String]) -> Result<Vec<String>> {
    refuse_none_or_many(addresses)?;
    let mut read: Vec<String> = Vec::new();
    for text in addresses {
        let Some(address) = address::read(text.trim()) else {
            let refused = "This is not a valid e-mail address. A valid one is like name@example.com.";
            return Err(Error::explained("User", "invalid", "email", refused).about(json!(on_one_line(text, 255))));
        };
        if !read.iter().any(|known| email::key(known) == email::key(&address)) {
            read.push(address);
        }
    }
    Ok(read)
}

/// Refuses a list before it is compared with anything, because that takes its time.
fn refuse_none_or_many(addresses: &[String]) -> Result<()> {
    if (1..=MOST).contains(&addresses.len()) {
        return Ok(());
    }
    Err(Error::Invalid(vec![format!("\"emails\" must have 1 to {MOST} e-mail addresses.")]))
}

fn refuse_too_many(held: &[Held], wanted: &[String]) -> Result<()> {
    let keys = wanted.iter().map(|address| email::key(address));
    let new = keys.filter(|key| !held.iter().any(|held| held.has_key(key))).count();
    if held.len() + new > MOST {
        return Err(Error::custom("User", format!("A person has at most {MOST} e-mail addresses. Remove some first.")));
    }
    Ok(())
}
