"""Load on a server: what it showed, and clients that send at a fixed rate."""
import contextlib
import dataclasses
import statistics
import subprocess

from measure import LOAD_CORE, RELEASE, Failed, processor_seconds, run, wrk

FIXED_RATE = str(RELEASE / "examples" / "fixed_rate")
# A steady stream never comes to its end.
ENDLESS = "1000000000"


@dataclasses.dataclass
class Load:
    """What one run of wrk showed, or the medians of several; times of processors in microseconds per request."""

    rate: float
    cpu: float
    database_cpu: float
    p50: float
    p99: float

    @staticmethod
    def median(loads):
        return Load(*(statistics.median(values) for values in zip(*map(dataclasses.astuple, loads))))


def spent(server, database):
    """Processor seconds of the server and of PostgreSQL so far."""
    return processor_seconds(server.process.pid), database.seconds() if database else 0


def measure_once(server, scenario, arguments, seconds, database):
    before, before_database = spent(server, database)
    requests, duration, p50, p99 = wrk(server.port, scenario.clients, seconds, arguments)
    after, after_database = spent(server, database)
    cpu, database_cpu = after - before, after_database - before_database
    return Load(requests / duration, cpu * 1e6 / requests, database_cpu * 1e6 / requests, p50, p99)


def fixed_rate(port, clients, rate, count, scenario, list_file):
    """The command of examples/fixed_rate.rs, on the core of the load."""
    return ["taskset", "-c", LOAD_CORE, FIXED_RATE, f"127.0.0.1:{port}", str(clients), str(rate), str(count),
            scenario.method, list_file, scenario.body, scenario.people]


def send(port, clients, count, scenario, folder):
    """So many requests as fast as they are answered; the seconds that they took."""
    told = run(*fixed_rate(port, clients, 0, count, scenario, scenario.write(folder)))
    return int(told.split()[-1]) / 1e6


class Steady:
    """Requests at a fixed rate until it is stopped; with so many connections each may wait long for its answer."""

    CLIENTS = 64

    def __init__(self, port, rate, scenario, folder):
        list_file = scenario.write(folder, "steady.list")
        self.process = subprocess.Popen(fixed_rate(port, self.CLIENTS, rate, ENDLESS, scenario, list_file), text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=1)

    def answered(self):
        """The number of requests answered so far."""
        with contextlib.suppress(OSError, ValueError):
            self.process.stdin.write("\n")
            return int(self.process.stdout.readline())
        raise Failed("the steady writes have failed; see the message above")

    def stop(self):
        self.process.kill()
        self.process.communicate()
