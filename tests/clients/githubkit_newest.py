"""An unmodified githubkit of today reads teams, memberships, repositories and organizations by its newest models.

Reads GUILDHALL_URL, GUILDHALL_ORG, GUILDHALL_TOKEN (an owner's), GUILDHALL_MEMBER and GUILDHALL_OUTSIDER, as
githubkit_client.py does. The models of this version require fields that older ones do not know, and its methods no
longer have discussions and projects of teams. Ends with "N passed, N failed".
"""
import os
import time

from githubkit import GitHub
from githubkit.exception import RequestFailed
from githubkit.retry import RETRY_RATE_LIMIT

from parts import BASE, MEMBER, ORG, OUTSIDER, equal, run

RUN = f"githubkit-newest-{os.getpid()}-{int(time.time())}"

github = GitHub(os.environ["GUILDHALL_TOKEN"], base_url=f"{BASE}/", auto_retry=RETRY_RATE_LIMIT, timeout=30)
teams, repos, orgs, users = github.rest.teams, github.rest.repos, github.rest.orgs, github.rest.users


def refused(status, method, *args, **named):
    try:
        method(*args, **named)
    except RequestFailed as error:
        equal(error.response.status_code, status)
        return error.response.json()
    raise AssertionError(f"accepted, wanted {status}")


def a_team():
    parent = teams.create(ORG, name=f"{RUN} parent", privacy="closed").parsed_data
    team = teams.create(ORG, name=f"{RUN} team", description="new", parent_team_id=parent.id).parsed_data
    org = orgs.get(ORG).parsed_data
    equal((team.type, team.organization_id, team.parent.organization_id), ("organization", org.id, org.id))
    read = teams.get_by_name(ORG, team.slug).parsed_data
    equal((read.id, read.organization.html_url), (team.id, org.html_url))
    below = teams.list_child_in_org(ORG, parent.slug).parsed_data
    equal([(one.id, one.organization_id) for one in below], [(team.id, org.id)])
    changed = teams.update_in_org(ORG, team.slug, name=team.name, description="changed").parsed_data
    equal(changed.description, "changed")
    refused(422, teams.create, ORG, name=team.name)
    refused(404, teams.get_by_name, ORG, f"{RUN}-nowhere")
    equal(teams.delete_in_org(ORG, team.slug).status_code, 204)
    equal(teams.delete_in_org(ORG, parent.slug).status_code, 204)


def pages():
    everything = teams.list(ORG, per_page=100).parsed_data
    paged = list(github.rest.paginate(teams.list, org=ORG, per_page=7))
    equal([team.id for team in paged], [team.id for team in everything])
    people = list(github.rest.paginate(orgs.list_members, org=ORG, per_page=50))
    equal(MEMBER.lower() in [person.login.lower() for person in people], True)
    equal([user.type for user in users.list(per_page=3).parsed_data], ["User"] * 3)


def memberships():
    team = teams.create(ORG, name=f"{RUN} people").parsed_data
    where = (ORG, team.slug)
    given = teams.add_or_update_membership_for_user_in_org(*where, MEMBER, role="maintainer").parsed_data
    equal((given.state, given.role), ("active", "maintainer"))
    equal(teams.get_membership_for_user_in_org(*where, MEMBER).parsed_data.role, "maintainer")
    equal(len(teams.list_members_in_org(*where).parsed_data), 2)
    invited = orgs.create_invitation(ORG, email=f"{RUN}@example.com", team_ids=[team.id]).parsed_data
    equal([one.id for one in teams.list_pending_invitations_in_org(*where).parsed_data], [invited.id])
    equal([one.organization_id for one in orgs.list_invitation_teams(ORG, invited.id).parsed_data],
          [team.organization_id])
    equal(orgs.cancel_invitation(ORG, invited.id).status_code, 204)
    equal(teams.remove_membership_for_user_in_org(*where, MEMBER).status_code, 204)
    refused(404, teams.get_membership_for_user_in_org, *where, MEMBER)
    teams.delete_in_org(*where)


def repositories():
    team = teams.create(ORG, name=f"{RUN} repositories").parsed_data
    settings = {"allow_squash_merge": False, "delete_branch_on_merge": True, "squash_merge_commit_message": "BLANK"}
    repo = repos.create_in_org(ORG, name=RUN, private=True, **settings).parsed_data
    equal((repo.allow_squash_merge, repo.delete_branch_on_merge, repo.pushed_at), (False, True, repo.created_at))
    changed = repos.update(ORG, RUN, allow_auto_merge=True, merge_commit_title="PR_TITLE").parsed_data
    equal((changed.allow_auto_merge, changed.merge_commit_title, changed.topics), (True, "PR_TITLE", []))
    where = (ORG, team.slug, ORG, RUN)
    equal(teams.add_or_update_repo_permissions_in_org(*where, permission="maintain").status_code, 204)
    equal([one.role_name for one in teams.list_repos_in_org(ORG, team.slug).parsed_data], ["maintain"])
    found = repos.list_teams(ORG, RUN).parsed_data
    equal([(one.permission, one.permissions.maintain) for one in found], [("push", True)])
    equal(repos.add_collaborator(ORG, RUN, OUTSIDER, permission="push").status_code, 204)
    equal(repos.list_invitations(ORG, RUN).parsed_data, [])
    equal(repos.remove_collaborator(ORG, RUN, OUTSIDER).status_code, 204)
    equal(teams.remove_repo_in_org(*where).status_code, 204)
    equal(repos.delete(ORG, RUN).status_code, 204)
    teams.delete_in_org(ORG, team.slug)


def the_caller():
    me = users.get_authenticated().parsed_data
    equal(users.get_by_username(me.login).parsed_data.id, me.id)
    equal(repos.list_invitations_for_authenticated_user().parsed_data, [])
    equal(users.list_public_keys_for_user(me.login).parsed_data, [])
    equal(users.list_gpg_keys_for_user(me.login).parsed_data, [])
    equal(orgs.get_membership_for_authenticated_user(ORG).parsed_data.role, "admin")


if __name__ == "__main__":
    run(a_team, pages, memberships, repositories, the_caller)
