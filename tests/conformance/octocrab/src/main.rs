//! An unmodified octocrab works through the story of teams. Reads the variables of world.py.

use std::env::var;
use std::fmt::Debug;
use std::process::ExitCode;
use std::time::SystemTime;

use http::HeaderMap;
use http::header::{ETAG, IF_NONE_MATCH, RETRY_AFTER};
use octocrab::models::memberships::Role;
use octocrab::models::teams::Team;
use octocrab::params::teams::{Permission, Privacy};
use octocrab::{Error, GitHubError, Octocrab, Result};
use serde_json::{Value, json};

struct World {
    owner: Octocrab,
    member: Octocrab,
    nina: Octocrab,
    org: String,
}

fn connect(token: String) -> Octocrab {
    let base = var("GUILDHALL_URL").expect("GUILDHALL_URL is set");
    Octocrab::builder().base_uri(base).expect("the base is a URL").personal_token(token).build().expect("a client")
}

fn equal<T: PartialEq + Debug>(found: T, wanted: T) {
    assert!(found == wanted, "found {found:?}, wanted {wanted:?}");
}

fn refused<T>(result: Result<T>, status: u16) -> GitHubError {
    match result {
        Err(Error::GitHub { source, .. }) => {
            equal(source.status_code.as_u16(), status);
            *source
        }
        Err(error) => panic!("wanted {status}: {error}"),
        Ok(_) => panic!("accepted, wanted {status}"),
    }
}

impl World {
    async fn closed(&self, name: &str) -> Result<Team> {
        self.owner.teams(&self.org).create(name).privacy(Privacy::Closed).send().await
    }

    async fn gone(&self, slug: &str) -> Result<()> {
        self.owner.teams(&self.org).delete(slug).await
    }

    async fn start(&self) -> Result<()> {
        equal(self.owner.current().user().await?.login, "olivia".to_owned());
        equal(self.owner.orgs(&self.org).get().await?.login, self.org.clone());
        let people = self.owner.orgs(&self.org).list_members().send().await?;
        equal(people.items.len(), 4);
        equal(self.owner.orgs(&self.org).check_membership("max").await?, true);
        assert!(self.owner.ratelimit().get().await?.rate.limit > 0);
        Ok(())
    }

    async fn teams(&self) -> Result<()> {
        self.owner.orgs(&self.org).create_repo("site").private(true).send().await?;
        let (maintainers, repos) = (["max".to_owned()], [format!("{}/site", self.org)]);
        let teams = self.owner.teams(&self.org);
        let team = teams.create("Core Team").maintainers(&maintainers).repo_names(&repos).privacy(Privacy::Closed);
        let team = team.send().await?;
        equal((team.slug.as_str(), team.members_count, team.repos_count), ("core-team", Some(2), Some(1)));
        teams.edit("core-team", "Core Team").description("second").send().await?;
        equal(teams.get("core-team").await?.description, Some("second".to_owned()));
        equal(teams.list().send().await?.items.len(), 1);
        self.gone("core-team").await?;
        refused(teams.get("core-team").await, 404);
        Ok(())
    }

    async fn nesting(&self) -> Result<()> {
        let parent = self.closed("Parent").await?;
        let teams = self.owner.teams(&self.org);
        teams.create("Child").privacy(Privacy::Closed).parent_team_id(parent.id).send().await?;
        let below = teams.list_children("parent").send().await?.items;
        equal(below.iter().map(|team| team.slug.as_str()).collect::<Vec<_>>(), vec!["child"]);
        refused(teams.create("Secret").privacy(Privacy::Secret).parent_team_id(parent.id).send().await, 422);
        self.gone("parent").await?;
        refused(teams.get("child").await, 404);
        Ok(())
    }

    async fn renaming(&self) -> Result<()> {
        let team = self.closed("Before").await?;
        let changed = self.owner.teams(&self.org).edit("before", "After").send().await?;
        equal((changed.id, changed.slug.as_str()), (team.id, "after"));
        self.gone("after").await
    }

    async fn privacy(&self) -> Result<()> {
        let (teams, seen) = (self.owner.teams(&self.org), self.member.teams(&self.org));
        teams.create("Hidden").send().await?;
        refused(seen.get("hidden").await, 404);
        equal(seen.list().send().await?.items.len(), 0);
        teams.edit("hidden", "Hidden").privacy(Privacy::Closed).send().await?;
        equal(seen.get("hidden").await?.slug, "hidden".to_owned());
        self.gone("hidden").await
    }

    async fn memberships(&self) -> Result<()> {
        self.closed("People").await?;
        let teams = self.owner.teams(&self.org);
        let people = teams.memberships("people");
        equal(people.add_or_update("max", Some(Role::Member)).await?.role, Role::Member);
        equal(people.add_or_update("max", Some(Role::Maintainer)).await?.role, Role::Maintainer);
        equal(people.get("max").await?.role, Role::Maintainer);
        equal(teams.members("people").send().await?.items.len(), 2);
        people.remove("max").await?;
        refused(people.get("max").await, 404);
        self.gone("people").await
    }

    async fn invitations(&self) -> Result<()> {
        self.closed("Welcome").await?;
        let teams = self.owner.teams(&self.org);
        teams.memberships("welcome").add_or_update("nina", None).await?;
        let found = teams.invitations("welcome").send().await?.items;
        equal(found[0].login.as_deref(), Some("nina"));
        let path = format!("/user/memberships/orgs/{}", self.org);
        let active: Value = self.nina.patch(path, Some(&json!({ "state": "active" }))).await?;
        equal(active["state"].as_str(), Some("active"));
        self.owner.orgs(&self.org).remove_membership("nina").await?;
        self.gone("welcome").await
    }

    async fn repositories(&self) -> Result<()> {
        self.closed("Owners").await?;
        self.owner.orgs(&self.org).create_repo("engine").private(true).send().await?;
        let teams = self.owner.teams(&self.org);
        let repos = teams.repos("owners");
        assert!(repos.check_manages(&self.org, "engine").await?.is_none());
        repos.add_or_update(&self.org, "engine", Permission::Maintain).await?;
        let found = repos.list().send().await?.items;
        equal(found.iter().map(|repo| repo.name.as_str()).collect::<Vec<_>>(), vec!["engine"]);
        repos.remove(&self.org, "engine").await?;
        self.owner.repos(&self.org, "engine").delete().await?;
        self.gone("owners").await
    }

    async fn pages(&self) -> Result<()> {
        let mut wanted = Vec::new();
        for n in 1..6 {
            wanted.push(self.closed(&format!("Page {n}")).await?.slug);
        }
        let first = self.owner.teams(&self.org).list().per_page(2).send().await?;
        let found = self.owner.all_pages(first).await?;
        equal(found.iter().map(|team| team.slug.clone()).collect::<Vec<_>>(), wanted.clone());
        for slug in wanted {
            self.gone(&slug).await?;
        }
        Ok(())
    }

    async fn conditional(&self) -> Result<()> {
        self.closed("Tagged").await?;
        let path = format!("/orgs/{}/teams/tagged", self.org);
        let tag = self.owner._get(path.as_str()).await?.headers()[ETAG].clone();
        let tagged = || Some(HeaderMap::from_iter([(IF_NONE_MATCH, tag.clone())]));
        refused(self.owner.get_with_headers::<Team, _, ()>(&path, None, tagged()).await, 304);
        self.owner.teams(&self.org).edit("tagged", "Tagged").description("changed").send().await?;
        let changed: Team = self.owner.get_with_headers(&path, None::<&()>, tagged()).await?;
        equal(changed.description, Some("changed".to_owned()));
        self.gone("tagged").await
    }

    async fn errors(&self) -> Result<()> {
        self.closed("Taken").await?;
        refused(connect("wrong".to_owned()).current().user().await, 401);
        refused(self.member.teams(&self.org).delete("taken").await, 403);
        refused(self.owner.teams(&self.org).get("nowhere").await, 404);
        let problem = refused(self.closed("taken").await, 422).errors.unwrap_or_default();
        equal(problem[0]["message"].as_str(), Some("Name must be unique for this org"));
        self.gone("taken").await
    }

    /// The library has no methods for groups.
    async fn groups(&self) -> Result<()> {
        self.closed("Followers").await?;
        let (org, teams) = (&self.org, self.owner.teams(&self.org));
        let (people, mappings) = (teams.memberships("followers"), format!("/orgs/{org}/teams/followers/team-sync/group-mappings"));
        let groups: Value = self.owner.get(format!("/orgs/{org}/team-sync/groups"), None::<&()>).await?;
        let linked: Value = self.owner.patch(&mappings, Some(&groups)).await?;
        equal(linked["groups"][0]["group_name"].as_str(), Some("Platform"));
        let refusal = refused(people.add_or_update("max", None).await, 403);
        assert!(refusal.message.contains("managed by the organization's identity provider"), "{refusal}");
        let _: Value = self.owner.patch(&mappings, Some(&json!({ "groups": [] }))).await?;
        people.add_or_update("max", None).await?;
        self.gone("followers").await
    }

    /// Of a member who creates nothing else. The library has no methods for discussions.
    async fn limits(&self) -> Result<()> {
        self.closed("Busy").await?;
        let (path, post) = (format!("/orgs/{}/teams/busy/discussions", self.org), json!({ "title": "Hello", "body": "All" }));
        let mut last: Result<Value> = Ok(Value::Null);
        for _ in 0..100 {
            last = self.member.post(&path, Some(&post)).await;
            if last.is_err() {
                break;
            }
        }
        let refusal = refused(last, 403);
        assert!(refusal.message.contains("secondary rate limit"), "{refusal}");
        let wait = refusal.headers.as_ref().and_then(|headers| headers[RETRY_AFTER].to_str().ok()?.parse().ok());
        assert!((1..=60).contains(&wait.unwrap_or(0)), "{wait:?}");
        self.gone("busy").await
    }

    async fn graphql(&self) -> Result<()> {
        self.closed("Graph").await?;
        let query = "query($org: String!) { organization(login: $org) { teams(first: 5) { nodes { slug } } } }";
        let found: Value = self.owner.graphql(&json!({ "query": query, "variables": { "org": self.org } })).await?;
        let nodes = found.pointer("/data/organization/teams/nodes").or(found.pointer("/organization/teams/nodes"));
        equal(nodes, Some(&json!([{ "slug": "graph" }])));
        self.gone("graph").await
    }
}

fn mark(text: &str) {
    let now = SystemTime::UNIX_EPOCH.elapsed().expect("a time after 1970");
    println!("{}.{:06} {text}", now.as_secs(), now.subsec_micros());
}

/// Runs each part in a task of its own, so that a part that panics has failed and the next one runs.
macro_rules! run {
    ($world:expr, $failed:ident, $($part:ident),*) => { $(
        mark(concat!("begin ", stringify!($part)));
        let world = std::sync::Arc::clone(&$world);
        match tokio::spawn(async move { world.$part().await }).await {
            Ok(Ok(())) => mark(concat!("ok ", stringify!($part))),
            Ok(Err(error)) => {
                $failed = true;
                mark(&format!("FAILED {}: {}", stringify!($part), format!("{error:?}").replace('\n', " ")));
            }
            Err(_) => {
                $failed = true;
                mark(concat!("FAILED ", stringify!($part), ": it panicked; see the error output"));
            }
        }
    )* };
}

#[tokio::main]
async fn main() -> ExitCode {
    let of = |name: &str| var(name).expect("the variables of world.py are set");
    let world = std::sync::Arc::new(World {
        owner: connect(of("GUILDHALL_TOKEN")),
        member: connect(of("GUILDHALL_MEMBER_TOKEN")),
        nina: connect(of("GUILDHALL_OUTSIDER_TOKEN")),
        org: of("GUILDHALL_ORG"),
    });
    let mut failed = false;
    run!(world, failed, start, teams, nesting, renaming, privacy, memberships, invitations, repositories, pages,
        conditional, errors, groups, limits, graphql);
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
