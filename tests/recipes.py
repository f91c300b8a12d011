"""Runs the recipes of recipes/ in a copy of the checkout, as a reader runs them.

Each starts a server of its own. Those that can use a running server are run with one, too: so does the workflow, whose
service is replaced by a process. The container of the JUnit recipe is compiled and not run.

Usage: recipes.py PROGRAM INSTALLED, where INSTALLED is what scripts/test has installed for them.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM, INSTALLED = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])

# The folder, the command, what its output says of each test that has passed, and how many there are.
MAVEN = f"mvn --batch-mode --offline -Dmaven.repo.local={INSTALLED}/m2 test"
OWN = [
    ("pytest", "pytest --verbose", " PASSED ", 4),
    ("javascript", "npm test -- --reporter=verbose", " ✓ ", 4),
    ("javascript", "npm run test:jest -- --verbose", " ✓ ", 4),
    ("go", "go test -count=1 -v ./...", "--- PASS: ", 5),
    ("junit", MAVEN, "Tests run: 4, Failures: 0, Errors: 0, Skipped: 0\n", 1),
]
RUNNING = [recipe for recipe in OWN if recipe[0] in ("javascript", "go")]

# What a runner of GitHub does is done already: the copy is the checkout, and Python is that of scripts/test.
DONE = ("actions/checkout@", "actions/setup-python@")


class Copy:
    """A copy of the checkout, with the programs of a reader's machine."""

    def __init__(self, folder):
        self.folder = folder
        shutil.copytree(ROOT / "recipes", folder / "recipes")
        shutil.copytree(ROOT / "samples/dev", folder / "samples/dev")
        (folder / "recipes/javascript/node_modules").symlink_to(INSTALLED / "javascript/node_modules")
        tools = folder / "bin"
        tools.mkdir()
        (tools / "guildhall").symlink_to(PROGRAM)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GUILDHALL_")}
        path = f"{tools}:{INSTALLED}/venv/bin:{os.environ['PATH']}"
        self.environment = kept | {"PATH": path, "NO_COLOR": "1"}

    def run(self, folder, command, **more):
        """What a command prints; an error if it fails."""
        result = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=self.folder / folder,
            env=self.environment | more,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=180,
        )
        assert result.returncode == 0, f"exit status {result.returncode}\n{result.stdout}"
        return result.stdout

    def recipe(self, name, command, passed, count, **more):
        output = self.run(f"recipes/{name}", command, **more)
        assert output.count(passed) == count, f"expected {count} times {passed!r}\n{output}"

    @contextlib.contextmanager
    def server(self, arguments):
        """The URL of a running server."""
        command = ["guildhall", *arguments]
        with subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, text=True) as server:
            try:
                ready = server.stdout.readline()
                assert ready, "the server has not started"
                yield ready.split()[-1]
            finally:
                server.terminate()

    def workflow(self):
        """Runs what the workflow runs, with the command of its image as its service."""
        folder = ROOT / "recipes/github-actions"
        command = re.search(r"^CMD (.*)$", (folder / "Containerfile").read_text(), re.MULTILINE)
        inside = {"/seed.yaml": "samples/dev/seed.yaml", "0.0.0.0:8420": "127.0.0.1:0"}
        program, *arguments = [inside.get(word, word) for word in json.loads(command[1])]
        assert program == "guildhall" and inside["/seed.yaml"] in arguments and inside["0.0.0.0:8420"] in arguments
        job = yaml.safe_load((folder / "teams.yml").read_text())["jobs"]["test"]
        assert job["services"]["guildhall"]["ports"] == ["8420:8420"]
        assert job["env"] == {"GUILDHALL_URL": "http://127.0.0.1:8420"}
        output = ""
        with self.server(arguments) as url:
            for step in job["steps"]:
                if "run" in step:
                    output += self.run(".", step["run"], GUILDHALL_URL=url)
                else:
                    assert step["uses"].startswith(DONE), step
        assert "4 passed" in output, output


def main():
    passed = failed = 0

    def attempt(name, work, *arguments, **more):
        nonlocal passed, failed
        try:
            work(*arguments, **more)
            passed += 1
        except (AssertionError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"FAILED {name}: {error}")

    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(pathlib.Path(folder))
        for name, *recipe in OWN:
            more = {"GUILDHALL_PROGRAM": str(PROGRAM)} if name == "junit" else {}
            attempt(f"{name}, {recipe[0]}", copy.recipe, name, *recipe, **more)
        with copy.server(["dev", "--seed", "samples/dev/seed.yaml", "--listen", "127.0.0.1:0"]) as url:
            for name, *recipe in RUNNING:
                attempt(f"{name}, {recipe[0]}, with a running server", copy.recipe, name, *recipe, GUILDHALL_URL=url)
        attempt("the workflow's syntax", copy.run, ".", f"{INSTALLED}/actionlint recipes/github-actions/teams.yml")
        attempt("the workflow", copy.workflow)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
