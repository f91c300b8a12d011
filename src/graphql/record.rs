//! The fields of a repository that its record in REST has too, and those about what Guildhall does not have: Git data,
//! issues and the like. A value that is constant in the record is taken from there, so that the two cannot differ.

use std::rc::Rc;
use std::sync::Arc;

use super::page::Listing;
use super::running::{Failure, Resolved, Running};
use super::value::{Args, Out, Thing};
use crate::repos::record::State;
use crate::repos::repo::Repo;

/// A field of a repository.
pub fn field<'a>(run: &Running, repo: &'a Rc<Repo>, name: &str, args: Args) -> Resolved<Out<'a>> {
    let (settings, record) = (&repo.settings, || State::new(run.links, repo));
    match name {
        "homepageUrl" => Out::maybe(repo.homepage.as_ref()),
        "sshUrl" => Out::leaf(record().ssh_url),
        "openGraphImageUrl" => Out::leaf(run.links.html(&["/avatars/", &repo.owner_login].concat())),
        "isInOrganization" => Out::leaf(repo.org().is_some()),
        // Nothing was ever pushed here.
        "isEmpty" => Out::leaf(true),
        "diskUsage" => Out::leaf(record().size),
        "forkCount" => Out::leaf(repo.forks_count),
        "parent" => Out::one(run.fork_parent(repo)?.map(Thing::Repo)),
        "hasIssuesEnabled" => Out::leaf(repo.has_issues),
        "hasProjectsEnabled" => Out::leaf(repo.has_projects),
        "hasWikiEnabled" => Out::leaf(repo.has_wiki),
        "hasDiscussionsEnabled" => Out::leaf(settings.has_discussions),
        "hasVulnerabilityAlertsEnabled" => {
            let may_see = run.look(|cx| Ok(run.rules.alerts.who_may.rule.holds(repo.standing(cx))))?;
            Out::leaf(may_see && run.alerts(repo.id)?)
        }
        "forkingAllowed" => Out::leaf(record().allow_forking),
        "mergeCommitAllowed" => Out::leaf(settings.allow_merge_commit),
        "squashMergeAllowed" => Out::leaf(settings.allow_squash_merge),
        "rebaseMergeAllowed" => Out::leaf(settings.allow_rebase_merge),
        "autoMergeAllowed" => Out::leaf(settings.allow_auto_merge),
        "deleteBranchOnMerge" => Out::leaf(settings.delete_branch_on_merge),
        "viewerDefaultMergeMethod" => Out::leaf(match (settings.allow_merge_commit, settings.allow_squash_merge) {
            (true, _) => "MERGE",
            (false, true) => "SQUASH",
            (false, false) => "REBASE",
        }),
        "repositoryTopics" => topics(repo, args),
        name if ABSENT.contains(&name) => Ok(Out::Nothing),
        _ => Err(Failure::unknown("Repository", name)),
    }
}

/// The fields about what Guildhall does not have.
#[rustfmt::skip]
const ABSENT: &[&str] = &[
    "archivedAt", "assignableUsers", "branchProtectionRules", "codeOfConduct", "contactLinks", "defaultBranchRef",
    "dependencyGraphManifests", "fundingLinks", "isBlankIssuesEnabled", "isDisabled", "isLocked", "isMirror",
    "isSecurityPolicyEnabled", "isUserConfigurationRepository", "issueTemplates", "issues", "labels", "languages",
    "latestRelease", "licenseInfo", "mentionableUsers", "milestones", "mirrorUrl", "object", "primaryLanguage",
    "projects", "projectsV2", "pullRequestTemplates", "pullRequests", "securityPolicyUrl", "stargazerCount",
    "templateRepository", "usesCustomOpenGraphImage", "viewerDefaultCommitEmail", "viewerHasStarred",
    "viewerPossibleCommitEmails", "viewerSubscription", "watchers",
];

/// The topics of a repository, by name.
fn topics(repo: &Repo, args: Args) -> Resolved<Out<'static>> {
    let names = repo.settings.topics.iter().map(|topic| (Arc::from(topic.as_str()), repo.id));
    let mut places: Vec<(Arc<str>, i64)> = names.collect();
    places.sort_unstable();
    let (kinds, field) = (("RepositoryTopicConnection", "RepositoryTopicEdge"), "repositoryTopics");
    let listing = Listing { kinds, field, of: repo.id, order: "NAME", places: &places, descending: false };
    listing.page(args, |page, _| {
        Ok(page.iter().map(|(name, _)| (Thing::RepositoryTopic(Rc::from(&**name)), None)).collect())
    })
}
