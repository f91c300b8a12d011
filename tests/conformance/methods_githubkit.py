"""githubkit, for methods_story.py: each response is read by the model of its method."""
from githubkit import GitHub
from githubkit.exception import RequestFailed


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
    return Api(GitHub(token, base_url=f"{base}/"))


def header(api, name):
    """A header of the last response."""
    return api.last.headers[name]


def every_page(api, method, *args, **named):
    return list(api.github.paginate(method.__wrapped__, *args, **named))


def refused(status, method, *args, **named):
    try:
        method(*args, **named)
    except RequestFailed as error:
        if error.response.status_code == status:
            return
        raise
    raise AssertionError(f"accepted, wanted {status}")
