//! Files and plans that are refused over HTTP (decision 75): nothing changes.

use crate::spec::plans::{PLANS, applied, exported, planned};
use crate::support::{Client, World, json};

#[track_caller]
fn refused(client: &Client, options: &str, file: &str, message: &str) {
    let answer = planned(client, options, file);
    let told = answer.expect(422)["message"].as_str().expect("a message").to_owned();
    assert!(told.contains(message), "{told}");
}

#[test]
fn decision_75_bad_files_are_refused_with_file_line_and_key() {
    let world = World::new();
    let olivia = world.olivia();
    let file = "orgs:\n  acme:\n    teams:\n      Core: {privacy: open}\n";
    refused(&olivia, "file=o.yaml", file, "o.yaml:4: orgs.acme.teams.Core.privacy: \"open\" is not one of");
    let other = "this is organization \"globex\", and the request is for \"acme\"";
    refused(&olivia, "file=o.yaml", "orgs:\n  globex: {admins: [nina]}\n", other);
    refused(&olivia, "", "orgs: {}", "\"orgs\" is empty");
    refused(&olivia, "", "", "the file is empty");
    refused(&olivia, "", "surprise: 1", "surprise");
    refused(&olivia, "", "members: [acme]", "is a person here and an organization");
    refused(&olivia, "", "teams: {A: {}, a: {}}", "");
    refused(&olivia, "", &"[".repeat(100_000), "");
    let level = |n: usize| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 10].join(","));
    let bomb = "a0: &a0 [x]\n".to_owned() + &(1..=8).map(level).collect::<Vec<_>>().concat();
    refused(&olivia, "", &bomb, "");
    refused(&olivia, "", &"- a\n".repeat(1_100_000), "has too many values to be read over HTTP");
    planned(&olivia, "", "a: \u{0}").refused(400, "The file is not UTF-8 without NUL. Save it as UTF-8.");
    planned(&olivia, "", &format!("# {}", "x".repeat(8 << 20))).refused(413, "The request body is larger than 8 MiB.");
    planned(&olivia, "", &format!("description: Long\n# {}", "x".repeat((8 << 20) - 100))).expect(201);
}

#[test]
fn decision_75_unknown_and_mistyped_options_are_refused() {
    let world = World::new();
    let olivia = world.olivia();
    refused(&olivia, "prun=true", "description: x", "\"prun\" is not a permitted key.");
    refused(&olivia, "prune=yes", "description: x", "properties/prune");
    refused(&olivia, "file=", "description: x", "1 to 255 characters");
    let plan = planned(&olivia, "", "description: x").expect(201).clone();
    for (options, message) in [
        (json!({ "max_removal": 0 }), "is not a permitted key."),
        (json!({ "max_removals": 101 }), "101 is not between 0 and 100."),
        (json!({ "min_owners": -1 }), "-1 is not between 0 and 1000."),
        (json!({ "mail": "maybe" }), "properties/mail"),
    ] {
        let told = applied(&olivia, &plan, &options).expect(422)["message"].as_str().expect("a message").to_owned();
        assert!(told.contains(message), "{told}");
    }
    let path = format!("{PLANS}/{}/apply?max_removal=0", plan["id"]);
    let told = olivia.post(&path, json!({})).expect(422)["message"].as_str().expect("a message").to_owned();
    assert!(told.contains("\"max_removal\" is not a permitted key."), "{told}");
    assert_eq!(olivia.get("/orgs/acme").expect(200)["description"], json!(null));
}

#[test]
fn decision_75_guards_are_named_and_nothing_changes() {
    let world = World::new();
    let olivia = world.olivia();
    olivia.put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    let before = exported(&world);
    let told = |options: &str, file: &str, apply: &crate::support::Value| {
        let plan = planned(&olivia, options, file).expect(201).clone();
        applied(&olivia, &plan, apply).expect(422)["message"].as_str().expect("a message").to_owned()
    };
    let empty = "admins: [olivia, max]\nmembers: []\nteams: {}";
    let message = told("prune=true", empty, &json!({}));
    assert!(message.contains("would go, which is more than `max_removals` 25% allows"), "{message}");
    let few = "admins: [olivia]\nmembers: [max, tom, eve, ray]";
    let message = told("owners=true", few, &json!({ "min_owners": 2 }));
    assert!(message.contains("1 owners would stay, which is less than `min_owners` 2 requires"), "{message}");
    assert!(told("", few, &json!({})).contains("max: the change needs `owners`"));
    let swapped = "admins: [max]\nmembers: [olivia, tom, eve, ray]";
    let message = told("owners=true", swapped, &json!({}));
    assert!(message.starts_with("olivia: an owner who applies a file remains an owner."), "{message}");
    let gone = "admins: [max]\nmembers: [tom, eve, ray]";
    let message = told("owners=true&prune=true", gone, &json!({ "max_removals": 100 }));
    assert!(message.starts_with("olivia: an owner who applies a file remains an owner."), "{message}");
    assert_eq!(exported(&world), before);
    // Max may apply what Olivia may not.
    let plan = planned(&olivia, "owners=true", swapped).expect(201).clone();
    applied(&world.max(), &plan, &json!({})).expect(200);
    olivia.get("/orgs/acme/export").expect(404);
}

#[test]
fn decision_75_more_changes_than_a_request_makes_are_for_the_server() {
    let world = World::new();
    let lines = |count: usize, line: fn(usize) -> String| (0..count).map(line).collect::<Vec<_>>().concat();
    let teams = |count: usize| "teams:\n".to_owned() + &lines(count, |n| format!("  Team {n}: {{}}\n"));
    refused(&world.olivia(), "", &teams(2_001), "The plan has more than 2000 changes, which is the most over HTTP.");
    let addresses = lines(2_001, |n| format!("- {{email: p{n}@example.com}}\n  "));
    let invited = format!("guildhall:\n  invitations:\n  {addresses}");
    refused(&world.olivia(), "", &invited, "Run the command on the server: guildhall plan, guildhall apply.");
    let plan = planned(&world.olivia(), "", &teams(2_000)).expect(201).clone();
    assert_eq!(plan["summary"]["add"], 2_000);
    let plan = planned(&world.olivia(), "", &teams(200)).expect(201).clone();
    applied(&world.olivia(), &plan, &json!({})).expect(200);
    let last = world.olivia().get("/orgs/acme/teams?per_page=1").link("last").expect("more pages");
    assert!(last.ends_with("page=201"), "{last}");
}
