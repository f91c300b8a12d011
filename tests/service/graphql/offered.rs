//! The parts of the schema that clients can count on (decision 60): every type, field, argument and value of the least
//! to offer, but mutations and discussions, is in the schema that the server describes.

use std::collections::BTreeMap;

use crate::graphql::data;
use crate::support::{Value, World, json};

/// The default of `ownerAffiliations`, which the list leaves out.
const OWNERS: &str = "=[OWNER, COLLABORATOR]";

/// The arguments of every connection.
const PAGE: &str = "first last after before";

/// Types with their fields; `!` follows what is never null. Arguments are in parentheses, with their defaults.
const FIELDS: &[(&str, &str)] = &[
    (
        "Query",
        "viewer! search(page,query!,type!)! user(login!) organization(login!) repository(owner!,name!,followRenames=true) repositoryOwner(login!) \
         node(id!) nodes(ids!)! rateLimit(dryRun=false)",
    ),
    (
        "Organization",
        "id! databaseId login! name description email url! avatarUrl(size)! viewerCanAdminister! viewerIsAMember! \
         viewerCanCreateTeams! team(slug!) teams(page,orderBy,rootTeamsOnly=false,userLogins,query,role,privacy)! \
         membersWithRole(page)! repositories(page,privacy,isFork,isArchived,orderBy,affiliations,ownerAffiliations)!",
    ),
    ("OrganizationMemberEdge", "cursor! node role"),
    (
        "Team",
        "id! databaseId name! slug! combinedSlug! description privacy! notificationSetting! avatarUrl(size=400) url! \
         editTeamUrl! createdAt! updatedAt! organization! parentTeam viewerCanAdminister! ancestors(page)! \
         childTeams(page,immediateOnly=true,orderBy,userLogins)! members(page,membership=ALL,role,orderBy,query)! \
         repositories(page,orderBy,query)! invitations(page) reviewRequestDelegationEnabled! \
         reviewRequestDelegationAlgorithm reviewRequestDelegationMemberCount reviewRequestDelegationNotifyTeam!",
    ),
    ("TeamMemberEdge", "cursor! node! role!"),
    ("TeamRepositoryEdge", "cursor! node! permission!"),
    ("TeamEdge", "cursor! node"),
    (
        "User",
        "id! databaseId login! name bio company location email! avatarUrl(size)! url! isViewer! isSiteAdmin! createdAt! \
         updatedAt! organizations(page,orderBy)! organization(login!) organizationVerifiedDomainEmails(login!)! \
         repositories(page,privacy,isFork,isArchived,orderBy,affiliations,ownerAffiliations)!",
    ),
    ("OrganizationEdge", "cursor! node"),
    (
        "Repository",
        "id! databaseId name! nameWithOwner! owner! description url! isArchived! isPrivate! isFork! isTemplate! \
         visibility! createdAt! updatedAt! pushedAt viewerPermission viewerCanAdminister! \
         collaborators(page,affiliation,login,query)",
    ),
    ("RepositoryEdge", "cursor! node"),
    ("RepositoryCollaboratorEdge", "cursor! node! permission!"),
    (
        "OrganizationInvitation",
        "id! createdAt! email invitationType! invitee inviter! inviterActor organization! role! invitationSource!",
    ),
    ("OrganizationInvitationEdge", "cursor! node"),
    ("RateLimit", "limit! cost! remaining! used! nodeCount! resetAt!"),
    ("PageInfo", "hasNextPage! hasPreviousPage! startCursor endCursor"),
];

const CONNECTIONS: &[&str] = &[
    "OrganizationConnection",
    "OrganizationInvitationConnection",
    "OrganizationMemberConnection",
    "RepositoryCollaboratorConnection",
    "RepositoryConnection",
    "TeamConnection",
    "TeamMemberConnection",
    "TeamRepositoryConnection",
];

const VALUES: &[(&str, &str)] = &[
    ("CollaboratorAffiliation", "ALL DIRECT OUTSIDE"),
    ("OrganizationInvitationRole", "ADMIN BILLING_MANAGER DIRECT_MEMBER REINSTATE"),
    ("OrganizationInvitationType", "EMAIL USER"),
    ("OrganizationMemberRole", "ADMIN MEMBER"),
    ("RepositoryPermission", "READ TRIAGE WRITE MAINTAIN ADMIN"),
    ("TeamMemberOrderField", "CREATED_AT LOGIN"),
    ("TeamMemberRole", "MAINTAINER MEMBER"),
    ("TeamMembershipType", "ALL CHILD_TEAM IMMEDIATE"),
    ("TeamOrderField", "NAME"),
    ("TeamPrivacy", "SECRET VISIBLE"),
    ("TeamRepositoryOrderField", "CREATED_AT NAME PERMISSION PUSHED_AT STARGAZERS UPDATED_AT"),
    ("TeamReviewAssignmentAlgorithm", "ROUND_ROBIN LOAD_BALANCE"),
    ("TeamRole", "ADMIN MEMBER"),
];

const DESCRIBED: &str = "{ __schema { types { name enumValues { name } fields(includeDeprecated: true) {
    name type { kind } args { name defaultValue type { kind } } } } } }";

/// The name of a field or an argument, with `!` if it is never null.
fn marked(described: &Value) -> String {
    let never_null = if described["type"]["kind"] == "NON_NULL" { "!" } else { "" };
    format!("{}{never_null}", described["name"].as_str().unwrap_or_default())
}

fn list<'v>(found: &'v BTreeMap<String, Value>, kind: &str, part: &str) -> &'v [Value] {
    found[kind][part].as_array().expect("a list of the schema")
}

/// Asserts that the fields of a type, and their arguments, are the wanted ones.
fn assert_fields(found: &BTreeMap<String, Value>, kind: &str, wanted: &str) {
    for field in wanted.split_whitespace() {
        let (name, rest) = field.split_once('(').unwrap_or((field.trim_end_matches('!'), ""));
        let described = list(found, kind, "fields").iter().find(|field| field["name"] == *name);
        let described = described.unwrap_or_else(|| panic!("{kind}.{name} is not offered"));
        let never_null = if field.ends_with('!') { "!" } else { "" };
        assert_eq!(marked(described), format!("{name}{never_null}"), "{kind}");
        let offered: Vec<String> = described["args"].as_array().expect("arguments").iter().map(argument).collect();
        let asked = rest.split(')').next().unwrap_or_default().split(',').filter(|asked| !asked.is_empty());
        for asked in asked.flat_map(|asked| if asked == "page" { PAGE } else { asked }.split(' ')) {
            let is_asked = |known: &String| known == asked || known.strip_suffix(OWNERS) == Some(asked);
            assert!(offered.iter().any(is_asked), "{kind}.{name}({asked}) is not among {offered:?}");
        }
    }
}

fn argument(described: &Value) -> String {
    // A default of null says no more than no default.
    let default = described["defaultValue"].as_str().filter(|default| *default != "null");
    format!("{}{}", marked(described), default.map(|default| format!("={default}")).unwrap_or_default())
}

#[test]
fn the_least_to_offer_is_offered() {
    let world = World::new();
    let described = data(&world.max(), DESCRIBED, json!({}));
    let types = described["__schema"]["types"].as_array().expect("types").iter();
    let found: BTreeMap<String, Value> =
        types.map(|kind| (kind["name"].as_str().unwrap_or_default().to_owned(), kind.clone())).collect();
    for (kind, fields) in FIELDS {
        assert!(found.contains_key(*kind), "{kind} is not offered");
        assert_fields(&found, kind, fields);
    }
    for kind in CONNECTIONS {
        assert_fields(&found, kind, "nodes edges pageInfo! totalCount!");
    }
    for (kind, wanted) in VALUES {
        let values: Vec<&Value> = list(&found, kind, "enumValues").iter().map(|value| &value["name"]).collect();
        for value in wanted.split(' ') {
            assert!(values.contains(&&json!(value)), "{kind}.{value} is not offered");
        }
    }
}
