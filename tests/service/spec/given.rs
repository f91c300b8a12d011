//! The states that tests begin with, and the rows that they look at when a record is not enough.

use guildhall::db::FromRow;

use crate::support::{Answer, Client, Value, World, json};

/// The message of the refusal of a taken slug.
pub const NAME_TAKEN: &str = "Name must be unique for this org";

/// Olivia creates a team of `acme`, which she then maintains.
pub fn team(world: &World, body: Value) -> Value {
    world.olivia().post("/orgs/acme/teams", body).expect(201).clone()
}

/// A closed team of this name.
pub fn closed(world: &World, name: &str) -> Value {
    team(world, json!({ "name": name, "privacy": "closed" }))
}

/// A secret team of this name.
pub fn secret(world: &World, name: &str) -> Value {
    team(world, json!({ "name": name, "privacy": "secret" }))
}

/// Makes the accounts whose logins begin with `subscriber-` members of the organization and of the team `core`.
pub fn subscribers_are_members(world: &World) {
    world.execute(
        "INSERT INTO org_members (org_id, user_id, role, created_at)
         SELECT t.org_id, u.id, 'member', 0 FROM users u, teams t WHERE u.login LIKE 'subscriber-%' AND t.slug = 'core'",
    );
    world.execute(
        "INSERT INTO team_members (team_id, user_id, role)
         SELECT t.id, u.id, 'member' FROM users u, teams t WHERE u.login LIKE 'subscriber-%' AND t.slug = 'core'",
    );
}

/// A team of this name below another.
pub fn child(world: &World, parent: &Value, name: &str) -> Value {
    team(world, json!({ "name": name, "parent_team_id": parent["id"] }))
}

/// The team `core` as its record shows it.
pub fn core(world: &World) -> Value {
    world.olivia().get("/orgs/acme/teams/core").expect(200).clone()
}

/// Olivia adds a user to a team of `acme`.
pub fn put(world: &World, slug: &str, login: &str, role: &str) -> Value {
    let path = format!("/orgs/acme/teams/{slug}/memberships/{login}");
    world.olivia().put(&path, json!({ "role": role })).expect(200).clone()
}

/// The identifier of a person.
pub fn user_id(world: &World, login: &str) -> i64 {
    id(world.sam().get(&format!("/users/{login}")).expect(200))
}

/// The identifier of `acme`.
pub fn org_id(world: &World) -> i64 {
    id(world.sam().get("/orgs/acme").expect(200))
}

/// The identifier in a record.
#[track_caller]
pub fn id(record: &Value) -> i64 {
    record["id"].as_i64().expect("an identifier")
}

/// The four forms of a team's path.
pub fn forms(team: &Value) -> [String; 4] {
    let (org, id, slug) = (&team["organization"]["id"], &team["id"], team["slug"].as_str().expect("a slug"));
    let login = team["organization"]["login"].as_str().expect("a login");
    [
        format!("/orgs/{login}/teams/{slug}"),
        format!("/organizations/{org}/team/{id}"),
        format!("/organizations/{org}/teams/{slug}"),
        format!("/teams/{id}"),
    ]
}

/// A client creates a discussion in `core`.
pub fn post(client: &Client, title: &str, private: bool) -> Value {
    let post = json!({ "title": title, "body": "Some text.", "private": private });
    client.post("/orgs/acme/teams/core/discussions", post).expect(201).clone()
}

/// A repository of `acme`; the import brings them, and so does this.
pub fn repository(world: &World, name: &'static str, administrator: Option<&str>) {
    let org = org_id(world);
    let person = administrator.map(|login| user_id(world, login));
    let written = world.db.write(move |tx| {
        tx.run(REPOSITORY, &[&org, &name])?;
        match person {
            Some(person) => tx.run(COLLABORATOR, &[&org, &name, &person]).map(drop),
            None => Ok(()),
        }
    });
    world.block_on(written).expect("a repository");
}

const REPOSITORY: &str = "
    INSERT INTO repos (org_id, name, name_key, created_at, updated_at) VALUES ($1, $2, lower($2), 0, 0)";
const COLLABORATOR: &str = "
    INSERT INTO repo_collaborators (repo_id, user_id, level)
    SELECT id, CAST($3 AS BIGINT), 5 FROM repos WHERE org_id = $1 AND name_key = lower($2)";

/// Olivia creates a project of `acme`: private, and read by the members.
pub fn project(world: &World, name: &str) -> Value {
    world.olivia().post("/orgs/acme/projects", json!({ "name": name })).expect(201).clone()
}

/// The same, of which members know nothing unless they are let in.
pub fn hidden_project(world: &World, name: &str) -> Value {
    let project = project(world, name);
    let closed = json!({ "organization_permission": "none" });
    world.olivia().patch(&format!("/projects/{}", project["id"]), closed).expect(200).clone()
}

/// The path of the grant of a project to a team of `acme`.
pub fn grant_path(slug: &str, project: &Value) -> String {
    format!("/orgs/acme/teams/{slug}/projects/{}", project["id"])
}

/// Olivia grants a project to a team of `acme`.
pub fn grant(world: &World, slug: &str, project: &Value, permission: &str) {
    world.olivia().put(&grant_path(slug, project), json!({ "permission": permission })).expect(204);
}

/// A webhook of the site that hears everything. Without one, only the events that people are notified of are stored.
pub fn listener(world: &World) {
    let hook = json!({ "name": "web", "config": { "url": "http://127.0.0.1:9/" } });
    world.sam().post("/admin/hooks", hook).expect(201);
}

/// Changes rows behind the server's back.
pub fn run(world: &World, sql: &'static str) {
    let changed = world.execute(sql);
    assert!(changed > 0, "{sql} changed nothing");
}

/// The one value that a statement finds.
pub fn value<T>(world: &World, sql: &'static str) -> T
where
    (T,): FromRow + Send + 'static,
{
    let mut rows: Vec<(T,)> = world.rows(sql);
    assert_eq!(rows.len(), 1, "{sql}");
    rows.remove(0).0
}

/// The number of rows that were written: event rows, audit entries, changes of people and tree.
pub fn written(world: &World) -> (i64, i64, i64) {
    const WRITTEN: &str = "
        SELECT (SELECT COUNT(*) FROM journal_facts), (SELECT COUNT(*) FROM journal WHERE action IS NOT NULL),
               (SELECT COUNT(*) FROM journal WHERE kind <> 'other')";
    world.rows(WRITTEN)[0]
}

/// The names of the members of a record, in order.
pub fn keys(record: &Value) -> Vec<&str> {
    record.as_object().expect("a record").keys().map(String::as_str).collect()
}

/// The names, slugs or logins in a list.
pub fn each(client: &Client, path: &str, member: &str) -> Vec<Value> {
    let answer = client.get(path);
    answer.expect(200);
    answer.each(member)
}

/// Fails unless a rule of the domain refused with this one item.
#[track_caller]
pub fn violates(answer: &Answer, item: Value) {
    let body = answer.refused(422, "Validation Failed");
    assert_eq!(body["errors"], json!([item]), "{}", answer.request);
}

/// Fails unless a rule of teams refused with this sentence.
#[track_caller]
pub fn refuses_team(answer: &Answer, message: &str) {
    let item = json!({ "resource": "Team", "code": "unprocessable", "field": "data", "message": message });
    violates(answer, item);
}

/// Fails unless a rule of teams refused, in whatever words.
#[track_caller]
pub fn refuses_team_somehow(answer: &Answer) {
    let errors = &answer.refused(422, "Validation Failed")["errors"];
    assert_eq!(errors.as_array().map(Vec::len), Some(1), "{}", answer.text);
    let error = (&errors[0]["resource"], &errors[0]["code"], &errors[0]["field"]);
    assert_eq!(error, (&json!("Team"), &json!("unprocessable"), &json!("data")), "{}", answer.text);
    assert!(errors[0]["message"].is_string(), "{}", answer.text);
}
