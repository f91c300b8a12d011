"""An unmodified PyGithub manages teams on a running server.

Reads GUILDHALL_URL (base address, with or without /api/v3), GUILDHALL_ORG, GUILDHALL_TOKEN (an owner's),
GUILDHALL_MEMBER and GUILDHALL_MEMBER_TOKEN (a plain member), GUILDHALL_OUTSIDER (a registered person outside
the organization). Ends with "N passed, N failed". All teams it makes bear a name of their own and are deleted.

PyGithub follows the `url` of every record, so this exercises the identifier form and checks, by
PyGithub's own assertions, that no address in an answer leaves the base.
"""
import sys
import warnings

from github import BadCredentialsException, GithubException, UnknownObjectException

from pygithub_content import discussions, invitations, people_of_repositories, projects, repositories
from pygithub_session import (BASE, ORG, RUN, People, check, connect, counts, create, delete, equal, fail, logins, made,
                              member, owner, refused, true)


def start_calls(who):
    with check("the tokens say who is calling"):
        equal(member.get_user().login.lower(), who.member.login.lower())
        equal(who.me.type, "User")
    with check("the organization answers under its name and as a user"):
        equal(who.org.login, ORG)
        true(who.org.url.startswith(f"{BASE}/"))
        equal(owner.get_user(ORG).type, "Organization")
        equal(owner.get_user(ORG).id, who.org.id)
        true(ORG in [o.login for o in owner.get_user().get_orgs()])
    with check("a wrong token is a BadCredentialsException"):
        try:
            connect("ghp_wrong").get_user().login
        except BadCredentialsException as error:
            equal(error.data["message"], "Bad credentials")
        else:
            raise AssertionError("accepted")
    with check("rate limits are read"):
        true(owner.get_rate_limit().rate.limit > 0)


def org_members(who):
    with check("members of the organization are listed, counted and asked for"):
        people = logins(who.org.get_members())
        equal(len(people), len(set(people)))
        equal(who.org.get_members().totalCount, len(people))
        true(who.member.login.lower() in people)
        true(who.org.has_in_members(who.member))
        equal(who.org.has_in_members(who.outsider), False)
        admins = logins(who.org.get_members(role="admin"))
        true(who.me.login.lower() in admins and who.member.login.lower() not in admins)
    with check("membership of the organization shows role and state"):
        mine = owner.get_user().get_organization_membership(ORG)
        equal((mine.role, mine.state, mine.organization.login), ("admin", "active", ORG))
        equal(who.member.get_organization_membership(ORG).role, "member")


def one_team(who):
    team = create(who.org, "First Team", description="first", maintainers=[who.member.login])
    with check("a new team has the defaults and its creator as maintainer"):
        equal((team.name, team.slug), (f"{RUN} First Team", f"{RUN}-first-team"))
        equal((team.description, team.privacy, team.permission), ("first", "secret", "pull"))
        equal((team.parent, team.members_count, team.repos_count), (None, 2, 0))
        equal(team.organization.login, ORG)
        equal(team.get_team_membership(who.me).role, "maintainer")
        equal(team.get_team_membership(who.member.login).role, "maintainer")
    with check("its address is the identifier form, below the base"):
        equal(team.url, f"{BASE}/organizations/{who.org.id}/team/{team.id}")
    with check("it is the same by slug, by number and in the list"):
        equal(who.org.get_team_by_slug(team.slug).id, team.id)
        equal(who.org.get_team(team.id).slug, team.slug)
        equal([t.url for t in who.org.get_teams() if t.id == team.id], [team.url])
    with check("edit changes what is named and nothing else"):
        team.edit(team.name, description="second", permission="push", privacy="closed")
        again = who.org.get_team(team.id)
        equal((again.description, again.permission, again.privacy), ("second", "push", "closed"))
        team.edit(team.name)
        equal(who.org.get_team(team.id).description, "second")
    with check("a deleted team is an UnknownObjectException"):
        delete(team)
        try:
            who.org.get_team_by_slug(team.slug)
        except UnknownObjectException as error:
            equal(error.data["message"], "Not Found")
        else:
            raise AssertionError("still there")


def errors(who):
    team = create(who.org, "taken", privacy="closed")
    with check("a name that is taken is refused with the recorded error"):
        body = refused(422, who.org.create_team, team.name)
        equal(body["message"], "Validation Failed")
        found = {key: body["errors"][0][key] for key in ("resource", "code", "field", "message")}
        equal(found, {"resource": "Team", "code": "unprocessable", "field": "data",
                      "message": "Name must be unique for this org"})
    with check("blank names, unknown maintainers and unknown parents are refused"):
        refused(422, who.org.create_team, "  ")
        body = refused(422, who.org.create_team, f"{RUN} x", maintainers=["nobody-of-that-name"])
        equal(body["errors"][0]["message"], "Invalid maintainers were specified.")
        refused(422, who.org.create_team, f"{RUN} x", parent_team_id=2**40)
        refused(422, team.edit, team.name, parent_team_id=team.id)
        refused(404, who.org.get_team_by_slug, f"{RUN}-x")
    delete(team)


def nesting(who):
    parent = create(who.org, "parent", privacy="closed")
    child = create(who.org, "child", parent_team_id=parent.id)
    with check("a child is closed and below its parent"):
        equal((child.privacy, child.parent.id), ("closed", parent.id))
        equal([t.id for t in parent.get_teams()], [child.id])
    with check("nested teams cannot become secret, nor parents of themselves"):
        refused(422, child.edit, child.name, privacy="secret")
        refused(422, parent.edit, parent.name, privacy="secret")
        refused(422, parent.edit, parent.name, parent_team_id=child.id)
    with check("members of the child are in the parent's list"):
        child.add_membership(who.member, "maintainer")
        equal(logins(parent.get_members()), logins([who.me, who.member]))
        equal(logins(parent.get_members(role="member")), logins([who.member]))
        equal(parent.get_team_membership(who.member).role, "member")
        true(parent.has_in_members(who.member))
        equal(who.org.get_team(parent.id).members_count, 1)
    with check("removing from the parent who is only in the child changes nothing"):
        parent.remove_membership(who.member)
        true(child.has_in_members(who.member))
    with check("None as parent detaches, nothing as parent does not"):
        child.edit(child.name, description="kept")
        equal(child.parent.id, parent.id)
        child.edit(child.name, parent_team_id=None)
        equal(who.org.get_team(child.id).parent, None)
        equal(list(parent.get_teams()), [])
        equal(parent.has_in_members(who.member), False)
        child.edit(child.name, parent_team_id=parent.id)
        equal(who.org.get_team(child.id).parent.slug, parent.slug)
    with check("deleting the parent deletes the child"):
        delete(parent)
        made.pop(child.id)
        refused(404, who.org.get_team, child.id)


def renaming(who):
    team = create(who.org, "old name", privacy="closed")
    old = team.slug
    team.edit(f"{RUN} new name")
    with check("the slug follows the name and the address stays"):
        equal(team.slug, f"{RUN}-new-name")
        equal(who.org.get_team_by_slug(team.slug).url, team.url)
    with check("the old slug is redirected to the address"):
        status, headers, _ = owner.requester.requestJson("GET", f"/orgs/{ORG}/teams/{old}")
        equal((status, headers["location"]), (302, team.url))
        _, data = owner.requester.requestJsonAndCheck("GET", f"/orgs/{ORG}/teams/{old}", follow_302_redirect=True)
        equal(data["id"], team.id)
    with check("nothing is changed by the old slug"):
        refused(404, owner.requester.requestJsonAndCheck, "DELETE", f"/orgs/{ORG}/teams/{old}")
        equal(who.org.get_team(team.id).name, f"{RUN} new name")
    delete(team)


def fill_and_empty(who):
    team = create(who.org, "filled", privacy="closed")
    people = {p.login: p for p in [who.me, who.member, *list(who.org.get_members())[:40]]}
    with check("a team is filled and its pages and total agree"):
        for person in people.values():
            team.add_membership(person)
        wanted = logins(people.values())
        equal(logins(team.get_members()), wanted)
        equal(team.get_members().totalCount, len(wanted))
        equal([p.id for p in team.get_members()][::-1], [p.id for p in team.get_members().reversed])
        roles = [team.get_members(role=role).totalCount for role in ("maintainer", "member")]
        equal(sum(roles), len(wanted))
    with check("the older calls add, ask and remove"):
        team.remove_membership(who.member)
        equal(team.has_in_members(who.member), False)
        team.add_to_members(who.member)
        true(team.has_in_members(who.member))
        team.remove_from_members(who.member)
        equal(team.has_in_members(who.member), False)
        equal(refused(422, team.add_to_members, who.outsider)["errors"][0]["code"], "unaffiliated")
    with check("a team is emptied"):
        for person in list(team.get_members()):
            team.remove_membership(person)
        equal(list(team.get_members()), [])
        equal(who.org.get_team(team.id).members_count, 0)
        refused(404, team.get_team_membership, who.me)
    delete(team)


def pages(who):
    parent = create(who.org, "pages", privacy="closed")
    before = who.org.get_teams().totalCount
    with check("more than 100 child teams are created and listed in order"):
        wanted = [who.org.create_team(f"{RUN} page {n}", parent_team_id=parent.id).id for n in range(100, 205)]
        children = parent.get_teams()
        equal([t.id for t in children], wanted)
        equal((children.totalCount, children[104].id), (105, wanted[104]))
        equal([t.id for t in children.reversed], wanted[::-1])
        equal([t.id for t in children.get_page(3)], wanted[90:])
        equal(list(children.get_page(4)), [])
    with check("the organization's list grows and shrinks with them"):
        equal(len(list(who.org.get_teams())), before + 105)
        delete(parent)
        equal(who.org.get_teams().totalCount, before - 1)


def privacy(who):
    secret = create(who.org, "hidden", privacy="secret")
    closed = create(who.org, "open door", privacy="closed")
    seen = member.get_organization(ORG)
    with check("a member sees closed teams and no secret one"):
        ids = [t.id for t in seen.get_teams()]
        true(closed.id in ids and secret.id not in ids)
        refused(404, seen.get_team, secret.id)
        refused(404, seen.get_team_by_slug, secret.slug)
    with check("a member of the secret team sees it and may not change it"):
        secret.add_membership(who.member)
        mine = seen.get_team(secret.id)
        true(secret.id in [t.id for t in member.get_user().get_teams()])
        equal([t.organization.login for t in member.get_user().get_teams() if t.id == secret.id], [ORG])
        refused(403, mine.edit, mine.name, description="no")
        refused(403, mine.delete)
    with check("a maintainer may change it and brings in nobody new"):
        secret.add_membership(who.member, "maintainer")
        mine.edit(mine.name, description="mine")
        equal(who.org.get_team(secret.id).description, "mine")
        equal(refused(422, mine.add_membership, who.outsider)["errors"][0]["code"], "no_permission")
    with check("who was removed sees it no more"):
        secret.remove_membership(who.member)
        refused(404, seen.get_team, secret.id)
        equal([t.id for t in member.get_user().get_teams() if t.id == secret.id], [])
    delete(secret)
    delete(closed)


def inviting(who):
    team = create(who.org, "inviting", privacy="closed")
    with check("an outsider whom an owner adds is pending"):
        team.add_membership(who.outsider, "maintainer")
        pending = team.get_team_membership(who.outsider)
        equal((pending.state, pending.role), ("pending", "maintainer"))
        equal(team.has_in_members(who.outsider), False)
        equal(who.outsider.get_organization_membership(ORG).state, "pending")
    with check("the pending membership and the invitation can be taken back"):
        team.remove_membership(who.outsider)
        refused(404, team.get_team_membership, who.outsider)
        who.org.remove_from_membership(who.outsider)
        refused(404, who.outsider.get_organization_membership, ORG)
    delete(team)


def main():
    warnings.simplefilter("ignore", DeprecationWarning)
    try:
        who = People()
        for part in (start_calls, org_members, one_team, errors, nesting, renaming,
                     fill_and_empty, pages, privacy, inviting, repositories, people_of_repositories, projects, discussions,
                     invitations):
            try:
                part(who)
            except Exception:
                fail(f"{part.__name__} broke off")
    except Exception:
        fail("the first calls")
    for team in list(made.values()):
        try:
            team.delete()
        except GithubException:
            pass
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return 0 if counts["failed"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
