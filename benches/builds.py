"""A build of Guildhall under measurement: its own data, tokens and server."""
import contextlib
import copy
import functools
import pathlib
import statistics
import time

import scenarios
from measure import Server, children_seconds, resident_megabytes, run
from synthetic import ORG

FIRST_PATH = f"/orgs/{ORG}/teams"
STARTS = 7


class Tokens:
    """Tokens by login: many readers, the members of three secret teams, and one owner's."""

    def __init__(self, program, facts, where):
        self.program, self.facts, self.where = program, facts, where
        self.readers = self._of(facts.readers())
        scopes = "admin:org,admin:org_hook,repo,user,write:discussion"
        self.owner = run(program, "token", "create", "--user", facts.owner, "--scopes", scopes, *where).strip()

    @functools.cached_property
    def secret(self):
        return self._of(self.facts.in_three_secret_teams())

    def _of(self, logins):
        # For several people the program prints `login token`, for one the token.
        words = [word for login in logins for word in ("--user", login)]
        scopes = "read:org,repo,read:discussion"
        lines = run(self.program, "token", "create", *words, "--scopes", scopes, *self.where).splitlines()
        return dict(line.split() for line in lines if line.strip())


class Build:
    """A program with the synthetic organization imported, and a server on it."""

    def __init__(self, program, folder, database):
        self.program, self.folder, self.database = program, folder, database
        self.server = None
        self.where = ["--data-dir", str(pathlib.Path(self.folder, "data"))]
        if self.database:
            self.where += ["--database", self.database.address]

    def load(self, facts, log):
        """Import, and what it takes."""
        self.version, self.log = run(self.program, "--version").strip(), log
        pathlib.Path(self.folder).mkdir()
        begin, spent = time.monotonic(), children_seconds()
        run(self.program, "import", str(facts.file), *self.where)
        self.import_seconds, self.import_cpu = time.monotonic() - begin, children_seconds() - spent

    def prepare(self, facts, log):
        """Import, start, memory, and what will be asked."""
        self.load(facts, log)
        if self.database:
            run(self.program, "import", facts.write_other_org(self.folder), *self.where)
        self.tokens = Tokens(self.program, facts, self.where)
        self.server = self.server_on(self.database and self.database.address)
        self.start_milliseconds = statistics.median(self.server.restart() for _ in range(STARTS)) * 1000
        time.sleep(2)
        self.idle_megabytes = resident_megabytes(self.server.process.pid)
        # Each server may give the teams slugs of its own.
        facts = copy.copy(facts)
        facts.slugs = {}
        facts.ask(self.server.port, self.tokens.owner)
        self.slugs = facts.slugs
        self.scenarios = scenarios.every(facts, self.server.port, self.tokens, self.folder)

    def server_on(self, address, first_path=FIRST_PATH):
        """A server on the data of this build, at this address of the database; it is not started."""
        command = [self.program, "serve", "--listen", "{address}", "--data-dir", str(pathlib.Path(self.folder, "data"))]
        command += ["--database", address] if address else []
        return Server(command, self.log, first_path, self.tokens.owner)

    def scenario(self, name):
        """The scenario of this name."""
        return next(scenario for scenario in self.scenarios if scenario.name == name)

    def file(self):
        """The database, on SQLite."""
        return str(pathlib.Path(self.folder, "data", "guildhall.db"))

    def place(self):
        """Where the data is, as examples are told."""
        return self.database.address if self.database else self.file()


@contextlib.contextmanager
def running(program, folder, database, facts, log):
    """A build that is ready; its server is stopped at the end."""
    build = Build(program, folder, database)
    try:
        build.prepare(facts, log)
        yield build
    finally:
        if build.server:
            build.server.stop()
