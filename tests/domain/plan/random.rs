//! Random organizations and random files: after an apply, nothing is to do, and the organization is as if it had been made
//! from the file (decision 74).

use guildhall::plan::apply::{Guards, Outcome};
use proptest::collection;
use proptest::prelude::any;
use proptest::test_runner::{Config, TestRunner};

use super::{ALL, acme, lines, planned, told};
use crate::support::store::Store;

const PEOPLE: &[&str] = &["ada", "ben", "cem", "dan"];
/// People whom no list of the organization has. On a team, they are invited.
const OUTSIDERS: &[&str] = &["una", "uwe"];
const REPOS: &[&str] = &["api", "app", "web"];
const TEAMS: &[&str] = &["Alpha", "Beta", "Core", "Docs"];
const LEVELS: &[&str] = &["read", "triage", "write", "maintain", "admin"];

/// Random choices.
struct Dice<'b>(std::slice::Iter<'b, u8>);

impl Dice<'_> {
    fn below(&mut self, sides: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or(0)) % sides
    }

    fn one_of<'s>(&mut self, words: &[&'s str]) -> &'s str {
        words[self.below(words.len())]
    }

    fn some<'s>(&mut self, words: &[&'s str]) -> Vec<&'s str> {
        words.iter().copied().filter(|_| self.below(2) == 1).collect()
    }
}

fn list(words: &[&str]) -> String {
    format!("[{}]", words.join(", "))
}

fn map(entries: &[String]) -> String {
    format!("{{{}}}", entries.join(", "))
}

/// A file with every list, which says everything about what it has; with every repository and project, which no plan
/// removes, or some.
fn file(bytes: &[u8], has_every: bool) -> String {
    let dice = &mut Dice(bytes.iter());
    let (mut owners, mut members) = (vec!["olivia"], Vec::new());
    for person in PEOPLE {
        match dice.below(4) {
            0 => {}
            1 => owners.push(person),
            _ => members.push(*person),
        }
    }
    let people = [owners.as_slice(), members.as_slice()].concat();
    let (public, security) = (dice.some(&people), dice.some(&people));
    let repos = if has_every { REPOS.to_vec() } else { dice.some(REPOS) };
    let projects: Vec<usize> = [1, 2].into_iter().filter(|_| has_every || dice.below(2) == 1).collect();
    let mut texts = vec![
        format!("name: {}", dice.one_of(&["One", "Two"])),
        format!("admins: {}\nmembers: {}", list(&owners), list(&members)),
        format!("repos: {}", map(&repos.iter().map(|repo| self::repo(dice, repo)).collect::<Vec<_>>())),
        format!("teams: {}", teams(dice, &members, &repos, &projects)),
    ];
    let of_project = |number: &usize| {
        let (name, state) = (dice.one_of(&["A", "B"]), dice.one_of(&["open", "closed"]));
        let people = levels(dice, &["ada", "ben"], &["read", "write", "admin"]);
        format!(
            "{number}: {{name: {name}, state: {state}, private: true, organization_permission: read, creator: olivia, \
             collaborators: {people}}}"
        )
    };
    let projects: Vec<String> = projects.iter().map(of_project).collect();
    texts.push(format!(
        "guildhall: {{public_members: {}, security_managers: {}, invitations: [], billing_managers: [], projects: {}}}",
        list(&public),
        list(&security),
        map(&projects)
    ));
    texts.join("\n")
}

fn levels(dice: &mut Dice, names: &[&str], levels: &[&str]) -> String {
    let some = dice.some(names);
    map(&some.iter().map(|name| format!("{name}: {}", dice.one_of(levels))).collect::<Vec<_>>())
}

fn repo(dice: &mut Dice, name: &str) -> String {
    let (private, archived) = (dice.below(2) == 1, dice.below(2) == 1);
    let topics = list(&dice.some(&["a", "b"]));
    let people = levels(dice, &["ada", "ben", "ray"], LEVELS);
    format!(
        "{name}: {{description: d{}, private: {private}, archived: {archived}, topics: {topics}, collaborators: {people}}}",
        dice.below(2)
    )
}

/// The teams of a file, each below none or one of those before it. Owners are on none: their stored roles do not matter,
/// so that a plan leaves them as they are.
fn teams(dice: &mut Dice, people: &[&str], repos: &[&str], projects: &[usize]) -> String {
    let names = dice.some(TEAMS);
    let parents: Vec<Option<usize>> = (0..names.len()).map(|nth| dice.below(nth + 1).checked_sub(1)).collect();
    let settings: Vec<String> = (0..names.len())
        .map(|nth| {
            let nested = parents[nth].is_some() || parents.contains(&Some(nth));
            let privacy = if nested { "closed" } else { dice.one_of(&["secret", "closed"]) };
            let (mut maintainers, mut members) = (Vec::new(), Vec::new());
            for person in people.iter().chain(OUTSIDERS) {
                match dice.below(4) {
                    0 => maintainers.push(*person),
                    1 => members.push(*person),
                    _ => {}
                }
            }
            let numbers: Vec<String> = projects.iter().map(usize::to_string).collect();
            let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
            format!(
                "description: d{}, privacy: {privacy}, maintainers: {}, members: {}, repos: {}, guildhall: \
                 {{security_manager: {}, permission: {}, projects: {}}}",
                dice.below(2),
                list(&maintainers),
                list(&members),
                levels(dice, repos, LEVELS),
                dice.below(2) == 1,
                dice.one_of(&["pull", "push"]),
                levels(dice, &numbers, &["read", "write", "admin"])
            )
        })
        .collect();
    below(None, &names, &parents, &settings)
}

fn below(parent: Option<usize>, names: &[&str], parents: &[Option<usize>], settings: &[String]) -> String {
    let children = (0..names.len()).filter(|nth| parents[*nth] == parent);
    let child = |nth: usize| {
        format!("{}: {{{}, teams: {}}}", names[nth], settings[nth], below(Some(nth), names, parents, settings))
    };
    map(&children.map(child).collect::<Vec<_>>())
}

/// Applies one file to the organization of another, and compares it with one that is made from the file.
fn converges(from: &str, to: &str) {
    let store = Store::new();
    store.acme(from);
    let since = told::begin(&store);
    let plan = planned(&store, to, ALL);
    let guards = Guards { max_removals: 100, min_owners: 1 };
    let outcome = store.apply(&acme(&store, to), ALL, guards);
    let outcome = outcome.unwrap_or_else(|error| panic!("{error}\n{from}\n{to}\n{:#?}", lines(&plan)));
    assert_eq!(outcome, Outcome::Done(plan.clone()));
    assert_eq!(lines(&planned(&store, to, ALL)), Vec::<String>::new(), "{from}\n{to}\n{:#?}", lines(&plan));
    assert_eq!(store.findings(), Vec::<String>::new(), "{from}\n{to}");
    let made = Store::new();
    made.acme(to);
    assert_eq!(store.export("acme").unwrap().0, made.export("acme").unwrap().0, "{from}\n{to}\n{:#?}", lines(&plan));
    told::is_told(&store, &since, &plan);
    let requests = store.texts("SELECT request_id FROM journal WHERE request_id NOT LIKE 'import-%'");
    assert!(requests.iter().all(|request| request.starts_with("apply-")), "{requests:?}");
}

#[test]
fn decision_74_whatever_a_file_says_an_apply_makes_it_so() {
    let config = Config { cases: 16, failure_persistence: None, ..Config::default() };
    let bytes = || collection::vec(any::<u8>(), 160);
    let outcome = TestRunner::new(config).run(&(bytes(), bytes()), |(from, to)| {
        converges(&file(&from, false), &file(&to, true));
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}
