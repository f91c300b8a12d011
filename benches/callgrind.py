"""Runs examples/instructions within callgrind, and reads what was counted. Nothing here measures time."""
import collections
import contextlib
import dataclasses
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile
import urllib.parse

from measure import ROOT, Failed, run
from proxy import Proxy

ENGINES = ("SQLite", "PostgreSQL")
DUMPS = ROOT / "target" / "callgrind"
PROGRAM = str(ROOT / "target" / "debug" / "examples" / "instructions")
# How long the proxy holds an answer of PostgreSQL, in seconds: what Guildhall sends meanwhile was sent without having seen it.
HOLD = 0.005
# The function that runs an operation, in what callgrind_annotate prints. It prints the whole function first, and then its
# parts, by the files whose functions the compiler has put into it.
ATTEMPT = re.compile(r"^ *([\d,]+) .*:guildhall::dispatch::attempt::Attempt::run(?: \[.*)?$", re.MULTILINE)
# How often an engine is counted before that fails.
ATTEMPTS = 3
# mimalloc gives memory back after a while; when that is depends on the time.
ENVIRONMENT = {"PATH": os.environ.get("PATH", ""), "MIMALLOC_PURGE_DELAY": "-1"}


@dataclasses.dataclass
class Part:
    """What a number of requests took in all."""

    requests: int
    instructions: int
    statements: int
    round_trips: int
    # How much of the instructions carried out operations.
    in_operations: int

    def each(self):
        """The same of one request."""
        totals = (self.instructions, self.statements, self.round_trips, self.in_operations)
        return tuple(total / self.requests for total in totals)


def build():
    """Builds the program, which scripts/test has linted already; the version of the compiler."""
    if not shutil.which("valgrind"):
        raise Failed("valgrind is missing; on Debian: apt-get install valgrind")
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("RUSTC_WORKSPACE_WRAPPER", "CLIPPY_ARGS")}
    command = ["cargo", "build", "--config", "benches/instructions.toml", "--example", "instructions"]
    if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode != 0:
        raise Failed("the program does not compile")
    return run("rustc", "--version").strip()


def count(engine):
    """Instructions, statements, round trips, and instructions in operations of a request of each row, by its name. If
    PostgreSQL takes too long for a request, as on a machine that is very busy, everything is counted again."""
    for _ in range(ATTEMPTS - 1):
        with contextlib.suppress(Failed):
            return count_once(engine)
    return count_once(engine)


def count_once(engine):
    """The same, or Failed."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="guildhall-instructions.", dir=memory)))
        folder.chmod(0o755)
        place, tokens, proxy = str(folder / "guildhall.db"), str(folder / "tokens"), None
        if engine == "PostgreSQL":
            place = stack.enter_context(postgres(folder / "postgres"))
        run(PROGRAM, "prepare", place, tokens)
        if engine == "PostgreSQL":
            port = urllib.parse.urlsplit(place).port
            proxy = Proxy(port)
            stack.callback(proxy.stop)
            proxy.hold = HOLD
            place = place.replace(f":{port}/", f":{proxy.port}/")
        return count_rows(engine, place, tokens, proxy)


@contextlib.contextmanager
def postgres(folder):
    """The address of a cluster that need not survive a power failure."""
    script = str(ROOT / "scripts" / "postgres")
    settings = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")
    try:
        yield run(script, "start", str(folder), *settings).strip()
    finally:
        run(script, "stop", str(folder))


def count_rows(engine, place, tokens, proxy):
    """Runs the program, which says when a row's requests begin and end and then waits for a line."""
    dumps = DUMPS / engine.lower()
    shutil.rmtree(dumps, ignore_errors=True)
    dumps.mkdir(parents=True)
    measured = "instructions::measured"
    command = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={dumps}/dump",
               f"--dump-before={measured}", f"--dump-after={measured}", PROGRAM, "count", place, tokens]
    rows, dump = collections.defaultdict(list), 0
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
        for line in process.stdout:
            word, *fields = line.rstrip("\n").split("\t")
            now = proxy.counted() if proxy else (0, 0)
            if word == "begin":
                name, requests, before = fields[0], int(fields[1]), now
            else:
                # One dump was made before the requests, and one after them.
                dump += 2
                (dumps / f"dump.{dump - 1}").unlink()
                file = (dumps / f"dump.{dump}").rename(dumps / name)
                asked = (now[1] - before[1], now[0] - before[0])
                rows[name].append(Part(requests, instructions_in(file), *asked, in_operations(file)))
            process.stdin.write("\n")
            process.stdin.flush()
    if process.returncode != 0:
        raise Failed(f"the program failed on {engine}; see its message above")
    return {name: tuple(map(statistics.median, zip(*(part.each() for part in parts)))) for name, parts in rows.items()}


def instructions_in(dump):
    """The total of a dump."""
    for line in dump.read_text(encoding="utf-8").splitlines():
        if line.startswith("totals: "):
            return int(line.split()[1])
    raise Failed(f"{dump} has no total")


def in_operations(dump):
    """What runs of operations took: authorization, statements and records; not what then reads these records."""
    command = ["callgrind_annotate", "--inclusive=yes", "--threshold=99", str(dump)]
    # It warns of dumps in which few functions were called.
    annotated = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    total = ATTEMPT.search(annotated)
    return int(total.group(1).replace(",", "")) if total else 0
