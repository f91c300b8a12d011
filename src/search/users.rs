//! Searching people and organizations over REST (decision 78).

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::accounts::{self, Sort};
use super::found::{Found, part, refuse_unreachable};
use super::query::Order;
use crate::error::Result;
use crate::operation::{Cx, Paged};
use crate::orgs::record;
use crate::people::login::Owner;
use crate::people::user::{self, SimpleUser};
use crate::policy::Granted;
use crate::site::Site;

/// A person or an organization that was found.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "user-search-result-item")]
pub struct FoundAccount {
    /// The account.
    #[serde(flatten)]
    pub account: SimpleUser,
    /// Always 1.
    pub score: f64,
}

/// Search people and organizations. The page after the first 1,000 results is refused.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Search {
    /// Words, phrases in quotation marks, and the qualifiers `type:` (`user` or `org`), `in:` (`login` or `name`) and `org:`,
    /// for members of an organization that the caller sees. `-` or `NOT` excludes a word. Any other qualifier is refused,
    /// and so is `OR`.
    #[schemars(required, extend("x-function-validates" = true))]
    pub q: Option<String>,
    /// The property to sort by. The default is the best match: accounts that have a word as their login, then all others.
    pub sort: Option<Sort>,
    /// The order, with `sort`.
    #[schemars(extend("default" = "desc"))]
    pub order: Option<Order>,
}

/// Searches people and organizations.
pub fn search(cx: &mut Cx, _: Granted<Site>, p: Search) -> Result<Paged<Found<FoundAccount>>> {
    refuse_unreachable(cx)?;
    let sort = p.sort.map(|sort| (sort, p.order.unwrap_or_default()));
    let found = accounts::search(cx, p.q.as_deref().unwrap_or_default(), sort)?;
    let items = shown(cx, part(cx, &found.accounts))?;
    Ok(Found::page(u64::try_from(found.accounts.len()).unwrap_or(u64::MAX), found.incomplete, items))
}

/// The records of these accounts, in their order.
fn shown(cx: &mut Cx, accounts: &[Owner]) -> Result<Vec<FoundAccount>> {
    let of_kind = |id_of: fn(&Owner) -> Option<i64>| accounts.iter().filter_map(id_of).collect::<Vec<_>>();
    let people = user::by_ids(cx.tx, &of_kind(|one| if let Owner::User(id) = one { Some(*id) } else { None }))?;
    let orgs = record::profiles(cx.tx, &of_kind(|one| if let Owner::Org(id) = one { Some(*id) } else { None }))?;
    let people = people.iter().map(|user| (Owner::User(user.id), SimpleUser::new(cx.links, user)));
    let orgs = orgs
        .iter()
        .map(|org| (Owner::Org(org.id), SimpleUser::of_kind(cx.links, "Organization", org.id, &org.login, false)));
    let mut records: HashMap<Owner, SimpleUser> = people.chain(orgs).collect();
    let found = accounts.iter().filter_map(|one| records.remove(one));
    Ok(found.map(|account| FoundAccount { account, score: 1.0 }).collect())
}
