//! Everybody looks at everything, page by page; it is what the model shows them.

use crate::properties::model::{Model, NAMES, PEOPLE, Team, Who};
use crate::properties::projects;
use crate::properties::repos;
use crate::support::{Client, Value, World};

const ROLES: [&str; 3] = ["all", "member", "maintainer"];
const REACHES: [&str; 3] = ["all", "immediate", "child_team"];

/// Compares all that each user can see.
pub fn everywhere(world: &World, model: &Model) {
    for team in model.teams.keys() {
        let above = model.above(*team);
        assert!(above.len() <= model.teams.len(), "team {team} is above itself");
        assert!(above.len() == 1 || above.iter().all(|id| !model.teams[id].secret), "a secret team is nested");
    }
    for (who, login) in PEOPLE.iter().enumerate() {
        let client = world.client(login);
        lists(&client, model, who);
        projects::look(&client, model, who);
        repos::look(&client, model, who);
        for (id, team) in &model.teams {
            one(&client, model, who, *id, team);
        }
    }
    let olivia = world.client(PEOPLE[0]);
    if model.owns(0) {
        for id in model.teams.keys() {
            members(&olivia, model, *id);
        }
        old_slugs(&olivia, model);
        projects::permissions(&olivia, model);
        repos::outsiders(&olivia, model);
    }
}

/// Identifiers in the order of lists of teams.
fn by_name(model: &Model, shown: impl Fn(i64, &Team) -> bool) -> Vec<i64> {
    let shown = model.teams.iter().filter(|(id, team)| shown(**id, team));
    let mut keys: Vec<_> = shown.map(|(id, team)| (NAMES[team.name].0.to_lowercase(), *id)).collect();
    keys.sort();
    keys.into_iter().map(|(_, id)| id).collect()
}

/// A whole list page by page: pages are full but for the last, the last is where `Link` says, and past it is nothing.
pub fn pages(client: &Client, path: &str, per_page: usize) -> Vec<Value> {
    let joined = if path.contains('?') { "&" } else { "?" };
    let page = |number: usize| client.get(&format!("{path}{joined}per_page={per_page}&page={number}"));
    let first = page(1);
    let last = first.link("last").map_or(1, |link| {
        let number = link.split(['?', '&']).find_map(|pair| pair.strip_prefix("page="));
        number.and_then(|number| number.parse().ok()).expect("the number of the last page")
    });
    let mut items = first.expect(200).as_array().expect("a list").clone();
    for number in 2..=last {
        assert_eq!(items.len(), per_page * (number - 1), "a page of {path} before the last is not full");
        items.extend(page(number).expect(200).as_array().expect("a list").iter().cloned());
    }
    assert!(last == 1 || items.len() > per_page * (last - 1), "the last page of {path} is empty");
    assert_eq!(page(last + 1).expect(200).as_array().map(Vec::len), Some(0), "past the end of {path}");
    items
}

pub fn ids(items: &[Value]) -> Vec<i64> {
    items.iter().map(|item| item["id"].as_i64().expect("an identifier")).collect()
}

fn logins(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["login"].as_str().expect("a login")).collect()
}

fn lists(client: &Client, model: &Model, who: Who) {
    let visible = pages(client, "/orgs/acme/teams", 3);
    assert_eq!(ids(&visible), by_name(model, |id, _| model.sees(who, id)), "teams that {} sees", PEOPLE[who]);
    let own = model.teams.iter().filter(|(_, team)| team.members.contains_key(&who)).map(|(id, _)| *id);
    assert_eq!(ids(&pages(client, "/user/teams", 2)), own.collect::<Vec<_>>(), "teams of {}", PEOPLE[who]);
    if model.people.contains_key(&who) {
        let people: Vec<&str> = model.people.keys().map(|who| PEOPLE[*who]).collect();
        assert_eq!(logins(&pages(client, "/orgs/acme/members", 2)), people);
    }
}

fn one(client: &Client, model: &Model, who: Who, id: i64, team: &Team) {
    let path = format!("/organizations/1/team/{id}");
    let answer = client.get(&path);
    if !model.sees(who, id) {
        answer.refused(404, "Not Found");
        return;
    }
    let shown = answer.expect(200);
    assert_eq!((&shown["name"], &shown["slug"]), (&Value::from(NAMES[team.name].0), &Value::from(team.slug())));
    assert_eq!(shown["privacy"], if team.secret { "secret" } else { "closed" });
    assert_eq!(shown["parent"]["id"], team.parent.map_or(Value::Null, Value::from));
    assert_eq!(shown["members_count"], team.members.len(), "of team {id} in {model:#?}");
    let children = by_name(model, |_, child| child.parent == Some(id));
    assert_eq!(ids(&pages(client, &format!("{path}/teams"), 2)), children);
    let people: Vec<&str> = model.merged(id).into_iter().map(|who| PEOPLE[who]).collect();
    assert_eq!(logins(&pages(client, &format!("{path}/members"), 2)), people, "team {id} in {model:#?}");
}

/// Every filter of the merged list, and every single membership.
fn members(client: &Client, model: &Model, id: i64) {
    let (path, team) = (format!("/organizations/1/team/{id}"), &model.teams[&id]);
    let leads = |who: &Who| model.owns(*who) || team.members.get(who) == Some(&true);
    for (role, reach) in ROLES.iter().flat_map(|role| REACHES.iter().map(move |reach| (*role, *reach))) {
        let shown = model.merged(id).into_iter().filter(|who| match role {
            "member" => !leads(who),
            "maintainer" => leads(who),
            _ => true,
        });
        let shown = shown.filter(|who| match reach {
            "immediate" => team.members.contains_key(who),
            "child_team" => !team.members.contains_key(who),
            _ => true,
        });
        let expected: Vec<&str> = shown.map(|who| PEOPLE[who]).collect();
        let list = pages(client, &format!("{path}/members?role={role}&membership={reach}"), 2);
        assert_eq!(logins(&list), expected, "{role}, {reach} of team {id} in {model:#?}");
    }
    for (who, login) in PEOPLE.iter().enumerate() {
        let answer = client.get(&format!("{path}/memberships/{login}"));
        let role = |leads: bool| if leads { "maintainer" } else { "member" };
        let expected = if model.merged(id).contains(&who) {
            Some(("active", role(leads(&who))))
        } else {
            team.pending.get(&who).map(|leads| ("pending", role(*leads)))
        };
        match expected {
            None => assert_eq!(answer.status, 404, "{login} in team {id} of {model:#?}"),
            Some((state, role)) => {
                let shown = answer.expect(200);
                assert_eq!((&shown["state"], &shown["role"]), (&state.into(), &role.into()), "{login} in team {id}");
            }
        }
    }
}

/// Old slugs lead on, living ones are found, all others are nothing.
fn old_slugs(client: &Client, model: &Model) {
    for (_, slug) in NAMES {
        let answer = client.get(&format!("/orgs/acme/teams/{slug}"));
        let living = model.teams.iter().find(|(_, team)| team.slug() == slug);
        match (living, model.left.get(slug)) {
            (Some((id, _)), _) => assert_eq!(answer.expect(200)["id"], *id),
            (None, Some(id)) => {
                let address = format!("{}/organizations/1/team/{id}", client.base);
                answer.expect(302);
                assert_eq!(answer.header("location"), Some(address.as_str()));
                let write = client.delete(&format!("/orgs/acme/teams/{slug}/memberships/max"));
                assert_eq!(write.status, 404, "nothing is changed through an old slug");
            }
            (None, None) => assert_eq!(answer.status, 404),
        }
    }
}
