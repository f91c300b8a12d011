//! The service's description of itself: its entry points and its properties.
//!
//! Only URLs that exist are listed.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Site;
use crate::error::Result;
use crate::links::Links;
use crate::operation::{Cx, Record};
use crate::policy::Granted;
use crate::record::record;

record! {
    /// The entry points of the API: URLs and URL templates.
    #[schemars(rename = "root")]
    pub struct Root {
        /// The caller.
        pub current_user_url: String = at("/user"),
        /// The caller's repositories.
        pub current_user_repositories_url: String = at("/user/repos"),
        /// The caller's e-mail addresses.
        pub emails_url: String = at("/user/emails"),
        /// An organization.
        pub organization_url: String = at("/orgs/{org}"),
        /// The repositories of an organization.
        pub organization_repositories_url: String = at("/orgs/{org}/repos"),
        /// The teams of an organization.
        pub organization_teams_url: String = at("/orgs/{org}/teams"),
        /// All organizations.
        pub organizations_url: String = at("/organizations"),
        /// The caller's rate limit.
        pub rate_limit_url: String = at("/rate_limit"),
        /// The caller's notifications.
        pub notifications_url: String = at("/notifications"),
        /// A repository.
        pub repository_url: String = at("/repos/{owner}/{repo}"),
        /// The repositories that a search finds.
        pub repository_search_url: String = at("/search/repositories?q={query}{&page,per_page,sort,order}"),
        /// A person or an organization.
        pub user_url: String = at("/users/{user}"),
        /// The caller's organizations.
        pub user_organizations_url: String = at("/user/orgs"),
        /// The repositories of a person or an organization.
        pub user_repositories_url: String = at("/users/{user}/repos"),
        /// The caller's teams.
        pub user_teams_url: String = at("/user/teams"),
    }

    /// The entry points, with the base of these URLs.
    fn new(links: &Links) {
        let at = |path: &str| links.api(path);
    }
}

/// Get the entry points of the API.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetRoot {}

/// Gets the URLs from which everything else is reached.
pub fn root(cx: &mut Cx, _: Granted<Site>, _: GetRoot) -> Result<Record<Root>> {
    Ok(Root::new(cx.links).into())
}

record! {
    /// Properties of the service.
    #[schemars(rename = "meta")]
    pub struct Meta {
        /// True if passwords are accepted. Always false.
        pub verifiable_password_authentication: bool = false,
        /// The version of GitHub Enterprise Server that the setting `compat.enterprise_version` names. Absent unless it
        /// is set: clients take a service with a version for one that sends no invitations.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub installed_version: Option<String> = enterprise_version,
        /// IP addresses that webhooks are delivered from. Always empty, because only the operator knows them.
        pub hooks: [&'static str; 0] = [],
        /// IP addresses of the web pages. Always empty.
        pub web: [&'static str; 0] = [],
        /// IP addresses of the REST API. Always empty.
        pub api: [&'static str; 0] = [],
    }

    /// The properties of a service with this setting.
    fn new(enterprise_version: Option<String>) {}
}

/// Get properties of the service that clients look for.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets the properties of the service.
pub fn get(cx: &mut Cx, _: Granted<Site>, _: Get) -> Result<Record<Meta>> {
    Ok(Meta::new(cx.site.compat.enterprise_version.clone()).into())
}

/// List the versions of the API, by date. Clients may send one in `X-GitHub-Api-Version`; it changes no response.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetVersions {}

/// Lists the versions of the API.
pub fn versions(_: &mut Cx, _: Granted<Site>, _: GetVersions) -> Result<Record<Vec<&'static str>>> {
    Ok(vec![VERSION].into())
}

/// The version of the API that responses follow.
const VERSION: &str = "2022-11-28";
