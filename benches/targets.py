"""Numbers to reach, beside those that were measured."""
import dataclasses

from beside import MANY, REST

# How far two runs of the same build lie apart on a machine that others use too.
SCATTER = 0.20


@dataclasses.dataclass
class Target:
    """A number, and the least or the most that it is to be. A count is exact; whatever a clock or an allocator decides
    scatters."""

    name: str
    value: float
    least: float | None = None
    most: float | None = None
    digits: int = 2
    note: str = ""
    but: str = ""
    counted: bool = False

    def missing(self):
        """How far the number is from its limit, as a part of the limit; not above zero if it is reached."""
        if self.least is not None:
            return 1 - self.value / self.least
        return self.value / self.most - 1

    def verdict(self):
        """Whether it is reached, or how much is missing, or what makes the number worth nothing."""
        if self.but:
            return self.but
        if self.least is None and self.most is None:
            return "told only"
        missing = self.missing()
        if missing <= 0:
            return "reached"
        near = missing < SCATTER and not self.counted
        return f"missed by {missing:.0%}" + (", within the scatter" if near else "")

    def line(self):
        limit = "-"
        if self.least is not None or self.most is not None:
            limit = f"at least {self.least:g}" if self.least is not None else f"at most {self.most:g}"
        value = f"{self.value:,.{self.digits}f}" + (f" ({self.note})" if self.note else "")
        return f"| {self.name} | {value} | {limit} | {self.verdict()} |"


def section(result, database):
    """The table of one engine, and how its numbers were found."""
    found = of_postgres(result) if database else of_sqlite(result)
    lines = ["| Scenario | Measured | Reach | |", "| --- | ---: | ---: | --- |", *(target.line() for target in found)]
    return "\n".join([*lines, "", beside_explained(result.beside), MAILED, *([COUNTED] if database else [])])


def tail(row):
    """How much longer the slow ones take than the usual ones."""
    return Target("durable PUT, 64 clients: p99 to p50", row.load.p99 / row.load.p50, most=8, digits=1,
                  note=f"{row.load.p99:.1f} ms to {row.load.p50:.1f}")


def to_single_commits(result, least):
    """What sharing a commit is worth."""
    put, one = result.put(64).load.rate, result.one_by_one
    return Target("durable PUT, 64 clients: rate to one commit for each", put / one, least=least, digits=1,
                  note=f"{put:,.0f} to {one:,.0f} a second")


def reads_beside(result, where, least=None):
    beside = result.beside
    # Writes that have to wait leave their time to the reads.
    starved = "the PUTs were too slow for that rate" if beside.rate < 0.95 * beside.asked else ""
    return Target(f"team read while {beside.asked:,.0f} PUTs a second run{where}: CPU ratio", beside.ratio, least=least,
                  note=f"{beside.bare / beside.with_writes:.2f} with the PUTs' own time; {beside.rate:,.0f} PUTs a second",
                  but=starved)


def deliveries(delivering):
    """What webhooks cost, and how soon they are told."""
    note = f"{delivering.beside:,.0f} to {delivering.without:,.0f} a second"
    return [Target("durable PUT, 64 clients, with two webhooks to without: rate", delivering.ratio, least=0.70, note=note),
            Target("from a commit to the arrival at a webhook, idle, ms", delivering.arrival, most=50, digits=1)]


def mails(mailing):
    """What mail costs."""
    note = f"{mailing.beside:,.0f} to {mailing.without:,.0f} a second; {mailing.mails:,.0f} mails a second"
    return Target("durable PUT, 64 clients, with mail to without: rate", mailing.ratio, least=0.70, note=note)


def reads_beside_deliveries(beside):
    """Reads while an organization's webhook is told of writes elsewhere."""
    starved = "the deliveries were too slow for that rate" if beside.rate < 0.95 * beside.asked else ""
    return Target(f"team read while {beside.asked:,.0f} deliveries a second run: CPU ratio", beside.ratio, least=0.25,
                  note=f"{beside.rate:,.0f} deliveries a second", but=starved)


def round_trips(name, counted, most, before=""):
    median, mean = counted
    return Target(f"{name}: round trips", median, most=most, digits=0, note=f"{before}{mean:.1f} with what follows",
                  counted=True)


def graphql(result):
    """What a list costs by GraphQL, to the same list by the operation."""
    found = []
    for row in result.rows:
        if row.scenario.name.startswith("GraphQL, "):
            name = row.scenario.name.removeprefix("GraphQL, ")
            plain = result.row(name)
            found.append(Target(f"{name}: CPU time by GraphQL to that by REST", row.load.cpu / plain.load.cpu, most=3,
                                note=f"{row.load.cpu:.0f} to {plain.load.cpu:.0f} µs"))
    return found


def of_sqlite(result):
    before, after = result.memory_after_writes
    return [
        *graphql(result),
        tail(result.put(64)),
        to_single_commits(result, 5),
        *deliveries(result.delivering),
        mails(result.mailing),
        reads_beside(result, ""),
        Target(f"resident after {MANY:,} PUTs and {REST} s of rest, to just after the start", after / before, most=1.5,
               note=f"{after:.0f} MB to {before:.0f}"),
        Target("resident when idle, MB", result.build.idle_megabytes, most=55, digits=0),
        Target("start to first answer, ms", result.build.start_milliseconds, most=50, digits=0),
    ]


def of_postgres(result):
    warm, counted = result.row("team read, warm"), result.counted
    limit, load = warm.limit, warm.load
    return [
        Target("team read, warm: CPU ratio", limit.cpu / load.cpu, least=0.45),
        Target("team read, warm: rate ratio", load.rate / limit.rate, least=0.40),
        reads_beside(result, " in another organization", 0.25),
        reads_beside_deliveries(result.beside_deliveries),
        round_trips("team read just after a PUT in another organization", counted.after_another, 2),
        round_trips("team read just after a delivery in another organization", counted.after_delivery, 2),
        round_trips("team read, cold", counted.cold, 3, f"warm {counted.warm[0]:g}, "),
        round_trips("durable PUT, 1 client", counted.put, 9),
        Target("durable PUT, 64 clients: statements each", counted.statements, most=4, digits=1, counted=True),
        Target("durable PUT, 64 clients: rows written each", counted.rows, most=4, digits=1, counted=True),
        tail(result.put(64)),
        to_single_commits(result, 2),
        *deliveries(result.delivering),
        mails(result.mailing),
    ]


def beside_explained(beside):
    return (f"While PUTs run: `examples/fixed_rate.rs` sends {beside.asked:,.0f} a second from the core of the load; in each round for "
            f"some seconds alone, then beside the reads. What a PUT costs alone is taken off the server's processor "
            f"time, and the rest is divided by the reads: {beside.read:.1f} µs each, {beside.bare:.1f} by the bare server. "
            f"Beside reads PUTs share more commits and cost less, so that is a little too good; in parentheses nothing is "
            f"taken off, which is too bad. p99 of the reads: {beside.p99:.2f} ms.")


MAILED = """
With mail: as the PUTs begin, a discussion is posted to a team of some 2,000 people with addresses, and each is sent a mail
by SMTP. The mail server accepts everything and shares the core of the load (`benches/mailing.py`)."""

COUNTED = """
Round trips and statements are counted by a proxy before PostgreSQL (`benches/proxy.py`), with connections open and
statements prepared. A round trip begins when the server sends something after an answer; answers are held for 2 ms, so
that what is sent without waiting for them counts once. They are medians of 100 requests, one at a time, until the answer.
The mean in parentheses goes on until nothing is asked any more: it has in it what the delivery worker does after a commit. Cold: a team that was not asked for since the start. Statements are those of 2,000
PUTs by 64 clients, those that begin and end transactions among them. Rows are those that `pg_stat_user_tables` shows as
inserted, updated or deleted by 4,000 such PUTs; SQLite has no such numbers for a whole process."""

