"""An unmodified ghapi works with teams, memberships, repositories and discussions of a running server.

Reads GUILDHALL_URL, GUILDHALL_ORG, GUILDHALL_TOKEN (an owner's), GUILDHALL_MEMBER and GUILDHALL_OUTSIDER, as
githubkit_client.py does. ghapi looks headers up by their usual capitals. Ends with "N passed, N failed".
"""
import os
import time
from urllib.error import HTTPError

from ghapi.all import GhApi, paged, pages

from parts import BASE, MEMBER, ORG, OUTSIDER, equal, run

RUN = f"ghapi-{os.getpid()}-{int(time.time())}"

api = GhApi(token=os.environ["GUILDHALL_TOKEN"], gh_host=BASE)


def refused(status, method, *args, **named):
    try:
        method(*args, **named)
    except HTTPError as error:
        equal(error.code, status)
        return
    raise AssertionError(f"accepted, wanted {status}")


def a_team():
    team = api.teams.create(ORG, name=f"{RUN} team", description="new", privacy="closed")
    equal((team.description, team.type, team.organization.login), ("new", "organization", ORG))
    equal(api.teams.get_by_name(ORG, team.slug).id, team.id)
    changed = api.teams.update_in_org(ORG, team.slug, name=team.name, description="changed")
    equal(changed.description, "changed")
    refused(422, api.teams.create, ORG, name=team.name)
    refused(404, api.teams.get_by_name, ORG, f"{RUN}-nowhere")
    api.teams.delete_in_org(ORG, team.slug)
    refused(404, api.teams.get_by_name, ORG, team.slug)


def lists_have_pages():
    everything = [team.id for team in api.teams.list(ORG, per_page=100)]
    by_page = [team.id for page in paged(api.teams.list, ORG, per_page=7) for team in page]
    equal(by_page, everything)
    api.teams.list(ORG, per_page=7)
    last = api.last_page()
    equal(last, -(-len(everything) // 7))
    equal([team.id for page in pages(api.teams.list, last, ORG, per_page=7) for team in page], everything)


def headers():
    api.users.get_authenticated()
    received = api.recv_hdrs
    for name in ("X-OAuth-Scopes", "X-RateLimit-Remaining", "ETag", "X-GitHub-Media-Type"):
        equal(name in received, True)
    equal(api.limit_rem, received["X-RateLimit-Remaining"])


def memberships():
    team = api.teams.create(ORG, name=f"{RUN} people", privacy="closed")
    where = (ORG, team.slug)
    given = api.teams.add_or_update_membership_for_user_in_org(*where, MEMBER, role="maintainer")
    equal((given.state, given.role), ("active", "maintainer"))
    equal(api.teams.get_membership_for_user_in_org(*where, MEMBER).role, "maintainer")
    people = [person.login.lower() for person in api.teams.list_members_in_org(*where, role="maintainer")]
    equal(MEMBER.lower() in people, True)
    equal(api.teams.add_or_update_membership_for_user_in_org(*where, OUTSIDER).state, "pending")
    invited = api.teams.list_pending_invitations_in_org(*where)
    equal([one.login.lower() for one in invited], [OUTSIDER.lower()])
    api.orgs.cancel_invitation(ORG, invited[0].id)
    api.teams.remove_membership_for_user_in_org(*where, MEMBER)
    refused(404, api.teams.get_membership_for_user_in_org, *where, MEMBER)
    api.teams.delete_in_org(*where)


def repositories():
    team = api.teams.create(ORG, name=f"{RUN} repositories", privacy="closed")
    repo = api.repos.create_in_org(ORG, name=RUN, private=True, allow_rebase_merge=False)
    equal((repo.allow_rebase_merge, repo.pushed_at), (False, repo.created_at))
    equal(api.repos.update(ORG, RUN, allow_auto_merge=True).allow_auto_merge, True)
    where = (ORG, team.slug, ORG, RUN)
    api.teams.add_or_update_repo_permissions_in_org(*where, permission="maintain")
    equal([one.role_name for one in api.teams.list_repos_in_org(ORG, team.slug)], ["maintain"])
    equal([(one.permission, one.role_name) for one in api.repos.list_teams(ORG, RUN)], [("push", "maintain")])
    api.repos.add_collaborator(ORG, RUN, OUTSIDER, permission="push")
    equal(len(api.repos.list_invitations(ORG, RUN)), 0)
    api.repos.remove_collaborator(ORG, RUN, OUTSIDER)
    api.teams.remove_repo_in_org(*where)
    api.repos.delete(ORG, RUN)
    api.teams.delete_in_org(ORG, team.slug)


def discussions():
    """ghapi of this version has no methods for them any more; it calls any path."""
    team = api.teams.create(ORG, name=f"{RUN} discussions", privacy="closed")
    path = f"/orgs/{ORG}/teams/{team.slug}/discussions"
    made = api(path, verb="POST", data={"title": "First", "body": "**Hello**"})
    equal((made.number, made.body_html), (1, "<p><strong>Hello</strong></p>"))
    comment = api(f"{path}/1/comments", verb="POST", data={"body": "I agree"})
    equal(comment.number, 1)
    equal([one.comments_count for one in api(path, query={"pinned": "false"})], [1])
    equal(len(api(path, query={"pinned": "true"})), 0)
    api(f"{path}/1", verb="DELETE")
    refused(404, api, f"{path}/1")
    api.teams.delete_in_org(ORG, team.slug)


if __name__ == "__main__":
    run(a_team, lists_have_pages, headers, memberships, repositories, discussions)
