//! Reactions to posts and comments (decision 36).

use crate::spec::given;
use crate::spec::records;
use crate::support::{World, json};

const POST: &str = "/orgs/acme/teams/core/discussions/1";
const COMMENT: &str = "/orgs/acme/teams/core/discussions/1/comments/1";

fn world() -> World {
    let world = World::new();
    given::post(&world.tom(), "a", false);
    world.tom().post(&format!("{POST}/comments"), json!({ "body": "b" })).expect(201);
    world
}

#[test]
fn decision_36_a_reaction_is_201_and_the_same_again_200() {
    let world = world();
    for of in [POST, COMMENT] {
        let path = format!("{of}/reactions");
        let first = world.eve().post(&path, json!({ "content": "heart" })).expect(201).clone();
        records::conforms(&first, "reaction");
        assert_eq!((&first["content"], &first["user"]["login"]), (&json!("heart"), &json!("eve")));
        let before = given::written(&world);
        assert_eq!(world.eve().post(&path, json!({ "content": "heart" })).expect(200), &first);
        assert_eq!(given::written(&world), before);
        world.eve().post(&path, json!({ "content": "eyes" })).expect(201);
        world.max().post(&path, json!({ "content": "heart" })).expect(201);
        assert_eq!(given::each(&world.tom(), &path, "content"), ["heart", "eyes", "heart"]);
    }
}

#[test]
fn decision_36_there_are_eight_of_them() {
    let world = world();
    let all = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"];
    for of in [POST, COMMENT] {
        for content in all {
            world.eve().post(&format!("{of}/reactions"), json!({ "content": content })).expect(201);
            let sums = world.tom().get(of).expect(200)["reactions"].clone();
            assert_eq!(sums[content], 1, "{content} of {sums}");
        }
        let sums = world.tom().get(of).expect(200)["reactions"].clone();
        records::conforms(&sums, "reactions");
        assert_eq!(sums["total_count"], 8);
        for content in ["", "Heart", "thumbs_up", "❤"] {
            let answer = world.eve().post(&format!("{of}/reactions"), json!({ "content": content }));
            let message = answer.expect(422)["message"].as_str().expect("a message").to_owned();
            assert!(message.starts_with("Invalid request.\n\nFor 'properties/content',"), "{message}");
        }
    }
}

#[test]
fn decision_36_sums_are_shown_with_records_and_in_lists() {
    let world = world();
    for (login, content) in [("eve", "+1"), ("max", "+1"), ("tom", "-1")] {
        world.client(login).post(&format!("{POST}/reactions"), json!({ "content": content })).expect(201);
    }
    let list = world.eve().get("/orgs/acme/teams/core/discussions").expect(200)[0]["reactions"].clone();
    assert_eq!((&list["total_count"], &list["+1"], &list["-1"]), (&json!(3), &json!(2), &json!(1)));
    assert_eq!(world.eve().get(POST).expect(200)["reactions"], list);
    assert_eq!(world.eve().get(COMMENT).expect(200)["reactions"]["total_count"], 0);
}

#[test]
fn decision_36_a_reaction_is_taken_back_by_whoever_gave_it_maintainers_and_owners() {
    let world = world();
    given::put(&world, "core", "ray", "member");
    for of in [POST, COMMENT] {
        let path = format!("{of}/reactions");
        for who in ["ray", "max", "olivia"] {
            let id = world.ray().post(&path, json!({ "content": "rocket" })).expect(201)["id"].clone();
            let one = format!("{path}/{id}");
            let refusal = "You must be the person who reacted, a team maintainer or an organization owner to do this.";
            // Tom wrote the post and the comment.
            world.tom().delete(&one).refused(403, refusal);
            world.eve().delete(&one).refused(403, refusal);
            world.client(who).delete(&one).expect(204);
            world.client(who).delete(&one).refused(404, "Not Found");
            assert_eq!(world.tom().get(of).expect(200)["reactions"]["rocket"], 0);
        }
    }
}

#[test]
fn decision_36_a_reaction_is_below_what_it_is_to() {
    let world = world();
    let id = world.eve().post(&format!("{POST}/reactions"), json!({ "content": "eyes" })).expect(201)["id"].clone();
    world.eve().delete(&format!("{COMMENT}/reactions/{id}")).refused(404, "Not Found");
    given::post(&world.tom(), "other", false);
    let other = "/orgs/acme/teams/core/discussions/2";
    world.eve().delete(&format!("{other}/reactions/{id}")).refused(404, "Not Found");
    world.eve().delete(&format!("{POST}/reactions/{id}")).expect(204);
}

#[test]
fn decision_36_the_list_is_by_id_and_can_be_of_one_kind() {
    let world = world();
    let path = format!("{POST}/reactions");
    for (login, content) in [("eve", "eyes"), ("max", "heart"), ("tom", "eyes"), ("olivia", "eyes")] {
        world.client(login).post(&path, json!({ "content": content })).expect(201);
    }
    let logins = |query: &str| {
        let list = world.eve().get(&format!("{path}{query}"));
        let users: Vec<_> = list.each("user").iter().map(|user| user["login"].clone()).collect();
        (users, list.link("last").is_some())
    };
    let of = |logins: &[&str], more: bool| (logins.iter().map(|login| json!(login)).collect::<Vec<_>>(), more);
    assert_eq!(logins(""), of(&["eve", "max", "tom", "olivia"], false));
    assert_eq!(logins("?content=eyes"), of(&["eve", "tom", "olivia"], false));
    assert_eq!(logins("?content=eyes&per_page=2"), of(&["eve", "tom"], true));
    assert_eq!(logins("?content=eyes&per_page=2&page=2"), of(&["olivia"], false));
    assert_eq!(logins("?content=rocket"), of(&[], false));
    assert_eq!(logins("?content=unheard-of").0.len(), 4);
}

#[test]
fn decision_36_reactions_stay_when_the_account_is_gone() {
    let world = world();
    for of in [POST, COMMENT] {
        world.eve().post(&format!("{of}/reactions"), json!({ "content": "hooray" })).expect(201);
    }
    world.sam().delete("/admin/users/eve").expect(204);
    for of in [POST, COMMENT] {
        assert_eq!(given::each(&world.tom(), &format!("{of}/reactions"), "user"), [json!(null)]);
        assert_eq!(world.tom().get(of).expect(200)["reactions"]["hooray"], 1);
    }
}

#[test]
fn decision_36_reactions_go_with_what_they_are_to() {
    let world = world();
    for of in [POST, COMMENT] {
        world.eve().post(&format!("{of}/reactions"), json!({ "content": "+1" })).expect(201);
    }
    world.tom().delete(POST).expect(204);
    assert_eq!(given::value::<i64>(&world, "SELECT COUNT(*) FROM reactions"), 0);
    assert_eq!(given::value::<i64>(&world, "SELECT COUNT(*) FROM comments"), 0);
}
