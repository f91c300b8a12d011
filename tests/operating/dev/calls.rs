//! Two hundred requests of all kinds.

use crate::dev::wire::Call;
use crate::support::{Value, json};

const OLIVIA: &str = "olivia-token";
const MAX: &str = "max-token";
const SAM: &str = "sam-token";

fn call(verb: &'static str, token: &'static str, path: String) -> Call {
    Call { verb, path, token, body: None }
}

fn with(verb: &'static str, token: &'static str, path: String, body: Value) -> Call {
    Call { verb, path, token, body: Some(body.to_string()) }
}

/// The requests, in order.
pub fn all() -> Vec<Call> {
    let calls: Vec<Call> = (0..10).flat_map(round).collect();
    assert_eq!(calls.len(), 200);
    calls
}

fn round(n: u32) -> Vec<Call> {
    let team = format!("/orgs/acme/teams/team-{n}");
    let below = |rest: &str| format!("{team}{rest}");
    vec![
        with("POST", OLIVIA, "/orgs/acme/teams".into(), json!({ "name": format!("Team {n}"), "maintainers": ["max"] })),
        call("GET", OLIVIA, "/orgs/acme/teams?per_page=5".into()),
        with("PUT", OLIVIA, below("/memberships/tom"), json!({ "role": "member" })),
        call("GET", MAX, below("/members")),
        with("PATCH", OLIVIA, team.clone(), json!({ "name": format!("Team {n}"), "description": "Changed" })),
        with("POST", OLIVIA, below("/discussions"), json!({ "title": "Hello", "body": "**Hello** @max" })),
        with("POST", OLIVIA, below("/discussions/1/comments"), json!({ "body": "A comment" })),
        with("POST", OLIVIA, below("/discussions/1/reactions"), json!({ "content": "heart" })),
        call("GET", MAX, "/notifications?all=true".into()),
        with("PUT", OLIVIA, below("/repos/acme/engine"), json!({ "permission": "push" })),
        call("GET", OLIVIA, below("/repos")),
        with("POST", OLIVIA, "/orgs/acme/repos".into(), json!({ "name": format!("repo-{n}"), "private": true })),
        call("GET", MAX, "/user".into()),
        call("GET", OLIVIA, "/orgs/acme/audit-log?include=all".into()),
        call("GET", MAX, format!("/nothing/{n}")),
        with("POST", OLIVIA, "/orgs/acme/teams".into(), json!({ "privacy": 1 })),
        with("POST", OLIVIA, "/orgs/acme/invitations".into(), json!({ "email": format!("new-{n}@example.com") })),
        // Its response has a random token.
        with("POST", SAM, "/admin/users/max/authorizations".into(), json!({ "scopes": ["repo"] })),
        call("GET", MAX, "/rate_limit".into()),
        if n.is_multiple_of(2) {
            call("DELETE", OLIVIA, team)
        } else {
            call("GET", "unknown-token", "/user/teams".into())
        },
    ]
}
