//! Every link in an e-mail leads to a page that its recipient can use (decisions 37, 53, 64, 65 and 69).

use std::collections::BTreeSet;

use super::decisions_ends_set::announce;
use super::decisions_joining::{ask, decide};
use super::mail_invitations::{all, settle, world};
use super::pages_board::post;
use super::sign_in::signed_in;
use crate::support::mail::{Mail, saved};
use crate::support::{World, json};

const DAY: i64 = 86_400;

/// The e-mails that are there.
fn sent(world: &World) -> Vec<Mail> {
    settle(world);
    saved(world.mail.path())
}

/// Follows the links of these e-mails as the people who got them; returns the paths, with a token only its beginning.
fn followed(world: &World, mails: &[Mail]) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    for mail in mails {
        let links: BTreeSet<String> = mail.links(&world.base).into_iter().collect();
        assert!(!links.is_empty(), "no link in {}", mail.text);
        let mut browser = signed_in(world, mail.to().split('@').next().expect("a login"));
        for link in links {
            assert!(mail.text.contains(&link) && mail.html.contains(&link), "{link} in {}", mail.text);
            let page = browser.visit(&link);
            assert_eq!(page.status, 200, "{link}: {}", page.text);
            let token = ["/ui/unsubscribe/", "/ui/invitations/"].into_iter().find(|begin| link.starts_with(begin));
            paths.insert(token.map_or(link.clone(), str::to_owned));
        }
    }
    paths
}

fn paths(expected: &[&str]) -> BTreeSet<String> {
    expected.iter().map(|path| (*path).to_owned()).collect()
}

#[test]
fn decision_37_the_links_of_an_e_mail_about_a_post_lead_to_the_post() {
    let world = world();
    post(&world, "News", "Hello", true);
    world.max().post("/orgs/acme/teams/core/discussions/1/comments", json!({ "body": "@tom" })).expect(201);
    let expected = [
        "/ui/orgs/acme/teams/core/discussions/1",
        "/ui/orgs/acme/teams/core/discussions/1/comments/1",
        "/ui/unsubscribe/",
    ];
    assert_eq!(followed(&world, &all(&world, 2)), paths(&expected));
}

#[test]
fn decision_65_the_links_of_e_mails_about_requests_lead_to_the_team() {
    for state in ["approved", "declined"] {
        let world = world();
        let request = ask(&world.eve());
        let asked = all(&world, 1);
        assert_eq!(followed(&world, &asked), paths(&["/ui/orgs/acme/teams/core"]));
        decide(&world.max(), &request, state).expect(200);
        let decided = sent(&world).into_iter().rfind(|mail| mail.to() == "eve@example.com").expect("an e-mail");
        assert_eq!(followed(&world, &[decided]), paths(&["/ui/orgs/acme/teams/core"]));
    }
}

#[test]
fn decision_64_the_link_of_an_e_mail_about_an_end_leads_to_the_team() {
    let world = world();
    let end = world.now().plus_seconds(14 * DAY).to_string();
    let limited = json!({ "expires_at": end });
    world.olivia().put("/orgs/acme/teams/core/memberships/tom", limited).expect(200);
    world.advance(7 * DAY + 1);
    announce(&world);
    assert_eq!(followed(&world, &all(&world, 1)), paths(&["/ui/orgs/acme/teams/core"]));
}

#[test]
fn decision_69_the_link_of_an_invitation_leads_to_its_page() {
    let world = world();
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    assert_eq!(followed(&world, &all(&world, 1)), paths(&["/ui/invitations/"]));
}

#[test]
fn decision_69_the_link_of_an_e_mail_about_an_accepted_invitation_leads_to_the_organization() {
    let world = world();
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    all(&world, 1);
    world.nina().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    assert_eq!(followed(&world, &all(&world, 2)[1..]), paths(&["/ui/orgs/acme"]));
}
