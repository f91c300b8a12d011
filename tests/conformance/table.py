"""Writes docs/compatibility.md from docs/compatibility.json, which keeps what the last run of each client showed.

Usage: table.py keep RUNS NAME GROUP TITLE         judge the runs in a folder, keep what they showed, say it
       table.py check RUNS NAME GROUP TITLE        the same, and compare it with what is kept instead of keeping it
       table.py skip-keep NAME GROUP TITLE WHY     keep that a client was not run, and say it
       table.py skip-check NAME GROUP TITLE WHY    say it
       table.py write                              write the document
"""
import json
import os
import pathlib
import re
import sys

from judge import judge, merge
from refusals import REFUSALS, missing, shown

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "docs/compatibility.json"
DOCUMENT = ROOT / "docs/compatibility.md"
GROUPS = ("JavaScript", "Python", "Go", "Java, Ruby and Rust", "Programs", "Signed in")
TIMED = "Timed"
SETTINGS = {"sqlite": "SQLite", "sqlite-api-v3": "SQLite with /api/v3", "postgresql": "PostgreSQL"}
# The parts of the story, and what each of them says.
STORY = {
    "start": "Who am I, organizations, members, rate limit",
    "teams": "Create with maintainers and repositories, read, list, update, delete",
    "nesting": "Parents and children, detach, delete a tree",
    "renaming": "A new slug, and reads by the old one",
    "privacy": "Secret and closed teams, as an owner and as a member",
    "memberships": "Members and roles",
    "invitations": "Invite, list, accept",
    "repositories": "Grants on repositories, and inherited ones",
    "projects": "Grants on projects, and inherited ones",
    "discussions": "Discussions, comments and reactions",
    "pages": "Lists over several pages",
    "conditional": "Conditional requests",
    "errors": "401, 403, 404 and 422, as the client's own errors",
    "limits": "The abuse limit: 403 with `Retry-After`, as the client's own error",
    "groups": "A team follows a group of an identity provider, and its members are not changed manually",
    "graphql": "A query with GraphQL",
    "auth": "`gh auth login --with-token` and `gh auth status`",
    "repo view": "`gh repo view --json` with every field that it offers; REST says the same",
    "repo list": "`gh repo list --json`, likewise",
    "repo list by search": "`gh repo list` with `--topic`, `--archived` and `--no-archived`",
    "apply": "peribolos brings an organization to what a sample says",
    "apply again": "The next run changes nothing",
    "dump": "The dump says what the sample says",
    "configuration teams": "Terraform: plan, apply, empty plan, change, import, drift, destroy; teams, members, repositories",
    "configuration people": "The same with members of the organization, and data sources of people",
    "configuration organization": "The same with settings and webhooks",
    "configuration repositories": "The same with repositories, topics, people and teams (`maintain`, `triage`) on them, and a search",
    "configuration roles": "The same with roles in the organization",
    "configuration review": "The same with settings of reviews",
    "configuration security": "The same with a security manager",
    "configuration groups": "The same with a team that follows a group of an identity provider",
    "catalog of an organization": "Backstage: users and groups with their tree and members",
    "catalog of organizations": "The same with a namespace for each organization, over several pages",
    "catalog with excludeSuspendedUsers": "The same with this option, which excludes no one here",
    "catalog of repositories": "Repositories are read; none has a branch, so none is kept",
    "catalog by webhooks": "A webhook of a new member and of a new name changes the catalog",
    "members": "cartography: people with their roles in the organization",
    "team graph": "Teams with their members, roles, children and levels on repositories",
    "repositories of the graph": "Repositories with direct and outside collaborators",
    "organizations": "legitify: organizations of a token, its role in each, webhooks",
    "organization members": "Owners and members, and what each last did",
    "organization repositories": "Repositories with settings and collaborators",
    "repository by owner": "One repository of an owner",
    "list of repositories": "`legitify list-repos`",
    "oauth-app": "@octokit/oauth-app: a web application signs in; its tokens are checked, reset and revoked",
    "auth-oauth-user": "@octokit/auth-oauth-user: the same with a code; wrong secret, other redirect URL, code used twice",
    "auth-oauth-device": "@octokit/auth-oauth-device: a device waits, is slowed down, connected or denied",
    "as github has it": "Authlib: web flow with PKCE, as GitHub has it",
    "as the standard has it": "The same at `/login/oauth/token`",
    "the secret in the form": "The same with the secret in the form",
    "a public application": "The same without a secret; the person is asked each time",
    "without pkce": "Web flow without PKCE, which is refused without a secret",
    "a plain challenge is refused": "A plain challenge is refused",
    "a wrong verifier is refused": "A wrong verifier, or none, is refused",
    "a wrong secret is refused and uses no code up": "A wrong secret is refused, and uses no code up",
    "a code works once": "A code works once, and its second use revokes the token",
    "another state is noticed": "The library notices another `state`",
    "a person who does not allow it": "The person does not allow it",
    "devices wait": "A device waits, and is slowed down",
    "devices are connected": "A device is connected, as GitHub has it and by RFC 8628",
    "devices are denied": "A device is denied",
    "sign in with PKCE": "golang.org/x/oauth2: web flow with PKCE, as GitHub and as the standard have it",
    "sign in to a program without a secret": "The same without a secret",
    "refuse a verifier or a secret or a code used twice": "A wrong verifier, a wrong secret and a code used twice are refused",
    "connect a device": "A device is connected, and another one denied",
    "deny Backstage": "The authenticator of Backstage learns that the person did not allow it",
    "sign in to Backstage": "It signs a person in, with an account of the same name",
    "refresh a session of Backstage": "It refreshes a session until the application is revoked",
    "sign in with a team": "A person on the team presses the buttons, and the page behind the proxy greets them",
    "refuse others": "One who is not on the team, and one who is in no organization, stay outside",
    "refuse a person who left": "So does a person who has left the team",
    "sign in through Dex": "The ID token of Dex names the team, and the next one is refused to a person who left it",
    "refuse others at Dex": "Three people who are not on the team stay outside",
    "refused": "`gh auth login --web`: the person says that it was not them",
    "login with a browser": "The person connects it: `gh auth status`, `gh api user`, `gh org list`",
    "sign in with OmniAuth": "A person on the team is greeted, and one who is not on it is refused",
    "deny OmniAuth": "The application learns that the person did not allow it",
    "leave and sign in with OmniAuth": "A person who has left the team is refused",
}
INTRODUCTION = """# Compatibility

`./scripts/conformance` drives servers with unmodified clients and writes this page. Each client works through the story of
teams on a fresh server: on SQLite with the base URL `http://HOST`, again with `http://HOST/api/v3`, and on PostgreSQL.

A cell says *works* if the client's own checks passed and the log of the server shows that the client called the operation
and the server carried it out, in all of these settings. "–" means that no call was made: most often, the client has none.

Octokit's libraries for OAuth, Authlib, golang.org/x/oauth2 and Backstage's authenticator sign a person in the whole way: from
the consent page, or the page of a device, to a token.

[Signed in](#signed-in) lists the products to which a person really signed in, in a browser, from the first click to the page
behind it. `login.md` says how each is set up. The requests of today's Dex, Grafana, Gitea and Jenkins are replayed by
`./scripts/test`; this page has no rows for them, because they were not run. The rows of Dex, oauth2-proxy and
Vault in [Programs](#programs) are something else: the code of their connectors that asks for a person, their teams and their
repositories, with a personal token.

legitify itself cannot be installed from the Go module proxy: its requests are made with the libraries that it makes them with.
"""


def kept():
    return json.loads(KEPT.read_text()) if KEPT.exists() else {}


def keep(name, result):
    all_of_them = kept() | {name: result}
    KEPT.write_text(json.dumps(dict(sorted(all_of_them.items())), indent=1, ensure_ascii=False) + "\n")


def timed(result, runs):
    """With the times of each part: seconds, requests, and seconds in the server."""
    times = {setting: {part: [round(seconds, 2), requests, round(server, 2)] for part, (seconds, requests, server) in run["times"].items()}
             for setting, run in runs.items()}
    return result | {"times": times}


def judged(folder, name, group, title):
    runs = {}
    for setting, label in SETTINGS.items():
        output = pathlib.Path(folder) / f"{setting}.out"
        if output.exists():
            runs[label] = judge(output.read_text(), output.with_suffix(".log").read_text())
    result = {"group": group, "title": title} | merge(runs) | {"refusals": shown(name, group, runs)}
    return timed(result, runs) if group == TIMED else result, runs


def say(name, result, runs, different=0):
    """The last line counts the parts, and what the document says differently."""
    failed = {part: why for part, why in result["parts"].items() if why}
    for part, why in failed.items():
        print(f"FAILED {name} {part}: {why}")
    spent = ", ".join(f"{run['requests']} requests with {run['seconds']:.2f} s in the server ({setting})"
                      for setting, run in runs.items())
    print(f"{name}: {len(result['operations'])} operations, {spent}")
    if not result["parts"]:
        print(f"FAILED {name}: it began no part of the story")
        different += 1
    for refusal in missing(name, result):
        print(f"FAILED {name}: it was not shown this refusal: {refusal}")
        different += 1
    print(f"{len(result['parts']) - len(failed)} passed, {len(failed) + different} failed")


def compare(name, result):
    """What a run in some settings shows must be what is kept of all."""
    known = kept().get(name, {})
    differences = [what for kind in ("parts", "operations", "refusals")
                   for what in known.get(kind, {}).keys() | result[kind].keys()
                   if known.get(kind, {}).get(what, "absent") != result[kind].get(what, "absent")]
    if differences:
        print(f"FAILED {name}: docs/compatibility.md says something else of {', '.join(sorted(differences))}: "
              f"run ./scripts/conformance {name} and commit what it writes")
    return len(differences)


def operations():
    table = (ROOT / "src/operations.rs").read_text()
    return re.findall(r'^    \w+(?:::<\w+, \w+>)? *\("(\w+\.\w+)"', table, re.MULTILINE)


def cell(found, what, notes):
    if what not in found:
        return "–"
    if found[what] is None:
        return "works"
    if found[what] not in notes:
        notes.append(found[what])
    return f"failed [{notes.index(found[what]) + 1}]"


def grid(first, columns, rows, cells):
    yield f"| {first} | " + " | ".join(columns) + " |"
    yield "|---|" + "---|" * len(columns)
    for row in rows:
        yield f"| {row} | " + " | ".join(cells(row)) + " |"
    yield ""


def of_group(group, clients, notes):
    clients = [client for client in clients if client["group"] == group and "why" not in client]
    titles = [client["title"] for client in clients]
    if not clients:
        return
    yield f"## {group}\n"
    told = {part for client in clients for part in client["parts"]}
    story = [part for part in STORY if part in told] + sorted(told - STORY.keys())
    names = {f"{part}: {STORY[part]}" if part in STORY else part: part for part in story}
    yield from grid("Part of the story", titles, names,
                    lambda row: [cell(client["parts"], names[row], notes) for client in clients])
    yield from grid("Operation", titles, rows_of(clients),
                    lambda row: [cell(client["operations"], row.strip("`"), notes) for client in clients])


def rows_of(clients):
    called = {operation for client in clients for operation in client["operations"]}
    everything = operations()
    named = [operation for place, operation in enumerate(everything) if place < 30 or operation in called]
    return [f"`{operation}`" for operation in named + sorted(called - set(everything))]


def document():
    clients = sorted(kept().values(), key=lambda client: [int(x) if x.isdigit() else x.lower()
                                                          for x in re.split(r"(\d+)", client["title"])])
    notes = []
    yield INTRODUCTION
    driven = {client["title"]: client for client in clients if client["group"] != TIMED}
    yield from grid("Client", ["Settings", "Parts of the story", "Operations", "Refusals and 304 seen"], driven,
                    lambda row: summary(driven[row]))
    yield from refusals([client for client in driven.values() if client.get("refusals")])
    for group in GROUPS:
        yield from of_group(group, clients, notes)
    yield from times([client for client in clients if client["group"] == TIMED])
    if notes:
        yield "## What failed\n"
        yield from (f"{number}. {note}" for number, note in enumerate(notes, 1))
        yield ""
    called = {operation for client in clients for operation in client.get("operations", ()) if client["group"] != TIMED}
    yield "## Not called by any of these clients\n"
    yield ", ".join(f"`{operation}`" for operation in operations() if operation not in called) + "."


def refusals(clients):
    rows = {client["title"]: client["refusals"] for client in clients}
    yield "## Refusals\n"
    yield "*shown* means that the part of the story with this refusal passed, and that the log of the server has its status there.\n"
    yield from grid("Client library", list(REFUSALS), rows,
                    lambda row: [rows[row].get(refusal, "–") or "shown" for refusal in REFUSALS])


def times(clients):
    if not clients:
        return
    yield "## Timed\n"
    yield f"With a release build on a machine with {os.cpu_count()} cores, which client and server share.\n"
    rows = {f"{client['title']}: {part}, {setting}": found for client in clients
            for setting, parts in client["times"].items() for part, found in parts.items()}
    yield from grid("What", ["Seconds", "Requests", "Seconds in the server", "Share"], rows,
                    lambda row: [f"{rows[row][0]:.1f}", str(rows[row][1]), f"{rows[row][2]:.2f}",
                                 f"{100 * rows[row][2] / rows[row][0]:.0f} %"])


def summary(client):
    if "why" in client:
        return [f"not run: {client['why']}", "–", "–", "–"]
    working = [sum(why is None for why in client[kind].values()) for kind in ("parts", "operations")]
    return [", ".join(client["settings"]), f"{working[0]} of {len(client['parts'])}",
            f"{working[1]} of {len(client['operations'])}", ", ".join(map(str, client["statuses"])) or "–"]


def main(verb, *words):
    if verb == "write":
        DOCUMENT.write_text("\n".join(document()) + "\n")
    elif verb.startswith("skip"):
        name, group, title, why = words
        if verb == "skip-keep":
            keep(name, {"group": group, "title": title, "why": why})
        print(f"{name} was not run: {why}")
    else:
        folder, name, group, title = words
        result, runs = judged(folder, name, group, title)
        different = compare(name, result) if verb == "check" else keep(name, result)
        say(name, result, runs, different or 0)


main(*sys.argv[1:])
