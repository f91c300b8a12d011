//! The routes of provisioning. They are rows like those of the table, but their wire format is that of RFC 7644. So
//! they are separate: they appear in no document of the API, and all of them are for owners.
//!
//! Implements decision 49: without the enterprise plan, the records of an organization can still be read, deactivated
//! and deleted.

use super::groups::{self, Group};
use super::provider::{Provider, REFUSAL};
use super::user::User;
use super::users;
use super::{discovery, resource};
use crate::operation::{Method, Operation, RawOperation, raw};
use crate::policy::{ENTERPRISE, OWNER, Rule};
use crate::scope::ADMIN_ORG;

/// The prefix of all paths.
pub const PREFIX: &str = "/scim/v2/";

/// All paths and their functions.
#[rustfmt::skip]
#[must_use]
pub fn operations() -> Vec<Operation> {
    use Method::{Delete, Get, Patch, Post, Put};
    let of = |rule: Rule| {
        let who_may = rule.or_say(REFUSAL);
        move |method, name, below, call: RawOperation<Provider>| {
            raw(method, name, below, ADMIN_ORG, who_may.clone(), call)
        }
    };
    // `users` itself authorizes a change of a person, because it may be a deactivation.
    let (row, paid) = (of(OWNER), of(OWNER & ENTERPRISE));
    vec![
        row(Get,    "scim.getServiceProviderConfig", "/ServiceProviderConfig", discovery::config),
        row(Get,    "scim.listResourceTypes",        "/ResourceTypes",         discovery::resource_types),
        row(Get,    "scim.getResourceType",          "/ResourceTypes/{id}",    discovery::resource_type),
        row(Get,    "scim.listSchemas",              "/Schemas",               discovery::schemas),
        row(Get,    "scim.getSchema",                "/Schemas/{id}",          discovery::schema),
        paid(Post,   "scim.search",                   "/.search",               discovery::search),
        row(Get,    "scim.listUsers",                "/Users",                 resource::list::<User>),
        paid(Post,   "scim.createUser",               "/Users",                 users::create),
        paid(Post,   "scim.searchUsers",              "/Users/.search",         resource::search::<User>),
        row(Get,    "scim.getUser",                  "/Users/{id}",            resource::get::<User>),
        row(Put,    "scim.replaceUser",              "/Users/{id}",            users::replace),
        row(Patch,  "scim.updateUser",               "/Users/{id}",            users::modify),
        row(Delete, "scim.deleteUser",               "/Users/{id}",            users::delete),
        row(Get,    "scim.listGroups",               "/Groups",                resource::list::<Group>),
        paid(Post,   "scim.createGroup",              "/Groups",                groups::create),
        paid(Post,   "scim.searchGroups",             "/Groups/.search",        resource::search::<Group>),
        row(Get,    "scim.getGroup",                 "/Groups/{id}",           resource::get::<Group>),
        paid(Put,    "scim.replaceGroup",             "/Groups/{id}",           groups::replace),
        paid(Patch,  "scim.updateGroup",              "/Groups/{id}",           groups::modify),
        row(Delete, "scim.deleteGroup",              "/Groups/{id}",           groups::delete),
    ]
}
