"""What grows with the organization, on SQLite: import, start, first requests, warm requests, memory, file, rows read."""
import dataclasses
import pathlib
import random
import statistics
import tempfile
import time

import scenarios
from builds import Build, Tokens
from loads import Load, measure_once, send, spent
from measure import GUILDHALL, LOG, RELEASE, Failed, Server, fetch, resident_megabytes
from synthetic import ORG, Facts

PEOPLE = [1_000, 10_000, 100_000, 1_000_000]
# For each person who is in a team, as in the example of the generator with a million people.
MEMBERSHIPS = 3
STARTS = 3
# In a round; so few that most of them are new in an organization of 1,000 people too.
PUTS = 2_000
READY = "/readyz"


@dataclasses.dataclass
class Asked:
    """The scenarios, whose first request is also the one that is sent after a start."""

    team: scenarios.Scenario
    list: scenarios.Scenario
    merged: scenarios.Scenario
    put: scenarios.Scenario

    @classmethod
    def of(cls, facts, port, tokens, folder):
        dice = random.Random(2)
        lists = [(f"/orgs/{ORG}/teams", token, "") for token in scenarios.few(tokens)]
        return cls(scenarios.team_reads(facts, port, tokens, dice)[0], scenarios.Scenario("list of 30 teams", lists, None),
                   scenarios.member_lists(facts, tokens)[0], scenarios.writes(facts, tokens, folder, dice)[1])


def measure(generator, options, folder):
    """What was measured of each size, smallest first."""
    found = []
    for people in sorted(options.growth or PEOPLE):
        with tempfile.TemporaryDirectory(dir=folder) as part:
            found.append(measure_size(generator, people, options, part))
        print(f"  {people:,} people: {found[-1]}", flush=True)
    return found


def measure_size(generator, people, options, folder):
    """All that is measured of an organization of so many people, by name."""
    facts = Facts(generator, folder, people, MEMBERSHIPS)
    build = Build(GUILDHALL, str(pathlib.Path(folder, "build")), None)
    build.load(facts, LOG)
    found = {**facts.totals(), "import": build.import_seconds * 1000, "import cpu": build.import_cpu * 1000,
             "file": file_megabytes(build)}
    build.tokens = Tokens(build.program, facts, build.where)
    build.server = build.server_on(None, READY)
    try:
        build.server.start()
        facts.ask(build.server.port, build.tokens.owner)
        asked = Asked.of(facts, build.server.port, build.tokens, build.folder)
        found.update(after_starts(build.server, asked))
        found.update(rows_read(build, asked))
        found.update(warm(build, asked, options))
    finally:
        build.server.stop()
    return found


def file_megabytes(build):
    """The database with its log."""
    files = pathlib.Path(build.file()).parent.glob("guildhall.db*")
    return sum(file.stat().st_size for file in files) / 2**20


def after_starts(server, asked):
    """Milliseconds of a start and of the first request after it, as medians."""
    starts, first = [], {}
    for name, scenario in (("list", asked.list), ("merged", asked.merged)):
        took = []
        for _ in range(STARTS):
            starts.append(server.restart() * 1000)
            took.append(first_request(server, scenario))
        first[f"first {name}"] = statistics.median(took)
    return {"start": statistics.median(starts), **first}


def first_request(server, scenario):
    """Sends the first request of the scenario; the milliseconds until the end of the response."""
    path, token, _ = scenario.lines[0]
    begin = time.monotonic()
    status, _, body = fetch(server.port, path, token)
    took = time.monotonic() - begin
    if status != 200:
        raise Failed(f"{path} gave {status}: {body[:300]!r}")
    return took * 1000


def rows_read(build, asked):
    """Rows that statements return from a start to the end of the first request: no number here depends on the clock."""
    build.server.stop()
    file, rows = pathlib.Path(build.folder, "rows"), {}
    command = [str(RELEASE / "examples" / "rows_read"), build.place(), "{address}", str(file)]
    for name, scenario in (("list", asked.list), ("merged", asked.merged)):
        server = Server(command, LOG, READY)
        try:
            server.start()
            first_request(server, scenario)
        finally:
            server.stop()
        rows[f"rows of first {name}"], rows[f"statements of first {name}"] = map(int, file.read_text().split())
    return rows


def warm(build, asked, options):
    """Requests of a server that has everything loaded, and the memory that it holds before and after them."""
    server, found = build.server, {}
    server.restart()
    time.sleep(2)
    found["idle memory"] = resident_megabytes(server.process.pid)
    for name in ("team", "list", "merged"):
        scenario = getattr(asked, name)
        arguments = scenario.arguments("", scenario.write(build.folder))
        # What it loads may take longer than a round.
        first_request(server, scenario)
        measure_once(server, scenario, arguments, 1, None)
        load = Load.median([measure_once(server, scenario, arguments, options.seconds, None) for _ in range(options.rounds)])
        found[f"{name} cpu"], found[f"{name} rate"] = load.cpu, load.rate
    found["loaded memory"] = resident_megabytes(server.process.pid)
    send(server.port, 64, PUTS // 4, asked.put, build.folder)
    cpu, rate = zip(*(puts(build, asked.put) for _ in range(options.rounds)))
    return {**found, "put cpu": statistics.median(cpu), "put rate": statistics.median(rate)}


def puts(build, scenario):
    """Microseconds of CPU time of a PUT, and PUTs a second."""
    before, _ = spent(build.server, None)
    seconds = send(build.server.port, scenario.clients, PUTS, scenario, build.folder)
    after, _ = spent(build.server, None)
    return (after - before) * 1e6 / PUTS, PUTS / seconds
