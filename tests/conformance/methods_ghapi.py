"""ghapi, for methods_story.py. Since version 2 it must be told not to be asynchronous."""
import inspect

from ghapi.all import GhApi

try:
    from ghapi.page import sync_paged as paged
except ImportError:
    from ghapi.all import paged

SYNCHRONOUS = {"sync": True} if "sync" in inspect.signature(GhApi.__init__).parameters else {}


def connect(base, token):
    return GhApi(token=token, gh_host=base, **SYNCHRONOUS)


def header(api, name):
    """A header of the last response."""
    return api.recv_hdrs[name]


def every_page(_, method, *args, **named):
    return [item for page in paged(method, *args, **named) for item in page]


def refused(status, method, *args, **named):
    try:
        method(*args, **named)
    except Exception as error:
        found = getattr(error, "status_code", getattr(error, "code", None))
        if found == status:
            return
        raise
    raise AssertionError(f"accepted, wanted {status}")
