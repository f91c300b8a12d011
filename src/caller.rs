//! The caller of a request: the person, and the token that they presented.

use std::sync::Arc;

use crate::clock::Time;
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
}

/// The caller of a request.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    /// The person; none if the request carries no credentials.
    pub person: Option<Person>,
    /// The token that the person presented, if it was one.
    pub token: Option<Token>,
    /// The ID of the session, if the request came from a page.
    pub session: Option<i64>,
}

impl Caller {
    /// The scopes that the caller may use: those of the token, or all of them in a session.
    #[must_use]
    pub fn scopes(&self) -> Scopes {
        match (&self.token, self.session) {
            (Some(token), _) => token.scopes,
            (None, Some(_)) => Scopes::ALL,
            (None, None) => Scopes::default(),
        }
    }
}
