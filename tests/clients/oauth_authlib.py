"""An unmodified Authlib signs a person in on a running server.

Reads GUILDHALL_URL (base address, with or without /api/v3), GUILDHALL_ORG, GUILDHALL_TOKEN (an owner's), GUILDHALL_MEMBER (the
person) and GUILDHALL_MEMBER_TOKEN (a token of their own), and what oauth_person.py reads. Ends with "N passed, N failed".
"""
import os
from urllib.parse import urlsplit

import requests
from authlib.common.errors import AuthlibBaseError
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

from checks import equal, mark, run
from oauth_person import Person, guildhall, register

BASE, ORG, LOGIN = (os.environ[f"GUILDHALL_{name}"] for name in ("URL", "ORG", "MEMBER"))
ORIGIN = "{0.scheme}://{0.netloc}".format(urlsplit(BASE))
AUTHORIZE, GITHUBS, STANDARD = (f"{ORIGIN}/login/oauth/{name}" for name in ("authorize", "access_token", "token"))
CALLBACK = "http://127.0.0.1:1/callback"
SCOPES = ["read:org", "user:email"]
DEVICES = (("/login/device/code", GITHUBS), ("/login/oauth/device", STANDARD))
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
RUN = f"authlib {os.getpid()}"

guildhall("user", "email", LOGIN, f"{LOGIN}@example.com", "--verified")
person = Person(LOGIN, ORIGIN)
confidential = register(f"{RUN} web", "--redirect-uri", CALLBACK, "--org", ORG)
public = register(f"{RUN} desktop", "--redirect-uri", CALLBACK, "--public", "--trusted")
device = register(f"{RUN} device", "--device-flow", "--trusted")


def session(application, **more):
    client_id, secret = application
    method = {} if secret else {"token_endpoint_auth_method": "none"}
    return OAuth2Session(client_id, secret, **({"scope": SCOPES, "redirect_uri": CALLBACK} | method | more))


def call(token, path, method="GET", body=None):
    return requests.request(method, BASE + path, json=body, headers={"Authorization": f"token {token}"}, timeout=60)


def refused(word, work, *args, **named):
    try:
        work(*args, **named)
    except AuthlibBaseError as error:
        equal(error.error, word)
        return error
    raise AssertionError(f"accepted, wanted {word}")


def consent(client, button="Allow", **more):
    """Where the browser is sent back to, and the state that was sent along."""
    url, state = client.create_authorization_url(AUTHORIZE, **more)
    person.open(url)
    if person.page:
        person.press(button)
    equal(person.back()["state"], state)
    return person.url, state


def acts_for(client):
    """The session has a token that stands for the person, and lists what a token of their own does."""
    user = client.get(f"{BASE}/user")
    equal((user.status_code, user.json()["login"]), (200, LOGIN))
    equal(sorted(user.headers["x-oauth-scopes"].split(", ")), SCOPES)
    for path in ("/user/teams", "/user/orgs"):
        found = [each["id"] for each in client.get(BASE + path).json()]
        assert found, path
        equal(found, [each["id"] for each in call(os.environ["GUILDHALL_MEMBER_TOKEN"], path).json()])
    emails = client.get(f"{BASE}/user/emails").json()
    assert (f"{LOGIN}@example.com", True) in [(each["email"], each["verified"]) for each in emails], emails


def signs_in(application, endpoint, **more):
    client, verifier = session(application, code_challenge_method="S256", **more), generate_token(48)
    url, state = consent(client, code_verifier=verifier)
    token = client.fetch_token(endpoint, authorization_response=url, state=state, code_verifier=verifier)
    assert token["access_token"].startswith("gho_"), token
    acts_for(client)
    return token


def as_github_has_it():
    token = signs_in(confidential, GITHUBS)
    equal((token["token_type"], sorted(token["scope"].split(","))), ("bearer", SCOPES))
    assert "expires_in" not in token, token


def as_the_standard_has_it():
    token = signs_in(confidential, STANDARD)
    equal((token["token_type"].lower(), token["expires_in"], sorted(token["scope"].split())), ("bearer", 3600, SCOPES))


def the_secret_in_the_form():
    signs_in(confidential, GITHUBS, token_endpoint_auth_method="client_secret_post")
    signs_in(confidential, STANDARD, token_endpoint_auth_method="client_secret_post")


def a_public_application():
    signs_in(public, GITHUBS)
    signs_in(public, STANDARD)
    person.open(session(public, code_challenge_method="S256").create_authorization_url(AUTHORIZE, code_verifier="v" * 43)[0])
    assert "act for you?" in person.page, person.url


def without_pkce():
    client = session(confidential)
    url, state = consent(client)
    client.fetch_token(GITHUBS, authorization_response=url, state=state)
    acts_for(client)
    consent(session(public))
    equal(person.back()["error"], "invalid_request")


def a_plain_challenge_is_refused():
    for application in (confidential, public):
        consent(session(application), code_challenge="v" * 43, code_challenge_method="plain")
        equal(person.back()["error"], "invalid_request")


def a_wrong_verifier_is_refused():
    for endpoint, word in ((GITHUBS, "bad_verification_code"), (STANDARD, "invalid_grant")):
        for application in (confidential, public):
            for verifier in ({"code_verifier": generate_token(48)}, {}):
                client = session(application, code_challenge_method="S256")
                url, state = consent(client, code_verifier=generate_token(48))
                refused(word, client.fetch_token, endpoint, authorization_response=url, state=state, **verifier)


def a_wrong_secret_is_refused_and_uses_no_code_up():
    for endpoint, word in ((GITHUBS, "incorrect_client_credentials"), (STANDARD, "invalid_client")):
        url, state = consent(session(confidential))
        wrong = session((confidential[0], "wrong"))
        refused(word, wrong.fetch_token, endpoint, authorization_response=url, state=state)
        session(confidential).fetch_token(endpoint, authorization_response=url, state=state)


def a_code_works_once():
    for endpoint, word in ((GITHUBS, "bad_verification_code"), (STANDARD, "invalid_grant")):
        client = session(confidential)
        url, state = consent(client)
        client.fetch_token(endpoint, authorization_response=url, state=state)
        acts_for(client)
        refused(word, session(confidential).fetch_token, endpoint, authorization_response=url, state=state)
        equal(call(client.token["access_token"], "/user").status_code, 401)


def another_state_is_noticed():
    url, _ = consent(session(confidential))
    refused("mismatching_state", session(confidential).fetch_token, GITHUBS, authorization_response=url, state="another")


def a_person_who_does_not_allow_it():
    consent(session(public, code_challenge_method="S256"), "Do not allow", code_verifier=generate_token(48))
    equal(person.back()["error"], "access_denied")


def ask(address):
    data = {"client_id": device[0], "client_secret": device[1], "scope": " ".join(SCOPES)}
    asked = requests.post(ORIGIN + address, data, headers={"Accept": "application/json"}, timeout=60)
    equal(asked.status_code, 200)
    return asked.json()


def answer(codes, button):
    person.open(codes["verification_uri"])
    person.press("Continue", user_code=codes["user_code"])
    person.press(button)


def redeem(client, endpoint, codes):
    return client.fetch_token(endpoint, grant_type=DEVICE, device_code=codes["device_code"])


def devices_wait():
    for address, endpoint in DEVICES:
        client, codes = session(device), ask(address)
        refused("authorization_pending", redeem, client, endpoint, codes)
        refused("slow_down", redeem, client, endpoint, codes)


def devices_are_connected():
    for address, endpoint in DEVICES:
        client, codes = session(device), ask(address)
        answer(codes, "Yes, connect it")
        redeem(client, endpoint, codes)
        acts_for(client)


def devices_are_denied():
    for address, endpoint in DEVICES:
        codes = ask(address)
        answer(codes, "No, this is not me")
        refused("access_denied", redeem, session(device), endpoint, codes)


def main():
    owner, slug = os.environ["GUILDHALL_TOKEN"], RUN.replace(" ", "-")
    equal(call(owner, f"/orgs/{ORG}/teams", "POST", {"name": RUN, "maintainers": [LOGIN]}).status_code, 201)
    try:
        run(as_github_has_it, as_the_standard_has_it, the_secret_in_the_form, a_public_application, without_pkce,
            a_plain_challenge_is_refused, a_wrong_verifier_is_refused, a_wrong_secret_is_refused_and_uses_no_code_up,
            a_code_works_once, another_state_is_noticed, a_person_who_does_not_allow_it, devices_wait,
            devices_are_connected, devices_are_denied)
    finally:
        mark("begin aside")
        equal(call(owner, f"/orgs/{ORG}/teams/{slug}", "DELETE").status_code, 204)
        mark("ok aside")


main()
