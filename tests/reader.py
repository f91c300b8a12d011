"""A reader who types the commands of a document, one block after the other, in a checkout of their own.

Three things differ from a reader's machine: `cargo` runs the program that is built already, what `npm` would install is
installed already, and the server listens on a free port instead of 8420.
"""

import os
import pathlib
import re
import signal
import socket
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent

# A server says this when it is ready.
READY = ("guildhall listening on", "Ctrl-C stops it")

# These blocks start one.
SERVER = re.compile(r"guildhall (serve|dev)|-- demo")

# Each line must work, as it must for a reader; curl must be told to mind the status.
PRELUDE = """set -euo pipefail
curl() { command curl --fail --silent --show-error "$@"; }
npm() { [ "$1" = install ] || command npm "$@"; }
"""

CARGO = """#!/bin/sh
case "$1" in
install) exit 0 ;;
run) shift 3; exec guildhall "$@" --listen "$GUILDHALL_LISTEN" ;;
*) echo "cargo $1 is not expected in a document" >&2; exit 1 ;;
esac
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def blocks(text):
    """The language and the content of each block of code."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


class Reader:
    """A checkout of its own, with the programs of a reader's machine."""

    def __init__(self, folder, program, node_modules):
        self.port = free_port()
        self.checkout = folder / "guildhall"
        self.checkout.mkdir()
        (self.checkout / "samples").symlink_to(ROOT / "samples")
        (self.checkout / "node_modules").symlink_to(node_modules)
        tools = folder / "bin"
        tools.mkdir()
        (tools / "guildhall").symlink_to(program)
        (tools / "cargo").write_text(CARGO)
        (tools / "cargo").chmod(0o755)
        kept = {name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ}
        path = f"{tools}:{os.environ['PATH']}"
        self.environment = kept | {"PATH": path, "GUILDHALL_LISTEN": f"127.0.0.1:{self.port}"}
        self.servers = []

    def run(self, language, content):
        content = content.replace(":8420", f":{self.port}")
        if language == "js":
            (self.checkout / "teams.mjs").write_text(content)
            content = "node teams.mjs"
        serves = SERVER.search(content)
        process = subprocess.Popen(
            ["bash", "-c", PRELUDE + content],
            cwd=self.checkout,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=None if serves else subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        if serves:
            self.servers.append(process)
            if not any(line.startswith(READY) for line in process.stdout):
                raise AssertionError("the server is not ready")
            return ""
        output, _ = process.communicate(timeout=180)
        if process.returncode != 0:
            raise AssertionError(f"exit status {process.returncode}\n{output}")
        return output

    def stop(self):
        for server in self.servers:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(timeout=120)
        self.servers.clear()
