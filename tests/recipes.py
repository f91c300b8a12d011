"""Types docs/testing.md from top to bottom, with the recipes it shows, and then the recipes in CI's two other ways.

Each block of commands is typed, and a block of JSON or text after it must be what they print. Each block that follows
the name of a file in `recipes` or `samples` must be that file or a piece of it. What the recipes need is installed already,
`reader.py` says what else differs from a reader's machine, and blocks that need Docker are left out.

After that, the recipes that can use a running server are run with one, and so is the workflow, whose service is
replaced by a process. The syntax of the workflow that makes releases is checked with it.

Usage: recipes.py PROGRAM INSTALLED, where INSTALLED is what scripts/test has installed for the recipes.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

from reader import ROOT, SERVER, Reader

PROGRAM, INSTALLED = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
ACTIONS = ROOT / "recipes/github-actions"

# A part of a command, and what it prints if all tests of the recipe have passed.
TESTS = {
    "pytest recipes/pytest": r"\b5 passed in ",
    "npm test": r"Tests +4 passed \(4\)",
    "npm run test:jest": r"Tests: +4 passed, 4 total",
    "go test": r"ok\s+example.org/teams\s+[\d.]+s\n",
    "mvn ": r"Tests run: 4, Failures: 0, Errors: 0, Skipped: 0\n",
}
RUNNING = ["cd recipes/javascript && npm test", "cd recipes/go && go test -count=1 ./..."]

# The line before a block that shows a file.
QUOTED = re.compile(r"`((?:recipes|samples)/[^`]*)`:$")

# What a runner of GitHub does is done already: the checkout is there, and Python is that of scripts/test.
DONE = ("actions/checkout@", "actions/setup-python@")


def blocks(text):
    """The line before each block, and the language and content of the block."""
    return re.findall(r"^([^\n]*)\n\n```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def prepared(folder):
    """A reader whose checkout has the recipes with what they need."""
    reader = Reader(folder, PROGRAM, INSTALLED / "javascript/node_modules")
    recipes = reader.checkout / "recipes"
    shutil.copytree(ROOT / "recipes", recipes)
    (recipes / "javascript/node_modules").symlink_to(INSTALLED / "javascript/node_modules")
    (recipes / "junit/.mvn").mkdir()
    (recipes / "junit/.mvn/maven.config").write_text(f"--batch-mode\n--offline\n-Dmaven.repo.local={INSTALLED}/m2\n")
    tools, rest = reader.environment["PATH"].split(":", 1)
    reader.environment |= {"PATH": f"{tools}:{INSTALLED}/venv/bin:{rest}", "GOTOOLCHAIN": "auto", "NO_COLOR": "1"}
    return reader


class Guide:
    """The document as it is typed, and how much of it was right."""

    def __init__(self, reader):
        self.reader = reader
        self.passed = self.failed = 0

    def attempt(self, name, work, *arguments):
        try:
            work(*arguments)
            self.passed += 1
        except (AssertionError, subprocess.TimeoutExpired) as error:
            self.failed += 1
            print(f"FAILED {name}\n{error}")

    def type(self, content):
        """Types commands and keeps what they print."""
        self.printed = None
        if SERVER.search(content):
            self.reader.stop()
        output = self.reader.run("sh", content)
        for command, expected in TESTS.items():
            assert command not in content or re.search(expected, output), output
        self.printed = output.replace(f":{self.reader.port}", ":8420")

    def compare(self, content):
        assert self.printed == content, f"printed {self.printed!r}"

    def quote(self, before, content):
        """`This is` stands before a whole file, and other words before a piece of one."""
        file = QUOTED.search(before)[1]
        whole = (ROOT / file).read_text()
        assert content == whole or "This is" not in before and content in whole, f"{file} differs"

    def document(self, text):
        typed = ""
        for before, language, content in blocks(text):
            if QUOTED.search(before):
                self.attempt(content, self.quote, before, content)
            elif language == "sh" and "docker" not in content:
                typed += content
                self.attempt(content, self.type, content)
            elif language in ("json", "text"):
                self.attempt(content, self.compare, content)
        for command in TESTS:
            self.attempt(f"the document shows how to run `{command}`", self.shown, command, typed)

    def shown(self, command, typed):
        assert command in typed

    def with_a_server(self):
        self.reader.run("sh", "guildhall dev --seed samples/dev/seed.yaml")
        url = "GUILDHALL_URL=http://127.0.0.1:8420"
        for commands in RUNNING:
            self.attempt(f"{commands} with {url}", self.type, f"export {url}\n{commands}")
        self.reader.stop()

    def workflow(self):
        """Runs what the workflow runs, with the command of its image as its service."""
        command = re.search(r"^CMD (.*)$", (ACTIONS / "Containerfile").read_text(), re.MULTILINE)
        inside = {"/seed.yaml": "samples/dev/seed.yaml", "0.0.0.0:8420": "127.0.0.1:8420"}
        job = yaml.safe_load((ACTIONS / "teams.yml").read_text())["jobs"]["test"]
        assert job["services"]["guildhall"]["ports"] == ["8420:8420"]
        self.reader.run("sh", " ".join(inside.get(word, word) for word in json.loads(command[1])))
        variables = "".join(f"export {name}={value}\n" for name, value in job["env"].items())
        ran = ""
        for step in job["steps"]:
            if "run" in step:
                self.type(variables + step["run"])
                ran += step["run"]
            else:
                assert step["uses"].startswith(DONE), step
        assert "pytest recipes/pytest" in ran


def main():
    with tempfile.TemporaryDirectory() as folder:
        reader = prepared(pathlib.Path(folder))
        guide = Guide(reader)
        try:
            guide.document((ROOT / "docs/testing.md").read_text())
            reader.stop()
            guide.with_a_server()
            lint = f"{INSTALLED}/actionlint recipes/github-actions/teams.yml {ROOT}/.github/workflows/*.yml"
            guide.attempt("the syntax of the workflows", guide.type, lint)
            guide.attempt("the workflow", guide.workflow)
        finally:
            reader.stop()
    print(f"{guide.passed} passed, {guide.failed} failed")
    return 1 if guide.failed else 0


sys.exit(main())
