//! The self-description of the endpoint (RFC 7643, sections 5 to 7; RFC 7644, section 4), and the search over all
//! resources.

use serde_json::{Value, json};

use super::groups::Group;
use super::provider::{Provider, answer};
use super::query::{self, Query};
use super::resource;
use super::schema::{self, Attribute, Schema, boolean, complex, integer, reference, text};
use super::user::User;
use crate::error::{Error, Result};
use crate::operation::{Call, Cx, Rendered};
use crate::policy::Granted;

/// The supported features of the standard.
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
            "name": "Owner token",
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
    let (users, mut page) = resource::matching::<User>(cx, &provider, &query)?;
    query.start = (start - users).max(1);
    query.count -= i64::try_from(page.len()).unwrap_or(0);
    let (groups, rest) = resource::matching::<Group>(cx, &provider, &query)?;
    page.extend(rest);
    Ok(answer(200, &query::page(users + groups, start, page), None))
}

static CONFIG: Schema = Schema {
    id: "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig",
    name: "ServiceProviderConfig",
    description: "The supported features of the standard",
    attributes: &[
        reference("documentationUri", &["external"], "URL of the documentation.").read_only(),
        complex("patch", &[SUPPORTED], "Support for PATCH.").read_only().required(),
        complex(
            "bulk",
            &[
                SUPPORTED,
                integer("maxOperations", "Maximum number of operations in a request.").read_only().required(),
                integer("maxPayloadSize", "Maximum size of a request, in bytes.").read_only().required(),
            ],
            "Support for bulk requests.",
        )
        .read_only()
        .required(),
        complex(
            "filter",
            &[SUPPORTED, integer("maxResults", "Maximum number of resources in a response.").read_only().required()],
            "Support for filters.",
        )
        .read_only()
        .required(),
        complex("changePassword", &[SUPPORTED], "Support for setting passwords.").read_only().required(),
        complex("sort", &[SUPPORTED], "Support for sorting.").read_only().required(),
        complex("etag", &[SUPPORTED], "Versions.").read_only().required(),
        complex(
            "authenticationSchemes",
            &[
                text("type", "The type of the credentials.").read_only().required(),
                text("name", "Its name.").read_only().required(),
                text("description", "What it is.").read_only().required(),
                reference("specUri", &["external"], "URL of its specification.").read_only(),
                boolean("primary", "Whether it is the preferred scheme.").read_only(),
            ],
            "The supported authentication schemes.",
        )
        .many()
        .read_only()
        .required(),
    ],
};

const SUPPORTED: Attribute = boolean("supported", "Whether the feature is supported.").read_only().required();

static RESOURCE_TYPE: Schema = Schema {
    id: "urn:ietf:params:scim:schemas:core:2.0:ResourceType",
    name: "ResourceType",
    description: "A kind of resource",
    attributes: &[
        text("id", "ID.").read_only(),
        text("name", "Its name.").read_only().required(),
        text("description", "What it is.").read_only(),
        reference("endpoint", &["uri"], "Endpoint of the resources.").read_only().required(),
        reference("schema", &["uri"], "Schema of the resources.").read_only().required(),
        complex(
            "schemaExtensions",
            &[
                reference("schema", &["uri"], "The extension schema.").read_only().required(),
                boolean("required", "Whether the extension is required.").read_only().required(),
            ],
            "Schema extensions of the resources.",
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
        text("id", "ID.").read_only().required(),
        text("name", "Its name.").read_only(),
        text("description", "Description of the schema.").read_only(),
        complex(
            "attributes",
            &[
                text("name", "The name.").read_only().required(),
                text("type", "The type.").read_only().required(),
                boolean("multiValued", "Whether it has several values.").read_only().required(),
                text("description", "Description of the attribute.").read_only(),
                boolean("required", "Whether it must have a value.").read_only(),
                text("canonicalValues", "Expected values.").many().read_only(),
                boolean("caseExact", "Whether values are case-sensitive.").read_only(),
                text("mutability", "Whether and how the attribute can be changed.").read_only(),
                text("returned", "When the attribute is returned.").read_only(),
                text("uniqueness", "Whether values are unique.").read_only(),
                text("referenceTypes", "Types of the referenced resources.").many().read_only(),
            ],
            "The attributes.",
        )
        .many()
        .read_only()
        .required(),
    ],
};
