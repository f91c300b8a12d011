//! Random sequences of how people are invited and how that ends, against a small model: which invitations are open,
//! which have failed, and what they make of people (decisions 25 to 29).

use std::collections::BTreeMap;

use guildhall::doctor;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::support::database::Database;
use crate::support::{Answer, Client, Value, World, json};

/// Each has one address. In the beginning Ulla is a former owner, and Una has no account.
const PEOPLE: [&str; 3] = ["nina", "ulla", "una"];
const ULLA: usize = 1;
const UNA: usize = 2;
const TEAMS: [&str; 2] = ["core", "docs"];
const ROLES: [&str; 4] = ["direct_member", "admin", "billing_manager", "reinstate"];
const BILLING: &str = "billing_manager";
const DAY: i64 = 86_400;

/// Teams of a user, by their place in [`TEAMS`], and whether to maintain them.
type Teams = BTreeMap<usize, bool>;

#[derive(Debug, Clone)]
enum Deed {
    /// Olivia invites with the list of the organization, again if need be.
    Invite { by_address: bool, role: usize, teams: Vec<usize> },
    /// Olivia adds a user to a team.
    PutOnTeam { team: usize, leads: bool },
    /// Olivia gives a user a role in the organization.
    PutInOrg { owner: bool },
    /// Olivia removes a user from a team.
    RemoveTeam { team: usize },
    /// Olivia withdraws the newest invitation by its number.
    Cancel,
    /// Olivia removes a user from the organization.
    Remove,
    /// They accept.
    Accept,
    /// They decline, or leave.
    Leave,
    /// Time passes.
    Wait { days: i64 },
    /// They get an account, if they have none.
    Register,
}

fn deed() -> impl Strategy<Value = (usize, Deed)> {
    let team = || 0..TEAMS.len();
    let teams = prop::collection::vec(team(), 0..3);
    let deed = prop_oneof![
        6 => (any::<bool>(), 0..ROLES.len(), teams)
            .prop_map(|(by_address, role, teams)| Deed::Invite { by_address, role, teams }),
        4 => (team(), any::<bool>()).prop_map(|(team, leads)| Deed::PutOnTeam { team, leads }),
        2 => any::<bool>().prop_map(|owner| Deed::PutInOrg { owner }),
        2 => team().prop_map(|team| Deed::RemoveTeam { team }),
        2 => Just(Deed::Cancel),
        2 => Just(Deed::Remove),
        4 => Just(Deed::Accept),
        3 => Just(Deed::Leave),
        2 => (1..9_i64).prop_map(|days| Deed::Wait { days }),
        1 => Just(Deed::Register),
    ];
    (0..PEOPLE.len(), deed)
}

#[derive(Debug, Clone)]
struct Invitation {
    id: i64,
    by_address: bool,
    role: &'static str,
    teams: Teams,
    expires: i64,
}

#[derive(Debug, Default)]
struct Person {
    registered: bool,
    /// `admin`, `member` or `billing_manager`.
    role: Option<&'static str>,
    former: Option<&'static str>,
    teams: Teams,
    /// At most one to the account and one to the address, oldest first. No one learns that they are of one person.
    open: Vec<Invitation>,
    failed: Vec<Invitation>,
    last_id: i64,
}

impl Person {
    fn is_member(&self) -> bool {
        matches!(self.role, Some("admin" | "member"))
    }

    /// The open invitation to the account, or to the address.
    fn open_to(&self, address: bool) -> Option<&Invitation> {
        self.open.iter().find(|open| open.by_address == address)
    }

    /// Adds to what is open, or begins anew, which makes earlier failures of the same kind forgotten.
    fn invite(&mut self, (id, now): (Option<i64>, i64), by_address: bool, role: &'static str) -> &mut Invitation {
        if self.open_to(by_address).is_none() {
            self.failed.retain(|failed| failed.by_address != by_address);
            let id = id.unwrap_or_default();
            self.open.push(Invitation { id, by_address, role, teams: Teams::new(), expires: now + 7 * DAY });
        }
        self.open.iter_mut().find(|open| open.by_address == by_address).expect("it is open")
    }

    /// Withdraws those of which this is so.
    fn withdraw(&mut self, is: impl Fn(&Invitation) -> bool) -> u16 {
        let before = self.open.len();
        self.open.retain(|open| !is(open));
        if self.open.len() < before { 204 } else { 404 }
    }

    /// Those of which this is so have failed.
    fn fail(&mut self, is: impl Fn(&Invitation) -> bool) {
        let failed = self.open.extract_if(.., |open| is(open));
        self.failed.extend(failed.map(|open| Invitation { teams: Teams::new(), ..open }));
    }

    fn leave(&mut self) {
        self.former = self.role.take();
        self.teams.clear();
        self.open.clear();
    }

    fn accept(&mut self) -> u16 {
        let open = std::mem::take(&mut self.open);
        // The oldest says the role, and those after it bring more teams.
        if let Some(first) = open.first().filter(|_| !self.is_member()) {
            let role = match first.role {
                "reinstate" => self.former.unwrap_or("member"),
                "direct_member" => "member",
                role => role,
            };
            let teams: Teams = open.iter().rev().flat_map(|open| open.teams.clone()).collect();
            (self.role, self.former) = (Some(role), None);
            self.teams = if role == BILLING { Teams::new() } else { teams };
        }
        if self.role.is_some() { 200 } else { 404 }
    }

    /// Succeeds without effect if there is nothing to take off (decision 24).
    fn remove_team(&mut self, team: usize) -> u16 {
        let own = self.open.iter_mut().find(|open| !open.by_address);
        if own.is_none_or(|open| open.teams.remove(&team).is_none()) {
            self.teams.remove(&team);
        }
        204
    }

    /// The status of what happens to the person, and what it changes. The number of a new invitation comes from
    /// the answer.
    fn carry_out(&mut self, deed: &Deed, (id, now): (Option<i64>, i64)) -> u16 {
        let bills = self.open_to(false).is_some_and(|open| open.role == BILLING);
        match deed {
            Deed::Invite { by_address, role, teams } => {
                let (role, by_address) = (ROLES[*role], *by_address || !self.registered);
                let brings = !teams.is_empty() || self.open_to(by_address).is_some_and(|open| !open.teams.is_empty());
                let billing_again = self.role == Some(BILLING) && role == BILLING;
                if self.is_member() || billing_again || role == BILLING && brings {
                    return 422;
                }
                let open = self.invite((id, now), by_address, role);
                (open.role, open.expires) = (role, now + 7 * DAY);
                open.teams.extend(teams.iter().map(|team| (*team, false)));
                201
            }
            Deed::Register => 201,
            Deed::PutOnTeam { .. } | Deed::PutInOrg { .. } | Deed::RemoveTeam { .. } | Deed::Remove
                if !self.registered =>
            {
                404
            }
            Deed::PutOnTeam { team, leads } if self.is_member() => {
                self.teams.insert(*team, *leads);
                200
            }
            Deed::PutOnTeam { .. } if bills => 422,
            Deed::PutOnTeam { team, leads } => {
                self.invite((id, now), false, "direct_member").teams.insert(*team, *leads);
                200
            }
            Deed::PutInOrg { owner } if self.is_member() => {
                self.role = Some(if *owner { "admin" } else { "member" });
                200
            }
            Deed::PutInOrg { owner } => {
                let role = if *owner { "admin" } else { "direct_member" };
                self.invite((id, now), false, role).role = role;
                200
            }
            Deed::RemoveTeam { team } => self.remove_team(*team),
            Deed::Cancel => {
                let newest = self.last_id;
                self.withdraw(|open| open.id == newest)
            }
            Deed::Accept => self.accept(),
            Deed::Remove | Deed::Leave if self.role.is_some() => {
                self.leave();
                204
            }
            Deed::Remove => self.withdraw(|open| !open.by_address),
            Deed::Leave if self.open.is_empty() => 404,
            // Each is declined by itself, the oldest first.
            Deed::Leave => {
                let oldest = self.open[0].id;
                self.fail(|open| open.id == oldest);
                204
            }
            Deed::Wait { .. } => 0,
        }
    }

    /// Marks as failed all invitations that have expired by now.
    fn expire(&mut self, now: i64) {
        self.fail(|open| open.expires <= now);
    }
}

/// Lets it happen.
fn send(world: &World, teams: &[i64], who: usize, person: &Person, deed: &Deed) -> Answer {
    let (olivia, login) = (world.olivia(), PEOPLE[who]);
    let role = |leads: bool| json!({ "role": if leads { "maintainer" } else { "member" } });
    let on_team = |team: usize| format!("/orgs/acme/teams/{}/memberships/{login}", TEAMS[team]);
    match deed {
        Deed::Invite { by_address, role, teams: brought } => {
            let brought: Vec<i64> = brought.iter().map(|team| teams[*team]).collect();
            let mut body = json!({ "role": ROLES[*role], "team_ids": brought });
            if *by_address || !person.registered {
                body["email"] = format!("{}@Example.com", login.to_uppercase()).into();
            } else {
                body["invitee_id"] = olivia.get(&format!("/users/{login}")).expect(200)["id"].clone();
            }
            olivia.post("/orgs/acme/invitations", body)
        }
        Deed::PutOnTeam { team, leads } => olivia.put(&on_team(*team), role(*leads)),
        Deed::PutInOrg { owner } => {
            let role = json!({ "role": if *owner { "admin" } else { "member" } });
            olivia.put(&format!("/orgs/acme/memberships/{login}"), role)
        }
        Deed::RemoveTeam { team } => olivia.delete(&on_team(*team)),
        Deed::Cancel => olivia.delete(&format!("/orgs/acme/invitations/{}", person.last_id)),
        Deed::Remove => olivia.delete(&format!("/orgs/acme/memberships/{login}")),
        Deed::Accept => world.client(login).patch("/user/memberships/orgs/acme", json!({ "state": "active" })),
        Deed::Leave => world.client(login).delete("/user/memberships/orgs/acme"),
        Deed::Register | Deed::Wait { .. } => {
            let email = format!("{login}@example.com");
            world.sam().post("/admin/users", json!({ "login": login, "email": email }))
        }
    }
}

/// The number of the newest invitation that is open to a user, or has failed.
fn newest(olivia: &Client, who: usize) -> Option<i64> {
    let email = format!("{}@Example.com", PEOPLE[who].to_uppercase());
    let theirs = |item: &Value| item["login"] == PEOPLE[who] || item["email"] == email;
    let open = olivia.all("/orgs/acme/invitations");
    open.iter().filter(|item| theirs(item)).filter_map(|item| item["id"].as_i64()).max()
}

/// Everything that the lists and the records show is what the model says.
fn look(world: &World, people: &[Person]) {
    let olivia = world.olivia();
    let shown = |path: &str| -> Vec<Value> {
        let keys = ["id", "login", "email", "role", "team_count"];
        let record = |item: &Value| keys.iter().map(|key| item[*key].clone()).collect();
        olivia.all(path).iter().map(record).collect()
    };
    let wanted = |of: &dyn Fn(&Person) -> Vec<Invitation>| -> Vec<Value> {
        let mut all: Vec<(i64, Value)> = Vec::new();
        for (who, person) in people.iter().enumerate() {
            for invitation in of(person) {
                let login = (!invitation.by_address).then_some(PEOPLE[who]);
                let email = invitation.by_address.then(|| format!("{}@Example.com", PEOPLE[who].to_uppercase()));
                let Invitation { id, role, .. } = invitation;
                all.push((id, json!([id, login, email, role, invitation.teams.len()])));
            }
        }
        all.sort_by_key(|(id, _)| *id);
        all.into_iter().map(|(_, record)| record).collect()
    };
    assert_eq!(shown("/orgs/acme/invitations"), wanted(&|person| person.open.clone()), "{people:#?}");
    assert_eq!(shown("/orgs/acme/failed_invitations"), wanted(&|person| person.failed.clone()), "{people:#?}");
    for (team, slug) in TEAMS.iter().enumerate() {
        let brings = |open: &&Invitation| open.teams.contains_key(&team);
        let wanted = wanted(&|person| person.open.iter().filter(brings).cloned().collect());
        assert_eq!(shown(&format!("/orgs/acme/teams/{slug}/invitations")), wanted, "{people:#?}");
    }
    for (who, person) in people.iter().enumerate().filter(|(_, person)| person.registered) {
        standing(world, who, person);
    }
}

/// The standing of a user in the organization and in each team.
fn standing(world: &World, who: usize, person: &Person) {
    let login = PEOPLE[who];
    let mine = world.client(login).get("/user/memberships/orgs/acme");
    let invited = |role| match role {
        "direct_member" | "reinstate" => "member",
        role => role,
    };
    match (person.role, person.open.first()) {
        (Some(role), _) => assert_eq!((&mine.json["state"], &mine.json["role"]), (&json!("active"), &json!(role))),
        (None, Some(open)) => {
            assert_eq!((&mine.json["state"], &mine.json["role"]), (&json!("pending"), &json!(invited(open.role))));
        }
        (None, None) => drop(mine.expect(404)),
    }
    for (team, slug) in TEAMS.iter().enumerate() {
        let shown = world.olivia().get(&format!("/orgs/acme/teams/{slug}/memberships/{login}"));
        let role_word = |leads: bool| json!(if leads { "maintainer" } else { "member" });
        let pending = person.open_to(false).and_then(|open| open.teams.get(&team));
        match (person.teams.get(&team), pending) {
            (Some(leads), _) => {
                let role = role_word(*leads || person.role == Some("admin"));
                assert_eq!((&shown.json["state"], &shown.json["role"]), (&json!("active"), &role), "{person:#?}");
            }
            (None, Some(leads)) => {
                let role = role_word(*leads);
                assert_eq!((&shown.json["state"], &shown.json["role"]), (&json!("pending"), &role), "{person:#?}");
            }
            (None, None) => drop(shown.expect(404)),
        }
    }
}

/// Lets the world and the model do the same; both must agree on how it goes.
fn carry_out(world: &World, teams: &[i64], people: &mut [Person], now: &mut i64, (who, deed): &(usize, Deed)) {
    if let Deed::Wait { days } = deed {
        // Not to the second at which an invitation ends, and so to both sides of it.
        let seconds = days * DAY + 1;
        world.advance(seconds);
        *now += seconds;
        for person in people {
            person.expire(*now);
        }
        return;
    }
    let person = &mut people[*who];
    let absent = !person.registered && matches!(deed, Deed::Accept | Deed::Leave);
    let known = person.registered && matches!(deed, Deed::Register);
    if absent || known {
        return;
    }
    let answer = send(world, teams, *who, person, deed);
    let newest = newest(&world.olivia(), *who);
    let status = person.carry_out(deed, (newest, *now));
    assert_eq!(answer.status, status, "{deed:?} of {who}: {} in {person:#?}", answer.text);
    person.registered |= matches!(deed, Deed::Register);
    person.last_id = newest.unwrap_or(person.last_id);
}

#[test]
fn invitations_begin_and_end_as_the_model_says() {
    let (cases, steps) = if Database::is_postgres() { (4, 30) } else { (24, 40) };
    let world = World::new();
    world.register("ulla");
    world.join("acme", "olivia", "ulla");
    world.olivia().put("/orgs/acme/memberships/ulla", json!({ "role": "admin" })).expect(200);
    world.client("ulla").delete("/user/memberships/orgs/acme").expect(204);
    world.olivia().post("/orgs/acme/teams", json!({ "name": "Docs", "privacy": "closed" })).expect(201);
    world.olivia().delete("/orgs/acme/teams/docs/memberships/olivia").expect(204);
    let ids = TEAMS.map(|slug| world.olivia().get(&format!("/orgs/acme/teams/{slug}")).expect(200)["id"].clone());
    let teams = ids.map(|id| id.as_i64().expect("an id"));
    let template = world.into_template();
    let config = Config { cases, max_shrink_iters: 200, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&prop::collection::vec(deed(), 1..=steps), |deeds| {
        let world = World::like(&template);
        let mut people: Vec<Person> = PEOPLE.iter().map(|_| Person::default()).collect();
        people.iter_mut().enumerate().for_each(|(who, person)| person.registered = who != UNA);
        people[ULLA].former = Some("admin");
        let mut now = 0;
        for deed in &deeds {
            carry_out(&world, &teams, &mut people, &mut now, deed);
            look(&world, &people);
        }
        let findings = world.block_on(doctor::run(&world.db, &[7; 32])).expect("doctor can look").findings;
        prop_assert!(findings.is_empty(), "{findings:#?}");
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}
