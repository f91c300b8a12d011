//! The queries of programs that manage more than teams: Backstage, cartography, legitify and `gh`.

use crate::graphql::{ask, data, names};
use crate::support::{Client, World, json};

/// `acme` with `web`, which has topics, and the fork that Nina made of it.
pub fn world() -> World {
    let world = World::new();
    let web =
        json!({ "name": "web", "description": "Ours", "homepage": "https://example.com", "topics": ["rust", "api"] });
    world.olivia().post("/orgs/acme/repos", web).expect(201);
    world.nina().post("/repos/acme/web/forks", json!({})).expect(202);
    world
}

#[test]
fn backstage_reads_repositories_with_the_file_of_its_catalog() {
    let world = world();
    let fields = "name url isArchived isFork visibility file: object(expression: $file) { __typename ... on Blob { id
        text } } repositoryTopics(first: 100) { nodes { ... on RepositoryTopic { topic { name } } } }
        defaultBranchRef { name }";
    let query = format!(
        "query($org: String!, $file: String!, $after: String) {{ repositoryOwner(login: $org) {{ login
        repositories(first: 25, after: $after) {{ nodes {{ {fields} }} pageInfo {{ hasNextPage endCursor }} }}
        repository(name: \"WEB\") {{ {fields} }} }} }}"
    );
    let variables = json!({ "org": "acme", "file": "HEAD:catalog-info.yaml", "after": null });
    let found = data(&world.max(), &query, variables)["repositoryOwner"].clone();
    let expected = json!({
        "name": "web", "url": format!("{}/ui/acme/web", world.base), "isArchived": false, "isFork": false,
        "visibility": "PUBLIC", "file": null, "defaultBranchRef": null,
        "repositoryTopics": { "nodes": [{ "topic": { "name": "api" } }, { "topic": { "name": "rust" } }] },
    });
    assert_eq!((&found["repositories"]["nodes"], &found["repository"]), (&json!([expected]), &expected));
    let people = "query($org: String!, $email: Boolean!) { organization(login: $org) { membersWithRole(first: 50) {
        pageInfo { hasNextPage endCursor } nodes { avatarUrl bio email @include(if: $email) id login name suspendedAt
        organizationVerifiedDomainEmails(login: $org) } } } }";
    let found = data(&world.max(), people, json!({ "org": "acme", "email": true }));
    let nodes = found["organization"]["membersWithRole"]["nodes"].as_array().expect("nodes").clone();
    assert_eq!(nodes.len(), 5);
    assert!(nodes.iter().all(|one| one["suspendedAt"].is_null()), "{nodes:?}");
}

#[test]
fn owners_and_administrators_see_who_is_suspended() {
    let world = World::new();
    let query = "{ organization(login: \"acme\") { membersWithRole(first: 50) { nodes { login suspendedAt } } } }";
    let suspended = |client: &Client| -> Vec<String> {
        let found = data(client, query, json!({}));
        let nodes = found["organization"]["membersWithRole"]["nodes"].as_array().expect("nodes").clone();
        let some = nodes.iter().filter(|one| !one["suspendedAt"].is_null());
        some.map(|one| format!("{} {}", one["login"], one["suspendedAt"])).collect()
    };
    for client in [world.olivia(), world.max(), world.sam()] {
        assert_eq!(suspended(&client), [""; 0]);
    }
    world.sam().put("/users/eve/suspended", json!({})).expect(204);
    let eve = format!("\"eve\" \"{}\"", world.now());
    assert_eq!(suspended(&world.olivia()), [eve]);
    assert_eq!(suspended(&world.max()), [""; 0]);
    world.sam().delete("/users/eve/suspended").expect(204);
    assert_eq!(suspended(&world.olivia()), [""; 0]);
}

#[test]
fn cartography_reads_repositories_and_people() {
    let world = world();
    let query = "query($login: String!, $cursor: String, $count: Int!) { organization(login: $login) { url login
        repositories(first: $count, after: $cursor) { pageInfo { endCursor hasNextPage } nodes { name nameWithOwner
        primaryLanguage { name } url sshUrl createdAt description updatedAt homepageUrl languages(first: 25) {
        totalCount totalSize nodes { name } } defaultBranchRef { name id } isPrivate isArchived isDisabled isLocked
        isFork parent { url } owner { url login __typename } direct: collaborators(first: 100, affiliation: DIRECT) {
        totalCount } pip: object(expression: \"HEAD:requirements.txt\") { ... on Blob { text } }
        branchProtectionRules(first: 50) { nodes { id pattern allowsDeletions isAdminEnforced requiresStatusChecks } }
        dependencyGraphManifests(first: 1) { nodes { blobPath dependencies(first: 50) { nodes { packageName
        requirements packageManager } } } } } } } }";
    // The variables are a text.
    let variables = json!({ "login": "acme", "cursor": null, "count": 50 }).to_string();
    let found = data(&world.olivia(), query, json!(variables));
    let repo = &found["organization"]["repositories"]["nodes"][0];
    let none = json!({ "nodes": [] });
    for (field, expected) in [
        ("homepageUrl", json!("https://example.com")),
        ("languages", json!({ "totalCount": 0, "totalSize": 0, "nodes": [] })),
        ("isLocked", json!(false)),
        ("parent", json!(null)),
        ("pip", json!(null)),
        ("branchProtectionRules", none.clone()),
        ("dependencyGraphManifests", none),
    ] {
        assert_eq!(repo[field], expected, "{field}");
    }
    let people = "query($login: String!) { organization(login: $login) { membersWithRole(first: 100) { edges {
        hasTwoFactorEnabled node { login } role } } enterpriseOwners(first: 100) { edges { node { login }
        organizationRole } pageInfo { endCursor hasNextPage } } repository(name: \"web\") { collaborators(first: 50,
        affiliation: DIRECT) { edges { permission } nodes { login } } } } }";
    let found = data(&world.olivia(), people, json!(r#"{"login": "acme"}"#))["organization"].clone();
    assert_eq!(found["membersWithRole"]["edges"][0]["hasTwoFactorEnabled"], json!(null));
    let no_page = json!({ "endCursor": null, "hasNextPage": false });
    assert_eq!(found["enterpriseOwners"], json!({ "edges": [], "pageInfo": no_page }));
    assert!(found["repository"]["collaborators"]["nodes"].is_array());
}

#[test]
fn legitify_reads_repositories_teams_and_the_provider_of_an_organization() {
    let world = world();
    let query = "query($login: String!) { organization(login: $login) { viewerCanAdminister samlIdentityProvider {
        externalIdentities(first: 1) { totalCount } } repositories(first: 50, isArchived: false) { totalCount nodes {
        name rebaseMergeAllowed url databaseId isPrivate forkingAllowed isArchived pushedAt viewerPermission
        defaultBranchRef { name branchProtectionRule { allowsDeletions requiredApprovingReviewCount } } } }
        teams(first: 1) { nodes { membersUrl repositoriesUrl teamsUrl newTeamUrl viewerCanSubscribe viewerSubscription
        projectsV2(first: 5) { totalCount } } } } }";
    let found = data(&world.olivia(), query, json!({ "login": "acme" }))["organization"].clone();
    assert_eq!(found["samlIdentityProvider"], json!(null));
    let repo = &found["repositories"]["nodes"][0];
    assert_eq!((&repo["forkingAllowed"], &repo["rebaseMergeAllowed"]), (&json!(true), &json!(true)));
    let url = |below: &str| format!("{}/ui/orgs/acme/{below}", world.base);
    let expected = json!({
        "membersUrl": url("teams/core/members"), "repositoriesUrl": url("teams/core/repositories"),
        "teamsUrl": url("teams/core/teams"), "newTeamUrl": url("new-team"), "viewerCanSubscribe": false,
        "viewerSubscription": null, "projectsV2": { "totalCount": 0 },
    });
    assert_eq!(found["teams"]["nodes"][0], expected);
}

/// Everything that `gh repo view --json` and `gh repo list --json` offer, as `gh` selects it.
const OF_GH: &str =
    "id name nameWithOwner owner { id login } parent { id name owner { id login } } templateRepository {
    id name owner { id login } } description homepageUrl openGraphImageUrl usesCustomOpenGraphImage url sshUrl mirrorUrl
    securityPolicyUrl createdAt pushedAt updatedAt archivedAt isBlankIssuesEnabled isSecurityPolicyEnabled
    hasIssuesEnabled hasProjectsEnabled hasWikiEnabled hasDiscussionsEnabled mergeCommitAllowed squashMergeAllowed
    rebaseMergeAllowed forkCount stargazerCount watchers { totalCount } issues(states: OPEN) { totalCount }
    pullRequests(states: OPEN) { totalCount } codeOfConduct { key name url } contactLinks { about name url }
    defaultBranchRef { name } deleteBranchOnMerge diskUsage fundingLinks { platform url } isArchived isEmpty isFork
    isInOrganization isMirror isPrivate visibility isTemplate isUserConfigurationRepository licenseInfo { key name
    nickname } viewerCanAdminister viewerDefaultCommitEmail viewerDefaultMergeMethod viewerHasStarred viewerPermission
    viewerPossibleCommitEmails viewerSubscription repositoryTopics(first: 100) { nodes { topic { name } } }
    primaryLanguage { name } languages(first: 100) { edges { size node { name } } } issueTemplates { name title body
    about } pullRequestTemplates { body filename } labels(first: 100) { nodes { id color name description } }
    milestones(first: 100, states: OPEN) { nodes { number title description dueOn } } latestRelease { publishedAt
    tagName name url } assignableUsers(first: 100) { nodes { id login name } } mentionableUsers(first: 100) { nodes { id
    login name } } projects(first: 100, states: OPEN) { nodes { id name number body resourcePath } }
    projectsV2(first: 100, query: \"is:open\") { nodes { id number title resourcePath closed url } }";

#[test]
fn gh_views_and_lists_repositories_with_all_fields_that_it_offers() {
    let world = world();
    let max = world.max();
    let view = format!("query($owner: String!) {{ repository(owner: $owner, name: \"web\") {{ {OF_GH} }} }}");
    let web = data(&max, &view, json!({ "owner": "acme" }))["repository"].clone();
    let fork = data(&max, &view, json!({ "owner": "nina" }))["repository"].clone();
    for (field, of_web, of_fork) in [
        ("isEmpty", json!(true), json!(true)),
        ("isInOrganization", json!(true), json!(false)),
        ("forkCount", json!(1), json!(0)),
        ("fundingLinks", json!([]), json!([])),
        ("labels", json!({ "nodes": [] }), json!({ "nodes": [] })),
        ("parent", json!(null), json!({ "id": web["id"], "name": "web", "owner": web["owner"] })),
        ("viewerDefaultMergeMethod", json!("MERGE"), json!("MERGE")),
    ] {
        assert_eq!((&web[field], &fork[field]), (&of_web, &of_fork), "{field}");
    }
    let list = format!(
        "query($owner: String!) {{ repositoryOwner(login: $owner) {{ login repositories(first: 30, ownerAffiliations:
        OWNER, orderBy: {{ field: PUSHED_AT, direction: DESC }}) {{ nodes {{ {OF_GH} }} totalCount }} }} }}"
    );
    let listed = data(&max, &list, json!({ "owner": "acme" }))["repositoryOwner"]["repositories"].clone();
    assert_eq!(listed["nodes"], json!([web]));
    let search = format!(
        "query($query: String!) {{ search(type: REPOSITORY, query: $query, first: 30) {{ repositoryCount nodes {{ ... on
        Repository {{ {OF_GH} }} }} pageInfo {{ hasNextPage endCursor }} }} }}"
    );
    let found = |query: &str| data(&max, &search, json!({ "query": query }))["search"].clone();
    let listed = found("sort:updated-desc archived:false fork:true topic:rust user:acme");
    assert_eq!((&listed["nodes"], &listed["repositoryCount"]), (&json!([web]), &json!(1)));
    assert_eq!(names(&found("sort:updated-desc archived:true fork:true user:@me")), Vec::<&str>::new());
}

#[test]
fn what_is_empty_has_the_rules_of_other_lists() {
    let world = world();
    let issues = |arguments: &str| {
        let query =
            format!("{{ repository(owner: \"acme\", name: \"web\") {{ issues({arguments}) {{ totalCount }} }} }}");
        ask(&world.max(), &query, json!({}))
    };
    assert_eq!(issues("last: 3")["data"]["repository"]["issues"]["totalCount"], 0);
    for (arguments, kind) in [("first: 101", "EXCESSIVE_PAGINATION"), ("after: \"x\"", "INVALID_CURSOR_ARGUMENTS")] {
        assert_eq!(issues(arguments)["errors"][0]["type"], kind);
    }
    let many = "{ viewer { repositories(first: 100) { nodes { issues(first: 100) { nodes { id } } labels(first: 100) {
        nodes { id } } } } } rateLimit { cost nodeCount } }";
    let spent = data(&world.max(), many, json!({}))["rateLimit"].clone();
    assert_eq!(spent, json!({ "cost": 3, "nodeCount": 100 + 2 * 100 * 100 }));
}
