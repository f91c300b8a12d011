//! Random sequences of what people do to teams and memberships, against a small model: every answer is the one that
//! the model predicts, and afterwards all users see what the model shows them (sections 5 and 6 of `SPEC.md`,
//! decisions 9 to 14, 17, 23 to 28, 30 to 33 and 38).

mod invitations;
mod kept;
mod look;
mod model;
mod posts;
mod projects;
mod repos;

use crate::support::database::Database;
use crate::support::{Answer, World, json};
use guildhall::doctor;
use model::{Act, Deed, Model, NAMES, PEOPLE, Who};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// The team that a random step takes, when some may be deleted and some may never have existed.
type Pick = usize;

/// A step before it is known which teams there are.
#[derive(Debug, Clone)]
enum Step {
    Create { name: usize, parent: Option<Pick>, secret: Option<bool> },
    Rename { team: Pick, name: usize },
    Move { team: Pick, parent: Option<Pick> },
    Privacy { team: Pick, secret: bool },
    Delete { team: Pick },
    Put { team: Pick, who: Who, leads: bool },
    Remove { team: Pick, who: Who },
    OrgRole { who: Who, owner: bool },
    OrgRemove { who: Who },
    Accept,
    Project(projects::Step),
    Repo(repos::Step),
}

fn step() -> impl Strategy<Value = Step> {
    let (team, who, name) = (|| 0..9_usize, || 0..PEOPLE.len(), || 0..NAMES.len());
    let parent = || prop_oneof![1 => Just(None), 3 => (0..9_usize).prop_map(Some)];
    let secret = prop_oneof![2 => Just(None), 1 => Just(Some(true)), 2 => Just(Some(false))];
    prop_oneof![
        6 => (name(), parent(), secret).prop_map(|(name, parent, secret)| Step::Create { name, parent, secret }),
        3 => (team(), name()).prop_map(|(team, name)| Step::Rename { team, name }),
        5 => (team(), parent()).prop_map(|(team, parent)| Step::Move { team, parent }),
        2 => (team(), any::<bool>()).prop_map(|(team, secret)| Step::Privacy { team, secret }),
        2 => team().prop_map(|team| Step::Delete { team }),
        8 => (team(), who(), any::<bool>()).prop_map(|(team, who, leads)| Step::Put { team, who, leads }),
        4 => (team(), who()).prop_map(|(team, who)| Step::Remove { team, who }),
        2 => (who(), any::<bool>()).prop_map(|(who, owner)| Step::OrgRole { who, owner }),
        1 => who().prop_map(|who| Step::OrgRemove { who }),
        2 => Just(Step::Accept),
        12 => projects::step().prop_map(Step::Project),
        16 => repos::step().prop_map(Step::Repo),
    ]
}

/// Olivia, who owns, and Max, who maintains, act most often, so that much comes to be.
fn actor() -> impl Strategy<Value = Who> {
    prop_oneof![3 => Just(0), 2 => Just(1), 3 => 0..PEOPLE.len()]
}

fn act(model: &Model, actor: Who, step: &Step) -> Act {
    let team = |pick: Pick| model.nth_team(pick);
    let deed = match *step {
        Step::Create { name, parent, secret } => Deed::Create { name, parent: parent.map(team), secret },
        Step::Rename { team: of, name } => Deed::Rename { team: team(of), name },
        Step::Move { team: of, parent } => Deed::Move { team: team(of), parent: parent.map(team) },
        Step::Privacy { team: of, secret } => Deed::Privacy { team: team(of), secret },
        Step::Delete { team: of } => Deed::Delete { team: team(of) },
        Step::Put { team: of, who, leads } => Deed::Put { team: team(of), who, leads },
        Step::Remove { team: of, who } => Deed::Remove { team: team(of), who },
        Step::OrgRole { who, owner } => Deed::OrgRole { who, owner },
        Step::OrgRemove { who } => Deed::OrgRemove { who },
        Step::Accept => Deed::Accept,
        Step::Project(ref step) => Deed::Project(projects::Deed::of(model, step)),
        Step::Repo(ref step) => Deed::Repo(repos::Deed::of(model, step)),
    };
    Act { actor, deed }
}

/// Sends what a user does, in identifier form, which no rename changes.
fn send(world: &World, model: &Model, act: &Act) -> Answer {
    let client = world.client(PEOPLE[act.actor]);
    let path = |team: i64| format!("/organizations/1/team/{team}");
    let name = |team: i64| model.teams.get(&team).map_or("Nothing", |team| NAMES[team.name].0);
    let privacy = |secret: bool| if secret { "secret" } else { "closed" };
    let role = |leads: bool| json!({ "role": if leads { "maintainer" } else { "member" } });
    match &act.deed {
        Deed::Create { name, parent, secret } => {
            let secret = secret.map(privacy);
            let body = json!({ "name": NAMES[*name].0, "parent_team_id": parent, "privacy": secret });
            client.post("/orgs/acme/teams", body)
        }
        Deed::Rename { team, name } => client.patch(&path(*team), json!({ "name": NAMES[*name].0 })),
        Deed::Move { team, parent } => {
            client.patch(&path(*team), json!({ "name": name(*team), "parent_team_id": parent }))
        }
        Deed::Privacy { team, secret } => {
            client.patch(&path(*team), json!({ "name": name(*team), "privacy": privacy(*secret) }))
        }
        Deed::Delete { team } => client.delete(&path(*team)),
        Deed::Put { team, who, leads } => {
            client.put(&format!("{}/memberships/{}", path(*team), PEOPLE[*who]), role(*leads))
        }
        Deed::Remove { team, who } => client.delete(&format!("{}/memberships/{}", path(*team), PEOPLE[*who])),
        Deed::OrgRole { who, owner } => {
            let role = json!({ "role": if *owner { "admin" } else { "member" } });
            client.put(&format!("/orgs/acme/memberships/{}", PEOPLE[*who]), role)
        }
        Deed::OrgRemove { who } => client.delete(&format!("/orgs/acme/memberships/{}", PEOPLE[*who])),
        Deed::Accept => client.patch("/user/memberships/orgs/acme", json!({ "state": "active" })),
        Deed::Project(deed) => deed.send(&client),
        Deed::Repo(deed) => deed.send(&client),
    }
}

/// Lets the world and the model do the same; both must agree on whether it may be done.
fn carry_out(world: &World, model: &mut Model, act: &Act) {
    let refusals = model.refusals(act);
    let answer = send(world, model, act);
    if refusals.is_empty() {
        assert_eq!(answer.status, act.success(), "{act:?} in {model:#?}: {}", answer.text);
        model.carry_out(act, answer.json["id"].as_i64());
    } else {
        assert!(refusals.contains(&answer.status), "{act:?} in {model:#?}: {} not {refusals:?}", answer.text);
    }
}

#[test]
fn everybody_sees_what_the_model_shows_them() {
    let (cases, steps) = if Database::is_postgres() { (6, 50) } else { (24, 50) };
    let template = World::new().into_template();
    let mut runner =
        TestRunner::new(Config { cases, max_shrink_iters: 300, failure_persistence: None, ..Config::default() });
    let sequences = prop::collection::vec((actor(), step()), 1..=steps);
    let outcome = runner.run(&sequences, |sequence| {
        let (world, mut model) = (World::like(&template), Model::new());
        look::everywhere(&world, &model);
        for (number, (actor, step)) in sequence.iter().enumerate() {
            let act = act(&model, *actor, step);
            carry_out(&world, &mut model, &act);
            // Now and then all users read everything, so that what is kept in memory meets every kind of change.
            if number % 13 == 12 {
                look::everywhere(&world, &model);
            }
        }
        look::everywhere(&world, &model);
        let findings = world.block_on(doctor::run(&world.db, &[7; 32])).expect("doctor can look").findings;
        assert!(findings.is_empty(), "{findings:#?}");
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}
