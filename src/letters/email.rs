//! The e-mails about a person's e-mail addresses (decision 72): the link that verifies one, and what an address is told
//! that the person has or had before a change.

use serde::{Deserialize, Serialize};

use super::addressee::{Composing, named};
use crate::db::{Tx, row, select};
use crate::error::Result;
use crate::journal::EmailChange;
use crate::mail::letter::{Content, Letter, Line};
use crate::mail::token::{Purpose, Sent};
use crate::people::email;

/// The payload of an e-mail to an address that is not verified.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OfAddress {
    pub email: i64,
    pub generation: i64,
}

/// The payload of an e-mail about a change. The address may have no row any more.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OfChange {
    pub address: String,
    pub change: EmailChange,
    pub entry: i64,
}

row! {
    /// A person who has an e-mail address.
    struct Holder from "u" {
        login: String,
        name: Option<String>,
        suspended: bool,
    }
}

impl Holder {
    fn named(&self) -> Line {
        named(self.login.clone(), self.name.clone())
    }
}

/// The letter to an unverified address: its link, or, if an account has verified the address, a letter to that account,
/// which only its holder reads. None if the address was verified or removed, or if its link was sent again.
pub(super) fn asked(tx: &mut Tx, composing: &Composing, of: &OfAddress, to: i64) -> Result<Option<Letter>> {
    let asked: Option<(String, Holder)> = tx.maybe(ASKED, &[&of.email, &of.generation, &to])?;
    let Some((address, asking)) = asked else { return Ok(None) };
    let holder: Option<Holder> = tx.maybe(HOLDER, &[&email::key(&address)])?;
    let id = format!("email/{}/{}", of.email, of.generation);
    if let Some(holder) = holder {
        let (name, content) = (Some(holder.named()), Content::EmailAsked { login: holder.login });
        let letter = Letter { name, address, id, follows: None, board: None, content };
        return Ok(Some(letter).filter(|_| !holder.suspended));
    }
    let sent = Sent { generation: of.generation, address: &address };
    let token = Purpose::Email(of.email).token(&composing.key, sent)?;
    let url = composing.links.html(&format!("/emails/{token}"));
    let content = Content::EmailLink { login: asking.login, url };
    Ok(Some(Letter { name: None, address, id, follows: None, board: None, content }))
}

const ASKED: &str = const_str::concat!(
    "SELECT e.email, ",
    Holder::COLUMNS,
    " FROM emails e JOIN users u ON u.id = e.user_id
     WHERE e.id = $1 AND e.generation = $2 AND e.user_id = $3 AND e.verified = FALSE AND u.suspended = FALSE"
);

const HOLDER: &str = select!(Holder from
    "emails e JOIN users u ON u.id = e.user_id WHERE e.email_key = $1 AND e.verified = TRUE");

/// The letter to an address that the person had before a change.
pub(super) fn changed(tx: &mut Tx, of: OfChange, to: i64) -> Result<Option<Letter>> {
    let Some(holder): Option<Holder> = tx.maybe(PERSON, &[&to])? else { return Ok(None) };
    let change = match of.change {
        EmailChange::Added => "Another e-mail address was added to it and verified.",
        EmailChange::Replaced => {
            "Another e-mail address is now the primary one, which receives all e-mails, instead of this one."
        }
        EmailChange::Removed => "This e-mail address was removed from it.",
    };
    let (name, id) = (Some(holder.named()), format!("email/change/{}", of.entry));
    let content = Content::EmailChanged { login: holder.login, change };
    Ok(Some(Letter { name, address: of.address, id, follows: None, board: None, content }))
}

const PERSON: &str = select!(Holder from "users u WHERE u.id = $1 AND u.suspended = FALSE");
