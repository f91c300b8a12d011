"""schemathesis sends what openapi.json describes to a running server, as an owner, a member, an outsider and a site
administrator: no response may have a status of 500 or more, a status that is not described, or a body that differs
from its schema.

Reads GUILDHALL_URL, GUILDHALL_ORG and four tokens (GUILDHALL_TOKEN of an owner, GUILDHALL_MEMBER_TOKEN,
GUILDHALL_OUTSIDER_TOKEN, GUILDHALL_ADMIN_TOKEN). The server should have no limits and no other use: much is deleted.
With `--cases N`, there are at least N cases instead of 2,000.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

BASE, ORG = os.environ["GUILDHALL_URL"], os.environ["GUILDHALL_ORG"]
# Those who can delete most come last.
PERSONS = {"outsider": "OUTSIDER_TOKEN", "member": "MEMBER_TOKEN", "owner": "TOKEN", "administrator": "ADMIN_TOKEN"}
TOKENS = {person: os.environ[f"GUILDHALL_{name}"] for person, name in PERSONS.items()}

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
# With these, the caller would not be who they are any more, or have no organization. The administrator requests them too.
LEAVING = [
    "orgs.removeMembershipForAuthenticatedUser", "orgs.updateMembershipForAuthenticatedUser",
    "orgs.delete", "orgs.delete.byId",
]  # fmt: skip
# The most further runs as one person. The first one usually brings what is lacking.
RUNS = 5
# Of the responses, at least so many in a hundred are a success. With fewer, most cases would test that nothing is found.
LEAST_SUCCESS = {"outsider": 5, "member": 10, "owner": 25, "administrator": 5}


def call(method, path, body=None, person="owner"):
    """A request that succeeds, and what it returned."""
    headers = {"Authorization": f"token {TOKENS[person]}", "User-Agent": "described", "Content-Type": "application/json"}
    data = json.dumps(body).encode() if body is not None else b"" if method == "PUT" else None
    request = urllib.request.Request(BASE + path, data, headers, method=method)
    with urllib.request.urlopen(request) as response:
        text = response.read()
        return json.loads(text) if text else None


def prepared():
    """Makes something for each parameter of a path, and returns their values. None is one of the four persons."""
    of = f"/orgs/{ORG}"
    call("PATCH", of, {"default_repository_permission": "none"})
    teams = [call("POST", f"{of}/teams", {"name": f"Described {n}", "privacy": "closed"}) for n in range(4)]
    repos = [call("POST", f"{of}/repos", {"name": f"described-{n}", "private": n > 1}) for n in range(3)]
    projects = [call("POST", f"{of}/projects", {"name": f"Described {n}"}) for n in range(2)]
    own = {call("GET", "/user", person=person)["login"] for person in TOKENS}
    people = [one for one in call("GET", f"{of}/members?per_page=100") if one["login"] not in own][:8]
    member = call("GET", "/user", person="member")["login"]
    for team in teams:
        at = f"{of}/teams/{team['slug']}"
        call("PUT", f"{at}/memberships/{member}", {"role": "maintainer"})
        call("PUT", f"{at}/memberships/{people[0]['login']}")
        call("PUT", f"{at}/repos/{ORG}/described-2", {"permission": "admin"})
        call("PUT", f"{at}/projects/{projects[0]['id']}", {"permission": "admin"})
        for n in range(2):
            post = call("POST", f"{at}/discussions", {"title": f"Post {n}", "body": "Some text."})
            for _ in range(2):
                call("POST", f"{at}/discussions/{post['number']}/comments", {"body": "A comment."})
    reaction = call("POST", f"{of}/teams/{teams[0]['slug']}/discussions/1/reactions", {"content": "heart"})
    hooks = [call("POST", f"{of}/hooks", {"name": "web", "config": {"url": f"http://127.0.0.1:9/{n}"}}) for n in range(2)]
    invitation = call("POST", f"{of}/invitations", {"email": "described@example.com"})
    return {
        "org": [ORG, "rust-embedded"],
        "org_id": [teams[0]["organization"]["id"]],
        "team_slug": [team["slug"] for team in teams],
        "team_id": [team["id"] for team in teams],
        "username": [one["login"] for one in people],
        "account_id": [one["id"] for one in people],
        "owner": [ORG],
        "repo": [repo["name"] for repo in repos],
        "repository_id": [repo["id"] for repo in repos],
        "project_id": [project["id"] for project in projects],
        "discussion_number": [1, 2],
        "comment_number": [1, 2],
        "reaction_id": [reaction["id"]],
        "hook_id": [hook["id"] for hook in hooks],
        "delivery_id": [1, 2],
        "invitation_id": [invitation["id"]],
        "thread_id": [1, 2, 3],
        "token_id": [1_000],
        "role_id": [138],
    }


def configuration(values, scenarios):
    """The file that tells schemathesis the values of parameters, and how many scenarios of several requests to run."""
    lines = []
    for name, known in values.items():
        lines += [f"[dictionaries.{name}]", f"values = {json.dumps(known)}"]
    lines.append("[parameters]")
    lines += [f'"path.{name}" = {{ dictionary = "{name}", probability = 0.9 }}' for name in values]
    lines += ["[phases.stateful.generation]", f"max-examples = {scenarios}"]
    return "\n".join(lines) + "\n"


def run(person, settings, phases, each, log):
    """Runs schemathesis once as one person. Returns the number of cases, whether it failed, and the statuses."""
    command = [
        Path(sys.executable).with_name("schemathesis"), "--config-file", settings, "run", f"{BASE}/openapi.json",
        "--url", BASE, "--checks", CHECKS, "--phases", phases, "--max-examples", str(each),
        "--continue-on-failure", "--generation-database", "none", "--warnings", "off", "--no-color",
        "--header", f"Authorization: token {TOKENS[person]}", "--header", "User-Agent: described",
        "--report", "ndjson", "--report-ndjson-path", log,
    ]  # fmt: skip
    if person in ("owner", "member"):
        command += [word for name in LEAVING for word in ("--exclude-operation-id", name)]
    ended = subprocess.run(command, cwd=log.parent, capture_output=True, text=True, check=False)
    print(f"===== {person}\n{ended.stdout}{ended.stderr}")
    cases = re.search(r"^ +([0-9]+) generated", ended.stdout, re.M)
    return int(cases[1]) if cases else 0, ended.returncode != 0 or not cases, statuses(log)


def drive(person, values, wanted, operations, folder):
    """Runs schemathesis as one person: a few requests for each operation, then scenarios of several requests. How many
    requests a scenario has is chosen at random, so more scenarios follow until there are enough cases. Returns the
    number of cases, whether a run failed, and the statuses of the responses."""
    settings, each = folder / f"{person}.toml", max(1, wanted * 5 // 4 // operations)
    settings.write_text(configuration(values, max(25, (wanted * 5 // 4 - each * operations) // 4)))
    cases, wrong, seen = run(person, settings, "fuzzing,stateful", each, folder / f"{person}.ndjson")
    for number in range(RUNS):
        if cases >= wanted or wrong:
            break
        settings.write_text(configuration(values, max(25, (wanted - cases) // 4)))
        more, wrong, seen_now = run(person, settings, "stateful", each, folder / f"{person}-{number}.ndjson")
        cases, seen = cases + more, seen + seen_now
    return cases, wrong, seen


def statuses(log):
    return [int(status) for status in re.findall(r'"status_code": ?([0-9]{3})', log.read_text())]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=2_000)
    wanted = parser.parse_args().cases
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        operations = sum(len(verbs) for verbs in call("GET", "/openapi.json")["paths"].values())
        values = prepared()
        for person in TOKENS:
            cases, wrong, seen = drive(person, values, -(-wanted // len(TOKENS)), operations, folder)
            success = 100 * sum(200 <= status < 300 for status in seen) // max(len(seen), 1)
            print(f"{person}: {cases} cases, {success} in a hundred a success")
            failed += wrong
            if success < LEAST_SUCCESS[person]:
                print(f"FAILED {person}: too few of the requests succeed to test much")
                failed += 1
            passed += cases
    if passed < wanted:
        print(f"FAILED: {passed} cases, not {wanted}")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(0 if failed == 0 else 1)


if __name__ == "__main__":
    main()
