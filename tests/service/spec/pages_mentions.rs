//! Mentions on the page of a discussion: links to those that the visitor sees (decision 37).

use super::given;
use super::mail_invitations::world;
use super::pages_board::post;
use super::pages_organization::sound;
use super::pages_team::shows;
use super::sign_in::signed_in;
use crate::support::json;

const POST: &str = "/ui/orgs/acme/teams/core/discussions/1";

fn link(path: &str, text: &str) -> String {
    format!("<a href=\"/ui/{path}\">{text}</a>")
}

#[test]
fn decision_37_a_mention_is_a_link_to_those_that_the_visitor_sees() {
    let world = world();
    given::secret(&world, "Night");
    let text = "@Tom, @nina and @ghost: **@acme/core**, @acme/night, @acme/none `@tom` <@olivia> [@max](https://e.org)";
    post(&world, "Freeze", text, false);
    let api = "/orgs/acme/teams/core/discussions/1";
    world.max().post(&format!("{api}/comments"), json!({ "body": "Yes, @tom." })).expect(201);
    let html = world.max().get(api).expect(200)["body_html"].clone();
    assert!(!html.as_str().expect("a text").contains("/ui/"), "{html}");
    let [tom, core, night] = [
        link("tom", "@Tom"),
        format!("<strong>{}</strong>", link("orgs/acme/teams/core", "@acme/core")),
        link("orgs/acme/teams/night", "@acme/night"),
    ];
    let olivia = link("olivia", "@olivia");
    let mut eve = signed_in(&world, "eve");
    eve.visit(POST);
    sound(&eve.page.text);
    let comment = format!("Yes, {}.", link("tom", "@tom"));
    shows(
        &eve,
        &[&tom, &core, &olivia, "and @ghost", ", @acme/night, @acme/none <code>@tom</code>", &comment],
        &[&night, "href=\"/ui/nina\"", "<a href=\"/ui/max\">@max"],
    );
    // One that the visitor sees and others do not.
    let mut owner = signed_in(&world, "olivia");
    owner.visit(POST);
    shows(&owner, &[&tom, &core, &night], &["href=\"/ui/nina\"", "acme/teams/none"]);
    assert_eq!(world.max().get(api).expect(200)["body_html"], html);
}

#[test]
fn decision_37_many_mentions_become_a_bounded_number_of_links() {
    let world = world();
    post(&world, "Freeze", &"@tom @eve ".repeat(2_000), false);
    let names = (0..200).map(|n| format!("@a{n}")).collect::<Vec<_>>().join(" ");
    let long = format!("@{} {names} @max", "x".repeat(250));
    world.max().post("/orgs/acme/teams/core/discussions/1/comments", json!({ "body": long })).expect(201);
    let mut eve = signed_in(&world, "eve");
    eve.visit(POST).expect(200);
    assert_eq!(eve.page.text.matches("<a href=\"/ui/tom\">@tom</a>").count(), 25);
    assert_eq!(eve.page.text.matches("<a href=\"/ui/eve\">@eve</a>").count(), 25);
    shows(&eve, &["@a199 @max"], &[]);
}
