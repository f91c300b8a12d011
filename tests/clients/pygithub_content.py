"""What a team works with, through PyGithub: repositories, projects, discussions and invitations."""
from pygithub_session import ORG, RUN, check, create, delete, equal, member, owner, refused, true


def levels(permissions):
    return [name for name in ("pull", "triage", "push", "maintain", "admin") if getattr(permissions, name)]


def repositories(who):
    parent = create(who.org, "repo parent", privacy="closed", permission="push")
    child = create(who.org, "repo child", parent_team_id=parent.id)
    repo = who.org.create_repo(RUN, private=True)
    with check("a repository is granted at the default level, and children inherit it"):
        equal((repo.full_name, repo.private, parent.has_in_repos(repo)), (f"{ORG}/{RUN}", True, False))
        equal(parent.get_repo_permission(repo), None)
        parent.add_to_repos(repo)
        true(parent.has_in_repos(repo) and child.has_in_repos(repo))
        equal(levels(child.get_repo_permission(repo)), ["pull", "triage", "push"])
        equal([(r.id, r.permissions.push, r.permissions.admin) for r in child.get_repos()], [(repo.id, True, False)])
    with check("the higher of own and inherited holds"):
        true(child.update_team_repository(repo, "triage"))
        equal(levels(child.get_repo_permission(repo)), ["pull", "triage", "push"])
        true(child.update_team_repository(repo, "maintain"))
        equal(levels(child.get_repo_permission(repo)), ["pull", "triage", "push", "maintain"])
        equal(child.update_team_repository(repo, "write"), False)
    with check("repo_names grants at once"):
        team = create(who.org, "with repo", repo_names=[repo], permission="admin")
        equal((team.repos_count, levels(team.get_repo_permission(repo))[-1]), (1, "admin"))
        delete(team)
    with check("a fork belongs to whoever asked for it, and may be granted"):
        fork = owner.get_user().create_fork(repo)
        equal((fork.fork, fork.parent.id, fork.owner.login), (True, repo.id, who.me.login))
        child.add_to_repos(fork)
        true(child.has_in_repos(fork))
        fork.delete()
    with check("removing leaves what is inherited"):
        child.remove_from_repos(repo)
        equal(levels(child.get_repo_permission(repo))[-1], "push")
        parent.remove_from_repos(repo)
        equal(child.has_in_repos(repo), False)
    repo.delete()
    delete(parent)


def people_of_repositories(who):
    team = create(who.org, "repo people", privacy="closed")
    repo = who.org.create_repo(f"{RUN}-people", private=True)
    with check("a person is given a level, listed and let go"):
        equal(repo.has_in_collaborators(who.outsider), False)
        repo.add_to_collaborators(who.outsider, permission="push")
        true(repo.has_in_collaborators(who.outsider))
        equal((repo.get_collaborator_permission(who.outsider), repo.get_collaborator_role_name(who.outsider)),
              ("write", "write"))
        equal([p.login for p in repo.get_collaborators(affiliation="outside")], [who.outsider.login])
        true(who.outsider.login in [p.login for p in who.org.get_outside_collaborators()])
        repo.remove_from_collaborators(who.outsider)
        equal(repo.has_in_collaborators(who.outsider), False)
    with check("a repository lists its teams with their level on it"):
        team.update_team_repository(repo, "triage")
        equal([(t.id, t.permission, levels(t.permissions)[-1]) for t in repo.get_teams()], [(team.id, "triage", "triage")])
    repo.delete()
    delete(team)


def projects(who):
    """PyGithub knows projects, but not those of teams."""
    team = create(who.org, "projects", privacy="closed")
    project = who.org.create_project(RUN, body="plan")
    path = f"{team.url}/projects/{project.id}"
    ask = team.requester.requestJsonAndCheck
    with check("a project is created, listed and changed"):
        equal((project.name, project.body, project.state, project.private), (RUN, "plan", "open", True))
        equal(project.creator.login, who.me.login)
        equal([p.id for p in who.org.get_projects() if p.name == RUN], [project.id])
        project.edit(name=RUN, body="changed", organization_permission="write")
        equal((project.body, project.organization_permission), ("changed", "write"))
    with check("a project is granted, checked and taken away"):
        refused(404, ask, "GET", path)
        ask("PUT", path, input={"permission": "write"})
        equal(ask("GET", path)[1]["permissions"], {"read": True, "write": True, "admin": False})
        equal([p["id"] for p in ask("GET", f"{team.url}/projects")[1]], [project.id])
        ask("DELETE", path)
        refused(404, ask, "GET", path)
    project.delete()
    delete(team)


def discussions(who):
    """PyGithub lists discussions and creates none."""
    team = create(who.org, "board", privacy="closed")
    path = f"{team.url}/discussions"
    with check("discussions are listed, newest first"):
        for title, private in (("one", False), ("two", True)):
            asked = {"title": title, "body": f"**{title}**", "private": private}
            team.requester.requestJsonAndCheck("POST", path, input=asked)
        found = list(team.get_discussions())
        equal([(d.number, d.title, d.private, d.comments_count) for d in found],
              [(2, "two", True, 0), (1, "one", False, 0)])
        equal((found[1].body_html, found[1].author.login), ("<p><strong>one</strong></p>", who.me.login))
        equal(found[1].url, f"{path}/1")
    with check("a private one is not for somebody outside the team"):
        seen = member.get_organization(ORG).get_team(team.id)
        equal([d.number for d in seen.get_discussions()], [1])
    delete(team)


def invitations(who):
    team = create(who.org, "invitations", privacy="closed")
    address = f"{RUN}@example.com"
    with check("people and addresses are invited to a team, listed and taken back"):
        who.org.invite_user(email=address, teams=[team])
        who.org.invite_user(user=who.outsider, role="admin", teams=[team])
        found = list(team.invitations())
        equal([(i.email, i.role, i.team_count) for i in found], [(address, "direct_member", 1), (None, "admin", 1)])
        equal(found[1].login.lower(), who.outsider.login.lower())
        true({i.id for i in found} <= {i.id for i in who.org.invitations()})
        for invitation in found:
            true(who.org.cancel_invitation(invitation))
        equal(list(team.invitations()), [])
    with check("only owners invite"):
        refused(403, member.get_organization(ORG).invite_user, email=address)
    delete(team)
