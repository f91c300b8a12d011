//! Whatever people have written, a page is short (decision 53).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::pages_board::BOARD;
use super::pages_hostile_world::{hostile, name, text};
use super::pages_team::{CORE, hidden, shows};
use crate::support::browser::Browser;

/// The most bytes of a page.
const LONGEST: usize = 60_000;

/// Pages of the same kind that are visited, of each person.
const SAME: usize = 2;

/// Pages to which no link leads: searches, and questions that a form of another page asks.
const MORE: [&str; 14] = [
    "/ui/search?q=0001",
    "/ui/search?q=0&part=teams",
    "/ui/search?q=person&part=people",
    "/ui/search?q=r&part=repositories",
    "/ui/orgs/acme?q=0",
    "/ui/orgs/acme?q=0&page=2",
    "/ui/orgs/acme/people?q=person",
    "/ui/orgs/acme/people?show=invited",
    "/ui/orgs/acme/teams/core/members?role=member",
    "/ui/notifications?part=all",
    "/ui/notifications?part=all&page=2",
    "/ui/admin/people?q=person",
    "/ui/admin/organizations?q=acme",
    "/ui/admin/tokens?person=olivia",
];

/// The kind of a page: its path without names and numbers, and the fields of its query.
fn kind(path: &str) -> String {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let is_word = |word: &&str| word.len() < 15 && word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let words = path.split('/').map(|word| if is_word(&word) { word } else { "*" });
    let fields = query.split('&').filter_map(|pair| pair.split('=').next());
    format!("{}?{}", words.collect::<Vec<_>>().join("/"), fields.collect::<Vec<_>>().join("&"))
}

/// The pages to which a page leads.
fn links(page: &str) -> Vec<String> {
    let targets = page.split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let pages = targets.filter(|to| to.starts_with("/ui") && !to.starts_with("/ui/docs") && !to.contains("/export?"));
    pages
        .map(|to| to.split('#').next().unwrap_or(to))
        .map(|to| to.replace("&#38;", "&").replace("&amp;", "&"))
        .collect()
}

/// Visits every kind of page that links lead to. Returns the long ones, and the number of kinds.
pub fn walk(browser: &mut Browser, from: &[&str]) -> (Vec<(String, usize)>, usize) {
    let mut waiting: VecDeque<String> = from.iter().map(|path| (*path).to_owned()).collect();
    let (mut known, mut kinds) = (BTreeSet::new(), BTreeMap::<String, usize>::new());
    let mut long = Vec::new();
    while let Some(path) = waiting.pop_front() {
        let visited = kinds.entry(kind(&path)).or_default();
        if *visited == SAME || !known.insert(path.clone()) {
            continue;
        }
        *visited += 1;
        let page = browser.visit(&path);
        assert!(matches!(page.status, 200 | 404), "{path}: {}", page.text);
        // A post shows one of its texts whole; see `decision_35_hostile_comments_leave_a_page_short`.
        let is_post = path.contains("/discussions/");
        if page.text.len() >= LONGEST + if is_post { 5 * 65_536 } else { 0 } {
            long.push((path, page.text.len()));
        }
        waiting.extend(links(&page.text));
    }
    (long, kinds.len())
}

#[test]
fn decision_53_every_page_is_short_whatever_people_have_written() {
    let (_world, [mut olivia, mut tom]) = hostile();
    let begin = [&["/ui", "/ui/admin", "/ui/settings"][..], &MORE].concat();
    let (long, kinds) = walk(&mut olivia, &begin);
    assert!(long.is_empty(), "{long:#?}");
    assert!(kinds > 80, "{kinds}");
    let (long, kinds) = walk(&mut tom, &["/ui", "/ui/settings", "/ui/notifications?part=muted"]);
    assert!(long.is_empty(), "{long:#?}");
    assert!(kinds > 20, "{kinds}");
    refused(&mut olivia);
}

/// Sends forms with the longest texts of their fields, and something that is wrong.
fn refused(olivia: &mut Browser) {
    let (longest, about) = (name(1), text(1, 1_000));
    let org = "/ui/orgs/acme";
    for (path, fields) in [
        (
            format!("{org}/new-team"),
            &[("name", ""), ("description", &*about), ("parent", &longest), ("maintainers", &about)][..],
        ),
        (
            format!("{org}/settings"),
            &[("name", &longest), ("description", &about), ("end", "yes"), ("permission", "x")],
        ),
        (format!("{org}/people"), &[("do", "invite"), ("who", &longest), ("teams", &about)]),
        (format!("{org}/repositories"), &[("name", &longest), ("description", &about)]),
        (format!("{org}/projects"), &[("name", ""), ("description", &about)]),
        (
            format!("{CORE}/settings"),
            &[("name", &longest), ("description", &about), ("parent", &longest), ("privacy", "x")],
        ),
        (format!("{CORE}/teams"), &[("do", "create"), ("name", ""), ("description", &about)]),
        (format!("{CORE}/repositories"), &[("do", "give"), ("subject", &longest), ("level", "pull")]),
        (CORE.to_owned(), &[("do", "add"), ("who", &longest)]),
        (format!("{org}/hooks/new"), &[("url", &text(1, 2_048)), ("what", "x"), ("format", "x")]),
        ("/ui/settings".to_owned(), &[("name", &text(1, 256))]),
        ("/ui/settings/tokens".to_owned(), &[("do", "make"), ("note", &text(1, 256)), ("scope", "x"), ("days", "7")]),
        ("/ui/settings/emails".to_owned(), &[("do", "add"), ("email", &longest)]),
        ("/ui/settings/applications/new".to_owned(), &[("name", &longest), ("redirect_uris", &text(1, 4_000))]),
        ("/ui/admin/people".to_owned(), &[("login", &longest), ("email", &longest)]),
        ("/ui/admin/organizations".to_owned(), &[("login", &longest), ("admin", &longest), ("name", &longest)]),
        ("/ui/admin/health".to_owned(), &[("do", "mail"), ("email", &longest)]),
        ("/ui/organizations/new".to_owned(), &[("login", ""), ("profile_name", &longest)]),
    ] {
        let version = {
            olivia.visit(&path);
            if olivia.page.text.contains("name=\"version\"") { hidden(olivia, "version") } else { String::new() }
        };
        let code = olivia.code();
        let fields = [fields, &[("version", version.as_str())]].concat();
        olivia.send_to(&path, &code, &fields);
        assert_eq!(olivia.page.status, 422, "{path}: {}", olivia.page.text);
        assert!(olivia.page.text.len() < LONGEST, "{path}: {}", olivia.page.text.len());
    }
    // What cannot be typed into the form is not sent again.
    let code = {
        olivia.visit(&format!("{org}/new-team"));
        olivia.code()
    };
    olivia.send_to(&format!("{org}/new-team"), &code, &[("name", ""), ("description", &text(1, 60_000))]);
    assert_eq!(olivia.page.status, 413);
    shows(olivia, &["larger than 32 KiB."], &["&#60;&#60;"]);
    // The text of a post is the one that comes back whole, however long it is.
    let (new, whole) = (format!("{BOARD}/new"), text(0, 65_536));
    olivia.visit(&new);
    let code = olivia.code();
    olivia.send_to(&new, &code, &[("do", "post"), ("title", ""), ("body", &whole)]);
    assert_eq!(olivia.page.status, 422);
    assert!(olivia.page.text.len() < LONGEST + 5 * whole.len(), "{}", olivia.page.text.len());
}
