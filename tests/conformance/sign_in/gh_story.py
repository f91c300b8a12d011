"""An unmodified `gh` signs a person in over TLS by its device flow: it prints a code, and a browser presses the buttons.

Usage: gh_story.py PROGRAM. Reads the variables of world.py and of browser.mjs. The server is at port 443, because `--hostname`
takes no other.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from checks import run, equal

HOST = os.environ["GUILDHALL_URL"].removeprefix("https://").removesuffix("/api/v3")
OWN = {"GH_CONFIG_DIR": tempfile.mkdtemp(), "NO_COLOR": "1"}
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GH_")} | OWN
BROWSER = pathlib.Path(__file__).with_name("device.mjs")


def gh(*words):
    return subprocess.run([sys.argv[1], *words], env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=True).stdout


def answered(answer):
    """`gh auth login --web`, while max gives this answer in a browser: the exit code, and what it said."""
    words = [sys.argv[1], "auth", "login", "--hostname", HOST, "--web", "--git-protocol", "https", "--insecure-storage"]
    login = subprocess.Popen(words, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    said = ""
    for line in login.stderr:
        said += line
        if address := re.search(r"https://\S*/login/device", line):
            code = re.search(r"[A-Z]{4}-[A-Z]{4}", said)[0]
            subprocess.run(["node", BROWSER, address[0], code, "max", answer], check=True, timeout=120)
    return login.wait(timeout=60), said


def refused():
    code, said = answered("deny")
    equal(code != 0, True)
    equal("access_denied" in said, True)


def login_with_a_browser():
    code, said = answered("allow")
    equal((code, "Logged in as max" in said), (0, True))
    equal(gh("api", "user", "--hostname", HOST, "--jq", ".login").strip(), "max")
    status = gh("auth", "status")
    equal(all(word in status for word in ("Logged in", "max", "read:org", "repo", "gist")), True)
    equal(gh("org", "list").split(), [os.environ["GUILDHALL_ORG"]])


run(refused, login_with_a_browser)
