//! The scene that the samples find: more teams, a second organization, and people in every state.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use guildhall::operation::{Method, Operation};

use super::samples::{Sample, plans};
use crate::support::world::{Settings, Template};
use crate::support::{Answer, Client, Value, World, dump, json};

/// Everything that a token may be used for, that of a site administrator included.
pub const EVERY_SCOPE: [&str; 6] = ["admin:org", "admin:org_hook", "repo", "site_admin", "user", "write:discussion"];

const TEAMS: [&str; 4] = ["core", "parents", "below", "hidden"];
const REPOS: [&str; 2] = ["engine", "vault"];
const PROJECTS: [&str; 2] = ["roadmap", "backlog"];

/// The teams with two discussions, each with two comments, and Olivia's heart for the first of each.
const WITH_POSTS: [(&str, &str); 3] =
    [("core", "a comment in core"), ("parents", "a comment in parents"), ("hidden", "a comment in hidden")];
const PEOPLE: [&str; 10] = ["olivia", "max", "tom", "eve", "ray", "nina", "ivan", "ursula", "walt", "xena"];

/// A world in which every sample succeeds.
pub struct Scene {
    pub world: World,
    /// The values of path parameters, by the name of the parameter and the thing.
    values: Values,
}

type Values = BTreeMap<(&'static str, &'static str), String>;

impl Scene {
    /// A copy of the world that the first test makes, with a server of its own.
    pub fn new() -> Self {
        Self::with(Settings::default())
    }

    /// The same with other settings.
    pub fn with(settings: Settings) -> Self {
        static FIRST: LazyLock<(Template, Values)> = LazyLock::new(|| {
            let Scene { world, values } = Scene::first();
            (world.into_template(), values)
        });
        let (template, values) = &*FIRST;
        Self { world: World::from_template(template, settings), values: values.clone() }
    }

    /// The world; `parents` (closed) with `below` in it, `hidden` (secret), each like `core`; `crew` (secret) follows a
    /// provider; `parents`, `crew` and Ray are security managers; Ivan is invited, Ursula administers the site, was impersonated and collaborates from outside, Walt is
    /// suspended, Xena declined, two e-mail addresses are invited; Nina owns `globex`, where `core` is another team;
    /// `acme` has the repositories `engine` (public) and `vault` (private), Nina has `notes`.
    fn first() -> Self {
        let world = World::new();
        let (olivia, sam) = (world.olivia(), world.sam());
        for login in ["ivan", "ursula", "walt", "xena"] {
            world.register(login);
        }
        let parents = team_like_core(&world, "Parents", "closed");
        let below = json!({ "name": "Below", "parent_team_id": parents["id"] });
        olivia.post("/orgs/acme/teams", below).expect(201);
        olivia.put("/orgs/acme/teams/below/memberships/eve", json!({})).expect(200);
        team_like_core(&world, "Hidden", "secret");
        for login in ["eve", "ray"] {
            world.client(login).post("/orgs/acme/teams/core/join_requests", json!({})).expect(201);
        }
        olivia.put("/orgs/acme/teams/core/memberships/ivan", json!({})).expect(200);
        world.max().put("/orgs/acme/public_members/max", json!({})).expect(204);
        for (team, _) in WITH_POSTS {
            posts(&olivia, &format!("/orgs/acme/teams/{team}/discussions"));
        }
        world.organization("globex", "nina", &["xena", "max"]);
        world.nina().post("/orgs/globex/teams", json!({ "name": "Core", "privacy": "closed" })).expect(201);
        for address in ["yves@example.com", "zita@example.com"] {
            let teams = [parents["id"].clone()];
            olivia.post("/orgs/acme/invitations", json!({ "email": address, "team_ids": teams })).expect(201);
        }
        olivia.put("/orgs/acme/memberships/xena", json!({})).expect(200);
        world.client("xena").delete("/user/memberships/orgs/acme").expect(204);
        sam.post("/admin/users/eve/emails", json!({ "emails": ["eve@example.net"], "verified": true })).expect(201);
        sam.put("/users/ursula/site_admin", json!({})).expect(204);
        sam.post("/admin/users/ursula/authorizations", json!({ "scopes": ["repo"] })).expect(201);
        sam.put("/users/walt/suspended", json!({})).expect(204);
        world.execute(
            "INSERT INTO repos (org_id, name, name_key, private, created_at, updated_at)
             SELECT id, 'engine', 'engine', FALSE, 0, 0 FROM orgs WHERE login = 'acme'
             UNION ALL SELECT id, 'vault', 'vault', TRUE, 0, 0 FROM orgs WHERE login = 'acme'",
        );
        projects(&world);
        world.nina().post("/user/repos", json!({ "name": "notes" })).expect(201);
        for (team, repo) in TEAMS.into_iter().flat_map(|team| REPOS.map(|repo| (team, repo))) {
            let path = format!("/orgs/acme/teams/{team}/repos/acme/{repo}");
            // Eve is in a team too, and writes to no repository.
            let level = if team == "core" { "push" } else { "pull" };
            olivia.put(&path, json!({ "permission": level })).expect(204);
        }
        olivia.put_empty("/repos/acme/engine/vulnerability-alerts").expect(204);
        for (repo, level) in [("engine", "push"), ("vault", "admin")] {
            let path = format!("/repos/acme/{repo}/collaborators/ursula");
            olivia.put(&path, json!({ "permission": level })).expect(204);
        }
        hooks(&world);
        world.execute(NOTICES);
        provisioned(&world);
        for team in ["parents", "crew"] {
            olivia.put_empty(&format!("/orgs/acme/security-managers/teams/{team}")).expect(204);
        }
        olivia.put_empty("/orgs/acme/organization-roles/users/ray/138").expect(204);
        plans::make(&olivia);
        // Everybody has a token, so that later none is made in passing.
        for person in PEOPLE {
            world.client(person);
        }
        let values = values(&world);
        Self { world, values }
    }

    /// The value of a path parameter for this thing.
    pub fn value(&self, parameter: &'static str, of: &str) -> &str {
        let found = self.values.iter().find(|((name, thing), _)| *name == parameter && *thing == of);
        found.unwrap_or_else(|| panic!("the scene has no {parameter} of {of}")).1
    }

    /// The same as a number for a body.
    pub fn number(&self, parameter: &'static str, of: &str) -> i64 {
        self.value(parameter, of).parse().expect("a number")
    }

    /// A form of a path with everything put in that the sample names.
    pub fn path(&self, form: &str, sample: &Sample) -> String {
        let mut path = form.to_owned();
        for (parameter, of) in Self::named_by(sample) {
            path = path.replace(&format!("{{{parameter}}}"), self.value(parameter, of));
        }
        assert!(!path.contains('{'), "tests/service/every_operation/scene.rs has no value for {path}");
        let path = if path.is_empty() { "/".to_owned() } else { path };
        if sample.query.is_empty() { path } else { format!("{path}?{}", sample.query) }
    }

    /// Every path parameter, and what the sample puts in its place.
    pub fn named_by(sample: &Sample) -> [(&'static str, &'static str); 21] {
        let comment = WITH_POSTS.iter().find(|(team, _)| *team == sample.team).map_or("", |(_, comment)| comment);
        let reacted_to = if sample.operation.contains("Comment") { comment } else { sample.team };
        [
            ("org", "acme"),
            ("org_id", "acme"),
            ("team_slug", sample.team),
            ("team_id", sample.team),
            ("owner", "acme"),
            ("repo", sample.repo),
            ("repository_id", sample.repo),
            ("username", sample.person),
            ("account_id", sample.person),
            ("project_id", "roadmap"),
            ("discussion_number", "the first"),
            ("comment_number", "the first"),
            ("reaction_id", reacted_to),
            ("token_id", "tom"),
            ("invitation_id", "yves"),
            ("join_request_id", "the first"),
            ("hook_id", if sample.operation.contains("Global") { "the site" } else { "acme" }),
            ("delivery_id", "the first"),
            ("plan_id", "the first"),
            ("thread_id", "the first"),
            ("role_id", "security_manager"),
        ]
    }

    pub fn client(&self, who: &str) -> Client {
        if who == "sam" { self.world.sam() } else { self.world.client(who) }
    }

    /// A client of this user, with a token for everything; Sam is the first site administrator.
    pub fn everything_for(&self, who: &str) -> Client {
        self.limited(who, &EVERY_SCOPE)
    }

    /// A client of this user, with another token that has only these scopes.
    pub fn limited(&self, who: &str, scopes: &[&str]) -> Client {
        self.world.limited(if who == "sam" { "site-admin" } else { who }, scopes)
    }

    /// Sends a sample in its first form; its body can be another one.
    pub fn send(&self, row: &Operation, sample: &Sample) -> Answer {
        self.send_body(row, sample, sample.members(self))
    }

    pub fn send_body(&self, row: &Operation, sample: &Sample, body: Option<Value>) -> Answer {
        self.send_form(&self.client(sample.who), row, sample, &row.forms[0], body)
    }

    pub fn send_form(
        &self,
        client: &Client,
        row: &Operation,
        sample: &Sample,
        form: &str,
        body: Option<Value>,
    ) -> Answer {
        send(client, row, &self.path(form, sample), body)
    }

    pub fn dump(&self) -> String {
        dump::everything(&self.world)
    }

    /// Fails if the database is not as it was.
    #[track_caller]
    pub fn unchanged_since(&self, before: &str, what: &str) {
        let now = self.dump();
        assert!(now == before, "{what} changed something:\n{}", dump::difference(before, &now));
    }
}

/// Sends a request of a row: a PUT has a length even without a body.
pub fn send(client: &Client, row: &Operation, path: &str, body: Option<Value>) -> Answer {
    let empty = (row.method == Method::Put).then(String::new);
    client.send(row.method.name(), path, body.map(|body| body.to_string()).or(empty))
}

fn team_like_core(world: &World, name: &str, privacy: &str) -> Value {
    let olivia = world.olivia();
    let team = olivia.post("/orgs/acme/teams", json!({ "name": name, "privacy": privacy })).expect(201).clone();
    let path = |login: &str| format!("/orgs/acme/teams/{}/memberships/{login}", name.to_lowercase());
    olivia.put(&path("max"), json!({ "role": "maintainer" })).expect(200);
    olivia.put(&path("tom"), json!({})).expect(200);
    olivia.delete(&path("olivia")).expect(204);
    team
}

/// Two projects of acme that its members read; every team is granted the first, and Ray may write there.
fn projects(world: &World) {
    let olivia = world.olivia();
    for name in PROJECTS {
        let project = olivia.post("/orgs/acme/projects", json!({ "name": name })).expect(201).clone();
        if name == PROJECTS[0] {
            let path = format!("/projects/{}/collaborators/ray", project["id"]);
            olivia.put(&path, json!({ "permission": "write" })).expect(204);
            for team in TEAMS {
                let path = format!("/orgs/acme/teams/{team}/projects/{}", project["id"]);
                olivia.put(&path, json!({ "permission": "read" })).expect(204);
            }
        }
    }
}

fn posts(olivia: &Client, board: &str) {
    for number in 1..=2 {
        let discussion = json!({ "title": format!("Number {number}"), "body": "What do you think?" });
        olivia.post(board, discussion).expect(201);
        for _ in 1..=2 {
            olivia.post(&format!("{board}/{number}/comments"), json!({ "body": "Well." })).expect(201);
        }
    }
    for path in [format!("{board}/1"), format!("{board}/1/comments/1")] {
        olivia.post(&format!("{path}/reactions"), json!({ "content": "heart" })).expect(201);
    }
}

/// Tom was told of both discussions of `core`.
const NOTICES: &str = "
    INSERT INTO notices (user_id, discussion_id, reason, unread, done, updated_at)
    SELECT u.id, d.id, 'mention', TRUE, FALSE, d.created_at
    FROM users u CROSS JOIN discussions d JOIN teams t ON t.id = d.team_id
    WHERE u.login = 'tom' AND t.slug = 'core'";

/// Two hooks of acme, and one of the site.
fn hooks(world: &World) {
    for path in ["first", "second"] {
        let config = json!({ "url": format!("https://hooks.example.com/{path}"), "secret": "hush" });
        let hook = json!({ "name": "web", "config": config, "events": ["team", "membership"] });
        world.olivia().post("/orgs/acme/hooks", hook).expect(201);
    }
    let hook = json!({ "name": "web", "config": { "url": "https://hooks.example.com/site" } });
    world.sam().post("/admin/hooks", hook).expect(201);
    // No worker runs here: deliveries that have failed once, as one would leave them.
    world.execute(
        "INSERT INTO delivery_events (org_id, entry, part, guid, event, action, order_key, payload, created_at)
         SELECT 1, entry, 0, '72d3162e-cc78-81e3-a1ab-4dc2a1b2c3d4', 'team', 'created', 1, '{}', 1767225600000000
         FROM journal_heads WHERE org_id = 1",
    );
    world.execute(
        "INSERT INTO deliveries (event_id, kind, target_id, order_key, state, attempts, last_status, next_at, created_at,
                                 expires_at, redelivery)
         SELECT e.id, 'hook', h.id, 1, 'waiting', 1, 'timed out', 1767225605000000, e.created_at, 1767484800000000, FALSE
         FROM delivery_events e JOIN hooks h ON h.org_id = e.org_id",
    );
    world.execute(TOLD);
    world.execute(ATTEMPTS);
}

/// The events that the first webhook of acme was sent.
const TOLD: &str = "
    INSERT INTO delivery_events (org_id, entry, part, guid, event, action, order_key, payload, created_at)
    SELECT id, 0, 0, '72d3162e-cc78-11e3-81ab-4c9367dc0958', 'team', 'created', 1, '{\"action\":\"created\"}', 0
    FROM orgs WHERE login = 'acme'";

/// It has failed once.
const ATTEMPTS: &str = "
    INSERT INTO delivery_attempts (delivery_id, event_id, target_id, at, redelivery, duration_ms, ok, status,
                                   status_code, request_headers, response_headers, response_body)
    SELECT 0, e.id, (SELECT min(h.id) FROM hooks h), n.at, FALSE, 270, n.ok, n.status, n.code,
           '{\"Accept\":\"*/*\"}', '{\"Content-Length\":\"2\"}', 'no'
    FROM (SELECT id FROM delivery_events WHERE entry = 0) e CROSS JOIN (
        SELECT CAST(1 AS BIGINT) AS at, FALSE AS ok, 'Bad Gateway' AS status, CAST(502 AS BIGINT) AS code
        UNION ALL SELECT 2000000, TRUE, 'OK', 200
    ) n ORDER BY n.at";

fn values(world: &World) -> Values {
    let mut values = Values::new();
    let id = |path: String| world.olivia().get(&path).expect(200)["id"].to_string();
    for org in ["acme", "globex"] {
        values.insert(("org", org), org.to_owned());
        values.insert(("org_id", org), id(format!("/orgs/{org}")));
    }
    for team in TEAMS {
        values.insert(("team_slug", team), team.to_owned());
        values.insert(("team_id", team), id(format!("/orgs/acme/teams/{team}")));
    }
    values.insert(("owner", "acme"), "acme".to_owned());
    values.insert(("role_id", "security_manager"), "138".to_owned());
    values.extend(plans::values(world));
    for repo in REPOS {
        values.insert(("repo", repo), repo.to_owned());
        values.insert(("repository_id", repo), id(format!("/repos/acme/{repo}")));
    }
    for parameter in ["discussion_number", "comment_number"] {
        values.extend([((parameter, "the first"), "1".to_owned()), ((parameter, "the second"), "2".to_owned())]);
    }
    for (team, comment) in WITH_POSTS {
        let post = format!("/orgs/acme/teams/{team}/discussions/1");
        for (of, path) in [(team, post.clone()), (comment, format!("{post}/comments/1"))] {
            let reactions = world.olivia().get(&format!("{path}/reactions"));
            values.insert(("reaction_id", of), reactions.expect(200)[0]["id"].to_string());
        }
    }
    for person in PEOPLE {
        values.insert(("username", person), person.to_owned());
        values.insert(("account_id", person), id(format!("/users/{person}")));
    }
    let projects = world.olivia().all("/orgs/acme/projects");
    for (name, project) in PROJECTS.iter().zip(&projects) {
        values.insert(("project_id", name), project["id"].to_string());
    }
    let invitations = world.olivia().get("/orgs/acme/invitations").expect(200).clone();
    for (nth, who) in [(1, "yves"), (2, "zita")] {
        values.insert(("invitation_id", who), invitations[nth]["id"].to_string());
    }
    let requests = world.olivia().get("/orgs/acme/teams/core/join_requests").expect(200).clone();
    values.insert(("join_request_id", "the first"), requests[1]["id"].to_string());
    values.insert(("join_request_id", "the second"), requests[0]["id"].to_string());
    values.insert(("group_id", "staff"), staff(world));
    let attempts: Vec<(i64,)> = world.rows("SELECT id FROM delivery_attempts ORDER BY id");
    for (of, (id,)) in ["the first", "the second"].into_iter().zip(attempts) {
        values.insert(("delivery_id", of), id.to_string());
    }
    for (of, client, path) in [("acme", world.olivia(), "/orgs/acme/hooks"), ("the site", world.sam(), "/admin/hooks")]
    {
        for (name, hook) in [of, "another of acme"].iter().zip(client.all(path)) {
            values.insert(("hook_id", name), hook["id"].to_string());
        }
    }
    let threads: Vec<(i64,)> = world.rows("SELECT id FROM notices ORDER BY id");
    for (of, (id,)) in ["the first", "the second"].into_iter().zip(threads) {
        values.insert(("thread_id", of), id.to_string());
    }
    for person in ["tom", "eve"] {
        world.client(person).get("/user").expect(200);
        let account = &values[&("account_id", person)];
        let sql = format!("SELECT max(id) FROM tokens WHERE user_id = {account}");
        let rows: Vec<(i64,)> = world.rows(sql.leak());
        values.insert(("token_id", person), rows[0].0.to_string());
    }
    values
}

/// The plan offers synchronization, and the provider has the groups `Staff`, of Eve, and `Crew`, which team `crew`
/// follows.
fn provisioned(world: &World) {
    world.sam().patch("/admin/organizations/acme", json!({ "plan": "enterprise" })).expect(202);
    let (scim, olivia) = ("/scim/v2/organizations/acme", world.olivia());
    let eve = json!({ "userName": "eve@idp", "emails": [{ "value": "eve@example.com" }] });
    let eve = olivia.post(&format!("{scim}/Users"), eve).expect(201)["id"].clone();
    world.client("eve").patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    olivia.post("/orgs/acme/teams", json!({ "name": "Crew" })).expect(201);
    for name in ["Staff", "Crew"] {
        let group = json!({ "displayName": name, "members": [{ "value": eve }] });
        let group = olivia.post(&format!("{scim}/Groups"), group).expect(201).clone();
        if name == "Crew" {
            let group = json!({ "group_id": group["id"], "group_name": name, "group_description": "" });
            let path = "/orgs/acme/teams/crew/team-sync/group-mappings";
            olivia.patch(path, json!({ "groups": [group] })).expect(200);
        }
    }
}

fn staff(world: &World) -> String {
    let groups = world.olivia().get("/orgs/acme/team-sync/groups").expect(200)["groups"].clone();
    groups[0]["group_id"].as_str().expect("an identifier").to_owned()
}
