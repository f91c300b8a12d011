//! The caller of a request: the person, and the token or the session that they presented.

use std::sync::Arc;

use crate::clock::Time;
use crate::error::{Error, Result};
use crate::scope::Scopes;

/// The person that a request acts for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// ID.
    pub id: i64,
    /// Login, in its stored case.
    pub login: Arc<str>,
    /// True if they administer the site.
    pub site_admin: bool,
}

/// The token that was presented.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// ID.
    pub id: i64,
    /// Scopes of the token.
    pub scopes: Scopes,
    /// The scopes as a header lists them.
    pub listed: Arc<str>,
    /// Expiry time; null if the token does not expire.
    pub expires_at: Option<Time>,
    /// True if the teams above the person's own are listed as theirs (decision 63).
    pub effective_teams: bool,
    /// The site administrator who acts through it, for an impersonation.
    pub impersonator: Option<Arc<str>>,
    /// The application that acts with it, if it is of one.
    pub application: Option<Application>,
}

/// An application that acts for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Application {
    /// ID.
    pub id: i64,
    /// The client ID that it sends.
    pub client_id: Arc<str>,
}

/// The time for which a person has signed in recently, in seconds (decision 61).
const RECENT: i64 = 15 * 60;

/// The session of a browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// ID.
    pub id: i64,
    /// The time at which the person signed in.
    pub signed_in_at: Time,
    /// The site administrator who acts in it, for a marked session.
    pub impersonator: Option<Arc<str>>,
}

impl Session {
    /// The time until which the person has signed in recently. In a marked session, they have not signed in.
    #[must_use]
    pub fn recent_until(&self) -> Time {
        let lasts = if self.impersonator.is_some() { 0 } else { RECENT };
        self.signed_in_at.plus_seconds(lasts)
    }
}

/// The caller of a request.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    /// The person; none if the request carries no credentials.
    pub person: Option<Person>,
    /// The token that the person presented, if it was one.
    pub token: Option<Token>,
    /// The session, if the request came from a page.
    pub session: Option<Session>,
    /// True if the person counts as an outsider, because an organization does not let their application in (decision 81).
    pub is_outsider: bool,
    /// True for the operator, who runs a command on the store. The person is the one whose place they take, if any.
    pub is_operator: bool,
}

impl Caller {
    /// The ID of the application that acts for the person, if one does.
    #[must_use]
    pub fn application(&self) -> Option<i64> {
        self.token.as_ref()?.application.as_ref().map(|application| application.id)
    }

    /// The same caller, who counts as an outsider.
    #[must_use]
    pub fn as_outsider(&self) -> Self {
        Self { is_outsider: true, ..self.clone() }
    }

    /// The person whose action this is. The operator is not a person.
    #[must_use]
    pub fn actor(&self) -> Option<&Person> {
        self.person.as_ref().filter(|_| !self.is_operator)
    }

    /// True if the caller is known: a person or the operator.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.person.is_some() || self.is_operator
    }

    /// True if the person administers the site, and not through an application: none is granted that. The operator does.
    #[must_use]
    pub fn administers_site(&self) -> bool {
        self.is_operator || self.person.as_ref().is_some_and(|person| person.site_admin) && self.application().is_none()
    }

    /// The scopes that the caller may use: those of the token, or all of them in a session and for the operator.
    #[must_use]
    pub fn scopes(&self) -> Scopes {
        match (&self.token, &self.session) {
            (Some(token), _) => token.scopes,
            (None, Some(_)) => Scopes::ALL,
            (None, None) if self.is_operator => Scopes::ALL,
            (None, None) => Scopes::default(),
        }
    }

    /// The site administrator who acts as the person, if one does.
    #[must_use]
    pub fn impersonator(&self) -> Option<&Arc<str>> {
        let of_token = self.token.as_ref().and_then(|token| token.impersonator.as_ref());
        of_token.or_else(|| self.session.as_ref()?.impersonator.as_ref())
    }

    /// Refuses what a person may do only soon after they signed in. A token is of a program, which cannot sign in again.
    pub fn refuse_stale_session(&self, now: Time) -> Result<()> {
        match &self.session {
            Some(Session { impersonator: Some(_), .. }) => {
                Err(Error::Forbidden("You act for another person, for whom you cannot do this.".into()))
            }
            Some(session) if session.recent_until() <= now => Err(Error::StaleSession),
            _ => Ok(()),
        }
    }
}
