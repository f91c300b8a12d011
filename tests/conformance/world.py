"""Prepares a fresh server for a client, through its API: the organization acme, its people, a token for each, and a group
of its identity provider.

Usage: world.py BASE ADMIN_TOKEN_FILE. Prints the variables that client programs read, one a line.
"""
import json
import pathlib
import ssl
import sys
import urllib.request

ORG = "acme"
SCOPES = ["admin:org", "admin:org_hook", "repo", "delete_repo", "user", "notifications", "write:discussion", "read:audit_log"]
# Who has the token of which variable. Olivia owns the organization, max, eve and zoe are members, nina is in none.
VARIABLES = {"olivia": "TOKEN", "max": "MEMBER_TOKEN", "nina": "OUTSIDER_TOKEN"}


class Caller:
    """Calls the API. A story gives `mark`, so that the judge does not take these calls for the client's."""

    def __init__(self, base, token, mark=lambda text: None):
        self.base, self.token, self.mark = base, token, mark
        # The certificate authority of the run is unknown to this program.
        self.tls = ssl._create_unverified_context() if base.startswith("https") else None

    def __call__(self, method, path, body=None):
        headers = {"Authorization": f"token {self.token}", "User-Agent": "world", "Content-Type": "application/json"}
        data = None if method == "GET" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        self.mark("begin aside")
        with urllib.request.urlopen(request, context=self.tls) as answer:
            text = answer.read()
        self.mark("ok aside")
        return json.loads(text) if text else None


def prepare(base, admin_token):
    admin = Caller(base, admin_token)
    tokens = {}
    for login in ("olivia", "max", "eve", "zoe", "nina"):
        admin("POST", "/admin/users", {"login": login, "email": f"{login}@example.com"})
        made = admin("POST", f"/admin/users/{login}/authorizations", {"scopes": SCOPES})
        tokens[login] = made["token"]
    admin("POST", "/admin/organizations", {"login": ORG, "admin": "olivia", "profile_name": "Acme"})
    for login in ("max", "eve", "zoe"):
        Caller(base, tokens["olivia"])("PUT", f"/orgs/{ORG}/memberships/{login}", {"role": "member"})
        Caller(base, tokens[login])("PATCH", f"/user/memberships/orgs/{ORG}", {"state": "active"})
    admin("PATCH", f"/admin/organizations/{ORG}", {"plan": "enterprise"})
    group = {"schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": "Platform"}
    Caller(base, tokens["olivia"])("POST", f"/scim/v2/organizations/{ORG}/Groups", group)
    return tokens


def main():
    base, token_file = sys.argv[1:3]
    admin_token = pathlib.Path(token_file).read_text().strip()
    tokens = prepare(base, admin_token)
    print(f"GUILDHALL_ORG={ORG}\nGUILDHALL_MEMBER=max\nGUILDHALL_OUTSIDER=nina\nGUILDHALL_ADMIN_TOKEN={admin_token}")
    for login, variable in VARIABLES.items():
        print(f"GUILDHALL_{variable}={tokens[login]}")


if __name__ == "__main__":
    main()
