//! The addresses of provisioning. They are rows like those of the table, but their wire format is that of RFC 7644, so
//! they stand apart: in no document of the interface, and every one for owners.

use super::provider::Provider;
use super::{discovery, groups, users};
use crate::access::scope::ADMIN_ORG;
use crate::operation::{Foreign, Method, Operation, foreign};
use crate::policy::OWNER;

/// What everything of it begins with.
pub const PREFIX: &str = "/scim/v2/";

const OWNERS_ONLY: &str = "You must be an organization owner to provision people and groups.";

/// Every address and what runs.
#[rustfmt::skip]
#[must_use]
pub fn operations() -> Vec<Operation> {
    use Method::{Delete, Get, Patch, Post, Put};
    let row = |method, name, below: &str, call: Foreign<Provider>| {
        foreign(method, name, below, (ADMIN_ORG, OWNER, OWNERS_ONLY), call)
    };
    vec![
        row(Get,    "scim.getServiceProviderConfig", "/ServiceProviderConfig", discovery::config),
        row(Get,    "scim.listResourceTypes",        "/ResourceTypes",         discovery::resource_types),
        row(Get,    "scim.getResourceType",          "/ResourceTypes/{id}",    discovery::resource_type),
        row(Get,    "scim.listSchemas",              "/Schemas",               discovery::schemas),
        row(Get,    "scim.getSchema",                "/Schemas/{id}",          discovery::schema),
        row(Post,   "scim.search",                   "/.search",               discovery::search),
        row(Get,    "scim.listUsers",                "/Users",                 users::list),
        row(Post,   "scim.createUser",               "/Users",                 users::create),
        row(Post,   "scim.searchUsers",              "/Users/.search",         users::search),
        row(Get,    "scim.getUser",                  "/Users/{id}",            users::get),
        row(Put,    "scim.replaceUser",              "/Users/{id}",            users::replace),
        row(Patch,  "scim.updateUser",               "/Users/{id}",            users::modify),
        row(Delete, "scim.deleteUser",               "/Users/{id}",            users::delete),
        row(Get,    "scim.listGroups",               "/Groups",                groups::list),
        row(Post,   "scim.createGroup",              "/Groups",                groups::create),
        row(Post,   "scim.searchGroups",             "/Groups/.search",        groups::search),
        row(Get,    "scim.getGroup",                 "/Groups/{id}",           groups::get),
        row(Put,    "scim.replaceGroup",             "/Groups/{id}",           groups::replace),
        row(Patch,  "scim.updateGroup",              "/Groups/{id}",           groups::modify),
        row(Delete, "scim.deleteGroup",              "/Groups/{id}",           groups::delete),
    ]
}
