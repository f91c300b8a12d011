"""Unmodified ghapi and githubkit, of some years ago and of today, work through the story of teams.

Both have a method for each operation with the same name, so they share the story. githubkit also checks each response
against its own strict model. Usage: methods_story.py ghapi|githubkit. Reads the variables of world.py.
"""
import os
import sys

from parts import BASE, MEMBER, ORG, OUTSIDER, equal, run

if sys.argv[1] == "ghapi":
    from methods_ghapi import connect, every_page, header, refused, refused_by_limit, request, unchanged
else:
    from methods_githubkit import connect, every_page, header, refused, refused_by_limit, request, unchanged

api, member, outsider = (connect(BASE, os.environ[f"GUILDHALL_{who}"]) for who in ("TOKEN", "MEMBER_TOKEN", "OUTSIDER_TOKEN"))


def closed(name, **more):
    return api.teams.create(ORG, name=name, privacy="closed", **more)


def gone(slug):
    api.teams.delete_in_org(ORG, slug)


def slugs(teams):
    return [team.slug for team in teams]


def logins(people):
    return sorted(person.login for person in people)


def start():
    equal(api.users.get_authenticated().login, "olivia")
    equal(api.orgs.get(ORG).name, "Acme")
    equal(logins(api.orgs.list_for_authenticated_user()), [ORG])
    equal(logins(api.orgs.list_members(ORG)), ["eve", "max", "olivia", "zoe"])
    equal(api.rate_limit.get().resources.core.limit > 0, True)
    equal(api.orgs.get_membership_for_authenticated_user(ORG).role, "admin")


def teams():
    api.repos.create_in_org(ORG, name="site", private=True, allow_rebase_merge=False)
    team = closed("Core Team", description="first", maintainers=[MEMBER], repo_names=[f"{ORG}/site"])
    equal((team.slug, team.members_count, team.repos_count), ("core-team", 2, 1))
    equal(api.teams.update_in_org(ORG, "core-team", name="Core Team", description="second").description, "second")
    equal(api.teams.get_by_name(ORG, "core-team").description, "second")
    equal(slugs(api.teams.list(ORG)), ["core-team"])
    equal(slugs(api.teams.list_for_authenticated_user()), ["core-team"])
    gone("core-team")
    refused(404, api.teams.get_by_name, ORG, "core-team")


def nesting():
    parent = closed("Parent")
    child = closed("Child", parent_team_id=parent.id)
    equal(child.parent.slug, "parent")
    equal(slugs(api.teams.list_child_in_org(ORG, "parent")), ["child"])
    refused(422, api.teams.create, ORG, name="Secret", privacy="secret", parent_team_id=parent.id)
    equal(api.teams.update_in_org(ORG, "child", name="Child", parent_team_id=None).parent, None)
    api.teams.update_in_org(ORG, "child", name="Child", parent_team_id=parent.id)
    gone("parent")
    refused(404, api.teams.get_by_name, ORG, "child")


def renaming():
    team = closed("Before")
    equal(api.teams.update_in_org(ORG, "before", name="After").slug, "after")
    equal(api.teams.get_by_name(ORG, "after").id, team.id)
    gone("after")


def privacy():
    api.teams.create(ORG, name="Hidden")
    closed("Open")
    equal(slugs(member.teams.list(ORG)), ["open"])
    refused(404, member.teams.get_by_name, ORG, "hidden")
    api.teams.update_in_org(ORG, "hidden", name="Hidden", privacy="closed")
    equal(member.teams.get_by_name(ORG, "hidden").privacy, "closed")
    gone("hidden")
    gone("open")


def memberships():
    closed("People")
    where = (ORG, "people", MEMBER)
    equal(api.teams.add_or_update_membership_for_user_in_org(*where, role="member").role, "member")
    equal(api.teams.add_or_update_membership_for_user_in_org(*where, role="maintainer").role, "maintainer")
    equal(api.teams.get_membership_for_user_in_org(*where).state, "active")
    equal(logins(api.teams.list_members_in_org(ORG, "people", role="maintainer")), ["max", "olivia"])
    api.teams.remove_membership_for_user_in_org(*where)
    refused(404, api.teams.get_membership_for_user_in_org, *where)
    gone("people")


def invitations():
    team = closed("Welcome")
    where = (ORG, "welcome", OUTSIDER)
    equal(api.teams.add_or_update_membership_for_user_in_org(*where, role="member").state, "pending")
    equal(logins(api.teams.list_pending_invitations_in_org(ORG, "welcome")), [OUTSIDER])
    equal(logins(api.orgs.list_pending_invitations(ORG)), [OUTSIDER])
    outsider.orgs.update_membership_for_authenticated_user(ORG, state="active")
    equal(api.teams.get_membership_for_user_in_org(*where).state, "active")
    api.orgs.remove_membership_for_user(ORG, OUTSIDER)
    invited = api.orgs.create_invitation(ORG, email="new@example.com", team_ids=[team.id])
    equal(slugs(api.orgs.list_invitation_teams(ORG, invited.id)), ["welcome"])
    api.orgs.cancel_invitation(ORG, invited.id)
    gone("welcome")


def repositories():
    parent = closed("Owners")
    closed("Helpers", parent_team_id=parent.id)
    api.repos.create_in_org(ORG, name="engine", private=True)
    where = (ORG, "owners", ORG, "engine")
    refused(404, api.teams.check_permissions_for_repo_in_org, *where)
    api.teams.add_or_update_repo_permissions_in_org(*where, permission="maintain")
    equal([one.role_name for one in api.teams.list_repos_in_org(ORG, "helpers")], ["maintain"])
    equal(slugs(api.repos.list_teams(ORG, "engine")), ["owners", "helpers"])
    equal(api.repos.update(ORG, "engine", allow_auto_merge=True).allow_auto_merge, True)
    api.repos.add_collaborator(ORG, "engine", OUTSIDER, permission="push")
    equal(logins(api.repos.list_collaborators(ORG, "engine", affiliation="outside")), [OUTSIDER])
    api.repos.remove_collaborator(ORG, "engine", OUTSIDER)
    api.teams.remove_repo_in_org(*where)
    api.repos.delete(ORG, "engine")
    gone("owners")


def projects():
    closed("Planners")
    project = api.projects.create_for_org(ORG, name="Plan")
    where = (ORG, "planners", project.id)
    api.teams.add_or_update_project_permissions_in_org(*where, permission="write")
    equal(api.teams.check_permissions_for_project_in_org(*where).permissions.write, True)
    equal([one.name for one in api.teams.list_projects_in_org(ORG, "planners")], ["Plan"])
    api.teams.remove_project_in_org(*where)
    api.projects.delete(project.id)
    gone("planners")


def discussions():
    closed("Board")
    board = (ORG, "board")
    made = api.teams.create_discussion_in_org(*board, title="Hello", body="**All**", private=True)
    equal((made.number, made.body_html, made.private), (1, "<p><strong>All</strong></p>", True))
    equal(api.teams.update_discussion_in_org(*board, 1, title="Hi").title, "Hi")
    equal(api.teams.get_discussion_in_org(*board, 1).title, "Hi")
    equal([one.number for one in api.teams.list_discussions_in_org(*board)], [1])
    equal(api.teams.create_discussion_comment_in_org(*board, 1, body="Welcome").number, 1)
    equal(api.teams.update_discussion_comment_in_org(*board, 1, 1, body="Thanks").body, "Thanks")
    equal(api.teams.get_discussion_comment_in_org(*board, 1, 1).body, "Thanks")
    equal([one.body for one in api.teams.list_discussion_comments_in_org(*board, 1)], ["Thanks"])
    api.reactions.create_for_team_discussion_in_org(*board, 1, content="heart")
    equal([one.content for one in api.reactions.list_for_team_discussion_in_org(*board, 1)], ["heart"])
    api.teams.delete_discussion_comment_in_org(*board, 1, 1)
    api.teams.delete_discussion_in_org(*board, 1)
    gone("board")


def pages():
    parent = closed("Pages")
    for number in range(1, 6):
        closed(f"Page {number}", parent_team_id=parent.id)
    found = every_page(api, api.teams.list_child_in_org, org=ORG, team_slug="pages", per_page=2)
    equal(slugs(found), [f"page-{number}" for number in range(1, 6)])
    api.teams.list_child_in_org(ORG, "pages", per_page=2)
    equal(header(api, "Link").count("rel="), 2)
    gone("pages")


def conditional():
    closed("Tagged")
    api.teams.get_by_name(ORG, "tagged")
    unchanged(api, f"/orgs/{ORG}/teams/tagged", header(api, "ETag"))
    api.teams.update_in_org(ORG, "tagged", name="Tagged", description="changed")
    equal(api.teams.get_by_name(ORG, "tagged").description, "changed")
    gone("tagged")


def errors():
    closed("Taken")
    refused(401, connect(BASE, "wrong").users.get_authenticated)
    refused(403, member.teams.delete_in_org, ORG, "taken")
    refused(404, api.teams.get_by_name, ORG, "nowhere")
    refused(422, api.teams.create, ORG, name="taken")
    api.repos.create_for_authenticated_user(name="mine")
    refused(422, api.teams.add_or_update_repo_permissions_in_org, ORG, "taken", "olivia", "mine", permission="pull")
    gone("taken")


def groups():
    """The libraries have no methods for groups."""
    closed("Followers")
    where, mappings = (ORG, "followers", MEMBER), f"/orgs/{ORG}/teams/followers/team-sync/group-mappings"
    found = [dict(group) for group in request(api, "GET", f"/orgs/{ORG}/team-sync/groups")["groups"]]
    equal(request(api, "PATCH", mappings, {"groups": found})["groups"][0]["group_name"], "Platform")
    message, _ = refused(403, api.teams.add_or_update_membership_for_user_in_org, *where, role="member")
    equal("managed by the organization's identity provider" in message, True)
    request(api, "PATCH", mappings, {"groups": []})
    equal(api.teams.add_or_update_membership_for_user_in_org(*where, role="member").state, "active")
    gone("followers")


def limits():
    """Comes last: the owner invites too many people."""
    def invite():
        for number in range(100):
            api.orgs.create_invitation(ORG, email=f"person{number}@example.com")

    message, headers = refused_by_limit(invite)
    equal("secondary rate limit" in message, True)
    equal(0 < int(headers["Retry-After"]) <= 60, True)


PARTS = [start, teams, nesting, renaming, privacy, memberships, invitations, repositories]
# Newer versions have no methods for these any more.
PARTS += [projects] if hasattr(api.teams, "list_projects_in_org") else []
PARTS += [discussions] if hasattr(api.teams, "create_discussion_in_org") else []
run(*PARTS, pages, conditional, errors, groups, limits)
