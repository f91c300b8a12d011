//! Rooms of teams and repositories that have a new name: the old address leads to the same room (decision 10).

use serde::Deserialize;
use serde_json::Value;

use super::guest::{Guest, body};
use super::layout::Shown;
use crate::error::{Error, Result};
use crate::links::segment;

/// A team, as far as its address needs it.
#[derive(Deserialize)]
struct Team {
    slug: String,
    organization: Organization,
}

#[derive(Deserialize)]
struct Organization {
    login: String,
}

impl Guest<'_> {
    /// The redirect to the room at these words, of which something was renamed to what is at this path of the API now. A
    /// form comes back, to be sent there.
    pub(super) async fn lead_to_moved(&self, words: &[&str], to: &str) -> Result<Shown> {
        let now: Vec<&str> = to.split('/').skip(1).collect();
        let path = match (words, &now[..]) {
            (["ui", "orgs", _, "teams", _, below @ ..], ["organizations", org_id, "team", team_id]) => {
                let at = [("org_id", *org_id), ("team_id", *team_id)];
                let Team { slug, organization } = self.call("teams.getByName", &at, body([])).await?;
                let below: String = below.iter().flat_map(|word| ["/".to_owned(), segment(word)]).collect();
                format!("/orgs/{}/teams/{slug}{below}", organization.login)
            }
            (["ui", _, _], ["repositories", id]) => {
                let repo: Value = self.call("repos.get", &[("repository_id", *id)], body([])).await?;
                format!("/{}", repo["full_name"].as_str().unwrap_or_default())
            }
            _ => return Err(Error::NotFound),
        };
        let query = if self.visit.query.is_empty() { String::new() } else { format!("?{}", self.visit.query) };
        if self.has_form() {
            return self.renamed(&format!("/ui{path}"), &query);
        }
        Ok(Shown::see(self.visit.links.html_path(&[path, query].concat())))
    }
}
