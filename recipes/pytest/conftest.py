"""A Guildhall server for the whole session, put back to its seed before each test."""

import os
import pathlib
import subprocess

import pytest
import requests
from github import Auth, Github

SEED = pathlib.Path(__file__).parents[2] / "samples/dev/seed.yaml"


class Guildhall:
    """What a test asks of the server besides the API: its control endpoints."""

    def __init__(self, url):
        self.url = url

    def connect(self, token):
        return Github(base_url=self.url, auth=Auth.Token(token))

    def reset(self):
        self._send("POST", "reset")

    def advance(self, duration):
        self._send("POST", "clock", {"advance": duration})

    def fail(self, **fault):
        self.set_faults(fault)

    def set_faults(self, *faults):
        self._send("PUT", "faults", {"faults": faults})

    def requests(self):
        response = requests.get(f"{self.url}/_guildhall/requests")
        response.raise_for_status()
        return response.json()["requests"]

    def _send(self, method, name, body={}):
        response = requests.request(method, f"{self.url}/_guildhall/{name}", json=body)
        response.raise_for_status()


@pytest.fixture(scope="session")
def server_url():
    """The URL of the server that GUILDHALL_URL names, or else of one on a free port."""
    if url := os.environ.get("GUILDHALL_URL"):
        yield url
        return
    command = ["guildhall", "dev", "--seed", SEED, "--listen", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        ready = server.stdout.readline()
        assert ready, "guildhall dev has not started; its message is on standard error"
        yield ready.split()[-1]
        server.terminate()


@pytest.fixture
def guildhall(server_url):
    server = Guildhall(server_url)
    server.reset()
    return server


@pytest.fixture
def acme(guildhall):
    """The organization, as its owner sees it."""
    return guildhall.connect("olivia-token").get_organization("acme")
