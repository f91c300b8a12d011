//! The service's description of itself: its entry points and its properties.
//!
//! Only URLs that exist are listed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Site;
use crate::error::Result;
use crate::operation::{Cx, Record};
use crate::policy::Granted;

/// The entry points of the API: URLs and URL templates.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "root")]
pub struct Root {
    /// The caller.
    pub current_user_url: String,
    /// The caller's repositories.
    pub current_user_repositories_url: String,
    /// The caller's e-mail addresses.
    pub emails_url: String,
    /// An organization.
    pub organization_url: String,
    /// The repositories of an organization.
    pub organization_repositories_url: String,
    /// The teams of an organization.
    pub organization_teams_url: String,
    /// All organizations.
    pub organizations_url: String,
    /// The caller's rate limit.
    pub rate_limit_url: String,
    /// The caller's notifications.
    pub notifications_url: String,
    /// A repository.
    pub repository_url: String,
    /// The repositories that a search finds.
    pub repository_search_url: String,
    /// A person or an organization.
    pub user_url: String,
    /// The caller's organizations.
    pub user_organizations_url: String,
    /// The repositories of a person or an organization.
    pub user_repositories_url: String,
    /// The caller's teams.
    pub user_teams_url: String,
}

/// Get the entry points of the API.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetRoot {}

/// Gets the URLs from which everything else is reached.
pub fn root(cx: &mut Cx, _: Granted<Site>, _: GetRoot) -> Result<Record<Root>> {
    let at = |path: &str| cx.links.api(path);
    Ok(Record::from(Root {
        current_user_url: at("/user"),
        current_user_repositories_url: at("/user/repos"),
        emails_url: at("/user/emails"),
        organization_url: at("/orgs/{org}"),
        organization_repositories_url: at("/orgs/{org}/repos"),
        organization_teams_url: at("/orgs/{org}/teams"),
        organizations_url: at("/organizations"),
        rate_limit_url: at("/rate_limit"),
        notifications_url: at("/notifications"),
        repository_url: at("/repos/{owner}/{repo}"),
        repository_search_url: at("/search/repositories?q={query}{&page,per_page,sort,order}"),
        user_url: at("/users/{user}"),
        user_organizations_url: at("/user/orgs"),
        user_repositories_url: at("/users/{user}/repos"),
        user_teams_url: at("/user/teams"),
    }))
}

/// Properties of the service.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "meta")]
pub struct Meta {
    /// Whether passwords are accepted. Always false.
    pub verifiable_password_authentication: bool,
    /// The version of GitHub Enterprise Server that the setting `compat.enterprise_version` names. Absent unless it is
    /// set: clients take a service with a version for one that sends no invitations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installed_version: Option<String>,
    /// IP addresses that webhooks are delivered from. Always empty, because only the operator knows them.
    pub hooks: [&'static str; 0],
    /// IP addresses of the web pages. Always empty.
    pub web: [&'static str; 0],
    /// IP addresses of the REST API. Always empty.
    pub api: [&'static str; 0],
}

/// Get properties of the service that clients look for.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets the properties of the service.
pub fn get(cx: &mut Cx, _: Granted<Site>, _: Get) -> Result<Record<Meta>> {
    Ok(Record::from(Meta {
        verifiable_password_authentication: false,
        installed_version: cx.site.compat.enterprise_version.clone(),
        hooks: [],
        web: [],
        api: [],
    }))
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
