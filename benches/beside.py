"""What writes do to others: reads while they run, and memory after them."""
import contextlib
import dataclasses
import statistics
import time

from loads import Steady, measure_once, send, spent
from measure import resident_megabytes, wrk

# Writes before a measurement of memory, and seconds of rest after them.
MANY, REST = 200_000, 60


@dataclasses.dataclass
class Beside:
    """Medians of reads while writes come at a fixed rate; processor time in microseconds a read."""

    asked: int
    rate: float
    bare: float
    read: float
    with_writes: float
    database: float
    p99: float

    @property
    def ratio(self):
        return self.bare / self.read


class Stretch:
    """The time from `begin` to `end`: processor seconds that were spent, and writes that were answered."""

    def __init__(self, build, writes):
        self.build, self.writes = build, writes
        self.begin = self._now()

    def _now(self):
        return (*spent(self.build.server, self.build.database), self.writes.answered(), time.monotonic())

    def end(self):
        return tuple(after - before for before, after in zip(self.begin, self._now()))


def reads_beside_writes(bare, build, row, writing, rate, options, counter=None):
    """Reads of this row while so many writes a second run, or what the counter counts instead: deliveries.

    What a write costs is measured in the same round without reads and taken off. A server that has nothing else to
    do carries out fewer writes at a time, so a write is dearer there than beside reads, and what is left for a read
    is a little too small. The other limit is told too: all the time, that of the writes with it, divided by the reads.
    """
    reading = row.scenario
    theirs = reading.arguments(f"/{row.size}", reading.write(build.folder))
    ours = reading.arguments("", reading.write(build.folder))
    rounds = []
    for _ in range(options.rounds):
        limit = measure_once(bare, reading, theirs, options.seconds, None)
        with contextlib.ExitStack() as stack:
            writes = Steady(build.server.port, rate, writing, build.folder)
            stack.callback(writes.stop)
            time.sleep(0.5)
            alone = Stretch(build, counter or writes)
            time.sleep(options.seconds)
            cpu, database, count, _ = alone.end()
            a_write, a_write_there = cpu / count, database / count
            both = Stretch(build, counter or writes)
            reads, _, _, p99 = wrk(build.server.port, reading.clients, options.seconds, ours)
            cpu, database, count, seconds = both.end()
        left, left_there = cpu - a_write * count, database - a_write_there * count
        rounds.append(Beside(rate, count / seconds, limit.cpu, left * 1e6 / reads, cpu * 1e6 / reads,
                             left_there * 1e6 / reads, p99))
    found = Beside(*(statistics.median(values) for values in zip(*map(dataclasses.astuple, rounds))))
    what = "deliveries" if counter else "writes"
    print(f"  {reading.name} while {rate:,} {what} a second run: cpu {found.ratio:.2f}, "
          f"{found.rate:,.0f} {what} a second", flush=True)
    return found


def memory_after_writes(build, writing):
    """Megabytes that a server holds just after its start, and after many writes and some rest."""
    build.server.restart()
    time.sleep(2)
    before = resident_megabytes(build.server.process.pid)
    send(build.server.port, 64, MANY, writing, build.folder)
    time.sleep(REST)
    return before, resident_megabytes(build.server.process.pid)
