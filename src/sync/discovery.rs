//! What the endpoint says of itself (RFC 7643, sections 5 to 7; RFC 7644, section 4), and the search over everything.

use serde_json::{Value, json};

use super::groups::Group;
use super::listing;
use super::provider::{Provider, answer};
use super::query::{self, Query};
use super::schema::{self, Attribute, Schema, boolean, complex, integer, reference, text};
use super::users::User;
use crate::error::{Error, Result};
use crate::operation::{Call, Cx, Rendered};
use crate::policy::Granted;

/// What of the standard is offered.
#[expect(clippy::unnecessary_wraps, reason = "every row answers with a result")]
pub fn config(cx: &mut Cx, provider: Granted<Provider>, _: &Call) -> Result<Rendered> {
    let base = provider.base(cx);
    let config = json!({
        "schemas": [CONFIG.id],
        "documentationUri": cx.links.html("/docs#provisioning"),
        "patch": { "supported": true },
        "bulk": { "supported": false, "maxOperations": 0, "maxPayloadSize": 0 },
        "filter": { "supported": true, "maxResults": query::MOST },
        "changePassword": { "supported": false },
        "sort": { "supported": false },
        "etag": { "supported": false },
        "authenticationSchemes": [{
            "type": "oauthbearertoken",
            "name": "Token of an owner",
            "description": "The token of an organization owner with the scope admin:org, as a bearer token.",
            "specUri": "https://www.rfc-editor.org/rfc/rfc6750",
            "primary": true,
        }],
        "meta": { "resourceType": "ServiceProviderConfig", "location": format!("{base}/ServiceProviderConfig") },
    });
    Ok(answer(200, &config, None))
}

fn types(base: &str) -> Vec<Value> {
    let kind = |schema: &Schema| {
        json!({
            "schemas": [RESOURCE_TYPE.id],
            "id": schema.name,
            "name": schema.name,
            "description": schema.description,
            "endpoint": format!("/{}s", schema.name),
            "schema": schema.id,
            "meta": { "resourceType": "ResourceType", "location": format!("{base}/ResourceTypes/{}", schema.name) },
        })
    };
    vec![kind(&schema::USER), kind(&schema::GROUP)]
}

/// The kinds of resources.
#[expect(clippy::unnecessary_wraps, reason = "every row answers with a result")]
pub fn resource_types(cx: &mut Cx, provider: Granted<Provider>, _: &Call) -> Result<Rendered> {
    Ok(all(types(&provider.base(cx))))
}

/// One kind of resource.
pub fn resource_type(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    one(types(&provider.base(cx)), call)
}

fn published(base: &str) -> Vec<Value> {
    [&schema::USER, &schema::GROUP, &CONFIG, &RESOURCE_TYPE, &SCHEMA].map(|schema| schema.published(base)).to_vec()
}

/// The schemas.
#[expect(clippy::unnecessary_wraps, reason = "every row answers with a result")]
pub fn schemas(cx: &mut Cx, provider: Granted<Provider>, _: &Call) -> Result<Rendered> {
    Ok(all(published(&provider.base(cx))))
}

/// One schema.
pub fn schema(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    one(published(&provider.base(cx)), call)
}

fn all(documents: Vec<Value>) -> Rendered {
    let total = i64::try_from(documents.len()).unwrap_or(0);
    let resources = documents.into_iter().filter_map(|one| if let Value::Object(one) = one { Some(one) } else { None });
    answer(200, &query::page(total, 1, resources.collect()), None)
}

fn one(documents: Vec<Value>, call: &Call) -> Result<Rendered> {
    let named = call.path.get("id").unwrap_or_default();
    let found = documents.into_iter().find(|one| one["id"] == named).ok_or(Error::NotFound)?;
    Ok(answer(200, &found, None))
}

/// Lists people and groups together, people first.
pub fn search(cx: &mut Cx, provider: Granted<Provider>, call: &Call) -> Result<Rendered> {
    let mut query = Query::of_body(call)?;
    let start = query.start;
    let (users, mut page) = listing::list::<User>(cx, &provider, &query)?;
    query.start = (start - users).max(1);
    query.count -= i64::try_from(page.len()).unwrap_or(0);
    let (groups, rest) = listing::list::<Group>(cx, &provider, &query)?;
    page.extend(rest);
    Ok(answer(200, &query::page(users + groups, start, page), None))
}

static CONFIG: Schema = Schema {
    id: "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig",
    name: "ServiceProviderConfig",
    description: "What of the standard is offered",
    attributes: &[
        reference("documentationUri", &["external"], "Where to read more.").read_only(),
        complex("patch", &[SUPPORTED], "Changing parts.").read_only().required(),
        complex(
            "bulk",
            &[
                SUPPORTED,
                integer("maxOperations", "How many at once.").read_only().required(),
                integer("maxPayloadSize", "How many bytes at once.").read_only().required(),
            ],
            "Several changes at once.",
        )
        .read_only()
        .required(),
        complex(
            "filter",
            &[SUPPORTED, integer("maxResults", "How many resources at once.").read_only().required()],
            "Asking for some.",
        )
        .read_only()
        .required(),
        complex("changePassword", &[SUPPORTED], "Setting passwords.").read_only().required(),
        complex("sort", &[SUPPORTED], "Other orders.").read_only().required(),
        complex("etag", &[SUPPORTED], "Versions.").read_only().required(),
        complex(
            "authenticationSchemes",
            &[
                text("type", "The kind of credentials.").read_only().required(),
                text("name", "Its name.").read_only().required(),
                text("description", "What it is.").read_only().required(),
                reference("specUri", &["external"], "Its specification.").read_only(),
                boolean("primary", "Whether it is the preferred one.").read_only(),
            ],
            "How to authenticate.",
        )
        .many()
        .read_only()
        .required(),
    ],
};

const SUPPORTED: Attribute = boolean("supported", "Whether it is offered.").read_only().required();

static RESOURCE_TYPE: Schema = Schema {
    id: "urn:ietf:params:scim:schemas:core:2.0:ResourceType",
    name: "ResourceType",
    description: "A kind of resource",
    attributes: &[
        text("id", "Its identifier.").read_only(),
        text("name", "Its name.").read_only().required(),
        text("description", "What it is.").read_only(),
        reference("endpoint", &["uri"], "Where such resources are.").read_only().required(),
        reference("schema", &["uri"], "What is in them.").read_only().required(),
        complex(
            "schemaExtensions",
            &[
                reference("schema", &["uri"], "The further schema.").read_only().required(),
                boolean("required", "Whether it must be there.").read_only().required(),
            ],
            "What else is in them.",
        )
        .many()
        .read_only(),
    ],
};

static SCHEMA: Schema = Schema {
    id: "urn:ietf:params:scim:schemas:core:2.0:Schema",
    name: "Schema",
    description: "The attributes of a kind of resource",
    attributes: &[
        text("id", "Its identifier.").read_only().required(),
        text("name", "Its name.").read_only(),
        text("description", "What it describes.").read_only(),
        complex(
            "attributes",
            &[
                text("name", "The name.").read_only().required(),
                text("type", "The type.").read_only().required(),
                boolean("multiValued", "Whether it has several values.").read_only().required(),
                text("description", "What it is for.").read_only(),
                boolean("required", "Whether it must have a value.").read_only(),
                text("canonicalValues", "Values that are expected.").many().read_only(),
                boolean("caseExact", "Whether case counts.").read_only(),
                text("mutability", "Who changes it.").read_only(),
                text("returned", "When it is shown.").read_only(),
                text("uniqueness", "Whether no other resource has the same.").read_only(),
                text("referenceTypes", "What it is the address of.").many().read_only(),
            ],
            "The attributes.",
        )
        .many()
        .read_only()
        .required(),
    ],
};
