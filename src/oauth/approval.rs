//! The applications that an organization lets in: what its owners are asked, and what they answer (decision 81).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::application::{self, Application};
use crate::db::{Lock, Tx, row};
use crate::error::{Error, Result};
use crate::journal::{Change, Event};
use crate::operation::{Caller, Cx, Done, List, Path, Subject};
use crate::orgs::org::Org;
use crate::people::me::Me;
use crate::policy::{Granted, Standing};

/// The most applications, and the most requests, that are listed.
const LISTED: i64 = 1_000;

/// An application that a path names below an organization.
#[derive(Debug)]
pub struct AtOrg {
    org: Org,
    application: Application,
}

impl Subject for AtOrg {
    const FORMS: &'static [&'static str] = &["/orgs/{org}/applications/{client_id}"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let (org, standing) = Org::find(cx, path)?;
        let application = application::by_client_id(cx.tx, path.get("client_id").unwrap_or_default())?;
        Ok((Self { org, application: application.ok_or(Error::NotFound)? }, standing))
    }

    fn locks(tx: &mut Tx, caller: &Caller, path: &Path) -> Result<Vec<Lock>> {
        Org::locks(tx, caller, path)
    }

    fn organizations(&self) -> Vec<i64> {
        self.org.organizations()
    }

    fn canonical(&self) -> String {
        String::new()
    }
}

row! {
    /// An application that an organization lets in, or about which its owners were asked.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Known from "f" {
        /// Its client ID.
        pub client_id: String = "a.client_id",
        /// Its name.
        pub name: String = "a.name",
        /// The login of the person or the organization that it belongs to; null if it belongs to the site.
        pub owner: Option<String> = "coalesce(ou.login, oo.login)",
        /// True if it belongs to the organization.
        pub is_own: bool = "coalesce(a.org_id = $1, FALSE)",
        /// True if a site administrator marked it as trusted.
        pub is_trusted: bool = "a.trusted",
        /// `asked`, `approved` or `refused`; null if the owners have not been asked.
        pub state: Option<String> = "x.state",
        /// The login of the person who asked the owners.
        pub asked_by: Option<String> = "xu.login",
        /// True if the organization lets it in.
        pub is_let_in: bool = "EXISTS (SELECT 1 FROM applications_let_in li WHERE li.org_id = $1 AND li.application_id = f.id)",
        /// The number of people of the organization for whom it has a token.
        pub people: i64 = "
            (SELECT count(DISTINCT t.user_id) FROM tokens t JOIN org_members m ON m.user_id = t.user_id AND m.org_id = $1
             WHERE t.application_id = a.id)",
    }
}

/// List the applications that an organization lets in, and those about which its owners were asked.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfOrg {}

/// Lists the applications of an organization by name.
pub fn list(cx: &mut Cx, org: Granted<Org>, _: OfOrg) -> Result<List<Known>> {
    let found: Vec<Known> = cx.tx.all(KNOWN, &[&org.id, &LISTED])?;
    let total = i64::try_from(found.len()).unwrap_or(LISTED);
    List::of(found, total)
}

const KNOWN: &str = const_str::concat!(
    "SELECT ",
    Known::COLUMNS,
    " FROM (SELECT application_id AS id FROM application_approvals WHERE org_id = $1
            UNION SELECT id FROM applications WHERE org_id = $1
            UNION SELECT t.application_id FROM org_members m CROSS JOIN tokens t
                  WHERE m.org_id = $1 AND t.user_id = m.user_id AND t.application_id IS NOT NULL) f
      CROSS JOIN applications a
      LEFT JOIN users ou ON ou.id = a.user_id
      LEFT JOIN orgs oo ON oo.id = a.org_id
      LEFT JOIN application_approvals x ON x.org_id = $1 AND x.application_id = a.id
      LEFT JOIN users xu ON xu.id = x.asked_by
      WHERE a.id = f.id AND (x.state IS NOT NULL OR EXISTS
                (SELECT 1 FROM applications_let_in li WHERE li.org_id = $1 AND li.application_id = f.id))
      ORDER BY a.name, a.id LIMIT $2"
);

row! {
    /// An open question to the owners of an organization.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Question from "x" {
        /// The login of the organization.
        pub org: String = "o.login",
        /// The name of the application.
        pub application: String = "a.name",
        /// The login of the person who asked.
        pub asked_by: Option<String> = "u.login",
    }
}

/// List what the owners of the caller's organizations were asked and have not answered.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Questions {}

/// Lists the open questions to the caller, the oldest first.
pub fn questions(cx: &mut Cx, me: Granted<Me>, _: Questions) -> Result<List<Question>> {
    let found: Vec<Question> = cx.tx.all(QUESTIONS, &[&me.id, &LISTED])?;
    let total = i64::try_from(found.len()).unwrap_or(LISTED);
    List::of(found, total)
}

const QUESTIONS: &str = const_str::concat!(
    "SELECT ",
    Question::COLUMNS,
    " FROM org_members m CROSS JOIN application_approvals x CROSS JOIN orgs o CROSS JOIN applications a
      LEFT JOIN users u ON u.id = x.asked_by
      WHERE m.user_id = $1 AND m.role = 'admin' AND x.org_id = m.org_id AND x.state = 'asked'
        AND o.id = x.org_id AND a.id = x.application_id
      ORDER BY x.changed_at, a.id LIMIT $2"
);

/// Ask the owners of an organization to let an application in.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Ask {}

/// Asks the owners, by e-mail and on their pages. Does nothing if they were asked before, or need not be asked.
pub fn ask(cx: &mut Cx, at: Granted<AtOrg>, _: Ask) -> Result<Done> {
    let (org, application, me) = (at.org.id, at.application.id, cx.me()?.id);
    if state(cx.tx, &at)?.is_some() || cx.tx.any(LETS_IN, &[&org, &application])? {
        return Ok(Done);
    }
    cx.count_creation()?;
    put(cx, &at, "asked", Some(me))?;
    let asked = Event::ApplicationAsked { application, person: me };
    let change = Change::new("org.oauth_app_access_requested", &json!(null), &facts(&at, "asked"));
    cx.record(org, change.with_event(&asked))?;
    Ok(Done)
}

const LETS_IN: &str = "SELECT 1 FROM applications_let_in WHERE org_id = $1 AND application_id = $2";

/// Let an application in.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Approve {}

/// Lets the application in.
pub fn approve(cx: &mut Cx, at: Granted<AtOrg>, _: Approve) -> Result<Done> {
    answer(cx, &at, ("approved", "org.oauth_app_access_approved"))
}

/// Do not let an application in.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Refuse {}

/// Refuses the application. If it was let in, its tokens of the people whom it reached here end.
pub fn refuse(cx: &mut Cx, at: Granted<AtOrg>, _: Refuse) -> Result<Done> {
    if cx.tx.any(LETS_IN, &[&at.org.id, &at.application.id])? {
        cx.tx.run(END_TOKENS, &[&at.org.id, &at.application.id])?;
    }
    answer(cx, &at, ("refused", "org.oauth_app_access_denied"))
}

const END_TOKENS: &str = "
    DELETE FROM tokens
    WHERE application_id = $2 AND user_id IN
        (SELECT user_id FROM org_members WHERE org_id = $1
         UNION SELECT c.user_id FROM repos r CROSS JOIN repo_collaborators c WHERE r.org_id = $1 AND c.repo_id = r.id
         UNION SELECT c.user_id FROM projects p CROSS JOIN project_collaborators c
               WHERE p.org_id = $1 AND c.project_id = p.id)";

fn answer(cx: &mut Cx, at: &AtOrg, (now, action): (&'static str, &'static str)) -> Result<Done> {
    let before = state(cx.tx, at)?;
    if before.as_deref() == Some(now) {
        return Ok(Done);
    }
    put(cx, at, now, None)?;
    let before = before.map_or(json!(null), |state| facts(at, &state));
    cx.record(at.org.id, Change::new(action, &before, &facts(at, now)))?;
    Ok(Done)
}

fn state(tx: &mut Tx, at: &AtOrg) -> Result<Option<String>> {
    tx.maybe(STATE, &[&at.org.id, &at.application.id])
}

const STATE: &str = "SELECT state FROM application_approvals WHERE org_id = $1 AND application_id = $2";

fn put(cx: &mut Cx, at: &AtOrg, state: &str, asked_by: Option<i64>) -> Result<()> {
    let now = cx.now()?.0;
    cx.tx.run(PUT, &[&at.org.id, &at.application.id, &state, &asked_by, &now]).map(drop)
}

const PUT: &str = "
    INSERT INTO application_approvals (org_id, application_id, state, asked_by, changed_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (org_id, application_id)
    DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at";

/// The answer about an application as the audit log shows it.
fn facts(at: &AtOrg, state: &str) -> serde_json::Value {
    json!({ "application": at.application.name, "client_id": at.application.client_id, "state": state })
}
