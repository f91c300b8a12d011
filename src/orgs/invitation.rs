//! The lists of an organization's invitations: the open ones and the failed ones.

use schemars::JsonSchema;
use serde::Deserialize;

use super::org::Org;
use crate::error::Result;
use crate::members::invitations::invitation::{OrganizationInvitation, page, shown};
use crate::operation::{Cx, List};
use crate::policy::Granted;

/// List the open invitations to an organization, by ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListOpen {}

/// Lists the open invitations to an organization, by id.
pub fn list(cx: &mut Cx, org: Granted<Org>, _: ListOpen) -> Result<List<OrganizationInvitation>> {
    of_org(cx, &org, COUNT_OPEN, OPEN)
}

const COUNT_OPEN: &str =
    "SELECT count(*) FROM invitations i WHERE i.org_id = $1 AND i.failed_at IS NULL AND i.expires_at > $2";

const OPEN: &str = shown!(
    "invitations i",
    "WHERE i.org_id = $1 AND i.failed_at IS NULL AND i.expires_at > $2 ORDER BY i.id LIMIT $3 OFFSET $4"
);

/// List the expired and declined invitations to an organization, by ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListFailed {}

/// Lists the invitations to an organization that expired or were declined, by id.
pub fn list_failed(cx: &mut Cx, org: Granted<Org>, _: ListFailed) -> Result<List<OrganizationInvitation>> {
    of_org(cx, &org, COUNT_FAILED, FAILED)
}

const COUNT_FAILED: &str = "
    SELECT count(*) FROM invitations i WHERE i.org_id = $1 AND (i.failed_at IS NOT NULL OR i.expires_at <= $2)";

const FAILED: &str = shown!(
    "invitations i",
    "WHERE i.org_id = $1 AND (i.failed_at IS NOT NULL OR i.expires_at <= $2) ORDER BY i.id LIMIT $3 OFFSET $4"
);

/// The people with an open invitation to an organization, by ID.
pub fn invited(cx: &mut Cx, org: &Granted<Org>) -> Result<Vec<i64>> {
    cx.tx.all(INVITED, &[&org.id, &cx.now()?.0])
}

const INVITED: &str = "
    SELECT DISTINCT i.user_id FROM invitations i
    WHERE i.org_id = $1 AND i.failed_at IS NULL AND i.expires_at > $2 AND i.user_id IS NOT NULL ORDER BY i.user_id";

fn of_org(cx: &mut Cx, org: &Org, count: &'static str, list: &'static str) -> Result<List<OrganizationInvitation>> {
    let (now, (limit, offset)) = (cx.now()?.0, cx.page.sql());
    page(cx, &org.login, (count, &[&org.id, &now]), (list, &[&org.id, &now, &limit, &offset]))
}
