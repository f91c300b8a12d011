//! Pinned posts on the pages of a board (decision 35).

use super::mail_invitations::world;
use super::pages_board::{BOARD, post, send};
use super::sign_in::signed_in;
use crate::graphql::pins::{pin, posts};
use crate::support::json;

const PINNED: &str = "<span class=\"badge on\">Pinned</span>";

/// The titles of the posts that a page lists.
fn titles(page: &str) -> Vec<String> {
    let list = page.split("<li class=\"post").skip(1);
    list.filter_map(|of| of.split_once("<bdi>")?.1.split_once("</bdi>")).map(|(title, _)| title.to_owned()).collect()
}

#[test]
fn decision_35_pinned_posts_come_first_and_once() {
    let world = world();
    posts(&world, 45);
    for number in [1, 2, 24] {
        pin(&world, &world.max(), number, true);
    }
    let named = |numbers: Vec<i64>| numbers.into_iter().map(|number| format!("Post {number}")).collect::<Vec<_>>();
    let mut tom = signed_in(&world, "tom");
    let first = tom.visit(BOARD).text.clone();
    assert_eq!(titles(&first), named([24, 2, 1].into_iter().chain((26..=45).rev()).collect()));
    assert_eq!(first.matches(PINNED).count(), 3);
    assert!(
        first.contains("45 posts <span class=\"meta\">3 pinned</span>") && first.contains("1 to 20 of 42"),
        "{first}"
    );
    let second = tom.visit(&format!("{BOARD}?page=2")).text.clone();
    assert_eq!(titles(&second), named((5..=25).rev().filter(|number| *number != 24).collect()));
    assert!(!second.contains(PINNED) && second.contains("45 posts"), "{second}");
    assert_eq!(titles(&tom.visit(&format!("{BOARD}?page=3")).text), named(vec![4, 3]));
    // Eve sees no private post.
    let page = signed_in(&world, "eve").visit(BOARD).text.clone();
    assert_eq!(titles(&page)[..2], named(vec![1, 45]));
    assert!(page.contains("23 posts <span class=\"meta\">1 pinned</span>"), "{page}");
}

#[test]
fn decision_34_a_board_has_the_tabs_of_its_team() {
    let world = world();
    posts(&world, 3);
    for (login, tab, settings) in [("max", "Board <span>3</span>", true), ("eve", "Board <span>2</span>", false)] {
        let mut browser = signed_in(&world, login);
        let page = browser.visit(BOARD).text.clone();
        assert!(page.contains(&format!("/discussions\" aria-current=\"page\">{tab}</a>")), "{page}");
        assert_eq!(page.contains("/ui/orgs/acme/teams/core/settings"), settings, "{page}");
        assert!(page.contains("<title>Board · Core") && page.contains("/ui/orgs/acme/teams/core/members"), "{page}");
    }
}

#[test]
fn decision_34_links_above_a_page_call_an_organization_by_its_name() {
    let world = world();
    posts(&world, 1);
    let mut max = signed_in(&world, "max");
    let rooms = ["", "/members", "/discussions", "/discussions/1", "/discussions/new", "/discussions/1/edit"];
    let mut named = |name: &str| {
        for room in rooms {
            let page = max.visit(&format!("/ui/orgs/acme/teams/core{room}")).text.clone();
            let crumb = format!("<li><a href=\"/ui/orgs/acme\"><bdi>{name}</bdi></a></li>");
            assert!(page.contains(&crumb), "{room}: {page}");
        }
    };
    named("acme");
    world.olivia().patch("/orgs/acme", json!({ "name": "The <Works>" })).expect(200);
    named("The &#60;Works&#62;");
}

#[test]
fn decision_35_a_board_whose_posts_are_all_pinned_is_not_empty() {
    let world = world();
    posts(&world, 1);
    pin(&world, &world.max(), 1, true);
    let page = signed_in(&world, "eve").visit(BOARD).text.clone();
    assert!(page.contains("1 post <span") && page.contains("Write a post") && page.contains("Post 1"), "{page}");
}

#[test]
fn decision_35_maintainers_and_owners_pin_on_the_page_of_a_post() {
    let world = world();
    post(&world, "Freeze", "No merges", false);
    post(&world, "Hidden", "For us", true);
    let here = format!("{BOARD}/1");
    let is_pinned = || world.tom().get("/orgs/acme/teams/core/discussions/1").expect(200)["pinned"] == true;
    for login in ["max", "olivia"] {
        let mut browser = signed_in(&world, login);
        assert!(browser.visit(&here).text.contains("value=\"pin\">Pin</button>"), "{}", browser.page.text);
        assert_eq!(send(&mut browser, &here, &[("do", "pin")]), 200);
        assert!(browser.page.text.contains("The board shows it first.") && browser.page.text.contains(PINNED));
        assert!(is_pinned() && browser.page.text.contains("value=\"unpin\">Unpin</button>"), "{}", browser.page.text);
        assert_eq!(send(&mut browser, &here, &[("do", "unpin")]), 200);
        assert!(browser.page.text.contains("Unpinned.") && !browser.page.text.contains(PINNED) && !is_pinned());
        assert_eq!(browser.send_to(&here, "", &[("do", "pin")]).status, 403, "a form needs its code");
    }
    world.tom().post("/orgs/acme/teams/core/discussions", json!({ "title": "a", "body": "b" })).expect(201);
    for (login, path, status) in [("tom", "/1", 403), ("tom", "/3", 403), ("eve", "/1", 403), ("eve", "/2", 404)] {
        let mut browser = signed_in(&world, login);
        assert!(!browser.visit(&format!("{BOARD}{path}")).text.contains("form=\"pin\""), "{}", browser.page.text);
        if status == 403 {
            assert_eq!(send(&mut browser, &format!("{BOARD}{path}"), &[("do", "pin")]), 403, "{login} {path}");
        } else {
            assert_eq!(browser.page.status, status, "{login} {path}");
        }
    }
    assert!(!is_pinned());
}

#[test]
fn decision_35_the_eleventh_pin_is_refused_on_the_page() {
    let world = world();
    posts(&world, 11);
    for number in 1..=10 {
        pin(&world, &world.max(), number, true);
    }
    let mut max = signed_in(&world, "max");
    assert_eq!(send(&mut max, &format!("{BOARD}/11"), &[("do", "pin")]), 422);
    let text = "A board has at most 10 pinned posts. Unpin another one first.";
    assert!(max.page.text.contains(text) && !max.page.text.contains(PINNED), "{}", max.page.text);
}
