//! The e-mail with a code and a link that sign in (decision 61).

use serde::{Deserialize, Serialize};

use super::addressee::{Composing, named};
use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::Result;
use crate::mail::letter::{self, Content, Letter, Line};
use crate::mail::token::{Purpose, Sent};
use crate::people::email_holder;

/// The fields of the payload.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OfSignIn {
    pub sign_in: i64,
}

row! {
    /// A code that can still be entered.
    struct Open from "s" {
        user: Option<i64> = "s.user_id",
        name: Option<Line> = "u.login, u.name" => person,
        entered: String = "s.email",
        key: String = "s.email_key",
        asked_by: String,
        network: String,
        asked_at: Time,
    }
}

/// The letter to the person who asked; none if the code has ended, or if the e-mail address now signs in another
/// account or none.
pub(super) fn letter(tx: &mut Tx, composing: &Composing, of: &OfSignIn, now: Time) -> Result<Option<Letter>> {
    let Some(open) = tx.maybe::<Open>(OPEN, &[&of.sign_in, &now.0])? else { return Ok(None) };
    let holder = email_holder::of(tx, &open.key)?;
    if holder.as_ref().map(|holder| holder.user.id) != open.user {
        return Ok(None);
    }
    let (purpose, sent) = (Purpose::SignIn(of.sign_in), Sent { generation: open.asked_at.0, address: &open.entered });
    let digits = purpose.digits(&composing.key, sent)?;
    let (first, last) = digits.split_at(4);
    let content = Content::SignIn(letter::SignIn {
        code: format!("{first} {last}"),
        url: composing.links.login(&format!("/link/{}", purpose.token(&composing.key, sent)?)),
        browser: open.asked_by,
        network: open.network,
        asked_at: open.asked_at,
        signs_up: holder.is_none(),
    });
    let address = holder.map_or(open.entered, |holder| holder.email.shown.email);
    let id = format!("sign-in/{}", of.sign_in);
    Ok(Some(Letter { name: open.name, address, id, follows: None, board: None, content }))
}

const OPEN: &str = select!(Open from
    "sign_ins s
     LEFT JOIN users u ON u.id = s.user_id
     WHERE s.id = $1 AND s.ended = FALSE AND s.expires_at > $2");

fn person((login, name): (Option<String>, Option<String>)) -> Option<Line> {
    login.map(|login| named(login, name))
}
