"""What requests ask of PostgreSQL, counted at a proxy and in its statistics: no number here depends on the clock."""
import contextlib
import dataclasses
import random
import statistics

import delivering
import scenarios
from loads import send
from measure import Failed, fetch, wrk
from proxy import Proxy
from synthetic import OTHER_ORG

COUNTED = 100
BATCHED = 2_000
HOLD = 0.002


@dataclasses.dataclass
class Counted:
    """Round trips of a request as (median until the answer, mean with what follows); statements of a write and rows that it
    writes, as means."""

    warm: tuple = ()
    cold: tuple = ()
    after_another: tuple = ()
    after_delivery: tuple = ()
    put: tuple = ()
    statements: float = 0.0
    rows: float = 0.0


class Client:
    """One client that sends one request at a time."""

    def __init__(self, port, proxy, people):
        self.port, self.proxy, self.people, self.dice = port, proxy, people, random.Random(3)

    def send(self, scenario, line):
        path, token, _ = line
        path += self.dice.choice(self.people) if scenario.people else ""
        status, _, body = fetch(self.port, path, token, scenario.method, body=scenario.body or None)
        if status != 200:
            raise Failed(f"{scenario.name}: {path} gave {status}: {body[:300]!r}")

    def round_trips(self, scenario, lines, before_each=lambda: None):
        """The number of round trips until one of these requests is answered, as a median; and, as a mean, until the server
        has done what follows, which is mainly the delivery worker's look at a commit."""
        answered, settled = [], []
        for line in lines:
            before_each()
            begin, _ = self.proxy.counted()
            self.send(scenario, line)
            answered.append(self.proxy.round_trips - begin)
            settled.append(self.proxy.counted()[0] - begin)
        return statistics.median(answered), statistics.mean(settled)


def round_trips(build, proxy, found):
    """Of a team read, warm and cold, after a write and a delivery elsewhere; of a membership put; each by one client."""
    reading, cold, putting = (build.scenario(name) for name in
                              ("team read, warm", "team read, cold", "durable PUT of a membership, 1 client"))
    there = scenarios.elsewhere(build.tokens.owner, build.folder)
    with serving(build, proxy) as server:
        people = open(there.people, encoding="utf-8").read().split()
        client = Client(server.port, proxy, people)
        # All of the server's connections are opened, and their statements prepared.
        wrk(server.port, 64, 2, reading.arguments("", reading.write(build.folder)))
        send(server.port, 64, BATCHED, putting, build.folder)
        proxy.hold = HOLD
        asked = {path for path, _, _ in reading.lines}
        new = [line for line in cold.lines if line[0] not in asked]
        found.cold = client.round_trips(cold, new[:COUNTED])
        warm = reading.lines[:COUNTED]
        for line in warm:
            client.send(reading, line)
        found.warm = client.round_trips(reading, warm)
        found.after_another = client.round_trips(reading, warm, lambda: client.send(there, client.dice.choice(there.lines)))
        found.after_delivery = client.round_trips(reading, warm, deliveries(build, server, client, there))
        found.put = client.round_trips(putting, putting.lines[:COUNTED])
        proxy.hold = 0.0


def deliveries(build, server, client, there):
    """What makes a webhook of the other organization get a delivery, and waits for it."""
    receiver = delivering.Receiver()
    delivering.hook(server.port, build.tokens.owner, receiver.url, OTHER_ORG)

    def deliver():
        before = receiver.count
        # A membership that is there already tells nothing.
        while receiver.count == before:
            client.send(there, client.dice.choice(there.lines))
            receiver.arrived.acquire(timeout=1)
    return deliver


def batches(build, proxy, found):
    """Statements and rows of a membership put by 64 clients. What a start of the server writes is counted apart."""
    putting = build.scenario("durable PUT of a membership, 64 clients")
    nothing = build.database.rows_written()
    with serving(build, proxy):
        pass
    start = build.database.rows_written() - nothing
    with serving(build, proxy) as server:
        send(server.port, 64, BATCHED, putting, build.folder)
        _, before = proxy.counted()
        send(server.port, 64, BATCHED, putting, build.folder)
        _, after = proxy.counted()
    found.statements = (after - before) / BATCHED
    found.rows = (build.database.rows_written() - nothing - 2 * start) / (2 * BATCHED)


@contextlib.contextmanager
def serving(build, proxy):
    """A server of this build that reaches PostgreSQL through the proxy; its own has to be stopped."""
    server = build.server_on(build.database.address.replace(f":{build.database.port}/", f":{proxy.port}/"))
    try:
        server.start()
        yield server
    finally:
        server.stop()


def count(build):
    """Everything that is counted. The build's own server is stopped: two would share PostgreSQL's statistics."""
    build.server.stop()
    found, proxy = Counted(), Proxy(build.database.port)
    try:
        round_trips(build, proxy, found)
        batches(build, proxy, found)
    finally:
        proxy.stop()
    print(f"  counted: {found}", flush=True)
    return found
