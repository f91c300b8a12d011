//! Organizations: the subject of their operations, and the caller's standing.
//!
//! Implements decisions 2 (both forms), 17 and 18 (what is public, who is an outsider, and who sees concealed members).

use std::sync::Arc;

use super::org_ref;
use crate::db::{ByIds, Cacheable, Lock, MadeOf, Tx, by_ids_after, row, select, word_or_none};
use crate::error::{Error, Result};
pub use crate::members::roles::{ROLES, is_member, role_of};
use crate::operation::{Caller, Cx, Path, Stage, Subject};
use crate::people::login;
use crate::policy::{Fact, Standing};
use crate::scope::SR;
pub use crate::site::signed_in;

row! {
    /// An organization that a path names.
    #[derive(Debug, Clone)]
    pub struct Org from "o" {
        /// ID.
        pub id: i64,
        /// Login, in its stored case.
        pub login: String,
        /// The version of its people and of its tree of teams.
        pub version: i64 = "h.entry",
        /// True if members may create teams.
        pub members_can_create_teams: bool,
        /// True if members may create repositories.
        pub members_can_create_repositories: bool,
        /// The caller's role, if they are in it: `admin`, `member` or `billing_manager`.
        pub my_role: Option<&'static str> = "m.role" => word_or_none(&ROLES),
    }
}

impl Cacheable for Org {
    fn weight(&self) -> usize {
        size_of::<Self>() + self.login.len()
    }
}

impl Org {
    /// The caller's standing in the organization.
    #[must_use]
    pub fn standing(&self, cx: &Cx) -> Standing {
        let member = self.my_role.is_some_and(is_member);
        signed_in(cx)
            .with(Fact::OrgOwner, self.my_role == Some("admin"))
            .with(Fact::OrgMember, member)
            .with(Fact::SeesConcealed, member && reads_concealed(cx))
            .with(Fact::MembersCreateTeams, self.members_can_create_teams)
            .with(Fact::MembersCreateRepos, self.members_can_create_repositories)
    }

    /// The organization with this identifier, with the person's role in it.
    pub fn by_id(tx: &mut Tx, person: i64, id: i64) -> Result<Option<Self>> {
        tx.maybe(BY_ID, &[&person, &id])
    }

    /// The organizations with these identifiers, with the caller's role in each that lets their application in.
    pub fn by_ids(cx: &mut Cx, ids: &[i64]) -> Result<Vec<Self>> {
        let mut found: Vec<Self> = by_ids_after(cx.tx, &BY_IDS, &[&cx.my_id()], ids)?;
        for org in &mut found {
            if cx.is_closed(org.id)? {
                org.my_role = None;
            }
        }
        Ok(found)
    }
}

/// True if the token may show members who conceal their membership. The caller must be a member of the same
/// organization as well (decision 18).
pub(super) fn reads_concealed(cx: &Cx) -> bool {
    SR.satisfied_by(cx.caller.scopes())
}

/// True if the `username` in a path is the caller's login.
#[must_use]
pub fn names_caller(cx: &Cx, path: &Path) -> bool {
    let (Some(named), Some(person)) = (path.get("username"), &cx.caller.person) else { return false };
    !cx.caller.is_outsider && login::key(&person.login) == login::key(named)
}

impl Subject for Org {
    const FORMS: &'static [&'static str] = &["/orgs/{org}", "/organizations/{org_id}"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let me = cx.my_id();
        let org_id = path.id("org_id")?;
        let org_key = login::key(path.get("org").unwrap_or_default());
        let key = [&org_id.unwrap_or(0).to_be_bytes()[..], &me.to_be_bytes(), org_key.as_bytes()].concat();
        let org = if let Some(kept) = cx.tx.get_cached::<Self>(&key) {
            Self::clone(&kept)
        } else {
            let org: Option<Self> = match org_id {
                Some(id) => Self::by_id(cx.tx, me, id)?,
                None => cx.tx.maybe(BY_LOGIN, &[&org_key, &me])?,
            };
            let org = org.ok_or(Error::NotFound)?;
            cx.tx.insert(MadeOf::Org(org.id), &key, &Arc::new(org.clone()));
            org
        };
        let standing = org.standing(cx).with(Fact::TheUser, names_caller(cx, path));
        Ok((org, standing))
    }

    fn locks(tx: &mut Tx, _: &Caller, path: &Path) -> Result<Vec<Lock>> {
        Ok(id_of(tx, path)?.map(Lock::Journal).into_iter().collect())
    }

    fn organizations(&self) -> Vec<i64> {
        vec![self.id]
    }

    fn canonical(&self) -> String {
        format!("/organizations/{}", self.id)
    }

    fn made_of(&self, stage: Stage) -> MadeOf {
        if stage == Stage::Serve { MadeOf::Org(self.id) } else { MadeOf::Anything }
    }
}

const BY_LOGIN: &str = select!(Org from
    "logins l
     JOIN orgs o ON o.id = l.org_id
     JOIN journal_heads h ON h.org_id = o.id
     LEFT JOIN org_members m ON m.org_id = o.id AND m.user_id = $2
     WHERE l.login_key = $1 AND l.current = TRUE");

macro_rules! org_where {
    ($condition:literal) => {
        select!(Org from
            "orgs o
             JOIN journal_heads h ON h.org_id = o.id
             LEFT JOIN org_members m ON m.org_id = o.id AND m.user_id = $1
             WHERE ", $condition)
    };
}

const BY_ID: &str = org_where!("o.id = $2");

static BY_IDS: ByIds = ByIds::after(1, org_where!("o.id IN ({ids})"));

/// The identifier of the organization that a path names, read without a lock.
pub fn id_of(tx: &mut Tx, path: &Path) -> Result<Option<i64>> {
    if let Some(id) = path.id("org_id")? {
        return Ok(Some(id));
    }
    match org_ref::by_login(tx, &login::key(path.get("org").unwrap_or_default())) {
        Ok(home) => Ok(Some(home.id)),
        Err(Error::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}
