"""The seed of the server, and clients of it. The server comes from the plugin `pytest_guildhall`."""

import pathlib

import pytest
from github import Auth, Github

# Where the package is installed, pytest finds the plugin by itself.
pytest_plugins = ["pytest_guildhall"]


@pytest.fixture(scope="session")
def guildhall_seed():
    return pathlib.Path(__file__).parents[2] / "samples/dev/seed.yaml"


@pytest.fixture
def connect(guildhall):
    """Connects PyGithub with a token."""
    return lambda token: Github(base_url=guildhall.url, auth=Auth.Token(token))


@pytest.fixture
def acme(connect):
    """The organization, as its owner sees it."""
    return connect("olivia-token").get_organization("acme")
