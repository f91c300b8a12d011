"""Runs the commands and the sample of README.md as they are written, and on the server that it starts, the commands of
"Day 2" in docs/running.md and those of docs/login.md that register a product. `reader.py` says what differs from a reader's
machine. What is installed from a release is left to packaging/doors.

Usage: readme.py PROGRAM NODE_MODULES
"""

import pathlib
import subprocess
import sys
import tempfile

from reader import ROOT, SERVER, Reader, blocks

PROGRAM, NODE_MODULES = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])


def day_two():
    """The commands of the section, which share their variables."""
    guide = (ROOT / "docs/running.md").read_text()
    section = guide.split("\n## Day 2\n")[1].split("\n## ")[0]
    return "sh", "".join(content for _, content in blocks(section))


def registrations():
    """The commands with which docs/login.md registers the products."""
    found = [block for block in blocks((ROOT / "docs/login.md").read_text()) if "guildhall app create" in block[1]]
    assert len(found) > 7, "docs/login.md registers too few products"
    return found


def main():
    text = (ROOT / "README.md").read_text()
    before, after = text.split("\n## Three doors\n")
    found = blocks(before + after.partition("\n## ")[2])
    stand_in = next(at for at, (_, content) in enumerate(found) if "guildhall dev" in content)
    found[stand_in:stand_in] = [day_two(), *registrations()]
    assert "GitHub's REST API for teams" in " ".join(text.split("\n")[:6])
    assert [language for language, _ in found].count("js") == 1
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(pathlib.Path(folder), PROGRAM, NODE_MODULES)
        try:
            for language, content in found:
                if "./scripts/test" in content:
                    continue
                if SERVER.search(content):
                    reader.stop()
                try:
                    output = reader.run(language, content)
                    if language == "js":
                        assert "libs" in output, output
                    passed += 1
                except (AssertionError, subprocess.TimeoutExpired) as error:
                    failed += 1
                    print(f"this block does not work: {error}\n{content}")
        finally:
            reader.stop()
    if passed + failed < 4:
        print("README.md has too few blocks to run")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
