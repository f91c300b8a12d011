//! The callers who are refused before anything is looked up (decisions 18, 19, 20, 41 and 43).

use guildhall::operation::{Method, Operation};

use crate::every_operation::probe::{AGREED, probe};
use crate::every_operation::samples::{self, Sample};
use crate::every_operation::scene::{Scene, send};
use crate::support::{Answer, Client, raw};

/// Scopes that no operation accepts.
const OF_NO_USE: [&str; 5] = ["gist", "workflow", "admin:repo_hook", "read:packages", "delete_repo"];

/// Sends every sample with what the client has, or has not, and looks at the answers; nothing may change.
fn with_every_row(scene: &Scene, who: impl Fn(&Sample) -> Client, check: impl Fn(&Operation, &Answer)) {
    let before = scene.dump();
    for (row, sample) in samples::all() {
        let client = who(&sample);
        for form in &row.forms {
            check(&row, &send(&client, &row, &scene.path(form, &sample), sample.members(scene)));
        }
    }
    scene.unchanged_since(&before, "A refused request");
}

/// The status of a request without a token: organizations and people are public, teams are not found.
fn without_token(row: &Operation) -> u16 {
    let first = row.forms[0].as_str();
    let about_the_caller = first == "/user"
        || first.starts_with("/user/") && !first.starts_with("/user/{")
        || first.starts_with("/notifications");
    match row.name {
        _ if row.method != Method::Get || about_the_caller => 401,
        "orgs.listPendingInvitations"
        | "orgs.listInvitationTeams"
        | "orgs.listFailedInvitations"
        | "orgs.listOutsideCollaborators"
        | "orgs.getAuditLog"
        | "enterpriseAdmin.getAuditLog"
        | "repos.listTeams"
        | "repos.checkVulnerabilityAlerts"
        | "repos.listInvitations"
        | "search.teams" => 401,
        _ if first.starts_with("/admin/hooks") || first == "/admin/deliveries" => 401,
        _ if row.absent => 200,
        _ if first.contains("/hooks") || first.contains("/plans") || first.ends_with("/export") => 404,
        _ if first.contains("/organization-roles") || first.contains("/security-managers") => 401,
        _ if first.ends_with("/explanation") || first.ends_with("/access") => 404,
        _ if first.starts_with("/repos/{owner}/{repo}/collaborators") => 401,
        _ if first.contains("/teams") || first.contains("/projects/{") || first.contains("/team-sync") => 404,
        "orgs.checkMembershipForUser" => 302,
        "orgs.checkPublicMembershipForUser" => 204,
        "orgs.getMembershipForUser" | "enterpriseAdmin.listPersonalAccessTokens" => 401,
        _ => 200,
    }
}

#[test]
fn without_a_token_only_what_is_public_is_answered() {
    let scene = Scene::new();
    with_every_row(
        &scene,
        |_| scene.world.anonymous(),
        |row, answer| {
            match without_token(row) {
                401 => answer.refused(401, "Requires authentication"),
                404 => answer.refused(404, "Not Found"),
                status => answer.expect(status),
            };
        },
    );
}

#[test]
fn a_token_that_is_none_is_always_refused() {
    let scene = Scene::new();
    let known = scene.world.token("olivia", &["admin:org"]);
    let mut wrong = known.clone();
    let last = if wrong.ends_with('0') { "1" } else { "0" };
    wrong.replace_range(wrong.len() - 1.., last);
    for text in [wrong.as_str(), "ghp_0123456789abcdefghijklmnopqrstuvwxyz", "", "x", "olivia", &known[4..]] {
        with_every_row(
            &scene,
            |_| Client::new(&scene.world.base, Some(text)),
            |_, answer| {
                answer.refused(401, "Bad credentials");
            },
        );
    }
    for header in ["Digest abc", "Basic !!!", "Basic", "Bearer", "token a b c"] {
        let client = scene.world.anonymous().with("Authorization", header);
        with_every_row(
            &scene,
            |_| client.clone(),
            |_, answer| {
                answer.refused(401, "Bad credentials");
            },
        );
    }
}

#[test]
fn an_expired_or_revoked_token_is_always_refused() {
    let scene = Scene::new();
    for (login, change) in [
        ("olivia", "UPDATE tokens SET expires_at = 1 WHERE id = (SELECT max(id) FROM tokens)"),
        ("max", "DELETE FROM tokens WHERE id = (SELECT max(id) FROM tokens)"),
    ] {
        let client = scene.everything_for(login);
        client.get("/user").expect(200);
        scene.world.execute(change);
        with_every_row(
            &scene,
            |_| client.clone(),
            |_, answer| {
                answer.refused(401, "Bad credentials");
            },
        );
    }
}

#[test]
fn a_suspended_person_is_always_refused() {
    let scene = Scene::new();
    let client = scene.everything_for("walt");
    let message = "Sorry. Your account was suspended.";
    with_every_row(
        &scene,
        |_| client.clone(),
        |_, answer| {
            answer.refused(403, message);
        },
    );
}

#[test]
fn a_request_without_user_agent_is_refused() {
    let scene = Scene::new();
    let before = scene.dump();
    for (row, sample) in samples::all() {
        let token = scene.client(sample.who).token.expect("a token");
        let host = scene.world.base.trim_start_matches("http://");
        let (verb, path) = (row.method.name(), scene.path(&row.forms[0], &sample));
        let head = format!(
            "{verb} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: token {token}\r\nContent-Length: 0\r\n\
             Connection: close\r\n\r\n"
        );
        assert_eq!(raw::status(&raw::send(host, head.as_bytes())), 403, "{}", row.name);
    }
    scene.unchanged_since(&before, "A request without User-Agent");
}

#[test]
fn a_token_without_an_accepted_scope_is_refused() {
    let scene = Scene::new();
    let all: Vec<_> = samples::all().into_iter().filter(|(row, _)| !row.scopes.is_optional()).collect();
    for scopes in [&[][..], &OF_NO_USE] {
        let clients: Vec<Client> = all.iter().map(|(_, sample)| scene.limited(sample.who, scopes)).collect();
        let before = scene.dump();
        for ((row, sample), client) in all.iter().zip(&clients) {
            for form in &row.forms {
                let answer = send(client, row, &scene.path(form, sample), sample.members(&scene));
                if row.is_list() && !row.is_hidden() {
                    answer.refused(403, "Must have admin rights to Repository.");
                } else {
                    answer.refused(404, "Not Found");
                }
                let mut held: Vec<&str> = scopes.to_vec();
                held.sort_unstable();
                assert_eq!(answer.header("x-oauth-scopes"), Some(held.join(", ").as_str()), "{}", row.name);
                assert_eq!(answer.header("x-accepted-oauth-scopes"), Some(row.scopes.header()), "{}", row.name);
            }
        }
        scene.unchanged_since(&before, "A token without an accepted scope");
    }
}

#[test]
fn any_one_of_the_accepted_scopes_is_enough() {
    let scene = Scene::new();
    for (row, sample) in samples::all() {
        // Without a scope a read may have another answer than the sample's, but no refusal.
        let welcome = match row.method {
            Method::Get if row.scopes.header().is_empty() => row.reply.statuses(),
            Method::Get => vec![sample.status],
            _ => vec![AGREED],
        };
        let accepted = row.scopes.header();
        let alone = |scope| {
            let scopes: Vec<&str> = Some(scope).filter(|scope: &&str| !scope.is_empty()).into_iter().collect();
            probe(&scene.limited(sample.who, &scopes), &row, &scene.path(&row.forms[0], &sample))
        };
        for scope in accepted.split(", ") {
            let (status, needs_more) = (alone(scope), row.scopes.needs_all());
            assert!(welcome.contains(&status) != needs_more, "{} with {scope}: {status}", row.name);
        }
    }
}
