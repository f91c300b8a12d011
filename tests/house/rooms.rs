//! The story of the tests looks at every page: each route of `src/pages` is in the list of its rooms, or a part of it takes
//! a picture of its page.

use std::collections::BTreeSet;
use std::fs;

use super::tree::{files, root};

/// The files with routes below a path, the function that has them, and the path.
const ROUTERS: [(&str, &str, &str); 9] = [
    ("answer.rs", "fn at_login", "/login"),
    ("answer.rs", "fn in_room", "/ui"),
    ("admin/mod.rs", "fn answer", "/ui/admin"),
    ("board/mod.rs", "fn answer(&self", "/ui/orgs/acme/teams/core/discussions"),
    ("organization/hooks/mod.rs", "fn answer", "/ui/admin/hooks"),
    ("organization/hooks/mod.rs", "fn answer", "/ui/orgs/acme/hooks"),
    ("organization/mod.rs", "fn answer", "/ui/orgs/acme"),
    ("settings/mod.rs", "fn answer", "/ui/settings"),
    ("team/mod.rs", "fn answer", "/ui/orgs/acme/teams/core"),
];

/// The pages that need more than an address, with the picture that the story takes of each.
const PICTURES: [(&str, &str); 16] = [
    ("/login", "login"),
    ("/login/code", "login-code"),
    ("/login/link/*", "login-link"),
    ("/login/provider/callback", "login-provider-again"),
    ("/login/out", "signed-out"),
    ("/login/device", "device"),
    ("/login/oauth/authorize", "consent"),
    ("/ui/setup/*", "setup"),
    ("/ui/invitations/*", "invitation"),
    ("/ui/unsubscribe/*", "unsubscribe"),
    ("/ui/emails/*", "email"),
    ("/ui/settings/applications/registered/*", "settings-application"),
    ("/ui/orgs/acme/hooks/*/deliveries/*", "room-webhook-delivery"),
    ("/ui/admin/hooks/*/deliveries/*", "room-admin-webhook-delivery"),
    ("/login/provider", "login-provider"),
    ("/login/own", "home-acting"),
];

/// The routes without a page: redirects, files, and the number in the menu.
const WITHOUT_PAGE: [&str; 4] = [
    "/ui/notifications/count",
    "/ui/admin/audit/export",
    "/ui/orgs/acme/audit/export",
    "/ui/orgs/acme/teams/core/discussions/*/comments/*",
];

/// The routes that a function has, as paths; a parameter is `*`. Those that lead to another router are not among them.
fn routes((file, function, below): (&str, &str, &str)) -> Vec<String> {
    let text = fs::read_to_string(root().join("src/pages").join(file)).unwrap();
    let (_, rest) = text.split_once(function).unwrap_or_else(|| panic!("{file} has no {function}"));
    let all = rest.split_once("_ => Err(Error::NotFound)").unwrap().0;
    let arms = all.lines().filter_map(|line| line.trim().strip_prefix('[')?.split_once("] =>"));
    let pages = arms.filter(|(words, to)| !words.contains("..") && !to.contains("Err("));
    let path = |words: &str| {
        let words = words.split(']').next().unwrap().split(", ").filter(|word| !word.is_empty());
        let words = words.map(|word| word.strip_prefix('"').map_or("*", |word| word.trim_end_matches('"')));
        words.fold(below.to_owned(), |path, word| [&path, "/", word].concat())
    };
    pages.map(|(words, _)| path(words)).collect()
}

/// The files of the story, as one text.
fn story() -> String {
    let all = files(&root().join("tests/clients"));
    let parts = all.iter().filter(|path| path.display().to_string().contains("/story"));
    parts.map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// The paths of the list of rooms.
fn listed(story: &str) -> BTreeSet<String> {
    let list = story.split_once("const ROOMS = {").unwrap().1.split_once("\n};").unwrap().0;
    let list =
        list.replace("${TEAM}", "/ui/orgs/acme/teams/core").replace(": TEAM,", ": \"/ui/orgs/acme/teams/core\",");
    let texts = list.split(['"', '`']).filter(|text| text.starts_with("/ui"));
    texts.map(|text| text.split('?').next().unwrap().to_owned()).collect()
}

/// True if the path is one of the route.
fn is_of(path: &str, route: &str) -> bool {
    let (path, route): (Vec<&str>, Vec<&str>) = (path.split('/').collect(), route.split('/').collect());
    path.len() == route.len() && path.iter().zip(&route).all(|(word, wanted)| *wanted == "*" || word == wanted)
}

#[test]
fn the_story_looks_at_every_page() {
    let story = story();
    let listed = listed(&story);
    let routes: BTreeSet<String> = ROUTERS.into_iter().flat_map(routes).collect();
    assert!(routes.len() > 80, "the test sees the routes: {routes:?}");
    for route in &routes {
        // A page with words of its own is not one of a route with parameters, which stands behind it.
        let is_free = |path: &&String| is_of(path, route) && !routes.contains(*path) || *path == route;
        let picture = PICTURES.iter().find(|(path, _)| path == route);
        let is_taken = picture.is_some_and(|(_, name)| story.contains(&format!(", \"{name}\");")));
        let is_seen = is_taken || WITHOUT_PAGE.contains(&route.as_str()) || listed.iter().any(|path| is_free(&path));
        assert!(is_seen, "no picture of {route}: add it to ROOMS in tests/clients/story_rooms.cjs");
    }
}

#[test]
fn every_router_of_pages_is_known() {
    let pages = root().join("src/pages");
    let has_routes = |text: &str| text.contains("below: &[&str]");
    let found = files(&pages).into_iter().filter(|path| has_routes(&fs::read_to_string(path).unwrap()));
    let found: BTreeSet<_> = found.map(|path| path.strip_prefix(&pages).unwrap().display().to_string()).collect();
    assert_eq!(found, ROUTERS.map(|(file, ..)| file.to_owned()).into());
}
