//! The questions to every server, and the parts of the answers that are compared.

use super::{ENDING, NEWEST, PEOPLE, Town};
use crate::support::Client;

/// The headers that tell what an answer is.
const HEADERS: [&str; 3] = ["etag", "link", "location"];

/// A user reads something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Look {
    pub who: &'static str,
    pub path: String,
}

/// The parts of an answer that are compared.
#[derive(Debug, PartialEq, Eq)]
pub struct Shown {
    status: u16,
    text: String,
    headers: [Option<String>; 3],
}

impl Look {
    pub fn at(&self, client: &Client) -> Shown {
        let answer = client.get(&self.path);
        assert!(answer.status < 500, "{} of {}: {}", self.path, self.who, answer.text);
        let headers = HEADERS.map(|name| answer.header(name).map(str::to_owned));
        Shown { status: answer.status, text: answer.text, headers }
    }
}

/// The looks of each time: whatever changes shows in some of them.
pub fn always(town: &Town) -> Vec<Look> {
    let of_teams = newest(town).flat_map(|team| ["", "/members?per_page=3"].map(|rest| format!("{team}{rest}")));
    let lists = ["/orgs/acme/teams?per_page=3", "/orgs/acme/members", "/orgs/acme/members?role=admin", "/users"];
    let all = of_teams.chain(lists.map(str::to_owned)).map(|path| Look { who: "olivia", path });
    let of_tom = ["tom", ENDING].map(|who| Look { who, path: "/user/teams".to_owned() });
    all.chain(of_tom).collect()
}

/// Those that were made last are changed most.
fn newest(town: &Town) -> impl Iterator<Item = String> {
    town.teams.iter().rev().take(NEWEST).map(|team| format!("/organizations/1/team/{team}"))
}

/// Everything that a user reads, in this state.
pub fn all(town: &Town) -> Vec<Look> {
    let mut paths = of_orgs(town);
    let slugs = ["core", "t0", "t1", "t2"].map(|slug| format!("/orgs/acme/teams/{slug}"));
    for team in newest(town).chain(slugs) {
        paths.extend(of_team(town, &team));
    }
    let everybody = PEOPLE.iter().copied().chain([ENDING]);
    everybody.flat_map(|who| paths.iter().map(move |path| Look { who, path: path.clone() })).collect()
}

fn of_orgs(town: &Town) -> Vec<String> {
    let fixed = [
        "/orgs/acme",
        "/orgs/acme/teams?per_page=3",
        "/orgs/acme/teams?per_page=3&page=2",
        "/organizations/1/teams",
        "/orgs/acme/members",
        "/orgs/acme/members?role=admin",
        "/orgs/acme/members?role=member&per_page=2&page=2",
        "/orgs/acme/public_members",
        "/orgs/acme/invitations",
        "/orgs/acme/failed_invitations",
        "/orgs/acme/outside_collaborators",
        "/repos/acme/engine/teams",
        "/repos/acme/engine/collaborators",
        "/user",
        "/user/teams",
        "/user/orgs",
        "/user/memberships/orgs",
        "/user/memberships/orgs/acme",
        "/user/repos",
        "/users?per_page=100",
    ];
    let of_person = |login: &String| {
        [
            format!("/users/{login}"),
            format!("/orgs/acme/memberships/{login}"),
            format!("/orgs/acme/members/{login}"),
            format!("/repos/acme/engine/collaborators/{login}/permission"),
        ]
    };
    fixed.into_iter().map(str::to_owned).chain(town.logins.iter().flat_map(of_person)).collect()
}

fn of_team(town: &Town, team: &str) -> Vec<String> {
    let fixed = [
        "",
        "/teams",
        "/teams?per_page=1&page=2",
        "/members",
        "/members?per_page=2&page=2",
        "/members?role=maintainer",
        "/members?role=member&membership=child_team",
        "/members?membership=immediate",
        "/discussions",
        "/invitations",
        "/repos",
        "/repos/acme/engine",
        "/projects",
    ];
    let of_person = town.logins.iter().map(|login| format!("{team}/memberships/{login}"));
    fixed.iter().map(|rest| format!("{team}{rest}")).chain(of_person).collect()
}
