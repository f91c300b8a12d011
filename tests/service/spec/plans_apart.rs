//! An apply over HTTP does nothing that its owner could not do by operations (decision 75).

use crate::spec::plans::{PLANS, applied, carried_out, changes, planned};
use crate::support::{Value, World, json};

#[test]
fn decision_75_people_whom_a_file_lists_are_invited_as_by_the_operation() {
    let world = World::new();
    let olivia = world.olivia();
    let file = "
orgs:
  acme:
    members: [max, tom, eve, ray, nina]
    teams: {Core: {members: [nina, tom]}}
";
    let plan = planned(&olivia, "", file).expect(201).clone();
    assert_eq!(changes(&plan), ["add invitation nina", "add team_member nina"]);
    applied(&olivia, &plan, &json!({})).expect(200);
    assert_eq!(olivia.get("/orgs/acme/memberships/nina").expect(200)["state"], "pending");
    assert_eq!(olivia.get("/orgs/acme/teams/core/memberships/nina").expect(200)["state"], "pending");
    let invitation = olivia.get("/orgs/acme/invitations").expect(200)[0].clone();
    assert_eq!((&invitation["inviter"]["login"], &invitation["role"]), (&json!("olivia"), &json!("direct_member")));
    assert_eq!(
        planned(&olivia, "prune=true", file).expect(201)["changes"],
        json!([]),
        "an invitation equals membership"
    );

    let owner = file.replace("members: [max, tom, eve, ray, nina]", "admins: [olivia, nina]");
    let plan = planned(&olivia, "", &owner).expect(201).clone();
    assert_eq!(plan["changes"][0]["blocked_by"], "owners", "{plan}");
    carried_out(&olivia, "owners=true", &owner);
    assert_eq!(olivia.get("/orgs/acme/memberships/nina").expect(200)["role"], "admin");
    assert_eq!(olivia.get("/orgs/acme/memberships/nina").expect(200)["state"], "pending");
}

#[test]
fn decision_75_an_invited_person_is_not_made_a_member() {
    let world = World::new();
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    let plan = planned(&world.olivia(), "", "members: [nina]").expect(201).clone();
    assert_eq!(plan["changes"], json!([]));
}

#[test]
fn decision_75_only_callers_make_their_own_membership_public() {
    let world = World::new();
    let plan =
        planned(&world.olivia(), "", "admins: [olivia]\nmembers: [tom]\nguildhall: {public_members: [olivia, tom]}")
            .expect(201)
            .clone();
    assert_eq!(changes(&plan), ["add public_member olivia"]);
    assert_eq!(plan["skipped"], json!(["tom: only they make their membership public or private over HTTP"]));
    applied(&world.olivia(), &plan, &json!({})).expect(200);
    world.anonymous().get("/orgs/acme/public_members/tom").expect(404);
    world.anonymous().get("/orgs/acme/public_members/olivia").expect(204);
}

#[test]
fn decision_75_what_no_operation_does_is_skipped() {
    let world = World::new();
    let file = "
repos: {web: {previously: [site]}}
teams: {Core: {previously: [Heart]}}
guildhall:
  projects:
    7: {name: Later, creator: tom, collaborators: {eve: write}}
    1: {name: First, creator: tom}
";
    let plan = planned(&world.olivia(), "", file).expect(201).clone();
    assert_eq!(changes(&plan), ["add repository web", "add project 1"], "{plan}");
    let skipped: Vec<&str> = plan["skipped"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(skipped.len(), 3, "{skipped:?}");
    assert!(skipped.contains(&"project 7: over HTTP, the next new project gets the number 1"), "{skipped:?}");
    applied(&world.olivia(), &plan, &json!({})).expect(200);
    let projects = world.olivia().get("/orgs/acme/projects").expect(200).clone();
    assert_eq!((&projects[0]["number"], &projects[0]["creator"]["login"]), (&json!(1), &json!("olivia")));
    world.olivia().get("/orgs/acme/teams/heart").expect(404);
}

#[test]
fn decision_75_a_plan_does_not_tell_whose_an_address_is() {
    let world = World::new();
    world.register("walt");
    world.sam().put("/users/walt/suspended", json!({})).expect(204);
    world.execute("UPDATE emails SET verified = TRUE WHERE email = 'walt@example.com'");
    let invitations = "guildhall:\n  invitations: [{email: walt@example.com}, {email: unknown@example.com}]\n";
    let file = format!("teams: {{Core: {{members: [walt]}}}}\n{invitations}");
    let plan = planned(&world.olivia(), "invite=true", &file).expect(201).clone();
    assert_eq!(changes(&plan), ["add invitation walt@example.com", "add invitation unknown@example.com"]);
    let skipped = plan["skipped"].to_string();
    assert!(skipped.contains("walt is suspended") && !skipped.contains('@'), "{skipped}");
}

#[test]
fn decision_75_a_plan_does_not_tell_that_an_address_is_of_a_person_who_is_invited() {
    let world = World::new();
    world.register("walt");
    world.execute("UPDATE emails SET verified = TRUE WHERE email = 'walt@example.com'");
    world.olivia().put("/orgs/acme/memberships/walt", json!({})).expect(200);
    for role in ["direct_member", "billing_manager"] {
        let file = format!("guildhall: {{invitations: [{{email: walt@example.com, role: {role}}}]}}");
        let plan = planned(&world.olivia(), "", &file).expect(201).clone();
        assert_eq!(changes(&plan), ["add invitation walt@example.com"]);
    }
}

#[test]
fn decision_75_the_address_of_a_member_is_not_invited_as_the_operation_refuses_it() {
    let world = World::new();
    let olivia = world.olivia();
    world.execute("UPDATE emails SET verified = TRUE WHERE email = 'tom@example.com'");
    olivia.post("/orgs/acme/invitations", json!({ "email": "tom@example.com" })).expect(422);
    let file = "guildhall: {invitations: [{email: Tom@example.com, teams: {Core: member}}]}\nteams: {Core: {}}";
    let plan = planned(&olivia, "invite=true", file).expect(201).clone();
    assert_eq!(plan["changes"], json!([]));
    assert_eq!(plan["skipped"], json!(["Tom@example.com is already in the organization and is not invited"]));
    // Each address is looked up, so that there are not more of them than changes.
    let addresses: Vec<String> = (0..2_001).map(|number| format!("{{email: a{number}@example.com}}")).collect();
    let file = format!("guildhall: {{invitations: [{}]}}", addresses.join(", "));
    let refused = planned(&olivia, "", &file);
    refused.expect(422);
    let message = refused.json["message"].as_str().unwrap_or_default().to_owned();
    assert!(message.contains("has more than 2000 changes"), "{message}");
}

#[test]
fn decision_75_only_site_administrators_make_accounts() {
    let world = World::new();
    let file = "members: [max, tom, eve, ray, fresh]";
    let plan = planned(&world.olivia(), "", file).expect(201).clone();
    assert_eq!(plan["changes"][0]["blocked_by"], "create_accounts");
    let refused = applied(&world.olivia(), &plan, &json!({}));
    refused.refused(422, "fresh: the change needs `create_accounts`. Nothing was changed");
    let message = "Only site administrators make accounts, with a token that has the scope site_admin. Plan without \
                   `create_accounts`.";
    planned(&world.olivia(), "create_accounts=true", file).refused(403, message);
    world.sam().put("/users/olivia/site_admin", json!({})).expect(204);
    planned(&world.olivia(), "create_accounts=true", file).refused(403, message);
    let administrator = world.limited("olivia", &["admin:org", "repo", "site_admin"]);
    let plan = planned(&administrator, "create_accounts=true", file).expect(201).clone();
    applied(&world.olivia(), &plan, &json!({})).refused(403, message);
    applied(&administrator, &plan, &json!({})).expect(200);
    assert_eq!(world.olivia().get("/orgs/acme/memberships/fresh").expect(200)["state"], "pending");
}

#[test]
fn decision_75_an_apply_counts_as_what_it_creates() {
    let settings = crate::support::world::Settings { creation_limit: (2, 2), ..Default::default() };
    let world = World::with(settings);
    world.register("ivan");
    let plan = planned(&world.olivia(), "", "members: [max, tom, eve, ray, nina, ivan]").expect(201).clone();
    // What no apply could do is refused when it is planned.
    let more =
        planned(&world.olivia(), "", "guildhall: {invitations: [{email: a@b.c}, {email: b@b.c}, {email: c@b.c}]}");
    more.refused(
        422,
        "The plan invites 3 people, and over HTTP a person invites at most 2 in a minute. Run the command on the server: \
         guildhall plan, guildhall apply.",
    );
    let refused = applied(&world.olivia(), &plan, &json!({}));
    refused.expect(403);
    assert!(refused.header("retry-after").is_some(), "{}", refused.text);
    assert_eq!(world.olivia().get("/orgs/acme/invitations").expect(200), &json!([]), "nothing was changed");
}

#[test]
fn decision_75_mail_is_sent_only_if_it_is_asked_for() {
    let world = World::new();
    world.register("ivan");
    let mailed = |login: &str| -> bool {
        let sql =
            "SELECT i.mailed_at IS NOT NULL FROM invitations i JOIN users u ON u.id = i.user_id WHERE u.login = $1";
        let login = login.to_owned();
        world.block_on(world.db.read(move |tx| tx.one::<(bool,)>(sql, &[&login]))).expect("an invitation").0
    };
    carried_out(&world.olivia(), "", "members: [nina]");
    let plan = planned(&world.olivia(), "", "members: [ivan]").expect(201).clone();
    applied(&world.olivia(), &plan, &json!({ "mail": true })).expect(200);
    assert_eq!((mailed("nina"), mailed("ivan")), (false, true));
}

#[test]
fn decision_75_a_token_that_has_lost_its_rights_applies_nothing() {
    let world = World::new();
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    let plan = planned(&world.max(), "", "description: From Max").expect(201).clone();
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "member" })).expect(200);
    applied(&world.max(), &plan, &json!({})).refused(404, "Not Found");
    world.max().get(&format!("{PLANS}/{}", plan["id"])).refused(404, "Not Found");
    assert_eq!(world.olivia().get("/orgs/acme").expect(200)["description"], json!(null));
    // Another owner applies it.
    applied(&world.olivia(), &plan, &json!({})).expect(200);
    assert_eq!(world.olivia().get("/orgs/acme").expect(200)["description"], "From Max");
}
