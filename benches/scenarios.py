"""What is asked of the server: each scenario is a list of requests, perhaps with the ratio that it has to reach."""
import dataclasses
import json
import pathlib
import random
import statistics

from measure import Failed, fetch
from synthetic import ORG, OTHER_ORG, OTHER_TEAMS


@dataclasses.dataclass
class Scenario:
    """Requests of one kind; a line is (path, token, entity tag)."""

    name: str
    lines: list
    target: float | None
    method: str = "GET"
    clients: int = 64
    cold: bool = False
    people: str = ""
    body: str = ""
    status: int = 200
    writes: bool = True

    @property
    def ratio_of(self):
        """What the ratio is of: processor time of a read, the rate of a write."""
        return "CPU" if self.method == "GET" or not self.writes else "rate"

    def ratio(self, bare, ours):
        """Guildhall's part of what the bare server does."""
        return bare.cpu / ours.cpu if self.ratio_of == "CPU" else ours.rate / bare.rate

    def write(self, folder, name="requests.list"):
        """The list as load.lua reads it; the answer is its file."""
        file = pathlib.Path(folder, name)
        file.write_text("".join("\t".join(line) + "\n" for line in self.lines), encoding="utf-8")
        return str(file)

    def arguments(self, prefix, list_file):
        """What load.lua is told; the bare server gets the size it is to answer with as prefix."""
        order = "once" if self.cold and not prefix else "random"
        return [self.method, prefix, list_file, order, self.body] + ([self.people] if self.people else [])

    def body_size(self, port):
        """The mean length of the answers, each of which has to be the one expected."""
        person, sizes = "", []
        if self.people:
            with open(self.people, encoding="utf-8") as people:
                person = people.readline().strip()
        for path, token, tag in random.Random(1).sample(self.lines, min(40, len(self.lines))):
            status, _, body = fetch(port, path + person, token, self.method, tag, self.body or None)
            if status != (304 if tag else self.status):
                raise Failed(f"{self.name}: {path}{person} gave {status}: {body[:300]!r}")
            sizes.append(len(body))
        return round(statistics.mean(sizes))


def team_reads(facts, port, tokens, dice):
    """Few teams and callers again and again; unchanged since the last time; every team once after a start."""
    slugs, readers = facts.closed_slugs(), list(tokens.readers.values())
    path = f"/orgs/{ORG}/teams/%s"
    warm = [(path % slug, dice.choice(readers), "") for slug in dice.sample(slugs, min(300, len(slugs)))]
    cold = [(path % slug, dice.choice(readers), "") for slug in dice.sample(slugs, len(slugs))]
    unchanged = [(where, token, fetch(port, where, token)[1]["ETag"]) for where, token, _ in warm]
    return [Scenario("team read, warm", warm, 0.60), Scenario("team read, 304", unchanged, 0.80),
            Scenario("team read, cold", cold, 0.45, cold=True)]


def team_lists(facts, tokens, dice):
    """Any page of the organization's teams, by members who see three secret ones among them."""
    pages = len(facts.closed_slugs()) // 30
    lines = [(f"/orgs/{ORG}/teams?page={dice.randint(1, pages)}", token, "")
             for token in tokens.secret.values() for _ in range(20)]
    return [Scenario("list of 30 teams, by members of three secret ones", lines, 0.35)]


def member_lists(facts, tokens):
    """The first, the middle and the last page of a parent's merged members."""
    slug, total = facts.largest_parent()
    last = -(-total // 100)
    found = []
    for name, page in (("first", 1), ("middle", last // 2), ("last", last)):
        path = f"/orgs/{ORG}/teams/{slug}/members?per_page=100&page={page}"
        lines = [(path, token, "") for token in list(tokens.readers.values())[:200]]
        found.append(Scenario(f"100 merged members of {total:,}, {name} page", lines, 0.45))
    return found


def whole_lists(tokens):
    """100 teams, and the last 100 people of the organization, as operations and as GraphQL show them."""
    people = [(f"/orgs/{ORG}/members?per_page=100&page=1000", token, "") for token in few(tokens)]
    teams = [(f"/orgs/{ORG}/teams?per_page=100", token, "") for token in few(tokens)]
    return [Scenario("list of 100 teams", teams, 0.25), Scenario("last 100 people of 100,000", people, 0.25)]


def few(tokens):
    return list(tokens.readers.values())[:200]


# What Terraform sends; `last` is added, to read the end of a list.
MEMBERS = """query($org: String!, $slug: String!, $first: Int, $last: Int) { organization(login: $org) { team(slug: $slug) {
    members(first: $first, last: $last) { edges { node { login } role } pageInfo { endCursor hasNextPage } } } } }"""
TEAMS = """query($org: String!, $first: Int!, $rootTeamsOnly: Boolean!, $summaryOnly: Boolean!) { organization(login: $org) { id
    teams(first: $first, rootTeamsOnly: $rootTeamsOnly) { nodes { id databaseId slug name description privacy
        parentTeam { id slug name } members @skip(if: $summaryOnly) { nodes { login } }
        repositories @skip(if: $summaryOnly) { nodes { name } } } pageInfo { endCursor hasNextPage } } } }"""
PEOPLE = """query($org: String!, $last: Int!) { organization(login: $org) { membersWithRole(last: $last) {
    edges { role node { id login } } pageInfo { startCursor hasPreviousPage } } } }"""


def graphql(facts, tokens):
    """The same lists as the operations show; each reader asks again and again."""
    slug, total = facts.largest_parent()
    asked = [(f"100 merged members of {total:,}, first page", MEMBERS, {"slug": slug, "first": 100}),
             (f"100 merged members of {total:,}, last page", MEMBERS, {"slug": slug, "last": 100}),
             ("list of 100 teams", TEAMS, {"first": 100, "rootTeamsOnly": False, "summaryOnly": True}),
             ("last 100 people of 100,000", PEOPLE, {"last": 100})]
    lines = [("/graphql", token, "") for token in few(tokens)]
    return [Scenario(f"GraphQL, {name}", lines, None, method="POST", writes=False,
                     body=json.dumps({"query": query, "variables": {"org": ORG, **variables}}))
            for name, query, variables in asked]


def repository_checks(facts, tokens, dice):
    """Whether a team has a repository that only the team five levels above it is granted."""
    pairs = dice.sample(facts.inherited(5), 1000)
    lines = [(f"/orgs/{ORG}/teams/{slug}/repos/{ORG}/{repo}", dice.choice(list(tokens.readers.values())), "")
             for slug, repo in pairs]
    return [Scenario("repository check through five levels", lines, 0.25, status=204)]


def discussions(facts, port, tokens, dice, begun):
    """The first page of a team's 40 discussions by its readers, and new ones in any team."""
    slugs = facts.closed_slugs()
    of = f"/orgs/{ORG}/teams/%s/discussions"
    post = json.dumps({"title": "What we ship this week", "body": TEXT})
    for slug in slugs[:20]:
        for _ in range(40):
            status, _, body = fetch(port, of % slug, tokens.owner, "POST", body=post)
            if status != 201:
                raise Failed(f"a discussion of {slug} gave {status}: {body[:300]!r}")
    readers = list(tokens.readers.values())
    lists = [(of % slug, dice.choice(readers), "") for slug in slugs[:20] for _ in range(20)]
    posts = [(of % slug, tokens.owner, "") for slug in begun]
    return [Scenario("list of 30 discussions", lists, 0.25),
            Scenario("durable POST of a discussion, 64 clients", posts, None, method="POST", body=post, status=201)]


def silence(team, port, token):
    """Has a team notify no one: telling thousands of people would go on beside the scenarios that follow. What mail costs is
    measured by itself (`mailing.py`)."""
    name = json.loads(fetch(port, team, token)[2])["name"]
    body = json.dumps({"name": name, "notification_setting": "notifications_disabled"})
    status, _, text = fetch(port, team, token, "PATCH", body=body)
    if status != 200:
        raise Failed(f"{team} gave {status}: {text[:300]!r}")


# What people write: a heading, a list, code, a link.
TEXT = """## This week

We ship the **new importer** on Thursday, see [the plan](https://example.com/plan). Open:

- [ ] errors name the line
- [x] a file of 100,000 people takes seconds

```
guildhall import --data-dir /var/lib/guildhall org.yaml
```
"""


def writes(facts, tokens, folder, dice):
    """A random person is put into a random team; an answer means that it is on the disk."""
    people = pathlib.Path(folder, "people.list")
    people.write_text("".join(f"{login}\n" for login in facts.roles), encoding="utf-8")
    slugs = facts.closed_slugs()
    slugs = dice.sample(slugs, min(5000, len(slugs)))
    lines = [(f"/orgs/{ORG}/teams/{slug}/memberships/", tokens.owner, "") for slug in slugs]
    return [Scenario(f"durable PUT of a membership, {clients} client{'s' * (clients > 1)}", lines, target,
                     method="PUT", clients=clients, people=str(people), body='{"role":"member"}')
            for clients, target in ((1, None), (64, 0.12))]


def elsewhere(token, folder):
    """Memberships that are put in another organization, most of them new."""
    lines = [(f"/orgs/{OTHER_ORG}/teams/{slug}/memberships/", token, "") for slug in OTHER_TEAMS]
    people = str(pathlib.Path(folder, "other-people.list"))
    return Scenario("durable PUT of a membership in another organization", lines, None, method="PUT", people=people,
                    body='{"role":"member"}')


def every(facts, port, tokens, folder):
    """All scenarios, reads before writes."""
    dice = random.Random(2)
    slugs = facts.closed_slugs()
    # The boards that are read, and those that are written to. Entity tags are asked for later.
    begun = dice.sample(slugs[20:], 5000)
    for slug in slugs[:20] + begun:
        silence(f"/orgs/{ORG}/teams/{slug}", port, tokens.owner)
    return [*team_reads(facts, port, tokens, dice), *team_lists(facts, tokens, dice),
            *member_lists(facts, tokens), *whole_lists(tokens), *graphql(facts, tokens), *repository_checks(facts, tokens, dice),
            *discussions(facts, port, tokens, dice, begun), *writes(facts, tokens, folder, dice)]
