"""An unmodified gidgethub, with aiohttp, works through the story of teams. Reads the variables of world.py.

gidgethub has no methods for operations: it takes paths, follows pages, and keeps responses for conditional requests.
"""
import asyncio
import os

import aiohttp
import gidgethub
from gidgethub.aiohttp import GitHubAPI

from parts import BASE, MEMBER, ORG, OUTSIDER, equal, run

TEAMS = f"/orgs/{ORG}/teams"


def part(work):
    """A part that runs with a connected owner, a member and an outsider."""
    def runs():
        async def connected():
            async with aiohttp.ClientSession() as session:
                tokens = (os.environ[f"GUILDHALL_{who}"] for who in ("TOKEN", "MEMBER_TOKEN", "OUTSIDER_TOKEN"))
                await work(*(GitHubAPI(session, "story", oauth_token=token, base_url=BASE, cache={}) for token in tokens))
        asyncio.run(connected())
    runs.__name__ = work.__name__
    return runs


async def refused(error, awaitable, status=None):
    try:
        await awaitable
    except error as refusal:
        equal(refusal.status_code, status or refusal.status_code)
        return refusal
    raise AssertionError(f"accepted, wanted {error}")


async def collect(pages, field="slug"):
    return [item[field] async for item in pages]


async def closed(gh, name, **more):
    return await gh.post(TEAMS, data={"name": name, "privacy": "closed", **more})


@part
async def start(gh, *_):
    equal((await gh.getitem("/user"))["login"], "olivia")
    equal((await gh.getitem("/orgs/{org}", {"org": ORG}))["login"], ORG)
    equal(sorted(await collect(gh.getiter(f"/orgs/{ORG}/members"), "login")), ["eve", "max", "olivia", "zoe"])
    equal(gh.rate_limit.limit > 0, True)


@part
async def teams(gh, *_):
    await gh.post(f"/orgs/{ORG}/repos", data={"name": "site", "private": True})
    team = await closed(gh, "Core Team", maintainers=[MEMBER], repo_names=[f"{ORG}/site"])
    equal((team["slug"], team["members_count"], team["repos_count"]), ("core-team", 2, 1))
    changed = await gh.patch(f"{TEAMS}/core-team", data={"name": "Core Team", "description": "second"})
    equal((await gh.getitem(team["url"]))["description"], changed["description"])
    equal(await collect(gh.getiter(TEAMS)), ["core-team"])
    equal(await collect(gh.getiter("/user/teams")), ["core-team"])
    await gh.delete(team["url"])
    await refused(gidgethub.BadRequest, gh.getitem(team["url"]))


@part
async def nesting(gh, *_):
    parent = await closed(gh, "Parent")
    child = await closed(gh, "Child", parent_team_id=parent["id"])
    equal(await collect(gh.getiter(f"{TEAMS}/parent/teams")), ["child"])
    detached = await gh.patch(child["url"], data={"name": "Child", "parent_team_id": None})
    equal(detached["parent"], None)
    await gh.delete(parent["url"])
    await gh.delete(child["url"])


@part
async def renaming(gh, *_):
    team = await closed(gh, "Before")
    equal((await gh.patch(team["url"], data={"name": "After"}))["slug"], "after")
    await gh.delete(f"{TEAMS}/after")


@part
async def privacy(gh, member, _):
    hidden = await gh.post(TEAMS, data={"name": "Hidden"})
    await refused(gidgethub.BadRequest, member.getitem(f"{TEAMS}/hidden"))
    await gh.patch(hidden["url"], data={"name": "Hidden", "privacy": "closed"})
    equal((await member.getitem(f"{TEAMS}/hidden"))["privacy"], "closed")
    await gh.delete(hidden["url"])


@part
async def memberships(gh, *_):
    team = await closed(gh, "People")
    one = f"{TEAMS}/people/memberships/{MEMBER}"
    equal((await gh.put(one, data={"role": "maintainer"}))["role"], "maintainer")
    equal((await gh.getitem(one))["state"], "active")
    equal(await collect(gh.getiter(f"{TEAMS}/people/members?role=maintainer"), "login"), ["olivia", "max"])
    await gh.delete(one)
    await refused(gidgethub.BadRequest, gh.getitem(one))
    await gh.delete(team["url"])


@part
async def invitations(gh, _, outsider):
    team = await closed(gh, "Welcome")
    one = f"{TEAMS}/welcome/memberships/{OUTSIDER}"
    equal((await gh.put(one))["state"], "pending")
    equal(await collect(gh.getiter(f"{TEAMS}/welcome/invitations"), "login"), [OUTSIDER])
    await outsider.patch(f"/user/memberships/orgs/{ORG}", data={"state": "active"})
    equal((await gh.getitem(one))["state"], "active")
    await gh.delete(f"/orgs/{ORG}/memberships/{OUTSIDER}")
    await gh.delete(team["url"])


@part
async def repositories(gh, *_):
    team = await closed(gh, "Owners")
    await gh.post(f"/orgs/{ORG}/repos", data={"name": "engine", "private": True})
    one = f"{TEAMS}/owners/repos/{ORG}/engine"
    await gh.put(one, data={"permission": "maintain"})
    found = await gh.getitem(one, accept="application/vnd.github.v3.repository+json")
    equal(found["role_name"], "maintain")
    equal(await collect(gh.getiter(f"{TEAMS}/owners/repos"), "name"), ["engine"])
    await gh.delete(one)
    await gh.delete(f"/repos/{ORG}/engine")
    await gh.delete(team["url"])


@part
async def projects(gh, *_):
    team = await closed(gh, "Planners")
    project = await gh.post(f"/orgs/{ORG}/projects", data={"name": "Plan"})
    one = f"{TEAMS}/planners/projects/{project['id']}"
    await gh.put(one, data={"permission": "write"})
    equal((await gh.getitem(one))["permissions"]["write"], True)
    equal(await collect(gh.getiter(f"{TEAMS}/planners/projects"), "name"), ["Plan"])
    await gh.delete(one)
    await gh.delete(f"/projects/{project['id']}")
    await gh.delete(team["url"])


@part
async def discussions(gh, *_):
    team = await closed(gh, "Board")
    post = await gh.post(f"{TEAMS}/board/discussions", data={"title": "Hello", "body": "**All**"})
    comment = await gh.post(post["comments_url"], data={"body": "Welcome"})
    equal((await gh.patch(post["url"], data={"title": "Hi"}))["title"], "Hi")
    equal((await gh.patch(comment["url"], data={"body": "Thanks"}))["body"], "Thanks")
    equal((await gh.getitem(comment["url"]))["body"], "Thanks")
    equal((await gh.getitem(post["url"]))["comments_count"], 1)
    equal(await collect(gh.getiter(f"{TEAMS}/board/discussions"), "title"), ["Hi"])
    equal(await collect(gh.getiter(post["comments_url"]), "body"), ["Thanks"])
    await gh.delete(comment["url"])
    await gh.delete(post["url"])
    await gh.delete(team["url"])


@part
async def pages(gh, *_):
    for number in range(1, 6):
        await closed(gh, f"Page {number}")
    found = await collect(gh.getiter(f"{TEAMS}?per_page=2"))
    equal(found, [f"page-{number}" for number in range(1, 6)])
    for slug in found:
        await gh.delete(f"{TEAMS}/{slug}")


@part
async def conditional(gh, *_):
    """The second request is answered with 304 and read from the cache."""
    team = await closed(gh, "Tagged")
    equal(await gh.getitem(team["url"]), await gh.getitem(team["url"]))
    await gh.patch(team["url"], data={"name": "Tagged", "description": "changed"})
    equal((await gh.getitem(team["url"]))["description"], "changed")
    await gh.delete(team["url"])


@part
async def errors(gh, member, _):
    team = await closed(gh, "Taken")
    await refused(gidgethub.BadRequest, gh.getitem("/user", oauth_token="wrong"), 401)
    await refused(gidgethub.BadRequest, member.delete(team["url"]), 403)
    await refused(gidgethub.BadRequest, gh.getitem(f"{TEAMS}/nowhere"), 404)
    refusal = await refused(gidgethub.ValidationError, gh.post(TEAMS, data={"name": "taken"}))
    equal(refusal.errors[0]["message"], "Name must be unique for this org")
    await gh.delete(team["url"])


@part
async def groups(gh, *_):
    team = await closed(gh, "Followers")
    one, mappings = f"{TEAMS}/followers/memberships/{MEMBER}", f"{TEAMS}/followers/team-sync/group-mappings"
    found = await gh.getitem(f"/orgs/{ORG}/team-sync/groups")
    equal((await gh.patch(mappings, data=found))["groups"][0]["group_name"], "Platform")
    refusal = await refused(gidgethub.BadRequest, gh.put(one), 403)
    equal("managed by the organization's identity provider" in str(refusal), True)
    await gh.patch(mappings, data={"groups": []})
    equal((await gh.put(one))["state"], "active")
    await gh.delete(team["url"])


@part
async def limits(gh, member, _):
    """Of a member who creates nothing else. The library's own error is for the primary limit only."""
    team = await closed(gh, "Busy")

    async def post():
        for _ in range(100):
            await member.post(f"{TEAMS}/busy/discussions", data={"title": "Hello", "body": "All"})

    refusal = await refused(gidgethub.BadRequest, post(), 403)
    equal("secondary rate limit" in str(refusal), True)
    equal(0 < int(refusal.headers["Retry-After"]) <= 60, True)
    await gh.delete(team["url"])


@part
async def graphql(gh, *_):
    team = await closed(gh, "Graph")
    found = await gh.graphql("query($org: String!) { organization(login: $org) { teams(first: 5) { nodes { slug } } } }",
                             endpoint=GRAPHQL, org=ORG)
    equal(found["organization"]["teams"]["nodes"], [{"slug": "graph"}])
    await gh.delete(team["url"])


GRAPHQL = f"{BASE.removesuffix('/v3')}/graphql"

run(start, teams, nesting, renaming, privacy, memberships, invitations, repositories, projects, discussions, pages,
    conditional, errors, groups, limits, graphql)
