"""What webhooks cost the requests that cause deliveries, and how soon a delivery arrives."""
import contextlib
import dataclasses
import json
import socket
import statistics
import threading
import time

from loads import measure_once
from measure import Failed, Server, fetch
from synthetic import ORG

# Deliveries that are timed, and the seconds between them: the server is idle before each.
TIMED, APART = 30, 0.4


@dataclasses.dataclass
class Delivering:
    """Medians: writes a second without and with two webhooks, and milliseconds from a commit to the arrival."""

    without: float
    beside: float
    arrival: float

    @property
    def ratio(self):
        return self.beside / self.without


class Receiver:
    """Accepts deliveries one after the other, and notes when each has arrived."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"
        self.arrived, self.count, self.at = threading.Semaphore(0), 0, 0.0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            with contextlib.suppress(OSError):
                connection, _ = self.listener.accept()
                with connection:
                    connection.recv(65536)
                    self.at = time.monotonic()
                    self.count += 1
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                self.arrived.release()


    def answered(self):
        """The number of deliveries so far."""
        return self.count


def hook(port, token, url, org):
    """A webhook for everything; its path."""
    config = {"url": url, "content_type": "json"}
    body = json.dumps({"name": "web", "config": config, "events": ["*"]})
    status, _, text = fetch(port, f"/orgs/{org}/hooks", token, "POST", body=body)
    if status != 201:
        raise Failed(f"a webhook gave {status}: {text[:300]!r}")
    return f"/orgs/{org}/hooks/{json.loads(text)['id']}"


@contextlib.contextmanager
def hooks(port, token, urls, org=ORG):
    """Webhooks that are deleted at the end, with what waits for them."""
    paths = [hook(port, token, url, org) for url in urls]
    try:
        yield
    finally:
        for path in paths:
            fetch(port, path, token, "DELETE")


def measure(bare, build, row, options):
    """Writes of this row without and with two webhooks in turn, which the bare server receives; then one at a time."""
    writing = row.scenario
    arguments = writing.arguments("", writing.write(build.folder))
    urls = [f"http://127.0.0.1:{bare.port}/{size}" for size in (2, 3)]
    without, beside = [], []
    for _ in range(options.rounds):
        without.append(measure_once(build.server, writing, arguments, options.seconds, build.database).rate)
        with hooks(build.server.port, build.tokens.owner, urls):
            beside.append(measure_once(build.server, writing, arguments, options.seconds, build.database).rate)
        # What was sent by then may still be written down.
        time.sleep(1)
    found = Delivering(statistics.median(without), statistics.median(beside), arrivals(build))
    print(f"  two webhooks: rate {found.ratio:.2f}; a delivery arrives after {found.arrival:.1f} ms", flush=True)
    return found


def arrivals(build):
    """The median time from the answer of a change to its arrival at a webhook, on a server that does nothing else."""
    receiver, took = Receiver(), []
    with hooks(build.server.port, build.tokens.owner, [receiver.url]):
        receiver.arrived.acquire()
        for number in range(TIMED):
            time.sleep(APART)
            body = json.dumps({"name": f"Timed {number} {time.time_ns()}"})
            status, _, text = fetch(build.server.port, f"/orgs/{ORG}/teams", build.tokens.owner, "POST", body=body)
            answered = time.monotonic()
            if status != 201 or not receiver.arrived.acquire(timeout=10):
                raise Failed(f"a team gave {status} and no delivery: {text[:300]!r}")
            took.append((receiver.at - answered) * 1000)
            # The owner who makes a team is in it, which is another event.
            while receiver.arrived.acquire(timeout=0.2):
                pass
    return statistics.median(took)
