"""An unmodified githubkit, whose models are strict, reads all that a running server answers about teams.

Reads GUILDHALL_URL (base address, with or without /api/v3), GUILDHALL_ORG, GUILDHALL_TOKEN (an owner's),
GUILDHALL_MEMBER (a plain member), GUILDHALL_OUTSIDER (a registered person outside the organization) and
GUILDHALL_ADMIN_TOKEN (a site administrator's, for the plan that offers synchronization). Ends with "N passed, N failed".

Every operation whose name begins with `teams.` in the server's own document is called, but for the delegation of reviews,
requests to join and the older member calls, which githubkit does not know. An answer is checked by its status and parsed by the model that
githubkit has for it; the few that this version does not have stand below, as strict. `data={}` is how it says "no
parameters".
"""
import os
import sys
import time
import traceback
from typing import List

from githubkit import GitHub
from githubkit.exception import RequestFailed
from githubkit.rest.models import (BasicError, MinimalRepository, Team, TeamDiscussion, TeamDiscussionComment,
                                   TeamFull, TeamMembership, TeamProject, TeamRepository, ValidationError)
from pydantic import BaseModel, Extra, StrictStr

BASE, ORG, MEMBER, OUTSIDER = (os.environ[f"GUILDHALL_{name}"] for name in ("URL", "ORG", "MEMBER", "OUTSIDER"))
RUN = f"githubkit-{os.getpid()}-{int(time.time())}"
RECORD = {"Accept": "application/vnd.github.v3.repository+json"}

counts = {"passed": 0, "failed": 0}
called = set()


class IdPGroup(BaseModel, extra=Extra.forbid):
    """A group, as the description of the enterprise interface has it."""

    group_id: StrictStr
    group_name: StrictStr
    group_description: StrictStr
    status: StrictStr = ""


class GroupMapping(BaseModel, extra=Extra.forbid):
    """Groups that a team follows, or could follow."""

    groups: List[IdPGroup]


def connect(token):
    return GitHub(os.environ[token], base_url=f"{BASE}/", user_agent="guildhall-githubkit-test", timeout=30)


owner = connect("GUILDHALL_TOKEN")
admin = connect("GUILDHALL_ADMIN_TOKEN")
teams = owner.rest.teams


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
            fail(self.name, error)
        return isinstance(error, Exception)


def fail(name, error):
    counts["failed"] += 1
    print(f"FAILED {name}", file=sys.stderr)
    traceback.print_exception(type(error), error, error.__traceback__)
    if isinstance(error, RequestFailed):
        print(error.response.text, file=sys.stderr)


def equal(found, wanted):
    if found != wanted:
        raise AssertionError(f"found {found!r}, wanted {wanted!r}")


def ok(operation, status, method, *args, **named):
    """What the operation answers with this status, parsed; None where there is nothing to parse."""
    answer = method(*args, **named)
    equal(answer.status_code, status)
    called.add(operation)
    if status == 204:
        equal(answer.content, b"")
        return None
    return answer.parsed_data


def refused(status, model, method, *args, **named):
    """The body of a refusal with exactly this status, parsed by one of githubkit's models of errors."""
    try:
        method(*args, **named)
    except RequestFailed as error:
        equal(error.response.status_code, status)
        return model.parse_raw(error.response.content)
    raise AssertionError(f"accepted, wanted {status}")


def by_number(team, path, model):
    """The same again by the identifier form."""
    return owner.request("GET", f"{team.url}{path}", response_model=model).parsed_data


def create(name, **more):
    return ok("teams.create", 201, teams.create, ORG, name=f"{RUN} {name}", **more)


def delete(team):
    ok("teams.deleteInOrg", 204, teams.delete_in_org, ORG, team.slug)


def the_team_itself():
    parent = create("parent", privacy="closed", description="above", notification_setting="notifications_disabled")
    child = create("child", parent_team_id=parent.id, maintainers=[MEMBER])
    with check("create answers with the whole record"):
        equal((parent.name, parent.privacy, parent.permission), (f"{RUN} parent", "closed", "pull"))
        equal((parent.notification_setting, parent.parent), ("notifications_disabled", None))
        equal((child.parent.id, child.members_count, child.organization.login), (parent.id, 2, ORG))
    with check("a team is read, also by its url"):
        read = ok("teams.getByName", 200, teams.get_by_name, ORG, child.slug)
        equal(read, by_number(child, "", TeamFull))
        equal(read.dict(), child.dict())
    with check("lists of teams are read"):
        listed = ok("teams.list", 200, teams.list, ORG, per_page=100)
        equal([team.id for team in listed if team.slug == child.slug], [child.id])
        below = ok("teams.listChildInOrg", 200, teams.list_child_in_org, ORG, parent.slug)
        equal([(team.id, team.parent.id) for team in below], [(child.id, parent.id)])
        equal(below, by_number(parent, "/teams", List[Team]))
        mine = ok("teams.listForAuthenticatedUser", 200, teams.list_for_authenticated_user, per_page=100)
        equal([team.organization.login for team in mine if team.id == child.id], [ORG])
    with check("update answers with the whole record"):
        named = {"name": child.name, "description": "changed", "permission": "push", "parent_team_id": None}
        changed = ok("teams.updateInOrg", 200, teams.update_in_org, ORG, child.slug, **named)
        equal((changed.description, changed.permission, changed.parent), ("changed", "push", None))
    with check("refusals are errors as githubkit knows them"):
        taken = refused(422, ValidationError, teams.create, ORG, name=child.name)
        equal((taken.errors[0].resource, taken.errors[0].code), ("Team", "unprocessable"))
        missing = refused(404, BasicError, teams.get_by_name, ORG, f"{RUN}-nowhere")
        equal(missing.message, "Not Found")
    delete(child)
    delete(parent)


def memberships():
    team = create("memberships", privacy="closed")
    where = (ORG, team.slug)
    with check("membership is given, read and taken"):
        role = {"role": "maintainer"}
        put = ok("teams.addOrUpdateMembershipForUserInOrg", 200, teams.add_or_update_membership_for_user_in_org,
                 *where, MEMBER, **role)
        equal((put.state, put.role), ("active", "maintainer"))
        read = ok("teams.getMembershipForUserInOrg", 200, teams.get_membership_for_user_in_org, *where, MEMBER)
        equal(read, by_number(team, f"/memberships/{MEMBER}", TeamMembership))
        plain = teams.add_or_update_membership_for_user_in_org(*where, MEMBER, data={}).parsed_data
        equal(plain.role, "member")
        people = ok("teams.listMembersInOrg", 200, teams.list_members_in_org, *where, role="member")
        equal([person.login.lower() for person in people], [MEMBER.lower()])
        ok("teams.removeMembershipForUserInOrg", 204, teams.remove_membership_for_user_in_org, *where, MEMBER)
        refused(404, BasicError, teams.get_membership_for_user_in_org, *where, MEMBER)
    with check("invitations by login and by e-mail are listed"):
        pending = teams.add_or_update_membership_for_user_in_org(*where, OUTSIDER, data={}).parsed_data
        equal(pending.state, "pending")
        invited = owner.rest.orgs.create_invitation(ORG, email=f"{RUN}@example.com", team_ids=[team.id]).parsed_data
        found = ok("teams.listPendingInvitationsInOrg", 200, teams.list_pending_invitations_in_org, *where)
        equal([(one.login or "").lower() for one in found], [OUTSIDER.lower(), ""])
        equal([one.email for one in found], [None, f"{RUN}@example.com"])
        equal([one.id for one in owner.rest.orgs.list_pending_invitations(ORG).parsed_data], [one.id for one in found])
        equal([one.id for one in owner.rest.orgs.list_invitation_teams(ORG, invited.id).parsed_data], [team.id])
        for one in found:
            equal(owner.rest.orgs.cancel_invitation(ORG, one.id).status_code, 204)
    delete(team)


def repositories():
    repos = owner.rest.repos
    team = create("repositories", permission="push", privacy="closed")
    repo = repos.create_in_org(ORG, name=RUN, private=True).parsed_data
    where = (ORG, team.slug, ORG, RUN)
    with check("a repository is granted, checked, listed and taken away"):
        refused(404, BasicError, teams.check_permissions_for_repo_in_org, *where)
        ok("teams.addOrUpdateRepoPermissionsInOrg", 204, teams.add_or_update_repo_permissions_in_org, *where,
           data={})
        ok("teams.checkPermissionsForRepoInOrg", 204, teams.check_permissions_for_repo_in_org, *where)
        record = ok("teams.checkPermissionsForRepoInOrg", 200, teams.check_permissions_for_repo_in_org, *where,
                    headers=RECORD)
        equal((record.id, record.role_name, record.permissions.push), (repo.id, "write", True))
        teams.add_or_update_repo_permissions_in_org(*where, permission="triage")
        again = owner.request("GET", f"{team.url}/repos/{ORG}/{RUN}", headers=RECORD, response_model=TeamRepository)
        equal(again.parsed_data.role_name, "triage")
        listed = ok("teams.listReposInOrg", 200, teams.list_repos_in_org, ORG, team.slug)
        equal([(one.full_name, one.role_name) for one in listed], [(f"{ORG}/{RUN}", "triage")])
        equal(listed, by_number(team, "/repos", List[MinimalRepository]))
        ok("teams.removeRepoInOrg", 204, teams.remove_repo_in_org, *where)
        refused(404, BasicError, teams.check_permissions_for_repo_in_org, *where)
    with check("people and teams of a repository are read"):
        teams.add_or_update_repo_permissions_in_org(*where, permission="maintain")
        equal(repos.add_collaborator(ORG, RUN, OUTSIDER, permission="push").status_code, 204)
        outside = repos.list_collaborators(ORG, RUN, affiliation="outside").parsed_data
        equal([(one.login.lower(), one.role_name) for one in outside], [(OUTSIDER.lower(), "write")])
        level = repos.get_collaborator_permission_level(ORG, RUN, OUTSIDER).parsed_data
        equal((level.permission, level.user.login.lower()), ("write", OUTSIDER.lower()))
        found = repos.list_teams(ORG, RUN).parsed_data
        equal([(one.id, one.permission, one.permissions.maintain) for one in found], [(team.id, "maintain", True)])
        equal(repos.remove_collaborator(ORG, RUN, OUTSIDER).status_code, 204)
    with check("a level that there is not is refused without errors"):
        address = f"/orgs/{ORG}/teams/{team.slug}/repos/{ORG}/{RUN}"
        body = refused(422, BasicError, owner.request, "PUT", address, json={"permission": "owner"})
        equal(body.message, "Validation Failed")
    equal(repos.delete(ORG, RUN).status_code, 204)
    delete(team)


def projects():
    team = create("projects", permission="push", privacy="closed")
    project = owner.rest.projects.create_for_org(ORG, name=RUN, body="what is to be done").parsed_data
    where = (ORG, team.slug, project.id)
    with check("a project is granted, checked, listed and taken away"):
        refused(404, BasicError, teams.check_permissions_for_project_in_org, *where)
        ok("teams.addOrUpdateProjectPermissionsInOrg", 204, teams.add_or_update_project_permissions_in_org, *where,
           data=None)
        found = ok("teams.checkPermissionsForProjectInOrg", 200, teams.check_permissions_for_project_in_org, *where)
        equal((found.name, found.permissions.write, found.permissions.admin), (RUN, True, False))
        equal(found, by_number(team, f"/projects/{project.id}", TeamProject))
        named = {"permission": "admin"}
        equal(teams.add_or_update_project_permissions_in_org(*where, **named).status_code, 204)
        listed = ok("teams.listProjectsInOrg", 200, teams.list_projects_in_org, ORG, team.slug)
        equal([(one.id, one.permissions.admin) for one in listed], [(project.id, True)])
        ok("teams.removeProjectInOrg", 204, teams.remove_project_in_org, *where)
        refused(404, BasicError, teams.check_permissions_for_project_in_org, *where)
    equal(owner.rest.projects.delete(project.id).status_code, 204)
    delete(team)


def discussions():
    team = create("discussions", privacy="closed")
    where = (ORG, team.slug)
    with check("a discussion is created, read, listed, changed and deleted"):
        made = ok("teams.createDiscussionInOrg", 201, teams.create_discussion_in_org, *where,
                  title="First", body="**Hello** @all", private=True)
        equal((made.number, made.private, made.body_html), (1, True, "<p><strong>Hello</strong> @all</p>"))
        react = owner.rest.reactions.create_for_team_discussion_in_org
        equal(react(*where, 1, content="+1").parsed_data.content, "+1")
        read = ok("teams.getDiscussionInOrg", 200, teams.get_discussion_in_org, *where, 1)
        equal((read.reactions.plus_one, read.reactions.total_count), (1, 1))
        equal(read, by_number(team, "/discussions/1", TeamDiscussion))
        changed = ok("teams.updateDiscussionInOrg", 200, teams.update_discussion_in_org, *where, 1, title="Second")
        equal((changed.title, changed.body, changed.last_edited_at), ("Second", made.body, None))
        teams.create_discussion_in_org(*where, title="Other", body="text")
        listed = ok("teams.listDiscussionsInOrg", 200, teams.list_discussions_in_org, *where, direction="asc")
        equal([post.number for post in listed], [1, 2])
    comments(team, where)
    with check("a deleted discussion is gone"):
        ok("teams.deleteDiscussionInOrg", 204, teams.delete_discussion_in_org, *where, 1)
        refused(404, BasicError, teams.get_discussion_in_org, *where, 1)
    delete(team)


def comments(team, where):
    with check("a comment is created, read, listed, changed and deleted"):
        made = ok("teams.createDiscussionCommentInOrg", 201, teams.create_discussion_comment_in_org, *where, 1,
                  body="I *agree*")
        equal((made.number, made.author.type), (1, "User"))
        read = ok("teams.getDiscussionCommentInOrg", 200, teams.get_discussion_comment_in_org, *where, 1, 1)
        equal(read, by_number(team, "/discussions/1/comments/1", TeamDiscussionComment))
        changed = ok("teams.updateDiscussionCommentInOrg", 200, teams.update_discussion_comment_in_org, *where, 1, 1,
                     body="I disagree")
        equal((changed.body, changed.last_edited_at is None), ("I disagree", False))
        listed = ok("teams.listDiscussionCommentsInOrg", 200, teams.list_discussion_comments_in_org, *where, 1)
        equal([comment.body for comment in listed], ["I disagree"])
        equal(teams.get_discussion_in_org(*where, 1).parsed_data.comments_count, 1)
        ok("teams.deleteDiscussionCommentInOrg", 204, teams.delete_discussion_comment_in_org, *where, 1, 1)
        refused(404, BasicError, teams.get_discussion_comment_in_org, *where, 1, 1)


def synchronization():
    """githubkit of this version has no methods for it, so its requests carry a model of ours."""
    team = create("followers", privacy="closed")
    scim, mapping = f"/scim/v2/organizations/{ORG}/Groups", f"/orgs/{ORG}/teams/{team.slug}/team-sync/group-mappings"
    group = {"schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": RUN}
    equal(admin.request("PATCH", f"/admin/organizations/{ORG}", json={"plan": "enterprise"}).status_code, 202)
    record = owner.request("POST", scim, json=group).json()
    with check("the groups of the organization are listed"):
        listed = ok("teams.listIdPGroupsForOrg", 200, owner.request, "GET", f"/orgs/{ORG}/team-sync/groups",
                    response_model=GroupMapping)
        wanted = [one for one in listed.groups if one.group_id == record["id"]]
        equal([one.group_name for one in wanted], [RUN])
    with check("a team is linked to a group, and its members are no longer set by hand"):
        linked = ok("teams.createOrUpdateIdPGroupConnectionsInOrg", 200, owner.request, "PATCH", mapping,
                    json={"groups": [one.dict(exclude={"status"}) for one in wanted]}, response_model=GroupMapping)
        equal([(one.group_id, one.status) for one in linked.groups], [(record["id"], "synced")])
        read = ok("teams.listIdPGroupsInOrg", 200, owner.request, "GET", mapping, response_model=GroupMapping)
        equal(read, linked)
        manually = teams.add_or_update_membership_for_user_in_org
        refused(403, BasicError, manually, ORG, team.slug, MEMBER, role="member")
    with check("there are no external groups"):
        external = owner.request("GET", f"/orgs/{ORG}/external-groups")
        equal((external.status_code, external.json()), (200, {"groups": []}))
    with check("an empty list unlinks it"):
        ended = owner.request("PATCH", mapping, json={"groups": []}, response_model=GroupMapping).parsed_data
        equal(ended.groups, [])
    equal(owner.request("DELETE", f"{scim}/{record['id']}").status_code, 204)
    equal(admin.request("PATCH", f"/admin/organizations/{ORG}", json={"plan": "free"}).status_code, 202)
    delete(team)


def nothing_is_left_out():
    with check("every operation of teams was called"):
        document = owner.request("GET", "/openapi.json").json()
        names = {row["operationId"] for path in document["paths"].values() for row in path.values()}
        # A name with a second dot is the same operation in another form of its path.
        wanted = {name for name in names if name.startswith("teams.") and name.count(".") == 1}
        wanted -= {"teams.getMemberLegacy", "teams.addMemberLegacy", "teams.removeMemberLegacy"}
        # Only clients of GraphQL manage how requests for reviews are delegated.
        wanted.remove("teams.updateReviewAssignmentInOrg")
        # The public service has no requests to join.
        wanted -= {name for name in wanted if "JoinRequest" in name}
        # It is requested above, without a function of the client.
        wanted.remove("teams.listExternalIdpGroupsForOrg")
        equal(len(wanted), 33)
        equal(called, wanted)


def main():
    for part in (the_team_itself, memberships, repositories, projects, discussions, synchronization,
                 nothing_is_left_out):
        try:
            part()
        except Exception as error:
            fail(f"{part.__name__} broke off", error)
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return 0 if counts["failed"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
