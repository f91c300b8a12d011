//! The schemas of what a provider sends and reads, as data. Accepting, comparing, patching and publishing all use these
//! tables (RFC 7643, sections 4 and 7).

use serde_json::{Value, json};

/// The type of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// True or false.
    Boolean,
    /// A whole number.
    Integer,
    /// A time.
    DateTime,
    /// The URL of one of these.
    Reference(&'static [&'static str]),
    /// Attributes of its own.
    Complex(&'static [Attribute]),
}

/// One attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the standard has as many properties of an attribute")]
pub struct Attribute {
    /// Its name as it is spelled in the schema; names are compared case-insensitively.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// Description.
    pub description: &'static str,
    /// True if it has several values.
    pub many: bool,
    /// True if it must have a value.
    pub required: bool,
    /// True if the service sets a value that it must have and that was not sent.
    pub defaulted: bool,
    /// True if only the service sets it.
    pub read_only: bool,
    /// True if comparisons are case-sensitive.
    pub case_exact: bool,
    /// True if no other resource may have the same value.
    pub unique: bool,
    /// The canonical values.
    pub choices: &'static [&'static str],
}

/// The attributes of a kind of resource, or of a description.
#[derive(Debug)]
pub struct Schema {
    /// Its URN.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Description.
    pub description: &'static str,
    /// Its attributes.
    pub attributes: &'static [Attribute],
}

const fn new(name: &'static str, kind: Kind, description: &'static str) -> Attribute {
    Attribute {
        name,
        kind,
        description,
        many: false,
        required: false,
        defaulted: false,
        read_only: false,
        case_exact: false,
        unique: false,
        choices: &[],
    }
}

pub(super) const fn text(name: &'static str, description: &'static str) -> Attribute {
    new(name, Kind::Text, description)
}

pub(super) const fn boolean(name: &'static str, description: &'static str) -> Attribute {
    new(name, Kind::Boolean, description)
}

pub(super) const fn integer(name: &'static str, description: &'static str) -> Attribute {
    new(name, Kind::Integer, description)
}

pub(super) const fn reference(name: &'static str, to: &'static [&'static str], description: &'static str) -> Attribute {
    Attribute { case_exact: true, ..new(name, Kind::Reference(to), description) }
}

pub(super) const fn complex(name: &'static str, of: &'static [Attribute], description: &'static str) -> Attribute {
    new(name, Kind::Complex(of), description)
}

impl Attribute {
    pub(super) const fn many(self) -> Self {
        Self { many: true, ..self }
    }

    pub(super) const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    const fn defaulted(self) -> Self {
        Self { defaulted: true, ..self }
    }

    pub(super) const fn read_only(self) -> Self {
        Self { read_only: true, ..self }
    }

    const fn exact(self) -> Self {
        Self { case_exact: true, ..self }
    }

    const fn unique(self) -> Self {
        Self { unique: true, ..self }
    }

    const fn of(self, choices: &'static [&'static str]) -> Self {
        Self { choices, ..self }
    }

    /// The attributes of a complex attribute.
    #[must_use]
    pub fn parts(&self) -> &'static [Attribute] {
        if let Kind::Complex(parts) = self.kind { parts } else { &[] }
    }

    fn published(&self) -> Value {
        let kind = match self.kind {
            Kind::Text => "string",
            Kind::Boolean => "boolean",
            Kind::Integer => "integer",
            Kind::DateTime => "dateTime",
            Kind::Reference(_) => "reference",
            Kind::Complex(_) => "complex",
        };
        let mut published = json!({
            "name": self.name,
            "type": kind,
            "multiValued": self.many,
            "description": self.description,
            "required": self.required,
            "caseExact": self.case_exact,
            "mutability": if self.read_only { "readOnly" } else { "readWrite" },
            "returned": "default",
            "uniqueness": if self.unique { "server" } else { "none" },
        });
        if !self.choices.is_empty() {
            published["canonicalValues"] = json!(self.choices);
        }
        if let Kind::Reference(to) = self.kind {
            published["referenceTypes"] = json!(to);
        }
        if let Kind::Complex(parts) = self.kind {
            published["subAttributes"] = parts.iter().map(Self::published).collect();
        }
        published
    }
}

impl Schema {
    /// The attribute of this name, including those that every resource has.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&'static Attribute> {
        find(self.attributes, name).or_else(|| find(COMMON, name))
    }

    /// The schema as clients read it.
    #[must_use]
    pub fn published(&self, base: &str) -> Value {
        json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
            "id": self.id,
            "name": self.name,
            "description": self.description,
            "attributes": self.attributes.iter().map(Attribute::published).collect::<Value>(),
            "meta": { "resourceType": "Schema", "location": format!("{base}/Schemas/{}", self.id) },
        })
    }
}

/// The attribute of this name, in any case.
#[must_use]
pub fn find(attributes: &'static [Attribute], name: &str) -> Option<&'static Attribute> {
    attributes.iter().find(|attribute| attribute.name.eq_ignore_ascii_case(name))
}

/// The attributes that every resource has; no schema lists them.
const COMMON: &[Attribute] = &[
    text("id", "ID assigned by the service.").exact().read_only(),
    text("externalId", "ID assigned by the identity provider.").exact(),
    complex(
        "meta",
        &[
            text("resourceType", "The kind of resource.").exact().read_only(),
            new("created", Kind::DateTime, "Creation time.").read_only(),
            new("lastModified", Kind::DateTime, "Time of the last change.").read_only(),
            reference("location", &["uri"], "URL of the resource.").read_only(),
        ],
        "Metadata of the resource.",
    )
    .read_only(),
    complex(
        "groups",
        &[text("value", "ID of the group.").exact()],
        "Groups of a person, set by the members of each group.",
    )
    .many()
    .read_only(),
];

/// People.
pub static USER: Schema = Schema {
    id: "urn:ietf:params:scim:schemas:core:2.0:User",
    name: "User",
    description: "A person of the organization",
    attributes: &[
        text("userName", "The username at the identity provider. The login is made from the part before an @.")
            .required()
            .unique(),
        complex(
            "name",
            &[
                text("formatted", "The full name."),
                text("familyName", "The family name."),
                text("givenName", "The given name."),
                text("middleName", "The middle names."),
                text("honorificPrefix", "Honorific before the name."),
                text("honorificSuffix", "Honorific after the name."),
            ],
            "The parts of the person's name.",
        ),
        text("displayName", "The display name."),
        text("nickName", "The nickname."),
        text("title", "The title."),
        text("userType", "The organization's term for this kind of person."),
        text("preferredLanguage", "The preferred language."),
        text("locale", "The locale for dates and numbers."),
        text("timezone", "The time zone."),
        boolean("active", "Whether the person is active in the organization.").required().defaulted(),
        complex(
            "emails",
            &[
                text("value", "The e-mail address."),
                text("type", "The use of the e-mail address.").of(&["work", "home", "other"]),
                boolean("primary", "Whether it is the primary e-mail address."),
            ],
            "E-mail addresses. They match invitations to the organization.",
        )
        .many(),
    ],
};

/// Groups of people.
pub static GROUP: Schema = Schema {
    id: "urn:ietf:params:scim:schemas:core:2.0:Group",
    name: "Group",
    description: "A group of people that teams can follow",
    attributes: &[
        text("displayName", "The name of the group.").required().unique(),
        complex(
            "members",
            &[
                text("value", "ID of the person.").exact(),
                reference("$ref", &["User"], "URL of the person."),
                text("type", "The kind of member.").of(&["User"]),
            ],
            "Members of the group.",
        )
        .many(),
    ],
};
