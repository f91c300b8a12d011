"""The documented refusals: every client library is shown each of them.

They are listed only here. docs/compatibility.md has a cell for each library and refusal, and a run without it has failed.
"""

# Where a refusal is seen: the part of the story, which checks the client's own error, and the status, which the log of the
# server must have while the part runs.
REFUSALS = {
    "401": ("errors", 401),
    "403": ("errors", 403),
    "404": ("errors", 404),
    "422": ("errors", 422),
    "304": ("conditional", 304),
    "Abuse limit": ("limits", 403),
    "Synchronized team": ("groups", 403),
}
# The groups without libraries. A program chooses its requests itself, and has words of its own for a refusal.
WITHOUT = ("Programs", "Signed in", "Timed")
IN_ERRORS = "in `errors` of the response"
# What a client cannot be shown, and why.
CANNOT = {
    "octokit-graphql": {
        "403": IN_ERRORS,
        "404": IN_ERRORS,
        "422": IN_ERRORS,
        "304": "no conditional requests in GraphQL",
        "Abuse limit": IN_ERRORS,
        "Synchronized team": "no mutation of memberships",
    },
}


def shown(name, group, runs):
    """What a client was shown in all of its runs: for each refusal None, or why not."""
    if group in WITHOUT:
        return {}
    cannot = CANNOT.get(name, {})
    return {refusal: None if all(seen in run["seen"] for run in runs.values()) else cannot.get(refusal, "not shown")
            for refusal, seen in REFUSALS.items()}


def missing(name, result):
    """The refusals that a client was not shown, though nothing says that it cannot be."""
    cannot = CANNOT.get(name, {})
    return [refusal for refusal, why in result["refusals"].items() if why and why != cannot.get(refusal)]
