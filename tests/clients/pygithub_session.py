"""What every part of the PyGithub test works with: who calls, what is counted, and the teams that are made."""
import os
import sys
import time
import traceback

from github import Auth, Github, GithubException

BASE = os.environ["GUILDHALL_URL"]
ORG = os.environ["GUILDHALL_ORG"]
RUN = f"pygithub-{os.getpid()}-{int(time.time())}"

counts = {"passed": 0, "failed": 0}
made = {}


def connect(token):
    """A client without its own pauses and retries, so that each refusal is seen at once."""
    return Github(base_url=BASE, auth=Auth.Token(token), retry=None, per_page=30,
                  seconds_between_requests=None, seconds_between_writes=None)


owner = connect(os.environ["GUILDHALL_TOKEN"])
member = connect(os.environ["GUILDHALL_MEMBER_TOKEN"])


def fail(name):
    counts["failed"] += 1
    print(f"FAILED {name}", file=sys.stderr)
    traceback.print_exc()


class check:
    """One checked sentence: `with check("a team is ..."):`."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is None:
            counts["passed"] += 1
        elif isinstance(error, Exception):
            counts["failed"] += 1
            print(f"FAILED {self.name}", file=sys.stderr)
            traceback.print_exception(kind, error, trace)
        return isinstance(error, Exception)


def equal(found, wanted):
    if found != wanted:
        raise AssertionError(f"found {found!r}, wanted {wanted!r}")


def true(found):
    if found is not True:
        raise AssertionError(f"found {found!r}, wanted True")


def refused(status, work, *args, **named):
    """The body of a refusal with exactly this status."""
    try:
        work(*args, **named)
    except GithubException as error:
        equal(error.status, status)
        return error.data
    raise AssertionError(f"accepted, wanted {status}")


def logins(people):
    return sorted(p.login.lower() for p in people)


def create(org, name, **more):
    team = org.create_team(f"{RUN} {name}", **more)
    made[team.id] = team
    return team


def delete(team):
    team.delete()
    made.pop(team.id, None)


class People:
    """Who takes part."""

    def __init__(self):
        self.org = owner.get_organization(ORG)
        self.me = owner.get_user(owner.get_user().login)
        self.member = owner.get_user(os.environ["GUILDHALL_MEMBER"])
        self.outsider = owner.get_user(os.environ["GUILDHALL_OUTSIDER"])
