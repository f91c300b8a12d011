//! The discussions that a person has muted, and the sizes of the parts of their inbox, as the page of it shows them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::recipients::sees;
use super::threads::Inbox;
use crate::clock::Time;
use crate::db::{row, select};
use crate::error::Result;
use crate::operation::{Cx, List, Record};
use crate::policy::Granted;

row! {
    /// A discussion that the caller has muted and still sees.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Muted from "s" {
        /// The login of the organization.
        pub org: String = "o.login",
        /// The slug of the team.
        pub slug: String = "t.slug",
        /// The name of the team.
        pub team: String = "t.name",
        /// The number of the discussion.
        pub number: i64 = "d.number",
        /// Its title.
        pub title: String = "d.title",
        /// The time of the caller's first choice for it.
        pub chosen_at: Time = "s.created_at",
    }
}

/// The discussions that a person has muted and still sees.
macro_rules! muted {
    () => {
        concat!(
            "subscriptions s
             JOIN users u ON u.id = s.user_id
             JOIN discussions d ON d.id = s.discussion_id
             JOIN teams t ON t.id = d.team_id
             JOIN orgs o ON o.id = t.org_id
             WHERE s.user_id = $1 AND s.ignored = TRUE AND ",
            sees!()
        )
    };
}

/// List the discussions that the caller has muted.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListMuted {}

/// Lists the discussions that the caller has muted, the newest choice first.
pub fn list(cx: &mut Cx, _: Granted<Inbox>, _: ListMuted) -> Result<List<Muted>> {
    let (me, (limit, offset)) = (cx.me()?.id, cx.page.sql());
    let total: i64 = cx.tx.one(COUNT, &[&me])?;
    let rows: Vec<Muted> = cx.tx.all(LIST, &[&me, &limit, &offset])?;
    List::of(rows, total)
}

const COUNT: &str = concat!("SELECT count(*) FROM ", muted!());
const LIST: &str = select!(Muted from muted!(), " ORDER BY s.created_at DESC, d.id DESC LIMIT $2 OFFSET $3");

/// The sizes of the parts of the inbox besides what is unread.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Parts {
    /// The number of unread discussions in which the caller takes part or is mentioned.
    pub taking_part: i64,
    /// The number of discussions that the caller has muted.
    pub muted: i64,
}

/// Get the sizes of the parts of the inbox.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Count {}

/// Gets the sizes of the parts of the inbox.
pub fn count(cx: &mut Cx, _: Granted<Inbox>, _: Count) -> Result<Record<Parts>> {
    let me = cx.me()?.id;
    Ok(Parts { taking_part: cx.tx.one(TAKING_PART, &[&me])?, muted: cx.tx.one(COUNT, &[&me])? }.into())
}

const TAKING_PART: &str = concat!(
    "SELECT count(*) FROM notices n
     JOIN users u ON u.id = n.user_id
     JOIN discussions d ON d.id = n.discussion_id
     JOIN teams t ON t.id = d.team_id
     WHERE n.user_id = $1 AND n.done = FALSE AND n.unread = TRUE AND n.reason <> 'subscribed' AND ",
    sees!()
);
