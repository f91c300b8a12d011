//! The requests that a session may only send soon after its person signed in (decision 61).

use std::net::Ipv4Addr;
use std::sync::Arc;

use guildhall::access::token_text;
use guildhall::dispatch::{Credentials, FIRST, InnerCall};
use guildhall::error::{Error, Result};
use guildhall::links::Links;
use guildhall::operation::{Path, RequestId};

use super::mail_invitations::world;
use super::sign_in::{code, newest, signed_in};
use crate::support::browser::Browser;
use crate::support::{Value, World, json};

/// The longest time since a recent sign-in, in seconds.
const RECENT: i64 = 15 * 60 - 1;

/// Calls an operation as pages do, in the session of this browser.
pub fn call(world: &World, of: &Browser, operation: &str, path: &[(&str, &str)], body: &Value) -> Result<Value> {
    let links = Arc::new(Links { origin: world.base.clone(), api: world.base.clone() });
    let call = InnerCall {
        operation,
        path: Path(path.iter().map(|(name, value)| (Arc::from(*name), (*value).to_owned())).collect()),
        body: body.as_object().expect("an object").clone(),
        page: FIRST,
        credentials: Credentials::Session(token_text::hash(&of.cookies["guildhall-session"])),
        peer: Ipv4Addr::LOCALHOST.into(),
        links,
        id: RequestId::new(1, 1),
        is_counted: false,
        condition: None,
    };
    world.block_on(world.edge.service.call(call))?.record()
}

#[test]
fn decision_61_a_token_and_an_address_need_a_recent_sign_in() {
    let world = world();
    world.sam().put("/users/max/site_admin", json!({})).expect(204);
    let max = signed_in(&world, "max");
    let calls = |number: &str| {
        let made = ["a", "b"].map(|name| json!({ "emails": [format!("{name}{number}@example.org")] }));
        let [mine, other] = made;
        [
            ("users.addEmailForAuthenticated", &[][..], mine),
            ("enterpriseAdmin.addEmailsForUser", &[("username", "nina")], other),
            ("enterpriseAdmin.createImpersonationOAuthToken", &[("username", "nina")], json!({})),
        ]
    };
    world.advance(RECENT);
    for (operation, path, body) in calls("1") {
        call(&world, &max, operation, path, &body).expect(operation);
    }
    world.advance(1);
    let counts = "SELECT (SELECT count(*) FROM emails), (SELECT count(*) FROM tokens)";
    let before = world.rows::<(i64, i64)>(counts);
    for (operation, path, body) in calls("2") {
        let refused = call(&world, &max, operation, path, &body);
        assert!(matches!(refused, Err(Error::StaleSession)), "{operation}: {refused:?}");
    }
    assert_eq!(world.rows::<(i64, i64)>(counts), before, "a refused call changes nothing");
    // The rest of the session goes on, and a token never signs in.
    call(&world, &max, "users.deleteEmailForAuthenticated", &[], &json!({ "emails": ["a1@example.org"] })).expect("ok");
    world.sam().post("/user/emails", json!(["c@example.org"])).expect(201);
}

#[test]
fn decision_61_owners_change_only_after_a_recent_sign_in() {
    let world = world();
    let olivia = signed_in(&world, "olivia");
    let nina = world.olivia().get("/users/nina").expect(200)["id"].clone();
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    world.advance(RECENT + 1);
    let of = |login: &'static str| [("org", "acme"), ("username", login)];
    let set = |login, role: &str| {
        call(&world, &olivia, "orgs.setMembershipForUser", &of(login), &json!({ "role": role })).map(drop)
    };
    let invite = |body: Value| call(&world, &olivia, "orgs.createInvitation", &[("org", "acme")], &body).map(drop);
    let gone = |operation: &str, login| call(&world, &olivia, operation, &of(login), &json!({})).map(drop);
    let refused = |what: Result<()>| assert!(matches!(what, Err(Error::StaleSession)), "{what:?}");
    // Members, and invitations as a member, need none.
    set("tom", "member").expect("no change");
    invite(json!({ "email": "new@example.org" })).expect("a member is invited");
    set("nina", "member").expect("a member is invited");
    refused(set("nina", "admin"));
    refused(set("tom", "admin"));
    refused(set("max", "member"));
    refused(invite(json!({ "email": "owner@example.org", "role": "admin" })));
    refused(invite(json!({ "email": "new@example.org", "role": "admin" })));
    refused(invite(json!({ "invitee_id": nina, "role": "reinstate" })));
    for operation in ["orgs.removeMember", "orgs.removeMembershipForUser", "orgs.convertMemberToOutsideCollaborator"] {
        refused(gone(operation, "max"));
    }
    let leave = "orgs.removeMembershipForAuthenticatedUser";
    refused(call(&world, &olivia, leave, &[("org", "acme")], &json!({})).map(drop));
    assert_eq!(world.olivia().get("/orgs/acme/members?role=admin").expect(200).as_array().map(Vec::len), Some(2));
    // An invitation as an owner is neither withdrawn as such nor sent again to another address.
    world.olivia().put("/orgs/acme/memberships/nina", json!({ "role": "admin" })).expect(200);
    refused(set("nina", "member"));
    refused(invite(json!({ "invitee_id": nina, "email": "evil@example.org", "role": "admin" })));
    gone("orgs.removeMember", "tom").expect("a member is removed");
    // After another sign-in, all of it works again.
    let olivia = signed_in(&world, "olivia");
    let again = call(&world, &olivia, "orgs.setMembershipForUser", &of("max"), &json!({ "role": "member" }));
    assert_eq!(again.expect("an owner less")["role"], "member");
}

#[test]
fn decision_61_a_person_signs_in_again_where_they_are_signed_in() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    let before = nina.cookies["guildhall-session"].clone();
    nina.visit("/login?return_to=%2Fui%2Fsettings");
    assert_eq!(nina.path, "/ui/settings", "a recent sign-in is enough");
    world.advance(RECENT + 1);
    nina.visit("/login?return_to=%2Fui%2Fsettings");
    let page = nina.page.text.clone();
    assert!(page.contains("Confirm it’s you") && page.contains("value=\"nina@example.com\""), "{page}");
    nina.send(&[("email", "nina@example.com")]);
    let sent = code(&newest(&world, "nina@example.com"));
    nina.send(&[("code", &sent)]);
    assert_eq!(nina.path, "/ui/settings");
    assert_ne!(nina.cookies["guildhall-session"], before, "the session is another one");
    assert_eq!(world.rows::<(i64,)>("SELECT id FROM sessions s ORDER BY s.id").len(), 1);
}
