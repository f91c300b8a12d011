//! The organizations that let the caller's application in (decision 81). Toward any other organization, the caller counts
//! as an outsider, who has the ID 0. A personal token and a session ask for nothing here.

use std::sync::Arc;

use super::Cx;
use crate::db::{Cacheable, MadeOf};
use crate::error::{Error, Result};

/// The login of an organization, if it does not let an application in.
struct Closed(Option<String>);

impl Cacheable for Closed {
    fn weight(&self) -> usize {
        size_of::<Self>() + self.0.as_ref().map_or(0, String::len)
    }
}

const CLOSED: &str = "
    SELECT o.login FROM orgs o
    WHERE o.id = $1 AND NOT EXISTS
        (SELECT 1 FROM applications_let_in li WHERE li.org_id = $1 AND li.application_id = $2)";

/// True if the organization in this column lets the application in this parameter in, or if the parameter is null.
macro_rules! let_in {
    ($org:literal, $application:literal) => {
        concat!(
            "(CAST(",
            $application,
            " AS BIGINT) IS NULL OR EXISTS (SELECT 1 FROM applications_let_in li WHERE li.org_id = ",
            $org,
            " AND li.application_id = ",
            $application,
            "))"
        )
    };
}
pub(crate) use let_in;

impl<'c> Cx<'_, 'c> {
    /// The login of the organization, if it does not let the caller's application in.
    fn closed(&mut self, org: i64) -> Result<Option<Arc<Closed>>> {
        let Some(application) = self.caller.application() else { return Ok(None) };
        let key = [org.to_be_bytes(), application.to_be_bytes()].concat();
        let find = |tx: &mut crate::db::Tx| tx.maybe(CLOSED, &[&org, &application]).map(Closed);
        let closed = self.tx.cached_of(MadeOf::Anything, &key, find)?;
        Ok(Some(closed).filter(|closed| closed.0.is_some()))
    }

    /// True if the organization does not let the caller's application in.
    pub fn is_closed(&mut self, org: i64) -> Result<bool> {
        self.closed(org).map(|closed| closed.is_some())
    }

    /// The refusal of the first of these organizations that does not let the caller's application in.
    pub(super) fn refusal_of(&mut self, orgs: &[i64]) -> Result<Option<Error>> {
        for org in orgs {
            if let Some(Closed(Some(login))) = self.closed(*org)?.as_deref() {
                let how = self.links.html("/docs#applications");
                return Ok(Some(Error::Forbidden(
                    format!(
                        "Although you appear to have the correct authorization credentials, the `{login}` organization \
                         has enabled OAuth App access restrictions, meaning that data access to third-parties is \
                         limited. For more information on these restrictions, including how to enable this app, visit \
                         {how}"
                    )
                    .into(),
                )));
            }
        }
        Ok(None)
    }

    /// Refuses an application that the organization does not let in. The person could do what is refused.
    pub fn refuse_closed(&mut self, org: i64) -> Result<()> {
        self.refusal_of(&[org])?.map_or(Ok(()), Err)
    }

    /// Does the work with the caller as an outsider.
    pub(super) fn as_outsider<R>(&mut self, work: impl FnOnce(&mut Cx<'_, 'c>) -> Result<R>) -> Result<R> {
        let outsider = self.caller.as_outsider();
        work(&mut Cx { tx: &mut *self.tx, caller: &outsider, ..*self })
    }

    /// Does the work with the caller as they are to the organization.
    pub fn toward<R>(&mut self, org: i64, work: impl FnOnce(&mut Cx<'_, 'c>) -> Result<R>) -> Result<R> {
        if self.is_closed(org)? { self.as_outsider(work) } else { work(self) }
    }

    /// Finds something of these organizations with the caller as they are to them.
    pub fn find_toward<T>(
        &mut self,
        orgs: impl Fn(&T) -> Option<i64>,
        find: impl Fn(&mut Cx<'_, 'c>) -> Result<T>,
    ) -> Result<T> {
        let found = find(self)?;
        match orgs(&found) {
            Some(org) if self.is_closed(org)? => self.as_outsider(find),
            _ => Ok(found),
        }
    }
}
