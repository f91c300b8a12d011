"""A person in a browser without JavaScript, who presses buttons; and applications that the operator registers.

Reads GUILDHALL_PROGRAM, and GUILDHALL_WHERE (the arguments that say where the data is, one a line).
"""
import os
import re
import subprocess
from urllib.parse import parse_qsl, urljoin, urlsplit

import requests

HIDDEN = re.compile(r"<input[^>]*>")
BUTTON = re.compile(r"<button([^>]*)>(.*?)</button>", re.DOTALL)
FORM = re.compile(r"<form ([^>]*)>(.*?)</form>", re.DOTALL)


def guildhall(*words):
    command = [os.environ["GUILDHALL_PROGRAM"], *words, *os.environ["GUILDHALL_WHERE"].split("\n")]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def register(name, *options):
    """The client ID and the secret of a new application; None for a public one."""
    printed = dict(line.split("=", 1) for line in guildhall("app", "create", "--name", name, *options).splitlines())
    return printed["client_id"], printed.get("client_secret")


def attribute(tag, name):
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return found[1] if found else ""


class Person:
    """Keeps cookies and follows redirects on the server. A redirect elsewhere is kept in `url`, without a page."""

    def __init__(self, login, origin):
        self.origin, self.browser, self.url, self.page = origin, requests.Session(), origin, ""
        self.open(guildhall("user", "sign-in", login, "--public-url", origin))
        self.press("Sign in")

    def open(self, url, form=None):
        self.url, self.page = urljoin(self.url, url), ""
        if not self.url.startswith(f"{self.origin}/"):
            return
        answer = self.browser.request("POST" if form else "GET", self.url, data=form, allow_redirects=False,
                                      headers={"Origin": self.origin} if form else None)
        if "location" in answer.headers:
            self.open(answer.headers["location"])
        else:
            self.page = answer.text

    def press(self, text, **typed):
        """Presses the button with this text, in the form with the fields that are typed."""
        for attributes, inside in FORM.findall(self.page):
            for tag, label in BUTTON.findall(inside):
                if re.sub("<[^>]*>", "", label).startswith(text):
                    fields = {attribute(each, "name"): attribute(each, "value") for each in [*HIDDEN.findall(inside), tag]}
                    fields.pop("", None)
                    return self.open(attribute(attributes, "action") or self.url, fields | typed)
        raise AssertionError(f"no button {text} at {self.url}: {self.page or 'no page'}")

    def back(self):
        """The parameters with which the browser was sent back to the application."""
        assert not self.page, self.page
        return dict(parse_qsl(urlsplit(self.url).query))
