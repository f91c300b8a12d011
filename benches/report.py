"""What was measured, as docs/benchmarks.md."""
import dataclasses
import datetime
import os
import platform

import scenarios
import targets
from beside import Beside
from counted import Counted
from delivering import Delivering
from loads import Load
from mailing import Mailing
from measure import run


@dataclasses.dataclass
class Row:
    """A row of the table: what the bare server, Guildhall and perhaps another build of it showed, by medians."""

    scenario: scenarios.Scenario
    size: int
    limit: Load
    load: Load
    other: Load | None = None

    def target(self):
        """What must be reached, and whether it is."""
        scenario = self.scenario
        if scenario.target is None:
            return "-"
        ratio = targets.Target(scenario.name, scenario.ratio(self.limit, self.load), least=scenario.target)
        return f"{scenario.ratio_of} {scenario.target:.2f}: {ratio.verdict()}"

    def cost(self):
        """What a request costs of what it costs with the other build: processor time of a read, time of a write."""
        return self.scenario.ratio(self.load, self.other)


@dataclasses.dataclass
class Result:
    """All that was measured on one engine."""

    rows: list
    build: object
    other: object = None
    one_by_one: float = 0.0
    loop: dict = dataclasses.field(default_factory=dict)
    beside: Beside | None = None
    beside_deliveries: Beside | None = None
    memory_after_writes: tuple = ()
    counted: Counted | None = None
    delivering: Delivering | None = None
    mailing: Mailing | None = None

    def row(self, name):
        """The row of the scenario of this name."""
        return next(row for row in self.rows if row.scenario.name == name)

    def put(self, clients):
        """The row of memberships put by so many clients."""
        return next(row for row in self.rows if row.scenario.method == "PUT" and row.scenario.clients == clients)


def table(result, database):
    """The Markdown table of one engine."""
    head = ["Scenario", "Body", "Bare req/s", "Guildhall req/s", "Rate ratio", "Bare CPU µs", "Guildhall CPU µs",
            "CPU ratio", "p50 ms", "p99 ms"] + (["PostgreSQL CPU µs"] if database else ["Target"])
    head += ["To the other build"] if result.other else []
    lines = [head, ["---"] + ["---:"] * (len(head) - 1)]
    for row in result.rows:
        limit, load = row.limit, row.load
        cells = [row.scenario.name, f"{row.size:,}", f"{limit.rate:,.0f}", f"{load.rate:,.0f}",
                 f"{load.rate / limit.rate:.2f}", f"{limit.cpu:.1f}", f"{load.cpu:.1f}", f"{limit.cpu / load.cpu:.2f}",
                 f"{load.p50:.2f}", f"{load.p99:.2f}", f"{load.database_cpu:.1f}" if database else row.target()]
        lines.append(cells + ([f"{row.cost():.2f}" if row.other else "-"] if result.other else []))
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def section(name, result, database):
    """The part of one engine; targets of scenarios are SQLite's."""
    build = result.build
    lines = [f"## {name}", "", table(result, database), "",
             f"Import: {build.import_seconds:.1f} s. Start to first answer: {build.start_milliseconds:.0f} ms. "
             f"Resident when idle: {build.idle_megabytes:.0f} MB."]
    if result.other:
        lines += ["", to_the_other_build(result.other)]
    if not database:
        lines += ["", what_sharing_is_worth(result)]
    lines += ["", "### Targets", "", targets.section(result, database)]
    return "\n".join(lines)


def to_the_other_build(other):
    """What the last column is."""
    return (f"Compared with another build ({other.version}) in the same rounds: the last column is the ratio of "
            f"medians, of processor time for a read and of time for a write; below 1 is better. The other build: "
            f"import {other.import_seconds:.1f} s, start {other.start_milliseconds:.0f} ms, "
            f"resident {other.idle_megabytes:.0f} MB.")


def what_sharing_is_worth(result):
    """How much faster writes are that share a commit: of Guildhall, and at best."""
    put, one = result.put(64), result.put(1).load.rate
    many, bare = put.load.rate, 1 / put.limit.rate
    alone, shared = (1 / result.loop[sharing] for sharing in (1, 64))
    return (f"What sharing commits is worth: the same server, except that its writer commits each write by itself "
            f"(`examples/one_by_one.rs`), carries out {result.one_by_one:,.0f} per second for the same 64 clients; "
            f"Guildhall does {many / result.one_by_one:.1f} times as many, and {many / one:.1f} times as many as for one "
            f"client.\n\n"
            f"What it is worth at best on this disk: a bare loop of such transactions without HTTP and policy, with fewer "
            f"rows than Guildhall writes (`examples/one_tx.rs`), carries out {1 / alone:,.0f} per second one by one and "
            f"{1 / shared:,.0f} with 64 in each, {alone / shared:.1f} times as many. With the time that the bare server takes "
            f"for a request added to each, it would be {(alone + bare) / (shared + bare):.1f} times.")


def machine():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                  if line.startswith("model name")), platform.machine())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (f"{os.cpu_count()} cores ({model}), {memory:.0f} GiB, Linux {platform.release()}, "
            f"{run('rustc', '--version').split(' (')[0]}")


def document(facts, options, parts):
    """The whole page."""
    totals = ", ".join(f"{number:,} {what}" for what, number in facts.totals().items())
    return f"""# Benchmarks

Written by `./scripts/bench` on {datetime.date.today().isoformat()}; do not edit.

Machine: {machine()}. Data: {totals}, made by the generator of the sample data.
Server on one core, `wrk` on another, 64 connections unless said, {options.rounds} rounds of {options.seconds} s in turn.
Every number is the median of its rounds. Start: the median of seven. Two runs of the same build differ by up to
{targets.SCATTER:.0%} on such a machine, so a target that is missed by less is marked as within the scatter, and a ratio of two builds
shows large changes only. `docs/growth.md` shows what grows with the organization.
The bare server is hyper with a fixed body of the same size (`examples/bare.rs`). CPU ratio: processor time per
request of the bare server divided by Guildhall's. Rate ratio: Guildhall's requests per second divided by the bare
server's. Rate limits are on and out of reach. Cold: each team once, just after a start, three times as many rounds.

""" + "\n\n".join(parts) + "\n"
