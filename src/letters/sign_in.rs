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
        user: i64 = "u.id",
        name: Line = "u.login, u.name" => |(login, name)| named(login, name),
        entered: String = "s.email",
        key: String = "s.email_key",
        asked_by: String,
        network: String,
        asked_at: Time,
    }
}

/// The letter to the person who asked; none if the code has ended, or if the e-mail address no longer signs in the account.
pub(super) fn letter(tx: &mut Tx, composing: &Composing, of: &OfSignIn, now: Time) -> Result<Option<Letter>> {
    let Some(open) = tx.maybe::<Open>(OPEN, &[&of.sign_in, &now.0])? else { return Ok(None) };
    let Some(holder) = email_holder::of(tx, &open.key)?.filter(|holder| holder.user.id == open.user) else {
        return Ok(None);
    };
    let (purpose, sent) = (Purpose::SignIn(of.sign_in), Sent { generation: open.asked_at.0, address: &open.entered });
    let digits = purpose.digits(&composing.key, sent)?;
    let (first, last) = digits.split_at(4);
    let content = Content::SignIn(letter::SignIn {
        code: format!("{first} {last}"),
        url: composing.links.login(&format!("/link/{}", purpose.token(&composing.key, sent)?)),
        browser: open.asked_by,
        network: open.network,
        asked_at: open.asked_at,
    });
    let id = format!("sign-in/{}", of.sign_in);
    Ok(Some(Letter {
        name: Some(open.name),
        address: holder.email.shown.email,
        id,
        follows: None,
        board: None,
        content,
    }))
}

const OPEN: &str = select!(Open from
    "sign_ins s
     JOIN users u ON u.id = s.user_id
     WHERE s.id = $1 AND s.ended = FALSE AND s.expires_at > $2");
