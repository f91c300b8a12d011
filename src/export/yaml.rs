//! An organization as the text of a peribolos file. The order of everything is that of the struct.

use serde::Serialize;
use serde_json::{Value, json};

use super::lists::grouped;
use super::scalar::scalar;
use crate::import::desired::{Invitation, Org, Person, Project, Repo, Role, Team};
use crate::import::extension::KEY;
use crate::projects::level::word;
use crate::repos::level::Level;
use crate::rows::Privacy;
use crate::rows::ReviewDelegation;

/// The longest key that parsers accept without the `?` indicator, in bytes of its text.
const LONGEST_KEY: usize = 1_000;

const HEAD: &str = "\
# Written by `guildhall export`. What stands under a key `guildhall` is read by Guildhall alone.
";

/// The file of one organization.
#[must_use]
pub fn text(org: &Org) -> String {
    let mut out = Writer { text: HEAD.to_owned(), depth: 0, item: false };
    out.map("orgs", |out| out.map(&org.login, |out| write(out, org)));
    out.text
}

struct Writer {
    text: String,
    depth: usize,
    /// True if the next line begins an item of a list.
    item: bool,
}

impl Writer {
    fn line(&mut self, text: &str) {
        let (indent, sign) = if self.item { (self.depth - 1, "- ") } else { (self.depth, "") };
        self.item = false;
        self.text.extend(std::iter::repeat_n("  ", indent).chain([sign, text, "\n"]));
    }

    fn entry(&mut self, key: &str, value: &str) {
        let (key, space) = (scalar(key), if value.is_empty() { "" } else { " " });
        if key.len() <= LONGEST_KEY {
            return self.line(&format!("{key}:{space}{value}"));
        }
        self.line(&format!("? {key}"));
        self.line(&format!(":{space}{value}"));
    }

    fn text(&mut self, key: &str, value: Option<&String>) {
        if let Some(value) = value {
            self.entry(key, &scalar(value));
        }
    }

    fn word(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.entry(key, value);
        }
    }

    fn truth(&mut self, key: &str, value: Option<bool>) {
        self.word(key, value.map(|value| if value { "true" } else { "false" }));
    }

    /// A list; one without items is left out.
    fn some<'t>(&mut self, key: &str, items: impl Iterator<Item = &'t String>) {
        let mut items = items.peekable();
        if items.peek().is_some() {
            self.list(key, items);
        }
    }

    /// A list. One without items says that there are none, so that a plan with `--prune` removes what is new.
    fn list<'t>(&mut self, key: &str, items: impl Iterator<Item = &'t String>) {
        let mut items = items.peekable();
        self.entry(key, if items.peek().is_some() { "" } else { "[]" });
        for item in items {
            self.line(&format!("- {}", scalar(item)));
        }
    }

    /// A mapping, also one without entries.
    fn map(&mut self, key: &str, inside: impl FnOnce(&mut Self)) {
        if !self.part(key, inside) {
            self.entry(key, "{}");
        }
    }

    /// Writes a mapping, unless nothing is written into it. Returns whether something was.
    fn part(&mut self, key: &str, inside: impl FnOnce(&mut Self)) -> bool {
        let before = self.text.len();
        self.entry(key, "");
        let begun = self.text.len();
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        let empty = self.text.len() == begun;
        if empty {
            self.text.truncate(before);
        }
        !empty
    }
}

fn write(out: &mut Writer, org: &Org) {
    out.text("name", org.name.as_ref());
    out.text("description", org.description.as_ref());
    out.text("company", org.company.as_ref());
    out.text("blog", org.blog.as_ref());
    out.text("location", org.location.as_ref());
    out.text("email", org.email.as_ref());
    out.text("twitter_username", org.twitter_username.as_ref());
    out.text("billing_email", org.billing_email.as_ref());
    out.word("default_repository_permission", org.default_repository_permission);
    out.truth("members_can_create_repositories", org.creation.any);
    out.truth("members_can_create_public_repositories", org.creation.public);
    out.truth("members_can_create_private_repositories", org.creation.private);
    out.truth("members_can_fork_private_repositories", org.members_can_fork_private_repositories);
    write_settings(out, &org.switches);
    out.truth("has_organization_projects", org.has_organization_projects);
    out.truth("has_repository_projects", org.has_repository_projects);
    out.part(KEY, |out| extension(out, org));
    out.list("admins", people(org, |person| person.role == Role::Admin));
    out.list("members", people(org, |person| person.role == Role::Member));
    out.part("repos", |out| repos(out, org));
    out.map("teams", |out| teams(out, org));
}

fn people(org: &Org, which: impl Fn(&Person) -> bool) -> impl Iterator<Item = &String> {
    org.people.iter().filter(move |person| which(person)).map(|person| &person.login)
}

/// Writes the settings that peribolos cannot express.
fn extension(out: &mut Writer, org: &Org) {
    out.truth("members_can_create_teams", org.members_can_create_teams);
    out.truth("members_can_leave_teams", org.members_can_leave_teams);
    out.truth("audit_shows_addresses", org.audit_shows_addresses);
    out.list("billing_managers", people(org, |person| person.role == Role::BillingManager));
    out.list("public_members", people(org, |person| person.public && person.role != Role::BillingManager));
    out.list("security_managers", people(org, |person| person.security_manager));
    out.part("projects", |out| org.projects.iter().for_each(|project| write_project(out, project)));
    out.entry("invitations", if org.invitations.is_empty() { "[]" } else { "" });
    out.depth += 1;
    org.invitations.iter().for_each(|invitation| write_invitation(out, org, invitation));
    out.depth -= 1;
}

fn write_project(out: &mut Writer, project: &Project) {
    out.map(&project.number.to_string(), |out| {
        out.text("name", Some(&project.name));
        out.text("body", project.body.as_ref());
        out.word("state", project.state);
        out.word("organization_permission", project.organization_level.map(word));
        out.truth("private", project.private);
        out.text("creator", project.creator.as_ref());
        out.map("collaborators", |out| {
            project.collaborators.iter().for_each(|person| out.entry(&person.login, word(person.level)));
        });
    });
}

fn write_invitation(out: &mut Writer, org: &Org, invitation: &Invitation) {
    out.item = true;
    out.text("login", invitation.login.as_ref());
    out.text("email", invitation.email.as_ref());
    out.word("role", Some(invitation.role));
    let role = |maintainer| if maintainer { "maintainer" } else { "member" };
    out.part("teams", |out| {
        invitation.teams.iter().for_each(|(team, maintainer)| out.entry(&org.teams[*team].name, role(*maintainer)));
    });
}

fn repos(out: &mut Writer, org: &Org) {
    let mut people = grouped(org.collaborators.iter().map(|person| (&person.repo, person)));
    for repo in &org.repos {
        out.map(&repo.name, |out| {
            write_repo(out, repo);
            out.map("collaborators", |out| {
                for person in people.remove(&repo.name).unwrap_or_default() {
                    out.entry(&person.login, person.level.role_name());
                }
            });
        });
    }
}

fn write_repo(out: &mut Writer, repo: &Repo) {
    out.text("description", repo.description.as_ref());
    out.text("homepage", repo.homepage.as_ref());
    out.truth("private", repo.private);
    // Newer releases of peribolos prefer this key, and older ones know only the other.
    out.word("visibility", repo.private.map(|private| if private { "private" } else { "public" }));
    out.truth("archived", repo.archived);
    out.text("default_branch", repo.default_branch.as_ref());
    out.truth("has_issues", repo.has_issues);
    out.truth("has_projects", repo.has_projects);
    out.truth("has_wiki", repo.has_wiki);
    write_settings(out, &repo.settings);
    out.some("previously", repo.former_names.iter());
    out.part(KEY, |out| {
        out.truth("is_template", repo.is_template);
        out.truth("vulnerability_alerts", repo.vulnerability_alerts);
    });
}

fn write_settings(out: &mut Writer, settings: &impl Serialize) {
    for (key, value) in json!(settings).as_object().into_iter().flatten() {
        match value {
            Value::Bool(value) => out.truth(key, Some(*value)),
            Value::Array(items) => {
                let items: Vec<String> = items.iter().filter_map(Value::as_str).map(str::to_owned).collect();
                out.some(key, items.iter());
            }
            word => out.word(key, word.as_str()),
        }
    }
}

fn teams(out: &mut Writer, org: &Org) {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); org.teams.len()];
    let mut top = Vec::new();
    for (index, team) in org.teams.iter().enumerate() {
        team.parent.map_or(&mut top, |parent| &mut below[parent]).push(index);
    }
    for team in top {
        write_team(out, org, &below, team);
    }
}

fn write_team(out: &mut Writer, org: &Org, below: &[Vec<usize>], index: usize) {
    let team = &org.teams[index];
    out.map(&team.name, |out| {
        out.text("description", team.description.as_ref());
        out.word("privacy", team.privacy.map(Privacy::word));
        out.some("previously", team.former_names.iter());
        for (key, maintainer) in [("maintainers", true), ("members", false)] {
            let people = team.members.iter().filter(|member| member.maintainer == maintainer);
            out.list(key, people.map(|member| &member.login));
        }
        out.map("repos", |out| {
            team.grants.iter().for_each(|grant| out.entry(&grant.repo, grant.level.map_or("none", Level::role_name)));
        });
        out.part(KEY, |out| write_team_extension(out, org, team));
        out.map("teams", |out| below[index].iter().for_each(|child| write_team(out, org, below, *child)));
    });
}

fn write_reviews(out: &mut Writer, reviews: ReviewDelegation) {
    out.truth("enabled", Some(reviews.enabled));
    out.word("algorithm", Some(reviews.algorithm));
    out.entry("member_count", &reviews.member_count.to_string());
    out.truth("notify_team", Some(reviews.notify_team));
}

fn write_team_extension(out: &mut Writer, org: &Org, team: &Team) {
    write_settings(out, &team.settings);
    out.truth("security_manager", team.security_manager);
    if let Some(reviews) = team.reviews {
        out.part("review_request_delegation", |out| write_reviews(out, reviews));
    }
    if !org.projects.is_empty() {
        out.map("projects", |out| {
            team.projects.iter().for_each(|grant| out.entry(&grant.number.to_string(), word(grant.level)));
        });
    }
}
