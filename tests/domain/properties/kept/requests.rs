//! Requests that change something, or would: not all of them are allowed, and some are about what is not there.

use super::{Dice, NEWEST, PEOPLE, Town};
use crate::support::{Value, json};

/// Names of teams that take each other's slugs.
const NAMES: usize = 6;

/// A user asks for a change.
#[derive(Debug)]
pub struct Request {
    pub who: &'static str,
    pub verb: &'static str,
    pub path: String,
    pub body: Option<Value>,
}

impl Request {
    pub fn any(town: &Town, dice: &mut Dice) -> Self {
        // Olivia, who owns, asks most often, so that much comes to be.
        let who = if dice.below(4) == 0 { dice.one(&PEOPLE) } else { "olivia" };
        let which = 2 + dice.below(PEOPLE.len() - 2);
        let (person, login) = (PEOPLE[which], town.logins[which].as_str());
        match dice.below(30) {
            0..4 => Self::create(town, dice, who),
            4..10 => Self::update(town, dice, who),
            10 => Self { who, verb: "DELETE", path: team(town, dice), body: None },
            11..20 => Self::of_team(town, dice, who, login),
            20..26 => Self::of_org(dice, who, person, login),
            _ => Self::of_site(dice, login),
        }
    }

    fn put(who: &'static str, path: String, body: Value) -> Self {
        Self { who, verb: "PUT", path, body: Some(body) }
    }

    fn post(who: &'static str, path: String, body: Value) -> Self {
        Self { who, verb: "POST", path, body: Some(body) }
    }

    fn create(town: &Town, dice: &mut Dice, who: &'static str) -> Self {
        let parent = Some(number(town, dice)).filter(|_| dice.below(3) > 0);
        let body = json!({
            "name": format!("T{}", dice.below(NAMES)),
            "privacy": dice.one(&["closed", "closed", "secret"]),
            "parent_team_id": parent,
        });
        Self::post(who, "/orgs/acme/teams".into(), body)
    }

    /// Renames, moves, shows, hides or describes a team.
    fn update(town: &Town, dice: &mut Dice, who: &'static str) -> Self {
        let mut body = json!({ "name": format!("T{}", dice.below(NAMES)) });
        match dice.below(5) {
            0 => body["privacy"] = dice.one(&["closed", "secret"]).into(),
            1 => body["parent_team_id"] = Value::Null,
            2 => body["parent_team_id"] = number(town, dice).into(),
            3 => body["description"] = format!("Number {}", dice.below(100)).into(),
            _ => {}
        }
        Self { who, verb: "PATCH", path: team(town, dice), body: Some(body) }
    }

    fn of_team(town: &Town, dice: &mut Dice, who: &'static str, login: &str) -> Self {
        let path = team(town, dice);
        match dice.below(12) {
            0..6 => {
                let role = dice.one(&["member", "maintainer"]);
                Self::put(who, format!("{path}/memberships/{login}"), json!({ "role": role }))
            }
            6..8 => Self { who, verb: "DELETE", path: format!("{path}/memberships/{login}"), body: None },
            8 => {
                let permission = dice.one(&["pull", "push", "admin"]);
                Self::put(who, format!("{path}/repos/acme/engine"), json!({ "permission": permission }))
            }
            9 => Self { who, verb: "DELETE", path: format!("{path}/repos/acme/engine"), body: None },
            10 => Self::post(who, format!("{path}/discussions"), json!({ "title": "A plan", "body": "*Soon*" })),
            _ => {
                let (path, body) = (format!("{path}/discussions/1"), json!({ "title": "Another plan" }));
                Self { who, verb: "PATCH", path, body: Some(body) }
            }
        }
    }

    fn of_org(dice: &mut Dice, who: &'static str, person: &'static str, login: &str) -> Self {
        let membership = format!("/orgs/acme/memberships/{login}");
        match dice.below(10) {
            0..2 => Self::put(who, membership, json!({ "role": dice.one(&["member", "admin"]) })),
            2..4 => Self { who, verb: "DELETE", path: membership, body: None },
            4..7 => {
                let (path, body) = ("/user/memberships/orgs/acme".into(), json!({ "state": "active" }));
                Self { who: person, verb: "PATCH", path, body: Some(body) }
            }
            7 => Self::put(person, format!("/orgs/acme/public_members/{login}"), json!({})),
            8 => Self { who: person, verb: "DELETE", path: format!("/orgs/acme/public_members/{login}"), body: None },
            _ => {
                let body = json!({ "description": format!("Number {}", dice.below(100)) });
                Self { who, verb: "PATCH", path: "/orgs/acme".into(), body: Some(body) }
            }
        }
    }

    fn of_site(dice: &mut Dice, login: &str) -> Self {
        let (who, suspended) = ("sam", format!("/users/{login}/suspended"));
        match dice.below(6) {
            0 => Self::put(who, suspended, json!({})),
            1..4 => Self { who, verb: "DELETE", path: suspended, body: None },
            4 => Self::put(who, format!("/users/{login}/site_admin"), json!({})),
            _ => Self { who, verb: "DELETE", path: format!("/users/{login}/site_admin"), body: None },
        }
    }
}

/// The path of a team by its identifier or by a slug, one of the newest.
fn team(town: &Town, dice: &mut Dice) -> String {
    match dice.below(3) {
        0 => format!("/orgs/acme/teams/t{}", dice.below(NAMES)),
        _ => format!("/organizations/1/team/{}", number(town, dice)),
    }
}

fn number(town: &Town, dice: &mut Dice) -> i64 {
    let newest: Vec<i64> = town.teams.iter().rev().take(NEWEST).copied().collect();
    dice.one(&newest)
}
