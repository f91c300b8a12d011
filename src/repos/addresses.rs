//! The URLs in the record of a repository. There are forty, and most lead to resources that do not exist here.

use schemars::JsonSchema;
use serde::Serialize;

/// Declares the URLs in their order, each with what follows the URL of the repository.
macro_rules! addresses {
    ($($name:ident $below:literal)*) => {
        /// The URLs of what belongs to a repository.
        #[derive(Debug, Serialize, JsonSchema)]
        pub struct Addresses {
            $(#[doc = concat!("URL of the repository, followed by `", $below, "`.")] pub $name: String,)*
        }

        impl Addresses {
            /// All of them, for the URL of the record.
            #[must_use]
            pub fn of(repository: &str) -> Self {
                Self { $($name: [repository, $below].concat(),)* }
            }
        }
    };
}

addresses! {
    url ""
    forks_url "/forks"
    keys_url "/keys{/key_id}"
    collaborators_url "/collaborators{/collaborator}"
    teams_url "/teams"
    hooks_url "/hooks"
    issue_events_url "/issues/events{/number}"
    events_url "/events"
    assignees_url "/assignees{/user}"
    branches_url "/branches{/branch}"
    tags_url "/tags"
    blobs_url "/git/blobs{/sha}"
    git_tags_url "/git/tags{/sha}"
    git_refs_url "/git/refs{/sha}"
    trees_url "/git/trees{/sha}"
    statuses_url "/statuses/{sha}"
    languages_url "/languages"
    stargazers_url "/stargazers"
    contributors_url "/contributors"
    subscribers_url "/subscribers"
    subscription_url "/subscription"
    commits_url "/commits{/sha}"
    git_commits_url "/git/commits{/sha}"
    comments_url "/comments{/number}"
    issue_comment_url "/issues/comments{/number}"
    contents_url "/contents/{+path}"
    compare_url "/compare/{base}...{head}"
    merges_url "/merges"
    archive_url "/{archive_format}{/ref}"
    downloads_url "/downloads"
    issues_url "/issues{/number}"
    pulls_url "/pulls{/number}"
    milestones_url "/milestones{/number}"
    notifications_url "/notifications{?since,all,participating}"
    labels_url "/labels{/name}"
    releases_url "/releases{/id}"
    deployments_url "/deployments"
}
