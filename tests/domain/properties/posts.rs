//! Random sequences of what people do on the board of a team whose people change, against a small model: who sees
//! which post, who may change it, and what is counted (decisions 34 to 36 and 38).

use std::collections::{BTreeMap, BTreeSet};

use guildhall::doctor;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::support::database::Database;
use crate::support::{Answer, Client, Value, World, json};

/// Olivia owns, Max maintains, Tom is on the team, Eve is elsewhere in the organization, Nina is nowhere.
const PEOPLE: [&str; 5] = ["olivia", "max", "tom", "eve", "nina"];
const OWNER: usize = 0;
const OUTSIDE: usize = 4;
const CONTENTS: [&str; 3] = ["+1", "heart", "eyes"];
const BOARD: &str = "/orgs/acme/teams/core/discussions";

#[derive(Debug, Clone, Copy)]
enum Deed {
    Create {
        private: bool,
    },
    Retitle {
        post: i64,
    },
    Delete {
        post: i64,
    },
    Comment {
        post: i64,
    },
    Rewrite {
        post: i64,
        comment: i64,
    },
    DeleteComment {
        post: i64,
        comment: i64,
    },
    React {
        post: i64,
        content: usize,
    },
    /// Olivia adds a user to the team or removes them.
    Belong {
        who: usize,
        leads: Option<bool>,
    },
}

fn deed() -> impl Strategy<Value = Deed> {
    let (post, comment) = (|| 1..7_i64, || 1..4_i64);
    let leads = prop_oneof![Just(None), Just(Some(false)), Just(Some(true))];
    prop_oneof![
        5 => any::<bool>().prop_map(|private| Deed::Create { private }),
        2 => post().prop_map(|post| Deed::Retitle { post }),
        2 => post().prop_map(|post| Deed::Delete { post }),
        4 => post().prop_map(|post| Deed::Comment { post }),
        2 => (post(), comment()).prop_map(|(post, comment)| Deed::Rewrite { post, comment }),
        2 => (post(), comment()).prop_map(|(post, comment)| Deed::DeleteComment { post, comment }),
        3 => (post(), 0..CONTENTS.len()).prop_map(|(post, content)| Deed::React { post, content }),
        2 => (1..4_usize, leads).prop_map(|(who, leads)| Deed::Belong { who, leads }),
    ]
}

#[derive(Debug, Default)]
struct Post {
    author: usize,
    private: bool,
    last_comment: i64,
    comments: BTreeMap<i64, usize>,
    reactions: BTreeSet<(usize, usize)>,
}

#[derive(Debug)]
struct Model {
    team: BTreeMap<usize, bool>,
    last_post: i64,
    posts: BTreeMap<i64, Post>,
}

impl Model {
    fn new() -> Self {
        Self { team: BTreeMap::from([(1, true), (2, false)]), last_post: 0, posts: BTreeMap::new() }
    }

    fn sees_private(&self, who: usize) -> bool {
        who == OWNER || self.team.contains_key(&who)
    }

    fn sees(&self, who: usize, post: &Post) -> bool {
        who != OUTSIDE && (!post.private || self.sees_private(who))
    }

    fn leads(&self, who: usize) -> bool {
        who == OWNER || self.team.get(&who) == Some(&true)
    }

    /// The status that a user gets for an act, and what the act changes if it succeeds.
    fn carry_out(&mut self, who: usize, deed: Deed) -> u16 {
        let (leads, sees_private) = (self.leads(who), self.sees_private(who));
        let named = match deed {
            Deed::Create { private } => {
                return match (who, private && !sees_private) {
                    (OUTSIDE, _) => 404,
                    (_, true) => 403,
                    _ => self.create(who, private),
                };
            }
            Deed::Belong { who, leads } => return self.belong(who, leads),
            Deed::Retitle { post }
            | Deed::Delete { post }
            | Deed::Comment { post }
            | Deed::Rewrite { post, .. }
            | Deed::DeleteComment { post, .. }
            | Deed::React { post, .. } => post,
        };
        let sees = self.posts.get(&named).is_some_and(|post| self.sees(who, post));
        let Some(post) = self.posts.get_mut(&named).filter(|_| sees) else { return 404 };
        match deed {
            Deed::Retitle { .. } if leads || post.author == who => 200,
            Deed::Delete { .. } if leads || post.author == who => {
                self.posts.remove(&named);
                204
            }
            Deed::Comment { .. } => {
                post.last_comment += 1;
                post.comments.insert(post.last_comment, who);
                201
            }
            Deed::React { content, .. } => {
                if post.reactions.insert((who, content)) {
                    201
                } else {
                    200
                }
            }
            Deed::Rewrite { comment, .. } | Deed::DeleteComment { comment, .. } => {
                let Some(author) = post.comments.get(&comment) else { return 404 };
                match deed {
                    _ if !leads && *author != who => 403,
                    Deed::Rewrite { .. } => 200,
                    _ => {
                        post.comments.remove(&comment);
                        204
                    }
                }
            }
            _ => 403,
        }
    }

    fn create(&mut self, author: usize, private: bool) -> u16 {
        self.last_post += 1;
        self.posts.insert(self.last_post, Post { author, private, ..Post::default() });
        201
    }

    fn belong(&mut self, who: usize, leads: Option<bool>) -> u16 {
        if let Some(leads) = leads {
            self.team.insert(who, leads);
            200
        } else {
            // Without effect, and no failure, if there is no membership (decision 24).
            self.team.remove(&who);
            204
        }
    }
}

fn send(world: &World, who: usize, deed: Deed) -> Answer {
    let client = world.client(PEOPLE[who]);
    match deed {
        Deed::Create { private } => client.post(BOARD, json!({ "title": "t", "body": "b", "private": private })),
        Deed::Retitle { post } => client.patch(&format!("{BOARD}/{post}"), json!({ "title": PEOPLE[who] })),
        Deed::Delete { post } => client.delete(&format!("{BOARD}/{post}")),
        Deed::Comment { post } => client.post(&format!("{BOARD}/{post}/comments"), json!({ "body": "c" })),
        Deed::Rewrite { post, comment } => {
            client.patch(&format!("{BOARD}/{post}/comments/{comment}"), json!({ "body": PEOPLE[who] }))
        }
        Deed::DeleteComment { post, comment } => client.delete(&format!("{BOARD}/{post}/comments/{comment}")),
        Deed::React { post, content } => {
            client.post(&format!("{BOARD}/{post}/reactions"), json!({ "content": CONTENTS[content] }))
        }
        Deed::Belong { who, leads } => {
            let path = format!("/orgs/acme/teams/core/memberships/{}", PEOPLE[who]);
            match leads {
                Some(leads) => {
                    let role = if leads { "maintainer" } else { "member" };
                    world.olivia().put(&path, json!({ "role": role }))
                }
                None => world.olivia().delete(&path),
            }
        }
    }
}

/// A whole list, two at a time, with the number of pages that `Link` promised.
fn numbers(client: &Client, path: &str) -> Vec<i64> {
    let pages = client.get(path).link("last").map(|last| {
        let page = last.split(['?', '&']).find_map(|pair| pair.strip_prefix("page=")).expect("a page");
        page.parse::<usize>().expect("a number")
    });
    let items = client.all(path);
    assert_eq!(pages.unwrap_or(1), items.len().div_ceil(2).max(1), "pages of {path}");
    items.iter().map(|item| item["number"].as_i64().expect("a number")).collect()
}

/// Everybody looks at everything.
fn look(world: &World, model: &Model) {
    for (who, login) in PEOPLE.iter().enumerate() {
        let client = world.client(login);
        if who == OUTSIDE {
            client.get(BOARD).refused(404, "Not Found");
            continue;
        }
        let seen: Vec<i64> =
            model.posts.iter().filter(|(_, post)| model.sees(who, post)).map(|(number, _)| *number).collect();
        assert_eq!(numbers(&client, &format!("{BOARD}?direction=asc&per_page=2")), seen, "{login} in {model:#?}");
        let newest: Vec<i64> = seen.iter().rev().copied().collect();
        assert_eq!(numbers(&client, &format!("{BOARD}?per_page=2")), newest, "{login} in {model:#?}");
        for (number, post) in &model.posts {
            one(&client, &format!("{BOARD}/{number}"), model.sees(who, post), post);
        }
    }
}

fn one(client: &Client, path: &str, seen: bool, post: &Post) {
    let answer = client.get(path);
    if !seen {
        answer.refused(404, "Not Found");
        client.get(&format!("{path}/comments")).refused(404, "Not Found");
        return;
    }
    let shown = answer.expect(200);
    assert_eq!((&shown["author"]["login"], &shown["private"]), (&json!(PEOPLE[post.author]), &json!(post.private)));
    assert_eq!(shown["comments_count"], post.comments.len());
    for (content, name) in CONTENTS.iter().enumerate() {
        let given = post.reactions.iter().filter(|(_, given)| *given == content).count();
        assert_eq!(shown["reactions"][name], given, "{name} of {path}");
    }
    assert_eq!(shown["reactions"]["total_count"], Value::from(post.reactions.len()));
    let comments: Vec<i64> = post.comments.keys().copied().collect();
    assert_eq!(numbers(client, &format!("{path}/comments?direction=asc&per_page=2")), comments);
}

#[test]
fn everybody_sees_the_posts_that_the_model_shows_them() {
    let cases = if Database::is_postgres() { 4 } else { 12 };
    let template = World::new().into_template();
    let mut runner =
        TestRunner::new(Config { cases, max_shrink_iters: 200, failure_persistence: None, ..Config::default() });
    let sequences = prop::collection::vec((0..PEOPLE.len(), deed()), 1..=40);
    let outcome = runner.run(&sequences, |sequence| {
        let (world, mut model) = (World::like(&template), Model::new());
        for (who, deed) in sequence {
            let answer = send(&world, who, deed);
            assert_eq!(answer.status, model.carry_out(who, deed), "{who} {deed:?} in {model:#?}: {}", answer.text);
        }
        look(&world, &model);
        let findings = world.block_on(doctor::run(&world.db, &[7; 32])).expect("doctor can look").findings;
        assert!(findings.is_empty(), "{findings:#?}");
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}
