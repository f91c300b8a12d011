//! Organization memory against a naive model: random sequences of changes, every page compared
//! (decisions 17, 23, 24, 28, 38), and the sizes that random sequences do not reach.

use std::collections::{BTreeMap, BTreeSet};

use guildhall::memory::{MemberEntry, OrgState, Part, People, Reach, RoleFilter, Viewer};
use guildhall::rows::Fold;
use proptest::prelude::*;

const ROLES: [RoleFilter; 3] = [RoleFilter::All, RoleFilter::Member, RoleFilter::Maintainer];
const REACHES: [Reach; 3] = [Reach::All, Reach::Immediate, Reach::ChildTeam];
const WHICH: [People; 4] = [People::All, People::Owners, People::NonOwners, People::Public];
const TEAMS: i64 = 9;
/// Neighbours, both sides of a boundary between containers, the greatest, and three that are ignored.
const USERS: [i64; 10] = [1, 2, 3, 65_535, 65_536, 70_000, 4_294_967_295, 4_294_967_296, -1, i64::MIN];

#[derive(Default)]
struct Model {
    teams: BTreeMap<i64, (Option<i64>, String, bool)>,
    members: BTreeMap<(i64, i64), bool>,
    people: BTreeMap<i64, (bool, bool)>,
}

impl Model {
    fn apply(&mut self, change: Fold) {
        match change {
            Fold::Member { team, user, maintainer } => {
                if self.teams.contains_key(&team) && u32::try_from(user).is_ok() {
                    self.members.insert((team, user), maintainer);
                }
            }
            Fold::MemberGone { team, user } => drop(self.members.remove(&(team, user))),
            Fold::Team { team, parent, name_key, secret } => {
                let parent = parent.filter(|parent| !self.above(*parent).contains(&team));
                self.teams.insert(team, (parent, name_key, secret));
            }
            Fold::Grants { .. } => {}
            Fold::TeamGone { team } => {
                self.teams.remove(&team);
                self.members.retain(|(of, _), _| *of != team);
            }
            Fold::Person { user, owner, public } => {
                if u32::try_from(user).is_ok() {
                    self.people.insert(user, (owner, public));
                }
            }
            Fold::PersonGone { user } => {
                self.people.remove(&user);
                self.members.retain(|(_, member), _| *member != user);
            }
        }
    }

    fn above(&self, team: i64) -> Vec<i64> {
        std::iter::successors(Some(team), |team| self.teams.get(team)?.0).collect()
    }

    fn merged(&self, team: i64) -> BTreeSet<i64> {
        let members = self.members.keys().filter(|(of, _)| self.above(*of).contains(&team));
        members.map(|(_, user)| *user).filter(|_| self.teams.contains_key(&team)).collect()
    }

    fn members(&self, team: i64, role: RoleFilter, reach: Reach) -> Vec<MemberEntry> {
        let entries = self.merged(team).into_iter().filter_map(|user| {
            let direct = self.members.get(&(team, user));
            let owner = self.people.get(&user).is_some_and(|(owner, _)| *owner);
            let leads = owner || direct == Some(&true);
            let shown = match role {
                RoleFilter::All => true,
                RoleFilter::Member => !leads,
                RoleFilter::Maintainer => leads,
            } && match reach {
                Reach::All => true,
                Reach::Immediate => direct.is_some(),
                Reach::ChildTeam => direct.is_none(),
            };
            shown.then_some(MemberEntry { user, inherited: direct.is_none() })
        });
        entries.collect()
    }

    fn teams(&self, shown: impl Fn(i64, Option<i64>, bool) -> bool) -> Vec<i64> {
        let teams = self.teams.iter().filter(|(id, (parent, _, secret))| shown(**id, *parent, *secret));
        let keys: BTreeSet<_> = teams.map(|(id, (_, name, _))| (name.as_bytes(), *id)).collect();
        keys.into_iter().map(|(_, id)| id).collect()
    }

    fn people(&self, which: People) -> Vec<i64> {
        let people = self.people.iter().filter(|(_, (owner, public))| match which {
            People::All => true,
            People::Owners => *owner,
            People::NonOwners => !owner,
            People::Public => *public,
        });
        people.map(|(user, _)| *user).collect()
    }

    /// The rows of a full load, out of order: members before teams, and teams by descending id.
    fn rows(&self) -> Vec<Fold> {
        let teams = self.teams.iter().rev().map(|(team, (parent, name, secret))| Fold::Team {
            team: *team,
            parent: *parent,
            name_key: name.clone(),
            secret: *secret,
        });
        let people = self.people.iter();
        let people = people.map(|(user, (owner, public))| Fold::Person { user: *user, owner: *owner, public: *public });
        let members = self.members.iter();
        let members = members.map(|((team, user), lead)| Fold::Member { team: *team, user: *user, maintainer: *lead });
        people.chain(members).chain(teams).collect()
    }
}

/// Reads a list page by page, checks the total of each page, and one page past the end.
fn whole<T>(limit: u64, mut page: impl FnMut(u64) -> (Vec<T>, u64)) -> Vec<T> {
    let mut all = Vec::new();
    loop {
        let (mut entries, total) = page(all.len() as u64);
        assert!(entries.len() as u64 <= limit, "a page is never longer than asked");
        if entries.is_empty() {
            assert_eq!(total, all.len() as u64);
            assert!(page(u64::MAX).0.is_empty());
            return all;
        }
        all.append(&mut entries);
        assert!(total >= all.len() as u64, "the total counts every entry");
    }
}

/// An organization without teams and people.
fn whole_state() -> OrgState {
    let mut state = OrgState::unknown(0);
    for part in [Part::Teams, Part::People, Part::Members] {
        state.learn(part);
    }
    state
}

/// The state of an organization with these rows: teams in any order, members after their teams.
fn loaded(rows: impl IntoIterator<Item = Fold>) -> OrgState {
    let mut state = whole_state();
    let (members, others): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| matches!(row, Fold::Member { .. }));
    others.into_iter().chain(members).for_each(|row| state.apply(row));
    state
}

fn check_team(state: &mut OrgState, model: &Model, team: i64, limit: u64) {
    for (role, reach) in ROLES.into_iter().flat_map(|role| REACHES.map(|reach| (role, reach))) {
        let found = whole(limit, |offset| {
            let page = state.members_page(team, role, reach, offset, limit);
            (page.entries, page.total)
        });
        assert_eq!(found, model.members(team, role, reach), "team {team}, {role:?}, {reach:?}");
    }
    let children = whole(limit, |offset| state.children_page(team, offset, limit));
    assert_eq!(children, model.teams(|_, parent, _| parent == Some(team)));
}

fn check_everything(state: &mut OrgState, model: &Model, own: &[i64], limit: u64) {
    for team in 0..=TEAMS {
        check_team(state, model, team, limit);
    }
    let every = whole(limit, |offset| state.teams_page(Viewer::Everything, offset, limit));
    assert_eq!(every, model.teams(|_, _, _| true));
    let places = state.places(own);
    let seen = whole(limit, |offset| state.teams_page(Viewer::ClosedAnd(&places), offset, limit));
    assert_eq!(seen, model.teams(|id, _, secret| !secret || own.contains(&id)));
    for which in WHICH {
        assert_eq!(whole(limit, |offset| state.people_page(which, offset, limit)), model.people(which), "{which:?}");
    }
}

#[derive(Clone, Debug)]
enum Step {
    Apply {
        change: Fold,
        times: usize,
    },
    /// Warms the state of one team only, so that changes meet warm and cold teams mixed.
    Check {
        team: i64,
    },
}

fn limit() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 1..5_u64, 1 => Just(u64::MAX)]
}

fn change() -> impl Strategy<Value = Fold> {
    let team = || 1..TEAMS;
    let user = || prop::sample::select(&USERS[..]);
    let name = prop::sample::select(&["a", "a b", "b", "é", "z"][..]);
    let parent = prop_oneof![1 => Just(None), 3 => (1..=TEAMS).prop_map(Some)];
    prop_oneof![
        6 => (team(), user(), any::<bool>())
            .prop_map(|(team, user, maintainer)| Fold::Member { team, user, maintainer }),
        4 => (team(), user()).prop_map(|(team, user)| Fold::MemberGone { team, user }),
        6 => (team(), parent, name, any::<bool>()).prop_map(|(team, parent, name, secret)| Fold::Team {
            team,
            parent,
            name_key: name.to_owned(),
            secret,
        }),
        2 => team().prop_map(|team| Fold::TeamGone { team }),
        3 => (user(), any::<bool>(), any::<bool>())
            .prop_map(|(user, owner, public)| Fold::Person { user, owner, public }),
        1 => user().prop_map(|user| Fold::PersonGone { user }),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (change(), 1..3_usize).prop_map(|(change, times)| Step::Apply { change, times }),
        1 => (0..=TEAMS).prop_map(|team| Step::Check { team }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) })]

    #[test]
    fn every_page_equals_the_model_after_any_changes(
        steps in prop::collection::vec(step(), 1..120),
        own in prop::collection::vec(0..=TEAMS, 0..5),
        limit in limit(),
    ) {
        let (mut state, mut model) = (whole_state(), Model::default());
        for step in steps {
            match step {
                Step::Apply { change, times } => {
                    (0..times).for_each(|_| state.apply(change.clone()));
                    model.apply(change);
                }
                Step::Check { team } => check_team(&mut state, &model, team, limit),
            }
        }
        check_everything(&mut state, &model, &own, limit);
        check_everything(&mut loaded(model.rows()), &model, &own, limit);
    }
}

/// Reads a part as it is in the model.
fn learn(state: &mut OrgState, model: &Model, part: Part) {
    state.learn(part);
    let belongs = |row: &Fold| match part {
        Part::Teams => matches!(row, Fold::Team { .. }),
        Part::People => matches!(row, Fold::Person { .. }),
        Part::Members => matches!(row, Fold::Member { .. }),
    };
    model.rows().into_iter().filter(belongs).for_each(|row| state.apply(row));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn a_part_that_is_learnt_late_equals_the_model(
        changes in prop::collection::vec(change(), 1..80),
        (teams, people, later) in (0..80_usize, 0..80_usize, 0..20_usize),
        limit in limit(),
    ) {
        // Members come last: they need teams and owners.
        let parts = [(Part::Teams, teams), (Part::People, people), (Part::Members, teams.max(people) + later)];
        let (mut state, mut model) = (OrgState::unknown(0), Model::default());
        for (n, change) in changes.into_iter().enumerate() {
            parts.iter().filter(|(_, at)| *at == n).for_each(|(part, _)| learn(&mut state, &model, *part));
            state.apply(change.clone());
            model.apply(change);
        }
        for (part, _) in parts {
            if !state.knows(part) {
                learn(&mut state, &model, part);
            }
        }
        check_everything(&mut state, &model, &[], limit);
    }
}

fn team(team: i64, parent: Option<i64>) -> Fold {
    Fold::Team { team, parent, name_key: format!("team {team:06}"), secret: false }
}

fn total(state: &mut OrgState, team: i64) -> u64 {
    state.members_page(team, RoleFilter::All, Reach::All, 0, 1).total
}

#[test]
fn a_chain_of_ten_thousand_teams_works() {
    const DEPTH: i64 = 10_000;
    let teams = (1..=DEPTH).map(|id| team(id, (id > 1).then_some(id - 1)));
    let members = (1..=DEPTH).map(|id| Fold::Member { team: id, user: id, maintainer: false });
    let mut state = loaded(teams.chain(members));
    assert_eq!((total(&mut state, 1), total(&mut state, 9_000)), (10_000, 1_001));

    state.apply(Fold::Member { team: DEPTH, user: 20_000, maintainer: false });
    assert_eq!((total(&mut state, 1), total(&mut state, 9_000)), (10_001, 1_002));
    state.apply(Fold::MemberGone { team: DEPTH, user: 20_000 });
    assert_eq!((total(&mut state, 1), total(&mut state, 9_000)), (10_000, 1_001));
    state.apply(team(5_000, Some(1)));
    assert_eq!((total(&mut state, 1), total(&mut state, 2)), (10_000, 4_998));
    state.apply(team(2, Some(DEPTH)));
    assert_eq!((total(&mut state, 1), total(&mut state, 5_000)), (10_000, 9_999));
    state.apply(team(5_000, Some(2)));
    assert_eq!((total(&mut state, 5_000), total(&mut state, 2)), (9_999, 4_998), "a cycle leaves a root");
}

#[test]
fn any_page_of_a_large_team_is_exact() {
    const PEOPLE: i64 = 150_000;
    let teams = (1..=50).map(|id| team(id, (id > 1).then_some(1)));
    let members = (0..PEOPLE).map(|n| Fold::Member { team: 2 + n % 49, user: 3 * n, maintainer: n % 2 == 0 });
    let mut state = loaded(teams.chain(members));
    for first in [0, 65_500, 99_990, 149_900] {
        let page = state.members_page(1, RoleFilter::Member, Reach::ChildTeam, first, 100);
        let users: Vec<i64> = page.entries.iter().map(|entry| entry.user).collect();
        let expected: Vec<i64> = (0..100).map(|n| 3 * (n + first.cast_signed())).collect();
        assert_eq!((users, page.total), (expected, 150_000));
    }
    let past = state.members_page(1, RoleFilter::All, Reach::All, 150_000, 100);
    assert_eq!((past.entries.len(), past.total), (0, 150_000));
}
