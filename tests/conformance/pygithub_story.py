"""An unmodified PyGithub, of 2021 or of today, works through the story of teams.

Reads the variables of world.py. What this library has no method for is left out.
"""
import inspect
import os

from github import BadCredentialsException, Github, GithubException, UnknownObjectException
from requests.exceptions import RetryError

from parts import BASE, MEMBER, ORG, OUTSIDER, equal, run

# Newer versions wait between requests unless told otherwise.
known = inspect.signature(Github.__init__).parameters
QUICK = {name: 0 for name in ("seconds_between_requests", "seconds_between_writes") if name in known}

# Newer versions know the limit, and wait as long as `Retry-After` says.
REFUSED_BY_LIMIT = GithubException
try:
    from github import GithubRetry, RateLimitExceededException as REFUSED_BY_LIMIT

    class Impatient(GithubRetry):
        """Does not wait, but says how long it would have."""

        waits = []

        def sleep_for_retry(self, response):
            self.waits.append(self.get_retry_after(response))
            return True
except ImportError:
    GithubRetry = None


def connect(token, retry=None):
    return Github(token, base_url=BASE, retry=retry, **QUICK)


owner, member, outsider = (connect(os.environ[f"GUILDHALL_{who}"]) for who in ("TOKEN", "MEMBER_TOKEN", "OUTSIDER_TOKEN"))
org = owner.get_organization(ORG)


def asking(client):
    """Sends a request that the library has no method for."""
    return getattr(client, "_Github__requester").requestJsonAndCheck


ask = asking(owner)


def closed(name, **more):
    """Older versions cannot name a parent."""
    parent = more.pop("parent", None)
    if "parent_team_id" in inspect.signature(org.create_team).parameters and parent:
        more["parent_team_id"] = parent.id
    team = org.create_team(name, privacy="closed", **more)
    if parent and "parent_team_id" not in more:
        ask("PATCH", team.url, input={"name": name, "parent_team_id": parent.id})
    return team


def slugs(teams):
    return [team.slug for team in teams]


def logins(people):
    return sorted(person.login for person in people)


def refused(error, status, method, *args, **named):
    try:
        method(*args, **named)
    except error as refusal:
        equal(refusal.status, status)
        return refusal.data
    raise AssertionError(f"accepted, wanted {status}")


def start():
    equal(owner.get_user().login, "olivia")
    equal(owner.get_user(ORG).type, "Organization")
    equal([one.login for one in owner.get_user().get_orgs()], [ORG])
    equal(logins(org.get_members()), ["eve", "max", "olivia", "zoe"])
    equal(org.has_in_members(owner.get_user(MEMBER)), True)
    owner.get_rate_limit()


def teams():
    repo = org.create_repo("site", private=True)
    team = closed("Core Team", description="first", repo_names=[repo])
    equal((team.slug, team.members_count, team.repos_count), ("core-team", 1, 1))
    team.edit("Core Team", description="second")
    equal(org.get_team_by_slug("core-team").description, "second")
    equal(org.get_team(team.id).slug, "core-team")
    equal(slugs(org.get_teams()), ["core-team"])
    equal(slugs(owner.get_user().get_teams()), ["core-team"])
    team.delete()
    refused(UnknownObjectException, 404, org.get_team_by_slug, "core-team")


def nesting():
    parent = closed("Parent")
    child = closed("Child", parent=parent)
    equal(org.get_team(child.id).parent.slug, "parent")
    equal(slugs(parent.get_teams()), ["child"])
    child.add_membership(owner.get_user(MEMBER))
    equal(MEMBER in logins(parent.get_members()), True)
    parent.delete()
    refused(UnknownObjectException, 404, org.get_team, child.id)


def renaming():
    team = closed("Before")
    team.edit("After")
    equal(team.slug, "after")
    equal(org.get_team_by_slug("after").id, team.id)
    team.delete()


def privacy():
    hidden, opened = org.create_team("Hidden"), closed("Open")
    seen = member.get_organization(ORG)
    equal(slugs(seen.get_teams()), ["open"])
    refused(UnknownObjectException, 404, seen.get_team_by_slug, "hidden")
    hidden.edit("Hidden", privacy="closed")
    equal(seen.get_team_by_slug("hidden").privacy, "closed")
    hidden.delete()
    opened.delete()


def memberships():
    team, person = closed("People"), owner.get_user(MEMBER)
    team.add_membership(person, "member")
    team.add_membership(person, "maintainer")
    equal(team.get_team_membership(person).role, "maintainer")
    equal(team.get_team_membership(person).state, "active")
    equal(logins(team.get_members(role="maintainer")), ["max", "olivia"])
    equal(team.has_in_members(person), True)
    team.remove_membership(person)
    refused(UnknownObjectException, 404, team.get_team_membership, person)
    team.delete()


def invitations():
    team, person = closed("Welcome"), owner.get_user(OUTSIDER)
    team.add_membership(person)
    equal(team.get_team_membership(person).state, "pending")
    equal(logins(team.invitations()), [OUTSIDER])
    equal(logins(org.invitations()), [OUTSIDER])
    asking(outsider)("PATCH", f"/user/memberships/orgs/{ORG}", input={"state": "active"})
    equal(team.get_team_membership(person).state, "active")
    org.remove_from_membership(person)
    org.invite_user(email="new@example.com", teams=[team])
    equal([one.email for one in team.invitations()], ["new@example.com"])
    team.delete()


def repositories():
    parent = closed("Owners")
    child = closed("Helpers", parent=parent)
    repo = org.create_repo("engine", private=True)
    equal(parent.has_in_repos(repo), False)
    equal(parent.update_team_repository(repo, "maintain"), True)
    equal(child.get_repo_permission(repo).maintain, True)
    equal([one.name for one in child.get_repos()], ["engine"])
    equal(slugs(repo.get_teams()), ["owners", "helpers"])
    parent.remove_from_repos(repo)
    equal(child.has_in_repos(repo), False)
    repo.delete()
    parent.delete()


def discussions():
    """The library lists them only."""
    team = closed("Board")
    ask("POST", f"{team.url}/discussions", input={"title": "Hello", "body": "**All**"})
    equal([(one.title, one.body_html) for one in team.get_discussions()], [("Hello", "<p><strong>All</strong></p>")])
    team.delete()


def pages():
    parent = closed("Pages")
    for number in range(100, 135):
        closed(f"Page {number}", parent=parent)
    equal(slugs(parent.get_teams()), [f"page-{number}" for number in range(100, 135)])
    equal(parent.get_teams().totalCount, 35)
    parent.delete()


def conditional():
    team = org.get_team(closed("Tagged").id)
    before = team.etag
    equal(team.update(), False)
    org.get_team(team.id).edit("Tagged", description="changed")
    equal((team.update(), team.description, team.etag != before), (True, "changed", True))
    team.delete()


def errors():
    team = closed("Taken")
    refused(BadCredentialsException, 401, lambda: connect("wrong").get_user().login)
    refused(GithubException, 403, member.get_organization(ORG).get_team(team.id).delete)
    refused(UnknownObjectException, 404, org.get_team_by_slug, "nowhere")
    body = refused(GithubException, 422, org.create_team, "taken")
    equal(body["errors"][0]["message"], "Name must be unique for this org")
    mine = owner.get_user().create_repo("mine")
    equal(refused(GithubException, 422, team.add_to_repos, mine)["errors"][0]["code"], "not_owned")
    team.delete()


def limits():
    """Of a member who creates nothing else. The library has no methods to write discussions."""
    team = closed("Busy")
    board, post = f"{team.url}/discussions", {"title": "Hello", "body": "All"}
    number = asking(member)("POST", board, input=post)[1]["number"]

    def edit():
        for _ in range(100):
            asking(member)("PATCH", f"{board}/{number}", input=post)

    equal("secondary rate limit" in refused(REFUSED_BY_LIMIT, 403, edit)["message"], True)
    if GithubRetry:
        try:
            asking(connect(os.environ["GUILDHALL_MEMBER_TOKEN"], Impatient(total=1)))("POST", board, input=post)
        except RetryError:
            pass
        equal([0 < seconds <= 60 for seconds in Impatient.waits], [True])
    team.delete()


def groups():
    """The library has no methods for groups."""
    team, person = closed("Followers"), owner.get_user(MEMBER)
    mappings = f"{team.url}/team-sync/group-mappings"
    found = ask("GET", f"/orgs/{ORG}/team-sync/groups")[1]["groups"]
    equal([group["group_name"] for group in ask("PATCH", mappings, input={"groups": found})[1]["groups"]], ["Platform"])
    refusal = refused(GithubException, 403, team.add_membership, person)
    equal("managed by the organization's identity provider" in refusal["message"], True)
    ask("PATCH", mappings, input={"groups": []})
    team.add_membership(person)
    team.delete()


if __name__ == "__main__":
    run(start, teams, nesting, renaming, privacy, memberships, invitations, repositories, discussions, pages, conditional,
        errors, limits, groups)
