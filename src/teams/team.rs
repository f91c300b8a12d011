//! The team: its row, and the subject of its operations.
//!
//! Implements "Resources and their fields: Team" and decisions 2 (forms), 10 (old slugs) and 17 (visibility).

use std::ops::Deref;
use std::sync::Arc;

use super::lookup::{self, Name};
use super::{naming, roles, slug, visible};
use crate::db::{Cacheable, Lock, MadeOf, Tx, select};
use crate::error::{Error, Result};
use crate::members::synced;
use crate::operation::{Caller, Cx, Path, Seen, Stage, Subject};
use crate::orgs::org;
use crate::orgs::org_ref::{self, OrgRef};
use crate::people::login;
use crate::policy::{Fact, Rule, SEES_TEAM, Standing};
use crate::rows::{Fold, TeamRow};

impl TeamRow {
    /// The change of this team that is folded into memory.
    #[must_use]
    pub fn change(&self) -> Fold {
        let name_key = slug::name_key(&self.name);
        Fold::Team { team: self.id, parent: self.parent_id, name_key, secret: self.is_secret() }
    }
}

/// A team that a path names and that the caller sees; their role in it was not looked up.
#[derive(Debug, Clone)]
pub struct SeenTeam {
    row: Arc<TeamRow>,
    /// The organization to which it belongs.
    pub org: Arc<OrgRef>,
}

impl Deref for SeenTeam {
    type Target = TeamRow;

    fn deref(&self) -> &TeamRow {
        &self.row
    }
}

/// A team that a path names, and the caller's standing to it.
#[derive(Debug, Clone)]
pub struct Team {
    seen: SeenTeam,
    /// The caller's role in the organization, if they are in it.
    pub org_role: Option<&'static str>,
    /// The caller's stored role in the team, if they are directly in it and it matters. It does not matter for owners,
    /// who may do whatever the people of a team may, and only members of the organization are in its teams.
    pub team_role: Option<&'static str>,
}

impl Deref for Team {
    type Target = SeenTeam;

    fn deref(&self) -> &SeenTeam {
        &self.seen
    }
}

impl Cacheable for Team {
    fn weight(&self) -> usize {
        size_of::<Self>() + size_of::<TeamRow>() + self.description.as_deref().map_or(0, str::len)
    }
}

impl Name<'_> {
    /// The cache key of a team with this name, for this caller.
    fn key(&self, caller: i64) -> Vec<u8> {
        let (org, name) = match self {
            Self::Id(id) => (String::new(), id.to_string()),
            Self::OrgIdAndSlug(org, slug) => (org.to_string(), format!("#{slug}")),
            Self::Slug(org, slug) => ((*org).to_owned(), format!("/{slug}")),
        };
        format!("{caller} {org}{name}").into_bytes()
    }

    fn find(&self, cx: &mut Cx) -> Result<(Arc<TeamRow>, Arc<OrgRef>)> {
        let (org, slug) = match self {
            Self::Id(id) => {
                let row = lookup::by_id(cx.tx, *id)?;
                let org = org_ref::by_id(cx.tx, row.org_id)?;
                return Ok((row, org));
            }
            Self::OrgIdAndSlug(org, slug) => (org_ref::by_id(cx.tx, *org)?, slug),
            Self::Slug(org, slug) => (org_ref::by_login(cx.tx, org)?, slug),
        };
        Ok((lookup::by_slug(cx, org.id, slug)?, org))
    }
}

/// The fact about the caller that is needed in addition to their role in the organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ask {
    /// Their role in the team.
    Role,
    /// Their sight of it. For a closed team, their role in the organization decides that.
    Visibility,
}

impl Team {
    /// The team with this name, with the person's standing to it, if there is one.
    fn named(cx: &mut Cx, caller: i64, name: Name, ask: Ask) -> Result<Option<Self>> {
        if cx.tx.is_remote() {
            return Self::at_once(cx.tx, caller, &name);
        }
        let (row, org) = match name.find(cx) {
            Err(Error::NotFound) => return Ok(None),
            found => found?,
        };
        let tx = &mut *cx.tx;
        let org_role = match caller {
            0 => None,
            caller => {
                let key = [org.id.to_be_bytes(), caller.to_be_bytes()].concat();
                tx.found(&key, |tx| org::role_of(tx, org.id, caller).map(OrgRole))?.0
            }
        };
        let matters = ask == Ask::Role || row.is_secret();
        let team_role = match org_role {
            Some("member") if matters => roles::role_in(tx, row.id, caller)?,
            _ => None,
        };
        Ok(Some(Self { seen: SeenTeam { row, org }, org_role, team_role }))
    }

    /// The same in one statement, or as an earlier request in the transaction found it. The role of a member may have
    /// changed since; the role of any other user in the team does not matter.
    fn at_once(tx: &mut Tx, caller: i64, name: &Name) -> Result<Option<Self>> {
        let key = name.key(caller);
        if let Some(found) = tx.get_found::<Self>(&key).or_else(|| tx.get_cached(&key)) {
            return Ok(Some(Self::clone(&found)));
        }
        let Some(team) = lookup::at_once(tx, name, caller)?.map(Self::from) else { return Ok(None) };
        let kept = Arc::new(team.clone());
        let of = team.made_of(Stage::Authorize);
        if of == MadeOf::Found {
            tx.insert_found(&key, &kept);
        }
        tx.insert(of, &key, &kept);
        Ok(Some(team))
    }

    /// The team with this identifier, with the caller's standing to it, if there is one.
    pub fn by_id(cx: &mut Cx, caller: i64, id: i64) -> Result<Option<Self>> {
        Self::named(cx, caller, Name::Id(id), Ask::Role)
    }

    /// A team that the caller sees, with these roles of theirs in its organization and in the team, and their standing.
    #[must_use]
    pub fn with_roles(
        cx: &Cx,
        seen: SeenTeam,
        (org_role, team_role): (Option<&'static str>, Option<&'static str>),
    ) -> (Self, Standing) {
        let team = Self { seen, org_role, team_role };
        let standing = team.standing(cx);
        (team, standing)
    }

    fn standing(&self, cx: &Cx) -> Standing {
        let role = self.org_role;
        let active = matches!(role, Some("admin" | "member"));
        let in_team = active && self.team_role.is_some();
        org::signed_in(cx)
            .with(Fact::OrgOwner, role == Some("admin"))
            .with(Fact::OrgMember, active)
            .with(Fact::TeamMember, in_team)
            .with(Fact::TeamMaintainer, in_team && self.team_role == Some("maintainer"))
            .with(Fact::SeesTeam, visible::sees(self.is_secret(), role, in_team))
    }
}

impl From<lookup::Found> for Team {
    fn from(found: lookup::Found) -> Self {
        let org = OrgRef { id: found.row.org_id, login: found.login };
        // Only people whose role in the organization is member are members of its teams.
        let team_role = found.team_role.filter(|_| found.org_role == Some("member"));
        let seen = SeenTeam { row: Arc::new(found.row), org: Arc::new(org) };
        Self { seen, org_role: found.org_role, team_role }
    }
}

/// The role of a user in an organization, if they have one.
#[derive(PartialEq, Eq)]
struct OrgRole(Option<&'static str>);

impl Cacheable for OrgRole {
    fn weight(&self) -> usize {
        size_of::<Self>()
    }
}

/// Every form of the path of something that belongs to a team.
macro_rules! forms {
    ($below:literal) => {
        &[
            concat!("/orgs/{org}/teams/{team_slug}", $below),
            concat!("/organizations/{org_id}/team/{team_id}", $below),
            concat!("/organizations/{org_id}/teams/{team_slug}", $below),
            concat!("/teams/{team_id}", $below),
        ]
    };
}
pub(crate) use forms;

impl Subject for Team {
    const FORMS: &'static [&'static str] = forms!("");
    const LEGACY_FORMS: usize = 1;
    const NAMED_BY: &'static [&'static str] = &["org", "org_id", "team_id", "team_slug"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        find(cx, path, Ask::Role)
    }

    fn locks(tx: &mut Tx, _: &Caller, path: &Path) -> Result<Vec<Lock>> {
        let org = match path.id("team_id")? {
            Some(team) => match lookup::by_id(tx, team) {
                Err(Error::NotFound) => None,
                found => Some(found?.org_id),
            },
            None => org::id_of(tx, path)?,
        };
        Ok(org.map(Lock::Journal).into_iter().collect())
    }

    fn ask_ahead(tx: &mut Tx, caller: i64, path: &Path) -> Result<()> {
        named_by(path, |name| {
            // What readers have found probably holds in this transaction too.
            if tx.guess(|tx| tx.get_found::<Self>(&name.key(caller))).is_none() {
                lookup::ask_ahead(tx, &name, caller);
            }
        })
    }

    fn organizations(&self) -> Vec<i64> {
        vec![self.org_id]
    }

    fn canonical(&self) -> String {
        self.path()
    }

    fn made_of(&self, stage: Stage) -> MadeOf {
        // Of everybody but members, the role in the team does not matter.
        let matters = stage == Stage::Serve || self.org_role == Some("member");
        if matters { MadeOf::Org(self.org_id) } else { MadeOf::Found }
    }

    fn is_synced(&self, cx: &mut Cx) -> Result<bool> {
        synced::is_synced(cx.tx, self.id)
    }
}

fn find(cx: &mut Cx, path: &Path, ask: Ask) -> Result<(Team, Standing)> {
    let (org_id, team_id) = (path.id("org_id")?, path.id("team_id")?);
    let found = named_by(path, |name| Team::named(cx, cx.my_id(), name, ask))??;
    if let Some(team) = found.filter(|team| org_id.is_none_or(|org| org == team.org_id)) {
        let standing = team.standing(cx);
        return if standing.has(Fact::SeesTeam) { Ok((team, standing)) } else { Err(Error::NotFound) };
    }
    if team_id.is_none() {
        moved(cx, path, &slug_in(path))?;
    }
    Err(Error::NotFound)
}

fn slug_in(path: &Path) -> String {
    path.get("team_slug").unwrap_or_default().to_lowercase()
}

/// Runs a function with the team's name as the path gives it.
fn named_by<R>(path: &Path, work: impl FnOnce(Name<'_>) -> R) -> Result<R> {
    let (slug, org_key) = (slug_in(path), login::key(path.get("org").unwrap_or_default()));
    Ok(work(match (path.id("team_id")?, path.id("org_id")?) {
        (Some(id), _) => Name::Id(id),
        (None, Some(org)) => Name::OrgIdAndSlug(org, &slug),
        (None, None) => Name::Slug(&org_key, &slug),
    }))
}

impl Seen for SeenTeam {
    type Subject = Team;

    const RULE: Rule = SEES_TEAM;

    fn find(cx: &mut Cx, path: &Path) -> Result<Self> {
        find(cx, path, Ask::Visibility).map(|(team, _)| team.seen)
    }

    fn organizations(&self) -> Vec<i64> {
        vec![self.org_id]
    }

    fn canonical(&self) -> String {
        self.path()
    }

    fn made_of(&self) -> MadeOf {
        MadeOf::Org(self.org_id)
    }
}

impl SeenTeam {
    /// A team of a list that shows only what the caller sees.
    pub(super) fn at(row: Arc<TeamRow>, org: Arc<OrgRef>) -> Self {
        Self { row, org }
    }

    /// Its path in identifier form.
    fn path(&self) -> String {
        format!("/organizations/{}/team/{}", self.org_id, self.id)
    }
}

/// The number of segments of the forms with a slug, which a redirect replaces.
const SEGMENTS: usize = 4;

/// Redirects callers who see a renamed team from its old slug (decision 10).
fn moved(cx: &mut Cx, path: &Path, slug: &str) -> Result<()> {
    let Some(org) = org::id_of(cx.tx, path)? else { return Ok(()) };
    let Some(id) = naming::led_to(cx, org, slug)? else { return Ok(()) };
    match Team::named(cx, cx.my_id(), Name::Id(id), Ask::Visibility)? {
        Some(team) if team.standing(cx).has(Fact::SeesTeam) && !cx.is_closed(org)? => {
            Err(Error::Moved { to: team.path(), segments: SEGMENTS })
        }
        _ => Ok(()),
    }
}

/// The row of the team with this identifier, which exists.
pub fn row(tx: &mut Tx, id: i64) -> Result<TeamRow> {
    tx.one(ROW, &[&id])
}

const ROW: &str = select!(TeamRow from "teams t WHERE t.id = $1");
