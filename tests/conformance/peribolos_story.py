"""An unmodified peribolos brings an organization to what a sample says. Usage: peribolos_story.py PROGRAM SAMPLE.

The people of the sample have accounts and nothing else is there. Reads the variables of world.py.
"""
import copy
import os
import pathlib
import subprocess
import sys
import tempfile

import yaml

from checks import mark
from parts import BASE, equal, run
from world import SCOPES, Caller

PROGRAM, SAMPLE = sys.argv[1:3]
WANTED = yaml.safe_load(pathlib.Path(SAMPLE).read_text())
(NAME, ORG), = WANTED["orgs"].items()
OWNER = ORG["admins"][0]
FOLDER = pathlib.Path(tempfile.mkdtemp())
FIX = [f"--fix-{what}" for what in ("org", "org-members", "teams", "team-members", "team-repos", "repos")]
admin = Caller(BASE, os.environ["GUILDHALL_ADMIN_TOKEN"], mark)


def peribolos(*words):
    """Without its own limit on requests, which is made for the public service."""
    options = [f"--github-endpoint={BASE}", f"--github-graphql-endpoint={GRAPHQL}", f"--github-token-path={FOLDER}/token",
               "--github-hourly-tokens=0", "--require-self=false", "--maximum-removal-delta=1", f"--min-admins={len(ORG['admins'])}"]
    done = subprocess.run([PROGRAM, *options, *words], capture_output=True, text=True, timeout=600)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if '"level":"error"' in line or '"level":"fatal"' in line]
        raise AssertionError(" ".join(errors)[:2000])
    return done.stdout


GRAPHQL = f"{BASE.removesuffix('/v3')}/graphql"


def people():
    """Accounts of the sample's people, and an organization of the first of its owners, with its archived repositories."""
    for login in ORG["admins"] + ORG["members"]:
        admin("POST", "/admin/users", {"login": login, "email": f"{login}@example.com"})
    admin("POST", "/admin/organizations", {"login": NAME, "admin": OWNER})
    sign_in()
    # peribolos creates no repository that is archived.
    owner = Caller(BASE, (FOLDER / "token").read_text(), mark)
    for name, repo in ORG["repos"].items():
        if repo.get("archived"):
            owner("POST", f"/orgs/{NAME}/repos", repo | {"name": name})
            owner("PATCH", f"/repos/{NAME}/{name}", {"archived": True})


def sign_in():
    (FOLDER / "token").write_text(token_of(OWNER))


def token_of(login):
    return admin("POST", f"/admin/users/{login}/authorizations", {"scopes": SCOPES})["token"]


def apply():
    peribolos(f"--config-path={SAMPLE}", *FIX, "--confirm")
    accept()


def accept():
    """Whom peribolos has invited accepts."""
    for login in ORG["admins"][1:] + ORG["members"]:
        Caller(BASE, token_of(login), mark)("PATCH", f"/user/memberships/orgs/{NAME}", {"state": "active"})


def newest_entry():
    owner = Caller(BASE, (FOLDER / "token").read_text(), mark)
    return owner("GET", f"/orgs/{NAME}/audit-log?per_page=1")[0]["_document_id"]


def apply_again():
    """Once more, to set what needed members; then there is nothing to do, so no change is recorded."""
    peribolos(f"--config-path={SAMPLE}", *FIX, "--confirm")
    before = newest_entry()
    peribolos(f"--config-path={SAMPLE}", *FIX, "--confirm")
    equal(newest_entry(), before)


def dump():
    """Its dump, read as YAML, says what the sample says."""
    text = peribolos(f"--dump={NAME}", "--dump-full")
    found = yaml.safe_load(text)["orgs"][NAME]
    equal((sorted(found["admins"]), sorted(found["members"])), (sorted(ORG["admins"]), sorted(ORG["members"])))
    equal(teams(found["teams"]), teams(ORG["teams"]))
    equal(found["repos"].keys(), ORG.get("repos", {}).keys())


def teams(those):
    """People and repositories of teams by name. Owners are maintainers, whatever is said of them."""
    told = {}
    for name, team in those.items():
        everyone = {*team.get("members", []), *team.get("maintainers", [])}
        maintainers = {*team.get("maintainers", []), *(everyone & {*ORG["admins"]})}
        told[name] = [sorted(maintainers), sorted(everyone - maintainers), team.get("repos", {}), team.get("privacy", "closed")]
        told |= teams(team.get("teams", {}))
    return told


def edited():
    """The sample with other descriptions, a member less in each team, and other levels."""
    org = copy.deepcopy(ORG)
    for name, team in org["teams"].items():
        team["description"] = f"What {name} does"
        team["members"] = team.get("members", [])[1:]
        team["repos"] = {repo: "write" if level == "admin" else "admin" for repo, level in team.get("repos", {}).items()}
    file = FOLDER / "edited.yaml"
    file.write_text(yaml.safe_dump({"orgs": {NAME: org}}))
    return file


def at_rest_after_an_apply():
    """What `guildhall apply` made of another file is what peribolos makes of it: it sends no write."""
    file, before = edited(), newest_entry()
    applied = [os.environ["GUILDHALL_PROGRAM"], "apply", "--prune", "--yes", "--max-removals", "100%"]
    done = subprocess.run([*applied, *os.environ["GUILDHALL_WHERE"].splitlines(), str(file)], capture_output=True, text=True)
    equal((done.returncode, done.stderr), (0, ""))
    after = newest_entry()
    equal(after != before, True)
    peribolos(f"--config-path={file}", *FIX, "--confirm")
    equal(newest_entry(), after)


if __name__ == "__main__":
    people()
    run(apply, apply_again, dump, at_rest_after_an_apply)
