"""An unmodified `gh` works on a running server, over TLS. Usage: gh_story.py PROGRAM. Reads the variables of world.py.

`gh` derives its addresses from the host name: REST below /api/v3, GraphQL at /api/graphql.
"""
import json
import os
import subprocess
import sys
import tempfile

from checks import mark
from parts import BASE, MEMBER, ORG, equal, run
from world import Caller

HOST = BASE.removeprefix("https://").removesuffix("/api/v3")
# Its settings go to a folder of their own, and no token is in the environment: `gh auth login` stores it.
ENVIRONMENT = os.environ | {"GH_HOST": HOST, "GH_CONFIG_DIR": tempfile.mkdtemp(), "GH_PROMPT_DISABLED": "1", "NO_COLOR": "1"}
rest = Caller(BASE, os.environ["GUILDHALL_TOKEN"], mark)
# What `--json` calls what REST has under another name.
SAME = {"name": "name", "nameWithOwner": "full_name", "description": "description", "url": "html_url", "sshUrl": "ssh_url",
        "homepageUrl": "homepage", "id": "node_id", "isPrivate": "private", "isArchived": "archived", "isFork": "fork",
        "isTemplate": "is_template", "diskUsage": "size", "stargazerCount": "stargazers_count", "forkCount": "forks_count",
        "hasIssuesEnabled": "has_issues", "hasProjectsEnabled": "has_projects", "hasWikiEnabled": "has_wiki",
        "hasDiscussionsEnabled": "has_discussions", "mergeCommitAllowed": "allow_merge_commit",
        "squashMergeAllowed": "allow_squash_merge", "rebaseMergeAllowed": "allow_rebase_merge",
        "deleteBranchOnMerge": "delete_branch_on_merge", "createdAt": "created_at", "pushedAt": "pushed_at",
        "updatedAt": "updated_at"}
# What no repository has here.
NOTHING = {"defaultBranchRef": {"name": ""}, "isEmpty": True, "labels": [], "languages": [], "licenseInfo": None,
           "mentionableUsers": [], "parent": None, "primaryLanguage": None, "pullRequests": {"totalCount": 0}}


def gh(*words, stdin=None, fails=False):
    """What a command prints. With `fails`, what it complains of."""
    done = subprocess.run([sys.argv[1], *words], input=stdin, env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
    if fails == (done.returncode == 0):
        raise AssertionError(f"gh {' '.join(words)}: {done.stderr or done.stdout}")
    return done.stderr if fails else done.stdout


def api(*words):
    text = gh("api", *words)
    return json.loads(text) if text else None


def auth():
    gh("auth", "login", "--with-token", stdin=os.environ["GUILDHALL_TOKEN"])
    status = gh("auth", "status")
    equal("Logged in" in status and "olivia" in status, True)


def start():
    equal(gh("api", "user", "--jq", ".login").strip(), "olivia")
    equal(gh("org", "list").split(), [ORG])


def teams():
    team = api(f"orgs/{ORG}/teams", "-f", "name=Core Team", "-f", "privacy=closed", "-f", f"maintainers[]={MEMBER}")
    equal((team["slug"], team["members_count"]), ("core-team", 2))
    api("-X", "PATCH", f"orgs/{ORG}/teams/core-team", "-f", "name=Core Team", "-f", "description=second")
    equal(gh("api", f"orgs/{ORG}/teams/core-team", "--jq", ".description").strip(), "second")
    equal([one["slug"] for one in api("user/teams")], ["core-team"])
    api("-X", "DELETE", f"orgs/{ORG}/teams/core-team")


def memberships():
    api(f"orgs/{ORG}/teams", "-f", "name=People", "-f", "privacy=closed")
    one = f"orgs/{ORG}/teams/people/memberships/{MEMBER}"
    equal(api("-X", "PUT", one, "-f", "role=maintainer")["role"], "maintainer")
    equal(api(one)["state"], "active")
    api("-X", "DELETE", one)
    api("-X", "DELETE", f"orgs/{ORG}/teams/people")


def pages():
    for number in range(1, 6):
        api(f"orgs/{ORG}/teams", "-f", f"name=Page {number}", "-f", "privacy=closed")
    found = gh("api", "--paginate", f"orgs/{ORG}/teams?per_page=2", "--jq", ".[].slug").split()
    equal(found, [f"page-{number}" for number in range(1, 6)])
    for slug in found:
        api("-X", "DELETE", f"orgs/{ORG}/teams/{slug}")


def errors():
    equal("HTTP 404" in gh("api", f"orgs/{ORG}/teams/nowhere", fails=True), True)
    equal("HTTP 422" in gh("api", f"orgs/{ORG}/teams", "-f", "name= ", fails=True), True)


def graphql():
    query = "query($org: String!) { organization(login: $org) { membersWithRole(first: 10) { nodes { login } } } }"
    found = api("graphql", "-f", f"query={query}", "-f", f"org={ORG}")
    equal(len(found["data"]["organization"]["membersWithRole"]["nodes"]), 4)


def repo_create():
    """With --add-readme, `gh` uses REST; without it, a mutation."""
    gh("repo", "create", f"{ORG}/site", "--private", "--description", "first", "--add-readme")
    gh("repo", "create", f"{ORG}/engine", "--private")
    api(f"orgs/{ORG}/teams", "-f", "name=Owners", "-f", "privacy=closed")
    gh("repo", "create", f"{ORG}/tools", "--public", "--team", "owners")
    equal([one["name"] for one in api(f"orgs/{ORG}/teams/owners/repos")], ["tools"])


def repo_edit():
    gh("repo", "edit", f"{ORG}/site", "--description", "second", "--delete-branch-on-merge", "--homepage", "https://example.com",
       "--add-topic", "web")
    equal(gh("repo", "view", f"{ORG}/site", "--json", "description", "--jq", ".description").strip(), "second")


def fields():
    """The names of all that `--json` offers."""
    return {line.strip() for line in gh("repo", "view", "--json", fails=True).splitlines()[1:]}


def of_rest(name):
    repo = rest("GET", f"/repos/{ORG}/{name}")
    told = {field: "" if repo[same] is None else repo[same] for field, same in SAME.items()}
    topics = [{"name": topic} for topic in repo["topics"]] or None
    owner = {"id": repo["owner"]["node_id"], "login": ORG}
    return NOTHING | told | {"visibility": repo["visibility"].upper(), "repositoryTopics": topics, "owner": owner,
                             "viewerPermission": "ADMIN", "issues": {"totalCount": repo["open_issues_count"]}}


def equals_rest(found):
    """All fields were answered, and each that REST has too says the same."""
    equal(found.keys(), fields())
    wanted = of_rest(found["name"])
    equal({field: found[field] for field in wanted}, wanted)


def repo_view():
    equals_rest(json.loads(gh("repo", "view", f"{ORG}/site", "--json", ",".join(fields()))))


def repo_list():
    found = json.loads(gh("repo", "list", ORG, "--json", ",".join(fields())))
    equal(sorted(one["name"] for one in found), ["engine", "site", "tools"])
    for one in found:
        equals_rest(one)


def repo_list_by_search():
    """With a topic or `--archived`, `gh` searches."""
    equal(json.loads(gh("repo", "list", ORG, "--topic", "web", "--json", "name")), [{"name": "site"}])
    equal(json.loads(gh("repo", "list", ORG, "--archived", "--json", "name")), [])
    equal(len(json.loads(gh("repo", "list", ORG, "--no-archived", "--json", "name"))), 3)


def search_repos():
    found = json.loads(gh("search", "repos", "site", "--owner", ORG, "--visibility", "private", "--json", "fullName"))
    equal(found, [{"fullName": f"{ORG}/site"}])


def repo_archive():
    gh("repo", "archive", f"{ORG}/site", "--yes")
    equal(gh("repo", "view", f"{ORG}/site", "--json", "isArchived", "--jq", ".isArchived").strip(), "true")


def repo_delete():
    gh("repo", "delete", f"{ORG}/site", "--yes")
    gh("repo", "view", f"{ORG}/site", fails=True)


if __name__ == "__main__":
    run(auth, start, teams, memberships, pages, errors, graphql, repo_create, repo_edit, repo_view, repo_list,
        repo_list_by_search, search_repos, repo_archive, repo_delete)
