"""githubkit, for methods_story.py: each response is read by the model of its method."""
import inspect

from githubkit import GitHub
from githubkit.exception import RequestFailed

try:
    from githubkit.exception import SecondaryRateLimitExceeded
except ImportError:
    # Older versions do not tell the limit from other refusals.
    SecondaryRateLimitExceeded = RequestFailed

# Newer versions wait as long as `Retry-After` says, unless told otherwise.
IMPATIENT = {"auto_retry": False} if "auto_retry" in inspect.signature(GitHub.__init__).parameters else {}


class Group:
    """The methods of one group, such as teams. They return what the model has read."""

    def __init__(self, api, methods):
        self.api, self.methods = api, methods

    def __getattr__(self, name):
        method = getattr(self.methods, name)

        def call(*args, **named):
            self.api.last = method(*args, **named)
            return self.api.last.parsed_data if self.api.last.status_code != 204 else None

        call.__wrapped__ = method
        return call


class Api:
    def __init__(self, github):
        self.github, self.last = github, None

    def __getattr__(self, group):
        return Group(self, getattr(self.github.rest, group))


def connect(base, token):
    return Api(GitHub(token, base_url=f"{base}/", **IMPATIENT))


def header(api, name):
    """A header of the last response."""
    return api.last.headers[name]


def every_page(api, method, *args, **named):
    return list(api.github.paginate(method.__wrapped__, *args, **named))


def request(api, method, path, body=None):
    """A request that the library has no method for."""
    return api.github.request(method, path, json=body).json()


def refused(status, method, *args, error=RequestFailed, **named):
    """What the server says, and its headers, as the library's error has them."""
    try:
        method(*args, **named)
    except error as refusal:
        if refusal.response.status_code != status:
            raise
        return refusal.response.json()["message"], refusal.response.headers
    raise AssertionError(f"accepted, wanted {status}")


def refused_by_limit(method, *args, **named):
    return refused(403, method, *args, error=SecondaryRateLimitExceeded, **named)


def unchanged(api, path, tag):
    """An older version shows the response without a body, a newer one that which it has kept."""
    found = api.github.request("GET", path, headers={"If-None-Match": tag})
    if found.status_code != 304 and not found.raw_response.extensions.get("hishel_from_cache"):
        raise AssertionError(f"found {found.status_code}, wanted 304")
