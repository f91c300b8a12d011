"""What mail costs the requests that run beside it."""
import contextlib
import dataclasses
import json
import os
import socket
import sqlite3
import statistics
import threading
import time

from loads import measure_once
from measure import LOAD_CORE, Failed, fetch, run
from synthetic import ORG

# Recipients of a post, about; and the seconds in which all of them have to get their mail after a run.
RECIPIENTS, TIMEOUT = 2_000, 300


@dataclasses.dataclass
class Mailing:
    """Medians: writes a second without and with mails beside them, and mails a second."""

    without: float
    beside: float
    mails: float

    @property
    def ratio(self):
        return self.beside / self.without


class Sink:
    """A mail server that accepts everything and keeps nothing; it shares the core of the load."""

    def __init__(self):
        self.mails = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"smtp://127.0.0.1:{self.listener.getsockname()[1]}?tls=none"
        self._begin(self._accept)

    def _begin(self, work, *arguments):
        def pinned():
            os.sched_setaffinity(0, {int(LOAD_CORE)})
            with contextlib.suppress(OSError):
                work(*arguments)
        threading.Thread(target=pinned, daemon=True).start()

    def _accept(self):
        while True:
            connection, _ = self.listener.accept()
            self._begin(self._talk, connection)

    def _talk(self, connection):
        with connection, connection.makefile("rb") as lines:
            connection.sendall(b"220 sink\r\n")
            for line in lines:
                verb = line[:4].upper()
                if verb == b"DATA":
                    connection.sendall(b"354 go on\r\n")
                    while next(lines) != b".\r\n":
                        pass
                    self.mails += 1
                connection.sendall(b"221 bye\r\n" if verb == b"QUIT" else b"250 ok\r\n")
                if verb == b"QUIT":
                    return

    def until(self, count):
        """Waits until so many mails have come."""
        end = time.monotonic() + TIMEOUT
        while self.mails < count:
            if time.monotonic() > end:
                raise Failed(f"{self.mails} of {count} mails came within {TIMEOUT} s")
            time.sleep(0.05)


# People of the import have no addresses.
ADDRESSES = f"""
    WITH RECURSIVE tree (id) AS (
        SELECT t.id FROM teams t JOIN orgs o ON o.id = t.org_id WHERE o.login = '{ORG}' AND t.slug = '%(slug)s'
        UNION SELECT below.id FROM tree JOIN teams below ON below.parent_id = tree.id
    )
    INSERT INTO emails (user_id, email, email_key, is_primary, verified)
    SELECT u.id, 'p' || u.id || '@example.com', 'p' || u.id || '@example.com', TRUE, TRUE
    FROM users u
    WHERE u.login <> '%(author)s' AND u.id IN (SELECT m.user_id FROM tree JOIN team_members m ON m.team_id = tree.id)"""


def give_addresses(build, slug, author):
    """A verified address for each member of a team and of those below it but one; their number. The server is stopped."""
    sql = ADDRESSES % {"slug": slug, "author": author}
    count = "SELECT count(*) FROM emails"
    if build.database:
        run("psql", build.database.address, "-XqAtc", sql)
        return build.database.ask(count)
    with contextlib.closing(sqlite3.connect(build.file())) as store, store:
        store.execute(sql)
        return store.execute(count).fetchone()[0]


def measure(build, facts, row, options):
    """Writes of this row in turn without mails and while the mails about a post are sent, one to each member of a team."""
    writing, sink = row.scenario, Sink()
    arguments = writing.arguments("", writing.write(build.folder))
    slug = build.slugs[facts.parent_of_about(RECIPIENTS)]
    usual = build.server.command
    build.server.stop()
    recipients = give_addresses(build, slug, facts.owner)
    build.server.command = [*usual, "--smtp-url", sink.url, "--public-url", "http://teams.example.org"]
    build.server.start()
    # The worker first does what the scenarios before this one have left to it.
    post(build, slug, 0)
    sink.until(recipients)
    rounds = []
    for turn in range(1, options.rounds + 1):
        without = measure_once(build.server, writing, arguments, options.seconds, build.database).rate
        posting = threading.Thread(target=post, args=(build, slug, turn))
        before = sink.mails
        posting.start()
        beside = measure_once(build.server, writing, arguments, options.seconds, build.database).rate
        mails = sink.mails - before
        posting.join()
        if not mails:
            raise Failed("no mail was sent while the writes ran")
        rounds.append((without, beside, mails / options.seconds))
        sink.until((turn + 1) * recipients)
        # What was sent by then may still be written down.
        time.sleep(1)
    build.server.stop()
    build.server.command = usual
    build.server.start()
    found = Mailing(*(statistics.median(values) for values in zip(*rounds)))
    print(f"  mail: rate {found.ratio:.2f}; {found.mails:,.0f} mails a second of {recipients:,}", flush=True)
    return found


def post(build, slug, turn):
    body = json.dumps({"title": f"What we ship in week {turn}", "body": "We ship the **new importer** on Thursday."})
    path = f"/orgs/{ORG}/teams/{slug}/discussions"
    status, _, text = fetch(build.server.port, path, build.tokens.owner, "POST", body=body)
    if status != 201:
        raise Failed(f"a discussion of {slug} gave {status}: {text[:300]!r}")
