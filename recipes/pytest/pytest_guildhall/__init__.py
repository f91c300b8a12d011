"""A plugin for pytest: a Guildhall server for the whole session, put back to its seed before each test.

The workers of pytest-xdist are sessions of their own, so each has its own server.
"""

import json
import os
import shutil
import subprocess
import sysconfig
import urllib.request

import pytest

# The server is on this machine, whatever proxy the environment names.
HTTP = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Guildhall:
    """What a test asks of the server besides the API: its control endpoints."""

    def __init__(self, url):
        self.url = url

    def reset(self):
        self._send("POST", "reset", {})

    def advance(self, duration):
        self._send("POST", "clock", {"advance": duration})

    def fail(self, **fault):
        self.set_faults(fault)

    def set_faults(self, *faults):
        self._send("PUT", "faults", {"faults": faults})

    def requests(self):
        return self._send("GET", "requests")["requests"]

    def _send(self, method, name, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/_guildhall/{name}", data, headers, method=method)
        with HTTP.open(request) as response:
            return json.load(response)


@pytest.fixture(scope="session")
def guildhall_seed():
    """The file that the server begins with; without one it has a site administrator only. Define it in conftest.py."""
    return None


@pytest.fixture(scope="session")
def guildhall_url(guildhall_seed):
    """The URL of the server that GUILDHALL_URL names, or else of one on a free port."""
    if url := os.environ.get("GUILDHALL_URL"):
        yield url
        return
    # The program that was installed with this file, even if PATH does not lead to it.
    program = shutil.which("guildhall", path=sysconfig.get_path("scripts")) or "guildhall"
    seed = ["--seed", guildhall_seed] if guildhall_seed else []
    command = [program, "dev", "--listen", "127.0.0.1:0", *seed]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        ready = server.stdout.readline()
        assert ready, "guildhall dev has not started; its message is on standard error"
        yield ready.split()[-1]
        server.terminate()


@pytest.fixture
def guildhall(guildhall_url):
    """The server, put back to its seed."""
    server = Guildhall(guildhall_url)
    server.reset()
    return server
