//! An organization or the site: each has an audit log and webhooks, in rooms that look alike.

use super::Organization;
use crate::error::Result;
use crate::links::segment;
use crate::pages::guest::Guest;

/// The one that the path of a room names.
#[derive(Clone, Copy)]
pub(in crate::pages) enum At<'a> {
    /// The organization with this login.
    Organization(&'a str),
    Site,
}

impl<'a> At<'a> {
    /// The path of its rooms below `/ui`.
    pub fn path(self) -> String {
        match self {
            Self::Organization(org) => format!("/orgs/{}", segment(org)),
            Self::Site => "/admin".to_owned(),
        }
    }

    /// The operation for organizations or the one for the site, with the words of its path.
    pub(super) fn operation<'p>(
        self,
        [of_org, of_site]: [&'static str; 2],
        below: &[(&'static str, &'p str)],
    ) -> (&'static str, Vec<(&'static str, &'p str)>)
    where
        'a: 'p,
    {
        match self {
            Self::Organization(org) => (of_org, [&[("org", org)], below].concat()),
            Self::Site => (of_site, below.to_vec()),
        }
    }
}

/// An organization, or the site.
pub(super) enum Holder {
    Organization(Organization),
    Site,
}

impl Holder {
    /// Looks it up; 404 for an organization that the visitor does not see.
    pub async fn find(guest: &Guest<'_>, at: At<'_>) -> Result<Self> {
        match at {
            At::Organization(org) => Organization::find(guest, org).await.map(Self::Organization),
            At::Site => Ok(Self::Site),
        }
    }

    /// The organization, if it is one.
    pub fn org(&self) -> Option<&Organization> {
        match self {
            Self::Organization(of) => Some(of),
            Self::Site => None,
        }
    }

    /// It, as the path of a room names it.
    pub fn at(&self) -> At<'_> {
        self.org().map_or(At::Site, |of| At::Organization(&of.login))
    }

    /// The path of its rooms below `/ui`.
    pub fn path(&self) -> String {
        self.at().path()
    }

    /// Its name in titles.
    pub fn called(&self) -> &str {
        self.org().map_or("Site administration", Organization::called)
    }
}
