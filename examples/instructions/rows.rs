//! The requests that are counted: one row for each kind, reads before writes.
//!
//! Reads other than the warm ones differ from one another in a parameter that means nothing, so that no cached response
//! serves them. Everything else that the store keeps is there.

use bytes::Bytes;
use guildhall::mail::token::{Purpose, Sent};
use serde_json::{Value, json};

use crate::client::Client;
use crate::server::Server;
use crate::world::{BOARDS, EACH, LEVELS, LISTED, POST, Tokens, person, team};

/// The number of writes that share a transaction.
const BATCH: usize = 64;

/// The requests of a row.
pub struct Row {
    pub name: &'static str,
    /// The status of every response.
    pub status: u16,
    /// Sent first, and not counted.
    pub warm_up: Vec<Bytes>,
    pub counted: Vec<Bytes>,
    /// The number of requests that are sent at once.
    pub at_once: usize,
}

impl Row {
    /// One request after the other. Each is made from its number.
    fn new(name: &'static str, status: u16, request: impl Fn(usize) -> Bytes) -> Self {
        let warm_up = (1..=EACH).map(&request).collect();
        let counted = (EACH + 1..=2 * EACH).map(&request).collect();
        Self { name, status, warm_up, counted, at_once: 1 }
    }

    /// The same with fewer requests, because each takes long.
    fn fewer(mut self) -> Self {
        self.warm_up.truncate(EACH / 4);
        self.counted.truncate(EACH / 4);
        self
    }
}

/// A person who sends requests.
#[derive(Clone, Copy)]
pub struct Person<'t>(pub &'t str);

impl Person<'_> {
    fn get(self, path: &str) -> Bytes {
        self.send("GET", path, "", &Value::Null)
    }

    pub fn send(self, method: &str, path: &str, header: &str, body: &Value) -> Bytes {
        let authorization = format!("Authorization: token {}\r\n{header}", self.0);
        request(method, path, &authorization, body)
    }
}

fn request(method: &str, path: &str, headers: &str, body: &Value) -> Bytes {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let length = if method == "GET" { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    let head = format!("{method} {path} HTTP/1.1\r\nHost: guildhall.test\r\nUser-Agent: instructions\r\n");
    format!("{head}{headers}{length}\r\n{body}").into()
}

/// The rows of requests that clients send.
pub fn all(server: &Server, tokens: &Tokens) -> Vec<Row> {
    let [olivia, few, many, reader] =
        ["olivia".to_owned(), person(1), person(2), person(3)].map(|login| Person(tokens.of(&login)));
    let mut rows = team_reads(server, reader);
    rows.extend(lists(few, many, reader));
    rows.push(invitation_page(server, olivia));
    rows.extend(rooms(tokens.of("session")));
    rows.extend(writes(server, olivia));
    rows
}

fn team_reads(server: &Server, reader: Person<'_>) -> Vec<Row> {
    let read = |number: usize| reader.get(&format!("/orgs/acme/teams/{}", team(number)));
    let tag = response(server, &read(1), |client| client.header("ETag").expect("a tag").to_owned());
    let unchanged = format!("If-None-Match: {tag}\r\n");
    let path = format!("/orgs/acme/teams/{}", team(1));
    vec![
        Row::new("team read, warm", 200, |_| read(1)),
        Row::new("team read, 304", 304, |_| reader.send("GET", &path, &unchanged, &Value::Null)),
        Row::new("team read, cold", 200, |number| read(number + 1)),
    ]
}

fn lists(few: Person<'_>, many: Person<'_>, reader: Person<'_>) -> Vec<Row> {
    let list = |name, who: Person<'_>, path: &str| {
        let mark = if path.contains('?') { '&' } else { '?' };
        Row::new(name, 200, |number| who.get(&format!("{path}{mark}number={number}")))
    };
    let members = |page| format!("/orgs/acme/teams/parent/members?per_page=100&page={page}");
    let compressed = |number| {
        let path = format!("/orgs/acme/teams?per_page=100&number={number}");
        reader.send("GET", &path, "Accept-Encoding: gzip\r\n", &Value::Null)
    };
    let check = format!("/orgs/acme/teams/level-{LEVELS}/repos/acme/engine");
    let checked = Row { status: 204, ..list("repository check through five levels", reader, &check) };
    vec![
        list("list of 30 teams", reader, "/orgs/acme/teams"),
        list("list of 100 teams", reader, "/orgs/acme/teams?per_page=100"),
        Row::new("list of 100 teams, compressed", 200, compressed),
        list("100 merged members, first page", reader, &members(1)),
        list("100 merged members, middle page", reader, &members(2)),
        list("100 merged members, last page", reader, &members(3)),
        list("own teams, 5 of them", few, "/user/teams?per_page=100"),
        list("own teams, 100 of them", many, "/user/teams?per_page=100").fewer(),
        checked,
        list("list of 30 discussions", reader, &format!("/orgs/acme/teams/{}/discussions", team(LISTED))),
        Row::new("GraphQL, list of 30 teams", 200, |number| graphql(reader, number)),
    ]
}

fn graphql(reader: Person<'_>, number: usize) -> Bytes {
    let variables = json!({ "org": "acme", "first": 30, "number": number });
    reader.send("POST", "/graphql", "", &json!({ "query": TEAMS, "variables": variables }))
}

const TEAMS: &str = "query($org: String!, $first: Int!) { organization(login: $org) { teams(first: $first) {
    nodes { id databaseId slug name description privacy parentTeam { id slug } } pageInfo { endCursor hasNextPage } } } }";

fn invitation_page(server: &Server, olivia: Person<'_>) -> Row {
    let open = response(server, &olivia.get("/orgs/acme/invitations"), Client::json);
    let id = open[0]["id"].as_i64().expect("an invitation");
    let sent = Sent { generation: 1, address: "zoe@example.com" };
    let token = Purpose::Invitation(id).token(&server.edge.service.site.mail_key, sent).expect("a token");
    let path = format!("/ui/invitations/{token}");
    Row::new("invitation page", 200, |_| request("GET", &path, "", &Value::Null))
}

/// The rooms of an owner, each with data that no earlier request has read, except for the organization.
fn rooms(session: &str) -> Vec<Row> {
    let cookies = format!("Cookie: guildhall-session={session}; guildhall-browser={}\r\n", "b".repeat(43));
    let room = |name, path: &dyn Fn(usize) -> String| {
        Row::new(name, 200, |number| request("GET", &path(number), &cookies, &Value::Null))
    };
    vec![
        room("page of a team", &|number| format!("/ui/orgs/acme/teams/{}", team(number))),
        room("page of the organization", &|_| "/ui/orgs/acme".to_owned()),
        room("board of 30 discussions", &|number| {
            format!("/ui/orgs/acme/teams/{}/discussions", team(BOARDS + number - 1))
        }),
    ]
}

fn writes(server: &Server, olivia: Person<'_>) -> Vec<Row> {
    let put = |slug: usize, number: usize| {
        let path = format!("/orgs/acme/teams/{}/memberships/{}", team(slug), person(number));
        olivia.send("PUT", &path, "", &json!({ "role": "member" }))
    };
    let puts = |numbers: std::ops::RangeInclusive<usize>| numbers.map(|number| put(107, number)).collect();
    let board = format!("/orgs/acme/teams/{}/discussions", team(109));
    let post = json!({ "title": "What we ship this week", "body": POST });
    vec![
        Row::new("PUT membership", 200, |number| put(106, number)),
        Row {
            name: "PUT membership, in batches of 64",
            status: 200,
            warm_up: puts(1..=BATCH),
            counted: puts(BATCH + 1..=4 * BATCH),
            at_once: BATCH,
        },
        Row::new("POST discussion", 201, |_| olivia.send("POST", &board, "", &post)),
        scim(server, olivia),
    ]
}

/// Each request puts a person into a group that a team follows.
fn scim(server: &Server, olivia: Person<'_>) -> Row {
    let base = "/scim/v2/organizations/acme";
    let found = |kind: &str| {
        let path = format!("{base}/{kind}?count=100");
        response(server, &olivia.get(&path), Client::json)["Resources"].as_array().expect("a list").clone()
    };
    let (groups, people) = (found("Groups"), found("Users"));
    let path = format!("{base}/Groups/{}", groups[0]["id"].as_str().expect("an identifier"));
    Row::new("SCIM PATCH of a group", 204, |number| {
        let person = json!([{ "value": people[number - 1]["id"] }]);
        let operation = json!({ "op": "add", "path": "members", "value": person });
        olivia.send("PATCH", &path, "", &json!({ "Operations": [operation] }))
    })
}

/// Sends a request and reads this of its response.
fn response<R>(server: &Server, request: &[u8], said: impl FnOnce(&Client) -> R) -> R {
    let mut client = server.block_on(Client::connect(server.address));
    server.block_on(client.send(request, 200));
    said(&client)
}
