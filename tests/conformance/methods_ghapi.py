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


def request(api, method, path, body=None):
    """A request that the library has no method for."""
    return api(path, method, data=body)


def refused(status, method, *args, **named):
    """What the library's error says, and the headers that it keeps: version 1 in the error itself, version 2 in a response."""
    try:
        method(*args, **named)
    except Exception as error:
        response = getattr(error, "response", error)
        if getattr(response, "status_code", getattr(response, "code", None)) != status:
            raise
        return str(error), response.headers
    raise AssertionError(f"accepted, wanted {status}")


def refused_by_limit(method, *args, **named):
    """The library has no error of its own for it."""
    return refused(403, method, *args, **named)


def unchanged(api, path, tag):
    refused(304, api, path, headers={"If-None-Match": tag})
