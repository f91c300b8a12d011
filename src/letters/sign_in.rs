//! The e-mail with a code and a link that sign in (decision 61).

use serde::{Deserialize, Serialize};

use super::addressee::{Composing, named};
use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::Result;
use crate::mail::letter::{self, Content, Letter, Line};
use crate::mail::token::{Purpose, Sent};

/// The fields of the payload.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OfSignIn {
    pub sign_in: i64,
}

row! {
    /// A code that can still be entered.
    struct Open from "s" {
        name: Line = "u.login, u.name" => |(login, name)| named(login, name),
        address: String = "e.email",
        entered: String = "s.email",
        asked_by: String,
        network: String,
        asked_at: Time,
    }
}

/// The letter to the person who asked; none if the code has ended, or if the e-mail address is no longer a verified one of
/// the account.
pub(super) fn letter(tx: &mut Tx, composing: &Composing, of: &OfSignIn, now: Time) -> Result<Option<Letter>> {
    let Some(open) = tx.maybe::<Open>(OPEN, &[&of.sign_in, &now.0])? else { return Ok(None) };
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
    Ok(Some(Letter { name: Some(open.name), address: open.address, id, follows: None, board: None, content }))
}

const OPEN: &str = select!(Open from
    "sign_ins s
     JOIN users u ON u.id = s.user_id AND u.suspended = FALSE
     JOIN emails e ON e.user_id = s.user_id AND e.email_key = s.email_key AND e.verified = TRUE
     WHERE s.id = $1 AND s.ended = FALSE AND s.expires_at > $2");
