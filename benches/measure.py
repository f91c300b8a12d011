"""Processes under measurement: start and stop them, load them, read what they cost."""
import contextlib
import http.client
import os
import pathlib
import resource
import signal
import socket
import subprocess
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASE = ROOT / "target" / "release"
GUILDHALL = str(RELEASE / "guildhall")
LOG = str(ROOT / "target" / "bench-server.log")
TICK = os.sysconf("SC_CLK_TCK")
SERVER_CORE, LOAD_CORE = "0", "1"


class Failed(Exception):
    """What stopped the measurement, in words for the person who started it."""


def run(*command):
    """Run a command without the measurement's own variables; its output."""
    quiet = {k: v for k, v in os.environ.items() if not k.startswith("GUILDHALL_")}
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=quiet, check=False)
    if done.returncode != 0:
        raise Failed(f"{' '.join(command[:4])} ... failed with status {done.returncode}:\n{done.stdout[-2000:]}")
    return done.stdout


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def fetch(port, path, token=None, method="GET", tag=None, body=None):
    """One request: status, headers, body."""
    headers = {"User-Agent": "bench"}
    if token:
        headers["Authorization"] = f"token {token}"
    if tag:
        headers["If-None-Match"] = tag
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with contextlib.closing(connection):
        connection.request(method, path, body=body, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


def processor_seconds(pid):
    """User and system time of one process with all its threads, those that ended too: a short run is few ticks."""
    # The clock of a process, as clock_getcpuclockid(3) makes it.
    return time.clock_gettime((~pid << 3) | 2)


def children_seconds():
    """User and system time of all commands that have run to their end."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def ticked_seconds(pid):
    """User and system time of one process, and of its children that ended, in ticks."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(int(ticks) for ticks in fields[11:15]) / TICK


def family_seconds(pid):
    """User and system time of a process and of its children, living and ended."""
    total = ticked_seconds(pid)
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = entry.read_text().rsplit(")", 1)[1].split()
            if int(fields[1]) == pid:
                total += sum(int(ticks) for ticks in fields[11:13]) / TICK
    return total


def resident_megabytes(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise Failed(f"process {pid} has no resident size")


class Server:
    """A server process, pinned to its core; `{address}` in the command becomes where it listens."""

    def __init__(self, command, log, first_path, token=None):
        self.command, self.log, self.first_path, self.token = command, log, first_path, token
        self.process = self.port = None

    def start(self):
        """Start it; the answer is the number of seconds until the first good reply."""
        self.port = free_port()
        command = [word.replace("{address}", f"127.0.0.1:{self.port}") for word in self.command]
        # Requests are counted against limits that no run reaches.
        quiet = {k: v for k, v in os.environ.items() if not k.startswith("GUILDHALL_")}
        limits = ("RATE_LIMIT_PER_HOUR", "ABUSE_LIMIT_PER_MINUTE", "ABUSE_LIMIT_PER_HOUR")
        quiet.update({f"GUILDHALL_{limit}": "1000000000" for limit in limits})
        # Receivers of deliveries are on this machine.
        quiet["GUILDHALL_WEBHOOKS_ALLOW"] = "127.0.0.0/8"
        with open(self.log, "ab") as log:
            begin = time.monotonic()
            self.process = subprocess.Popen(["taskset", "-c", SERVER_CORE, *command], stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log, env=quiet)
        while time.monotonic() < begin + 60:
            with contextlib.suppress(OSError, http.client.HTTPException):
                if fetch(self.port, self.first_path, self.token)[0] == 200:
                    return time.monotonic() - begin
            if self.process.poll() is not None:
                break
            time.sleep(0.0005)
        raise Failed(f"{command[0]} gave no good answer; its log is {self.log}")

    def stop(self):
        if self.process is None:
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def restart(self):
        self.stop()
        return self.start()


class PostgreSQL:
    """A private cluster with durable commits, made and removed by scripts/postgres."""

    def __init__(self, folder):
        self.folder = folder
        self.script = str(ROOT / "scripts" / "postgres")
        made = subprocess.run([self.script, "start", folder, "shared_buffers=512MB", "max_wal_size=4GB"],
                             stdout=subprocess.PIPE, text=True, check=False)
        if made.returncode != 0:
            raise Failed("PostgreSQL did not start; see the messages above")
        self.address = made.stdout.strip()
        self.port = urllib.parse.urlsplit(self.address).port
        self.pid = int(pathlib.Path(folder, "data", "postmaster.pid").read_text().split()[0])

    def seconds(self):
        return family_seconds(self.pid)

    def ask(self, sql):
        """The number that a query gives."""
        return int(run("psql", self.address, "-XAtc", sql))

    def rows_written(self):
        """Rows inserted, updated and deleted so far. Connections tell their numbers when they end: all have to."""
        others = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        while self.ask(others):
            time.sleep(0.1)
        return self.ask("SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables")

    def stop(self):
        subprocess.run([self.script, "stop", self.folder], check=False)


def wrk(port, clients, seconds, arguments):
    """Load from the other core: requests, seconds, p50 and p99 in milliseconds."""
    command = ["taskset", "-c", LOAD_CORE, "wrk", "-t1", f"-c{clients}", f"-d{seconds}s",
               "-s", str(ROOT / "benches" / "load.lua"), f"http://127.0.0.1:{port}", "--", *arguments]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    for line in run.stdout.splitlines():
        if line.startswith("RESULT "):
            requests, micros, p50, p99, errors = map(int, line.split()[1:])
            if errors or not requests:
                raise Failed(f"{errors} of {requests} requests failed:\n{run.stdout}")
            return requests, micros / 1e6, p50 / 1000, p99 / 1000
    raise Failed(f"wrk gave no result:\n{run.stdout}")
