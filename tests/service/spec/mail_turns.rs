//! Mails come in turns, so that no person and no organization delays those of others (decision 46).

use guildhall::config::{Security, Smtp as Server};

use super::given;
use super::mail_invitations::settle;
use crate::support::smtp::{Manner, Smtp};
use crate::support::world::Settings;
use crate::support::{Client, World, json};

const SUBSCRIBERS: usize = 300;

/// A world in which every post of the team `core` has 300 recipients, and the organization `globex` with a team.
fn world(server: &Smtp) -> World {
    let smtp = Server { host: "127.0.0.1".into(), port: server.port, tls: Security::Off, credentials: None };
    let world = World::with(Settings { delivers: true, smtp: Some(smtp), ..Settings::default() });
    world.execute(
        "INSERT INTO users (login, suspended, created_at, updated_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
         SELECT 'subscriber-' || CAST(i AS TEXT), FALSE, 0, 0 FROM n",
    );
    world.execute(
        "INSERT INTO emails (user_id, email, email_key, is_primary, verified)
         SELECT id, login || '@example.org', login || '@example.org', TRUE, TRUE FROM users
         WHERE login LIKE 'subscriber-%'",
    );
    given::subscribers_are_members(&world);
    world.organization("globex", "olivia", &["nina"]);
    world.olivia().post("/orgs/globex/teams", json!({ "name": "Web", "privacy": "closed" })).expect(201);
    world.olivia().put("/orgs/globex/teams/web/memberships/nina", json!({})).expect(200);
    world
}

fn post(client: &Client, team: &str, title: &str) {
    let new = json!({ "title": title, "body": "Hello" });
    client.post(&format!("{team}/discussions"), new).expect(201);
}

/// The subjects of the mails in the order in which they were sent, from the first one about posts on.
fn sent(server: &Smtp, count: usize) -> Vec<String> {
    server.until(|server| server.mails().len() >= count, || {});
    server.mails().iter().map(|(_, mail)| mail.header("Subject")).collect()
}

#[test]
fn decision_46_mails_about_posts_delay_neither_invitations_nor_another_organization() {
    let server = Smtp::new(Manner::Accepts);
    let world = world(&server);
    settle(&world);
    let before = server.mails().len();
    // Everything is due before anything is sent.
    world.execute("UPDATE delivery_cursors SET entry = entry + 1000000");
    let max = world.max();
    (0..3).for_each(|_| post(&max, "/orgs/acme/teams/core", "Loud"));
    post(&world.olivia(), "/orgs/globex/teams/web", "Quiet");
    world.olivia().post("/orgs/globex/invitations", json!({ "email": "una@example.org" })).expect(201);
    world.olivia().post("/orgs/acme/invitations", json!({ "email": "una@example.org" })).expect(201);
    world.execute("UPDATE delivery_cursors SET entry = entry - 1000000");
    world.edge.service.changed.notify_one();

    let sent = sent(&server, before + 3 * SUBSCRIBERS + 3);
    let place = |subject: &str| {
        let at = sent[before..].iter().position(|sent| sent == subject);
        at.unwrap_or_else(|| panic!("{subject} among {} mails", sent.len()))
    };
    for subject in ["olivia invited you to join globex", "olivia invited you to join acme", "[globex/Web] Quiet"] {
        assert!(place(subject) < 20, "{subject} is number {}", place(subject));
    }
}
