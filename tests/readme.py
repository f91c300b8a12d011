"""Runs the commands and the sample of README.md as they are written, one after the other like a reader.

Three things differ from a reader's machine: `cargo` runs the program that is built already, `npm install` uses the
library that is installed already, and the server listens on a free port instead of 8420.

Usage: readme.py PROGRAM NODE_MODULES
"""

import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM, NODE_MODULES = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])

# A server says this when it is ready.
READY = ("guildhall listening on", "Ctrl-C stops it")

CARGO = """#!/bin/sh
case "$1" in
install) exit 0 ;;
run) shift 3; exec guildhall "$@" --listen "$GUILDHALL_LISTEN" ;;
*) echo "cargo $1 is not expected in README.md" >&2; exit 1 ;;
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

    def __init__(self, folder):
        self.port = free_port()
        self.checkout = folder / "guildhall"
        self.checkout.mkdir()
        (self.checkout / "samples").symlink_to(ROOT / "samples")
        (self.checkout / "node_modules").symlink_to(NODE_MODULES)
        tools = folder / "bin"
        tools.mkdir()
        (tools / "guildhall").symlink_to(PROGRAM)
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
        # Each line must work, as it must for a reader; curl must be told to mind the status.
        script = "set -euo pipefail\ncurl() { command curl --fail --silent --show-error \"$@\"; }\n" + content
        process = subprocess.Popen(
            ["bash", "-c", script],
            cwd=self.checkout,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        if re.search(r"guildhall serve|-- demo", content):
            self.servers.append(process)
            if not any(line.startswith(READY) for line in process.stdout):
                raise AssertionError("the server is not ready")
            return ""
        output, _ = process.communicate(timeout=60)
        if process.returncode != 0:
            raise AssertionError(f"exit status {process.returncode}\n{output}")
        return output

    def stop(self):
        for server in self.servers:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(timeout=30)
        self.servers.clear()


def main():
    text = (ROOT / "README.md").read_text()
    found = blocks(text)
    assert "GitHub's REST API for teams" in " ".join(text.split("\n")[:6])
    assert [language for language, _ in found].count("js") == 1
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(pathlib.Path(folder))
        try:
            for language, content in found:
                if "./scripts/test" in content:
                    continue
                if re.search(r"guildhall serve|-- demo", content):
                    reader.stop()
                try:
                    output = reader.run(language, content)
                    if language == "js":
                        assert "libs" in output, output
                    passed += 1
                except (AssertionError, subprocess.TimeoutExpired) as error:
                    failed += 1
                    print(f"this block of README.md does not work: {error}\n{content}")
        finally:
            reader.stop()
    if passed + failed < 4:
        print("README.md has too few blocks to run")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
