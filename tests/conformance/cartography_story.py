"""An unmodified cartography reads an organization, and says of it what REST says. Reads the variables of world.py.

Its functions that fetch and transform are called, in the order of its own syncs. What it would write to its graph is
compared; there is no graph.
"""
import logging
import os

from cartography.intel.github import external_identities, repos, teams, users, util

from checks import mark
from parts import BASE, ORG, equal, run
from world import Caller

GRAPHQL = f"{BASE.removesuffix('/api/v3')}/api/graphql"
TOKEN = os.environ["GUILDHALL_TOKEN"]
rest = Caller(BASE, TOKEN, mark)
# The direct members of each team with their roles, and its direct children.
TEAMS = {
    "platform": ({"olivia": "MAINTAINER", "max": "MAINTAINER", "eve": "MEMBER"}, ["runtime"]),
    "runtime": ({"olivia": "MAINTAINER", "zoe": "MEMBER"}, []),
}
LEVELS = {"read": "READ", "triage": "TRIAGE", "write": "WRITE", "maintain": "MAINTAIN", "admin": "ADMIN"}


class Warnings(logging.Handler):
    """What cartography warns of: something that it asked for was refused, or came incomplete."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.told = []
        logging.getLogger("cartography").addHandler(self)

    def emit(self, record):
        self.told.append(record.getMessage())


warnings = Warnings()


def prepare():
    platform = rest("POST", f"/orgs/{ORG}/teams", {"name": "Platform", "privacy": "closed", "description": "Runs it", "maintainers": ["max"]})
    rest("POST", f"/orgs/{ORG}/teams", {"name": "Runtime", "privacy": "closed", "parent_team_id": platform["id"]})
    rest("PUT", f"/orgs/{ORG}/teams/platform/memberships/eve", {"role": "member"})
    rest("PUT", f"/orgs/{ORG}/teams/runtime/memberships/zoe", {"role": "member"})
    for name in ("site", "tools", "engine"):
        rest("POST", f"/orgs/{ORG}/repos", {"name": name, "private": name != "tools", "description": f"The {name}", "homepage": "https://example.com"})
    rest("PUT", f"/orgs/{ORG}/teams/platform/repos/{ORG}/site", {"permission": "maintain"})
    rest("PUT", f"/orgs/{ORG}/teams/platform/repos/{ORG}/tools", {"permission": "push"})
    rest("PUT", f"/orgs/{ORG}/teams/runtime/repos/{ORG}/engine", {"permission": "triage"})
    rest("PUT", f"/repos/{ORG}/site/collaborators/max", {"permission": "admin"})
    rest("PUT", f"/repos/{ORG}/tools/collaborators/nina", {"permission": "push"})
    invitation, = rest("GET", f"/repos/{ORG}/tools/invitations") or [None]
    if invitation:
        nina = Caller(BASE, os.environ["GUILDHALL_OUTSIDER_TOKEN"], mark)
        nina("PATCH", f"/user/repository_invitations/{invitation['id']}")


def members():
    """Users with their roles in the organization."""
    told, owners, organization = users.get_organization(TOKEN, GRAPHQL, ORG)
    inside, outside = users.transform_users(told, owners, organization)
    equal(organization, {"url": rest("GET", f"/orgs/{ORG}")["html_url"], "login": ORG})
    admins = {one["login"] for one in rest("GET", f"/orgs/{ORG}/members?role=admin")}
    wanted = {one["login"]: (one["html_url"], one["login"] in admins) for one in rest("GET", f"/orgs/{ORG}/members")}
    equal({one["login"]: (one["url"], one.get("ADMIN_OF") == organization["url"]) for one in inside}, wanted)
    equal((outside, {one["hasTwoFactorEnabled"] for one in inside}), ([], {None}))
    equal(external_identities.get_external_identities(TOKEN, GRAPHQL, ORG), None)


def team_graph():
    """Teams with their members, roles, children and levels on repositories."""
    told, organization = teams.get_teams(ORG, GRAPHQL, TOKEN)
    asked = (told.nodes, ORG, GRAPHQL, TOKEN)
    rows = teams.transform_teams(told, organization, teams._get_team_repos_for_multiple_teams(*asked),
                                 teams._get_team_users_for_multiple_teams(*asked), teams._get_child_teams_for_multiple_teams(*asked))
    equal({row["name"] for row in rows}, set(TEAMS))
    for slug, (people, children) in TEAMS.items():
        of_team = [row for row in rows if row["name"] == slug]
        granted = rest("GET", f"/orgs/{ORG}/teams/{slug}/repos")
        equal({last(row[role]): role for row in of_team for role in ("MEMBER", "MAINTAINER") if role in row}, people)
        equal([last(row["MEMBER_OF_TEAM"]) for row in of_team if "MEMBER_OF_TEAM" in row], children)
        equal({row[level]: level for row in of_team for level in LEVELS.values() if level in row},
              {repo["html_url"]: LEVELS[repo["role_name"]] for repo in granted})
        equal({(row["repo_count"], row["member_count"], row["child_team_count"]) for row in of_team},
              {(len(granted), len(people), len(children))})


def last(url):
    return url.rsplit("/", 1)[1]


def repositories_of_the_graph():
    """Repositories with their collaborators, direct and from outside."""
    found = repos.transform(*read_repositories())
    wanted = rest("GET", f"/orgs/{ORG}/repos")
    equal({repo["name"]: [repo[field] for field in FIELDS] for repo in found["repos"]},
          {repo["name"]: [repo[field] for field in FIELDS.values()] for repo in wanted})
    equal(collaborators(found["repo_direct_collaborators"]), {("site", "max", "ADMIN"), ("tools", "nina", "WRITE")})
    equal(collaborators(found["repo_outside_collaborators"]), {("tools", "nina", "WRITE")})


def read_repositories():
    listed = repos.get(TOKEN, GRAPHQL, ORG)
    query = repos.GITHUB_ORG_REPOS_PRIVILEGED_PAGINATED_GRAPHQL
    privileged, _ = util.fetch_all(TOKEN, GRAPHQL, ORG, query, "repositories", count=50)
    merged, _, _ = repos._merge_repos_with_privileged_details(listed, {one["url"]: one for one in privileged.nodes})
    return merged, *(repos._get_repo_collaborators_for_multiple_repos(merged, affiliation, ORG, GRAPHQL, TOKEN)
                     for affiliation in ("DIRECT", "OUTSIDE"))


# What the graph says of a repository, and what REST calls it.
FIELDS = {"name": "name", "fullname": "full_name", "description": "description", "url": "html_url", "sshurl": "ssh_url",
          "homepage": "homepage", "private": "private", "visibility": "visibility", "archived": "archived",
          "disabled": "disabled", "fork": "fork", "createdat": "created_at", "updatedat": "updated_at"}


def collaborators(levels):
    return {(last(one["repo_url"]), one["login"], level) for level, people in levels.items() for one in people}


def without_warnings(part):
    def checked():
        warnings.told.clear()
        part()
        equal(warnings.told, [])

    checked.__name__ = part.__name__
    return checked


if __name__ == "__main__":
    prepare()
    run(*map(without_warnings, (members, team_graph, repositories_of_the_graph)))
