//! Teams: their names, settings and places in the tree, and the former names that redirect to them.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::Kind;
use super::comparison::Comparison;
use crate::import::desired::Team;
use crate::import::fault::shown;
use crate::orgs::update::difference;
use crate::rows::{NotificationSetting, Permission, Privacy, ReviewDelegation, TeamRow};
use crate::teams::{naming, slug};

impl Comparison<'_> {
    /// Compares the teams. A parent comes before its children. Teams become secret after everything else, because they
    /// must have lost their children before, also those that the plan removes.
    pub(super) fn teams(&mut self) {
        let left = self.left_teams();
        let nested = nested(&self.file.teams);
        let above_others: HashSet<usize> =
            left.iter().filter_map(|index| self.stored.content.org.teams[*index].parent).collect();
        for (index, team) in self.file.teams.iter().enumerate() {
            let wish = (nested[index], self.stored.pairs[index].is_some_and(|pair| above_others.contains(&pair)));
            match self.stored.pairs[index] {
                None => self.add((Kind::Team, None, &team.name), self.new_team(team, nested[index]), None),
                Some(_) if team.only_people => {}
                Some(pair) => {
                    let (mut before, mut after) = self.compared(team, pair, wish);
                    if after["privacy"] == Privacy::Secret.word() {
                        let privacy = |of: &mut Value| json!({ "privacy": of.as_object_mut().and_then(|fields| fields.remove("privacy")) });
                        self.change_late((Kind::Team, None, &team.name), (privacy(&mut before), privacy(&mut after)));
                    }
                    if after != json!({}) {
                        self.change((Kind::Team, None, &team.name), (before, after), None);
                    }
                }
            }
        }
        self.former_team_names();
    }

    /// The teams of the store that the file does not have and that stay; the others are removed.
    fn left_teams(&mut self) -> Vec<usize> {
        let stored = self.stored;
        let matched: HashMap<usize, &Team> =
            stored.pairs.iter().zip(&self.file.teams).filter_map(|(pair, team)| Some(((*pair)?, team))).collect();
        let (mut left, mut removed) = (Vec::new(), Vec::new());
        for (index, team) in stored.content.org.teams.iter().enumerate().filter(|(at, _)| !matched.contains_key(at)) {
            let is_listed = match team.parent {
                None => self.file.lists.contains("teams"),
                Some(parent) => match matched.get(&parent) {
                    Some(parent) => parent.lists.contains("teams"),
                    None => self.removed_teams.contains(&parent),
                },
            };
            if self.flags.prune && is_listed {
                self.removed_teams.insert(index);
                removed.push(index);
            } else {
                self.stays((Kind::Team, None, &team.name), Value::Null);
                left.push(index);
            }
        }
        self.remove_teams(&removed);
        left
    }

    /// Removes teams, each after its parent, with the numbers of child teams and posts that go with it.
    fn remove_teams(&mut self, removed: &[usize]) {
        let stored = self.stored;
        let mut with: HashMap<usize, (i64, i64)> = HashMap::new();
        for index in removed.iter().rev() {
            let own = stored.posts.get(&stored.content.teams[*index].row.id).copied().unwrap_or_default();
            let (teams, posts) = with.entry(*index).or_default();
            *posts += own;
            let below = (*teams + 1, *posts);
            if let Some(parent) = stored.content.org.teams[*index].parent {
                let (teams, posts) = with.entry(parent).or_default();
                (*teams, *posts) = (*teams + below.0, *posts + below.1);
            }
        }
        for index in removed {
            let (teams, posts) = with.get(index).copied().unwrap_or_default();
            let name = stored.content.org.teams[*index].name.as_str();
            self.remove((Kind::Team, None, name), json!({ "child_teams": teams, "posts": posts }));
        }
    }

    fn new_team(&self, team: &Team, nested: bool) -> Value {
        let secret = !nested && team.privacy != Some(Privacy::Closed);
        let is = TeamRow {
            name: team.name.clone(),
            description: team.description.clone(),
            privacy: privacy(secret),
            permission: team.settings.permission.unwrap_or(Permission::default().word()),
            notification_setting: team.settings.notification_setting.unwrap_or(NotificationSetting::default().word()),
            reviews: team.reviews.unwrap_or_default(),
            ..TeamRow::default()
        };
        let usual = fields(&TeamRow { privacy: "", ..usual(&is.name) }, None);
        let parent = team.parent.map(|parent| self.file.teams[parent].name.as_str());
        difference(&usual, &fields(&is, parent)).1
    }

    /// The fields that the file changes.
    fn compared(&mut self, team: &Team, pair: usize, (nested, above_others): (bool, bool)) -> (Value, Value) {
        let stored = self.stored;
        let was = &stored.content.teams[pair].row;
        let mut is = was.clone();
        is.name.clone_from(&team.name);
        self.slug_is_free(team, was);
        is.description = team.description.clone().or(is.description);
        is.privacy = privacy(self.is_secret(team, was, nested, above_others));
        is.reviews = team.reviews.unwrap_or(is.reviews);
        team.settings.give(&mut is);
        let before = stored.content.org.teams[pair].parent;
        let after = team.parent.map(|parent| self.file.teams[parent].name.as_str());
        // The same parent under another name is the same parent.
        let same = before.is_some() && team.parent.and_then(|parent| stored.pairs[parent]) == before;
        let before = if same { after } else { before.map(|index| stored.content.org.teams[index].name.as_str()) };
        difference(&fields(was, before), &fields(&is, after))
    }

    /// Refuses a name without a slug if another team has or had the slug that the team would get instead.
    fn slug_is_free(&mut self, team: &Team, was: &TeamRow) {
        if slug::from_name(&team.name).is_some() || slug::from_name(&was.name).is_none() {
            return;
        }
        let (slug, stored) = (naming::numbered(was.id), self.stored);
        let mut others = stored.content.teams.iter().zip(&stored.content.org.teams);
        if others
            .any(|(row, known)| row.row.id != was.id && (row.row.slug == slug || known.former_names.contains(&slug)))
        {
            let message = format!("the team gets the slug {}, which another team has or had", shown(&slug));
            self.faults.add(self.file.fault(team.line, &team.key, format!("{message}; give it a name with letters")));
        }
    }

    /// Without a value in the file, privacy stays as it is, unless the team is nested now; a secret team has no children.
    fn is_secret(&mut self, team: &Team, was: &TeamRow, nested: bool, above_others: bool) -> bool {
        match team.privacy {
            None => was.is_secret() && !nested,
            Some(Privacy::Closed) => false,
            Some(Privacy::Secret) if above_others => {
                let why = "stays closed, because it has child teams that are not in the file";
                self.skip(format!("team {} {why}", shown(&team.name)));
                false
            }
            Some(Privacy::Secret) => true,
        }
    }

    /// The slug of a team, and a former name that was claimed first, take precedence.
    fn former_team_names(&mut self) {
        let stored = self.stored;
        let mut living: HashSet<String> =
            self.file.teams.iter().filter_map(|team| slug::from_name(&team.name)).collect();
        let matched: HashSet<usize> = stored.pairs.iter().flatten().copied().collect();
        let rows = stored.content.teams.iter().enumerate().filter(|(index, _)| !matched.contains(index));
        let (freed, left): (Vec<_>, Vec<_>) = rows.partition(|(index, _)| self.removed_teams.contains(index));
        let freed: HashSet<&str> = freed.into_iter().map(|(_, team)| team.row.slug.as_str()).collect();
        living.extend(left.into_iter().map(|(_, team)| team.row.slug.clone()));
        let mut claimed = HashSet::new();
        for (team, pair) in self.file.teams.iter().zip(&stored.pairs) {
            let own = pair.map(|index| stored.content.teams[index].row.slug.as_str());
            let known = pair.map(|index| stored.content.org.teams[index].former_names.as_slice()).unwrap_or_default();
            for former in &team.former_names {
                let skipped = |why: &str| format!("former name {} of team {}: {why}", shown(former), shown(&team.name));
                let Some(slug) = slug::from_name(former) else {
                    self.skip(skipped("it has no letters or digits for a slug"));
                    continue;
                };
                // The slug that a team has before it is renamed redirects to it without being asked for.
                let is_own = Some(slug.as_str()) == own || Some(&slug) == slug::from_name(&team.name).as_ref();
                let is_known = is_own || known.contains(&slug);
                if is_known && claimed.insert(slug.clone()) || is_own {
                    continue;
                }
                if living.contains(&slug) || !claimed.insert(slug.clone()) {
                    self.skip(skipped("it is a name, or a former name, of another team"));
                } else if self.owner.is_some() {
                    self.skip(skipped("only the command on the server adds former names"));
                } else if freed.contains(slug.as_str()) {
                    self.add_late((Kind::FormerTeamName, Some(&team.name), former), true);
                } else {
                    self.add((Kind::FormerTeamName, Some(&team.name), former), true, None);
                }
            }
        }
    }
}

/// True for each team that has a parent or children in the file.
fn nested(teams: &[Team]) -> Vec<bool> {
    let mut nested = vec![false; teams.len()];
    for (index, team) in teams.iter().enumerate() {
        if let Some(parent) = team.parent {
            (nested[index], nested[parent]) = (true, true);
        }
    }
    nested
}

fn privacy(secret: bool) -> &'static str {
    if secret { Privacy::Secret.word() } else { Privacy::Closed.word() }
}

/// A new team of this name, with the usual settings.
fn usual(name: &str) -> TeamRow {
    let (permission, notification_setting) = (Permission::default().word(), NotificationSetting::default().word());
    let reviews = ReviewDelegation::default();
    TeamRow { name: name.to_owned(), permission, notification_setting, reviews, ..TeamRow::default() }
}

fn fields(team: &TeamRow, parent: Option<&str>) -> Value {
    let fields: Map<String, Value> = [
        ("name", json!(team.name)),
        ("description", json!(team.description)),
        ("privacy", json!(team.privacy)),
        ("parent", json!(parent)),
        ("permission", json!(team.permission)),
        ("notification_setting", json!(team.notification_setting)),
        ("review_request_delegation", json!(team.reviews)),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into_iter()
    .collect();
    fields.into()
}
