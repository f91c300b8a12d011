"""An unmodified github3.py works through the story of teams. Reads the variables of world.py."""
import os

import github3

from parts import BASE, MEMBER, ORG, OUTSIDER, equal, run


def connect(variable, token=None):
    return github3.GitHubEnterprise(BASE_OF_LIBRARY, token=token or os.environ[variable])


# This library puts /api/v3 behind the URL itself.
BASE_OF_LIBRARY = BASE.removesuffix("/api/v3")
owner, member, outsider = (connect(f"GUILDHALL_{who}") for who in ("TOKEN", "MEMBER_TOKEN", "OUTSIDER_TOKEN"))
org = owner.organization(ORG)


def closed(name, **more):
    return org.create_team(name, privacy="closed", **more)


def slugs(teams):
    return [team.slug for team in teams]


def logins(people):
    return sorted(person.login for person in people)


def refused(error, method, *args, **named):
    try:
        method(*args, **named)
    except error as refusal:
        return refusal.response
    raise AssertionError(f"accepted, wanted {error}")


def start():
    equal(owner.me().login, "olivia")
    equal([one.login for one in owner.organizations()], [ORG])
    equal(logins(org.members()), ["eve", "max", "olivia", "zoe"])
    equal(org.is_member(MEMBER), True)
    equal(owner.rate_limit()["rate"]["limit"] > 0, True)


def teams():
    org.create_repository("site", private=True)
    team = closed("Core Team", maintainers=[MEMBER], repo_names=[f"{ORG}/site"])
    equal((team.slug, team.members_count, team.repos_count), ("core-team", 2, 1))
    equal(team.edit("Core Team", permission="push"), True)
    equal(org.team_by_name("core-team").permission, "push")
    equal(org.team(team.id).slug, "core-team")
    equal(slugs(org.teams()), ["core-team"])
    equal(slugs(owner.user_teams()), ["core-team"])
    equal(team.delete(), True)
    refused(github3.exceptions.NotFoundError, org.team, team.id)


def nesting():
    parent = closed("Parent")
    child = closed("Child", parent_team_id=parent.id)
    equal(child.parent.slug, "parent")
    child.add_or_update_membership(MEMBER)
    equal(MEMBER in logins(parent.members()), True)
    parent.delete()
    refused(github3.exceptions.NotFoundError, org.team, child.id)


def renaming():
    team = closed("Before")
    team.edit("After")
    equal(org.team_by_name("after").id, team.id)
    team.delete()


def privacy():
    hidden, opened = org.create_team("Hidden"), closed("Open")
    seen = member.organization(ORG)
    equal(slugs(seen.teams()), ["open"])
    refused(github3.exceptions.NotFoundError, seen.team, hidden.id)
    hidden.edit("Hidden", privacy="closed")
    equal(seen.team(hidden.id).privacy, "closed")
    hidden.delete()
    opened.delete()


def memberships():
    team = closed("People")
    equal(team.add_or_update_membership(MEMBER)["role"], "member")
    equal(team.add_or_update_membership(MEMBER, role="maintainer")["role"], "maintainer")
    equal(team.membership_for(MEMBER)["state"], "active")
    equal(logins(team.members(role="maintainer")), ["max", "olivia"])
    equal(team.revoke_membership(MEMBER), True)
    refused(github3.exceptions.NotFoundError, team.membership_for, MEMBER)
    team.delete()


def invitations():
    team = closed("Welcome")
    equal(team.add_or_update_membership(OUTSIDER)["state"], "pending")
    equal(logins(org.invitations()), [OUTSIDER])
    equal(outsider.activate_membership(ORG).state, "active")
    equal(team.membership_for(OUTSIDER)["state"], "active")
    equal(org.remove_membership(OUTSIDER), True)
    invited = org.invite([team.id], email="new@example.com")
    equal(org.cancel_invite(invited.id), True)
    team.delete()


def repositories():
    parent = closed("Owners")
    child = closed("Helpers", parent_team_id=parent.id)
    repo = org.create_repository("engine", private=True)
    equal(parent.has_repository(repo.full_name), False)
    equal(parent.add_repository(repo.full_name, "push"), True)
    equal(child.permissions_for(repo.full_name).permissions["push"], True)
    equal([one.name for one in child.repositories()], ["engine"])
    equal(slugs(repo.teams()), ["owners", "helpers"])
    equal(parent.remove_repository(repo.full_name), True)
    equal(child.has_repository(repo.full_name), False)
    repo.delete()
    parent.delete()


def projects():
    """The library has those of organizations only."""
    project = org.create_project("Plan", body="first")
    equal([one.name for one in org.projects()], ["Plan"])
    equal(project.update(body="second"), True)
    equal(project.delete(), True)


def pages():
    for number in range(100, 135):
        closed(f"Page {number}")
    equal(slugs(org.teams()), [f"page-{number}" for number in range(100, 135)])
    for team in org.teams():
        team.delete()


def conditional():
    """A list has a tag. A record is refreshed with If-Modified-Since, which always gets the record."""
    team = closed("Tagged")
    listed = org.teams()
    equal(slugs(listed), ["tagged"])
    again = org.teams(etag=listed.etag)
    equal((slugs(again), again.last_status), ([], 304))
    found = org.team(team.id)
    found.refresh(conditional=True)
    team.edit("Changed")
    equal(found.refresh(conditional=True).name, "Changed")
    team.delete()


def errors():
    team = closed("Taken")
    refused(github3.exceptions.AuthenticationFailed, connect("", token="wrong").me)
    refused(github3.exceptions.ForbiddenError, member.organization(ORG).team(team.id).delete)
    refused(github3.exceptions.NotFoundError, org.team_by_name, "nowhere")
    body = refused(github3.exceptions.UnprocessableEntity, org.create_team, "taken").json()
    equal(body["errors"][0]["message"], "Name must be unique for this org")
    mine = owner.create_repository("mine")
    body = refused(github3.exceptions.UnprocessableEntity, team.add_repository, mine.full_name, "pull").json()
    equal(body["errors"][0]["code"], "not_owned")
    team.delete()


def groups():
    """The library has no methods for groups."""
    team = closed("Followers")
    mappings = f"{team.url}/team-sync/group-mappings"
    found = owner.session.get(owner.session.build_url("orgs", ORG, "team-sync", "groups")).json()
    equal(owner.session.patch(mappings, json=found).json()["groups"][0]["group_name"], "Platform")
    refusal = refused(github3.exceptions.ForbiddenError, team.add_or_update_membership, MEMBER)
    equal("managed by the organization's identity provider" in refusal.json()["message"], True)
    owner.session.patch(mappings, json={"groups": []})
    equal(team.add_or_update_membership(MEMBER)["state"], "active")
    team.delete()


def limits():
    """Comes last: the owner invites too many people."""
    team = closed("Busy")

    def invite():
        for number in range(100):
            org.invite([team.id], email=f"person{number}@example.com")

    refusal = refused(github3.exceptions.ForbiddenError, invite)
    equal("secondary rate limit" in refusal.json()["message"], True)
    equal(0 < int(refusal.headers["Retry-After"]) <= 60, True)
    team.delete()


if __name__ == "__main__":
    run(start, teams, nesting, renaming, privacy, memberships, invitations, repositories, projects, pages, conditional, errors,
        groups, limits)
