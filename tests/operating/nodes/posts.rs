//! Posts that clients of several nodes create and list. A POST that was acknowledged was done once, one without a
//! response at most once.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::nodes::history::{Action, History, Operation, contradiction};
use crate::nodes::registers::{is_done, whole};
use crate::support::{Client, json};

/// The number of posts that there may be, so that a page shows them all.
const MOST: usize = 90;

/// A list as a client saw it.
struct List {
    asked: Instant,
    answered: Instant,
    titles: Vec<String>,
}

/// The posts of a team.
#[derive(Default)]
pub struct Posts {
    begun: AtomicUsize,
    /// The operation that made each, by title.
    made: Mutex<BTreeMap<String, Operation>>,
    lists: Mutex<Vec<List>>,
}

impl Posts {
    /// Makes one more, unless there are enough; whether that was acknowledged.
    pub fn make(&self, owner: &Client, team: usize) -> bool {
        let number = self.begun.fetch_add(1, Ordering::SeqCst);
        if number >= MOST {
            return self.list(owner, team);
        }
        let title = format!("Post {number}");
        let post = json!({ "title": title, "body": "It is said once." }).to_string();
        let asked = Instant::now();
        let answer = owner.attempt("POST", &format!("/orgs/acme/teams/r{team}/discussions"), Some(post));
        let done = is_done(&answer, 201);
        let made = Operation { action: Action::Write(1), asked, answered: done.then(Instant::now) };
        self.made.lock().expect("no panic").insert(title, made);
        done
    }

    /// Lists all of them; whether there was an answer.
    pub fn list(&self, owner: &Client, team: usize) -> bool {
        let asked = Instant::now();
        let answer = owner.attempt("GET", &format!("/orgs/acme/teams/r{team}/discussions?per_page=100"), None);
        let Some(answer) = whole(answer) else { return false };
        let titles = answer.each("title").iter().map(|title| title.as_str().expect("a title").to_owned()).collect();
        self.lists.lock().expect("no panic").push(List { asked, answered: Instant::now(), titles });
        true
    }

    /// Fails unless each post was made once, and is in each list from some moment on.
    #[track_caller]
    pub fn must_be_linearizable(&self) {
        assert_eq!(self.contradiction(), None);
    }

    /// The reason why that is not so. A title is a register that becomes 1, and each list reads it.
    pub fn contradiction(&self) -> Option<String> {
        let (made, lists) = (self.made.lock().expect("no panic"), self.lists.lock().expect("no panic"));
        let mut unknown = lists.iter().flat_map(|list| &list.titles).filter(|title| !made.contains_key(*title));
        if let Some(title) = unknown.next() {
            return Some(format!("nobody made {title}"));
        }
        made.iter().find_map(|(title, write)| {
            let history = History::default();
            history.add(*write);
            for List { asked, answered, titles } in lists.iter() {
                let times = titles.iter().filter(|one| *one == title).count();
                if times > 1 {
                    return Some(format!("{title} was made {times} times"));
                }
                let action = Action::Read(u64::from(times == 1));
                history.add(Operation { action, asked: *asked, answered: Some(*answered) });
            }
            contradiction(&history.operations()).map(|why| format!("{title} in {} lists: {why}", lists.len()))
        })
    }
}
