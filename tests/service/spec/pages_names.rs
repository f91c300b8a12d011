//! The names of people next to their logins on boards, in search and in the inbox (decisions 35, 37, 53 and 78).

use super::mail_invitations::{settle, world};
use super::pages_board::{BOARD, post};
use super::pages_team::{CORE, send, shows};
use super::sign_in::signed_in;
use crate::support::json;

const INBOX: &str = "/ui/notifications";

#[test]
fn decision_53_people_are_shown_by_their_names() {
    let world = world();
    for (client, name) in [(world.max(), "Max <Köhler>"), (world.tom(), "  Tom Tell  "), (world.eve(), "Eve Ober")] {
        client.patch("/user", json!({ "name": name })).expect(200);
    }
    post(&world, "First", "Hello", false);
    world.tom().post("/orgs/acme/teams/core/discussions/1/comments", json!({ "body": "Yes" })).expect(201);
    let mut eve = signed_in(&world, "eve");
    eve.visit(BOARD);
    shows(&eve, &["<bdi>Max &#60;Köhler&#62;</bdi>"], &["<bdi>max</bdi>", "<Köhler>"]);
    eve.visit(CORE);
    shows(&eve, &["<bdi>Max &#60;Köhler&#62;</bdi> · "], &["<Köhler>"]);
    eve.visit(&format!("{BOARD}/1"));
    let by = "<b><a href=\"/ui/max\"><bdi>Max &#60;Köhler&#62;</bdi></a></b> <span class=\"meta\"><bdi>max</bdi> · ";
    shows(&eve, &[by, "<bdi>Tom Tell</bdi>", "<small><bdi>tom</bdi></small>"], &["<Köhler>"]);
    eve.visit("/ui/search?q=max");
    shows(&eve, &["<bdi>Max &#60;Köhler&#62;</bdi></a> <small><bdi>max</bdi></small>"], &[]);
    // A person without a name is shown by their login, and a deleted account by no name.
    world.max().patch("/user", json!({ "name": null })).expect(200);
    eve.visit(BOARD);
    shows(&eve, &["<bdi>max</bdi>"], &["Köhler"]);
    world.sam().delete("/admin/users/max").expect(204);
    eve.visit(BOARD);
    shows(&eve, &["A deleted account"], &["<bdi>max</bdi>"]);
}

#[test]
fn decision_37_the_inbox_says_who_did_what() {
    let world = world();
    world.max().patch("/user", json!({ "name": "Max <Köhler>" })).expect(200);
    post(&world, "First", "Hello", false);
    post(&world, "Second", "Hello", false);
    world.max().post("/orgs/acme/teams/core/discussions/2/comments", json!({ "body": "@tom" })).expect(201);
    settle(&world);
    let mut tom = signed_in(&world, "tom");
    let core = "in <a href=\"/ui/orgs/acme/teams/core\"><bdi>Core</bdi></a>";
    tom.visit(INBOX);
    let did = |word: &str| format!("<b><bdi>Max &#60;Köhler&#62;</bdi></b> {word} {core}");
    shows(
        &tom,
        &[&did("answered"), &did("wrote"), "value=\"finish\"", "value=\"mute\""],
        &["value=\"unmute\"", "<Köhler>"],
    );
    tom.visit("/ui");
    shows(&tom, &[&format!("<bdi>Max &#60;Köhler&#62;</bdi> answered {core}")], &[]);
    // What was read is done; what is muted can only be unmuted, also where everything is shown.
    assert_eq!(send(&mut tom, &format!("{BOARD}/1"), &[("do", "choose"), ("choice", "nothing")]), 200);
    tom.visit(&format!("{BOARD}/2"));
    tom.visit(&format!("{INBOX}?part=all"));
    shows(&tom, &["value=\"mute\"", "value=\"unmute\""], &["value=\"finish\""]);
    let fields = [("org", "acme"), ("team_slug", "core"), ("discussion_number", "1"), ("do", "unmute")];
    shows(&tom, &["name=\"discussion_number\" value=\"1\""], &["name=\"discussion_number\" value=\"2\""]);
    assert_eq!(send(&mut tom, &format!("{INBOX}?part=all"), &fields), 200);
    tom.visit(&format!("{INBOX}?part=all"));
    shows(&tom, &["value=\"mute\""], &["value=\"unmute\""]);
    world.sam().delete("/admin/users/max").expect(204);
    tom.visit(&format!("{INBOX}?part=all"));
    shows(&tom, &["A deleted account answered"], &["Köhler"]);
}
