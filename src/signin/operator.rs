//! The link that an operator prints on the machine of the store.

use serde_json::json;

use super::sign_in::{self, New, SignIn};
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::operation::Cx;
use crate::people::user::User;

/// The time for which the link works, in seconds.
const LASTS: i64 = 10 * 60;

/// Makes a link that signs in this person once, and returns its token.
pub fn print(cx: &mut Cx, person: &User) -> Result<String> {
    if person.suspended {
        let text = format!("{} is suspended. Unsuspend the account first. Nothing was changed", person.login);
        return Err(Error::sentence(text));
    }
    let now = cx.now()?;
    let new = New {
        user: Some(person.id),
        email: None,
        email_key: None,
        browser: None,
        is_known: false,
        asked_by: "operator",
        network: "",
        expires_at: now.plus_seconds(LASTS),
    };
    let id = sign_in::create(cx.tx, &new, now)?;
    let made: SignIn = sign_in::by_id(cx.tx, id)?.ok_or_else(|| Error::Bug("a new link is not there".into()))?;
    let after = json!({ "id": id, "user": person.login, "by": "operator" });
    cx.record(journal::SITE, Change::new("sign_in_link.create", &json!(null), &after))?;
    made.purpose().token(&cx.site.mail_key, made.sent())
}
