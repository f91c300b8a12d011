"""The organization that is measured, always the same: of 10,000 teams, 100,000 people and 500,000 memberships, or of another
size."""
import json
import pathlib
import random
import subprocess
import sys

from measure import Failed, fetch

ORG = "synthetic-org"
PEOPLE, MEMBERSHIPS = 100_000, 6.25
READERS = 2000
# A second organization, whose members are the first people of the other.
OTHER_ORG = "other-org"
OTHER_TEAMS = [f"team-{number}" for number in range(200)]
OTHER_PEOPLE = 2000


def shape(people, memberships):
    """What the generator is told: ten people to a team, and so many memberships for each who has any."""
    return ["--users", str(people), "--teams", str(people // 10), "--depth", "6", "--memberships", str(memberships),
            "--repos", str(people // 5), "--grants", str(people * 2 // 5), "--org", ORG, "--seed", "1"]


class Facts:
    """Who and what is in the file, by name; what the server calls it comes from `ask`."""

    def __init__(self, generator, folder, people=PEOPLE, memberships=MEMBERSHIPS):
        self.file = pathlib.Path(folder, "synthetic.yaml")
        flat, asked = pathlib.Path(folder, "synthetic.ndjson"), shape(people, memberships)
        for form, out in (("yaml", self.file), ("ndjson", flat)):
            subprocess.run([sys.executable, generator, *asked, "--format", form, "--out", str(out)], check=True)
        self.roles, self.teams, self.members, self.grants = {}, {}, {}, {}
        with open(flat, encoding="utf-8") as lines:
            for line in lines:
                self._take(json.loads(line))
        self.slugs = {}

    def _take(self, row):
        if row["t"] == "member":
            self.roles[row["login"]] = row["role"]
        elif row["t"] == "team":
            self.teams[row["key"]] = row
            self.members[row["key"]] = set()
            self.grants[row["key"]] = set()
        elif row["t"] == "team_member":
            self.members[row["team"]].add(row["login"])
        elif row["t"] == "team_repo":
            self.grants[row["team"]].add(row["repo"])

    @property
    def owner(self):
        return next(login for login, role in self.roles.items() if role == "admin")

    def write_other_org(self, folder):
        """The second organization as a file to import, and the list of its members."""
        people = [login for login, role in self.roles.items() if role == "member"][:OTHER_PEOPLE]
        pathlib.Path(folder, "other-people.list").write_text("".join(f"{login}\n" for login in people), encoding="utf-8")
        org = {"admins": [self.owner], "members": people, "teams": {name: {"privacy": "closed"} for name in OTHER_TEAMS}}
        file = pathlib.Path(folder, "other.yaml")
        file.write_text(json.dumps({"orgs": {OTHER_ORG: org}}), encoding="utf-8")
        return str(file)

    def readers(self):
        """Ordinary members, chosen at random."""
        members = [login for login, role in self.roles.items() if role == "member"]
        return random.Random(1).sample(members, min(READERS, len(members)))

    def in_three_secret_teams(self):
        """Ordinary members who are in exactly three secret teams."""
        count = {}
        for key, team in self.teams.items():
            if team["privacy"] == "secret":
                for login in self.members[key]:
                    count[login] = count.get(login, 0) + 1
        found = [login for login, n in count.items() if n == 3 and self.roles[login] == "member"]
        if not found:
            raise Failed("nobody in the synthetic organization is in exactly three secret teams")
        return found[:50]

    def merged(self):
        """The people of each parent and of the teams below it, by its key."""
        children, merged = {}, {}
        for key, team in self.teams.items():
            children.setdefault(team["parent"], []).append(key)

        def gather(key):
            people = set(self.members[key])
            for child in children.get(key, []):
                people |= gather(child)
            merged[key] = people
            return people

        for root in children[None]:
            gather(root)
        return {key: people for key, people in merged.items() if key in children}

    def parent_of_about(self, count):
        """The name of a parent with about so many merged members."""
        merged = self.merged()
        return self.teams[min(merged, key=lambda key: abs(len(merged[key]) - count))]["name"]

    def largest_parent(self):
        """The slug of a parent with very many merged members whose last page is well filled, and their number."""
        merged = self.merged()
        largest = sorted(merged, key=lambda key: -len(merged[key]))[:20]
        best = max(largest, key=lambda key: (len(merged[key]) - 1) % 100)
        return self.slugs[self.teams[best]["name"]], len(merged[best])

    def inherited(self, levels):
        """Closed teams by slug, each with a repository that only the team so many levels above it is granted."""
        found = []
        for key, team in self.teams.items():
            line = [key]
            while len(line) <= levels and self.teams[line[-1]]["parent"]:
                line.append(self.teams[line[-1]]["parent"])
            if len(line) > levels and team["privacy"] == "closed":
                nearer = set().union(*(self.grants[near] for near in line[:-1]))
                found += [(self.slugs[team["name"]], repo) for repo in sorted(self.grants[line[-1]] - nearer)]
        return found

    def ask(self, port, token):
        """Learn the slugs from the server."""
        page = 1
        while True:
            status, _, body = fetch(port, f"/orgs/{ORG}/teams?per_page=100&page={page}", token)
            if status != 200:
                raise Failed(f"listing the teams of {ORG} gave {status}: {body[:300]!r}")
            teams = json.loads(body)
            if not teams:
                break
            self.slugs.update((team["name"], team["slug"]) for team in teams)
            page += 1
        if len(self.slugs) != len(self.teams):
            raise Failed(f"the server lists {len(self.slugs)} teams, the file has {len(self.teams)}")

    def closed_slugs(self):
        return [self.slugs[team["name"]] for team in self.teams.values() if team["privacy"] == "closed"]

    def totals(self):
        return {"teams": len(self.teams), "people": len(self.roles),
                "memberships": sum(map(len, self.members.values()))}
