"""Mail by a real mail server (aiosmtpd) that refuses, delays, breaks off, is silent or is down; TLS that is verified;
passwords; and signatures, checked by dkimpy.

Reads GUILDHALL_PROGRAM (a build of guildhall) and GUILDHALL_WHERE (the flags of an empty place for data, one a line).
Ends with "N passed, N failed".
"""
import base64
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

import dkim

sys.dont_write_bytecode = True
from checks import equal, run  # noqa: E402
from mail_servers import (Authority, BreaksOff, Greylists, RejectsOne, SilentAfterMail, SilentAtGreeting,  # noqa: E402
                          Takes, authenticator, free_port, link_in, own_address, read, serving)

PROGRAM, WHERE = os.environ["GUILDHALL_PROGRAM"], os.environ["GUILDHALL_WHERE"].split("\n")
KEY = pathlib.Path(__file__).resolve().parent.parent / "tls" / "dkim.pem"
QUIET = {name: value for name, value in os.environ.items() if not name.startswith(("GUILDHALL_", "SSL_CERT_"))}
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="guildhall-mailed."))
PORT, SMTP = free_port(), free_port()
BASE = f"http://127.0.0.1:{PORT}"
MAIL = ["--public-url", BASE, "--smtp-from", "Acme Teams <teams@example.com>",
        "--smtp-dkim-key", str(KEY), "--smtp-dkim-selector", "summer"]
# Only a hang reaches this.
TIMEOUT = 120
# Addresses that were invited: each is a mail, which arrives in the end or is given up.
INVITED = []


def until(what, look):
    """What is found at last."""
    end = time.monotonic() + TIMEOUT
    while not (found := look()):
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(0.05)
    return found


def call(method, path, body=None, token=None):
    headers = {"Authorization": f"token {token or admin()}", "User-Agent": "mailed"}
    request = urllib.request.Request(BASE + path, body and json.dumps(body).encode(), headers, method=method)
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        return json.loads(answer.read() or b"null")


def admin():
    return (pathlib.Path(WHERE[1]) / "admin-token").read_text(encoding="utf-8").strip()


def guildhall(*words, **variables):
    done = subprocess.run([PROGRAM, *words, *WHERE], env=QUIET | variables, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT, check=False)
    return done.returncode, done.stdout, done.stderr


def deliveries(state):
    """Mails in this state: their attempts, and what became of the last."""
    _, out, _ = guildhall("deliveries", "list", "--jsonl", "--state", state)
    found = map(json.loads, out.splitlines())
    return [(row["attempts"], row["last_status"] or "") for row in found if row["kind"] == "mail"]


def invite(name):
    """Invites an address, of which each part has its own."""
    INVITED.append(f"{name}@example.org")
    call("POST", "/orgs/acme/invitations", {"email": INVITED[-1]})
    return INVITED[-1]


def waiting(words):
    """Waits until a mail waits because of this."""
    until(words, lambda: any(words in status for _, status in deliveries("waiting")))


def settled():
    """Waits until every mail that was caused has ended."""
    until("the end of all mails", lambda: len(deliveries("delivered") + deliveries("dead")) == len(INVITED))


def delivered_last():
    settled()
    return deliveries("delivered")[-1]


# --- a server that fails ------------------------------------------------------------------------------

def a_refused_recipient_ends_that_mail_alone():
    with serving(RejectsOne("gone@example.org"), SMTP) as server:
        gone, there = invite("gone"), invite("there")
        settled()
    equal(sorted(address for address, _ in server.recipients), [gone, there])
    equal([read(mail)["To"] for mail in server.mails], [there])
    dead = deliveries("dead")
    equal([attempts for attempts, _ in dead], [1])
    assert "550" in dead[0][1] and "No such mailbox" in dead[0][1], dead


def a_greylisted_mail_is_sent_again_and_arrives_once():
    with serving(Greylists(), SMTP) as server:
        address = invite("grey")
        equal(delivered_last()[0], 2)
    equal([known for known, _ in server.recipients], [address] * 2)
    equal(len(server.mails), 1)


def a_mail_that_is_broken_off_is_sent_again_as_the_same():
    with serving(BreaksOff(), SMTP) as server:
        invite("broken")
        equal(delivered_last()[0], 2)
    equal(len(server.mails), 2)
    first, second = server.identifiers()
    equal(first, second)


def a_server_that_is_silent_at_the_greeting_holds_up_no_request_and_gets_the_mail_later():
    with serving(SilentAtGreeting(), SMTP) as server:
        invite("quiet")
        call("GET", "/orgs/acme")
        invite("patient")
        assert not any(status for _, status in deliveries("waiting")), "requests waited until an attempt was given up"
        waiting("did not answer in time")
        equal(server.mails, [])
        server.answers = True
        settled()
    # An attempt may have been given up just as it was answered, so one may arrive twice, as the same mail.
    equal({read(mail)["To"] for mail in server.mails}, {"patient@example.org", "quiet@example.org"})
    equal(len(set(server.identifiers())), 2)


def a_server_that_is_silent_after_a_mail_gets_it_again_as_the_same():
    with serving(SilentAfterMail(), SMTP) as server:
        invite("unsure")
        waiting("did not answer in time")
        server.answers = True
        assert delivered_last()[0] >= 2
    assert len(server.mails) >= 2
    equal(len(set(server.identifiers())), 1)


def mails_wait_while_the_server_is_down():
    with serving(Takes(), SMTP) as server:
        invite("before")
        settled()
        equal(len(server.mails), 1)
    invite("meanwhile")
    waiting("onnect")
    with serving(Takes(), SMTP) as server:
        settled()
    equal([read(mail)["To"] for mail in server.mails], ["meanwhile@example.org"])


# --- TLS and passwords --------------------------------------------------------------------------------

HOST = own_address()


def mail_test(url, **variables):
    """What `guildhall mail test` says: its status, and all its words."""
    status, out, error = guildhall("mail", "test", "ops@example.org", "--smtp-url", url, *MAIL, **variables)
    return status, out + error


def sent(server, url, authority):
    status, said = mail_test(url, SSL_CERT_FILE=authority.root)
    equal((status, len(server.mails)), (0, 1))
    equal(read(server.mails[0])["To"], "ops@example.org")
    return said


def refused(server, url, words, **variables):
    """Nothing is sent, and the reason is told."""
    status, said = mail_test(url, **variables)
    assert status != 0 and words in said, (status, said)
    equal((server.mails, server.recipients), ([], []))


def verified(serve, url, address):
    """A certificate of a known authority is good, any other is not: of an unknown one, or for another name."""
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder, contextlib.ExitStack() as stack:
        (ours := pathlib.Path(folder, "ours")).mkdir()
        (other := pathlib.Path(folder, "other")).mkdir()
        authority, elsewhere = Authority(ours, [address]), Authority(other, ["elsewhere.example.org"])
        port, wrong = free_port(address), free_port(address)
        servers = [stack.enter_context(serve(Takes(), at, address, of)) for at, of in
                   ((port, authority), (wrong, elsewhere))]
        refused(servers[0], url(port), "certificate")
        refused(servers[0], url(port), "certificate", SSL_CERT_FILE=elsewhere.root)
        refused(servers[1], url(wrong), "certificate", SSL_CERT_FILE=elsewhere.root)
        sent(servers[0], url(port), authority)


def smtps_is_verified():
    verified(lambda handler, port, host, authority: serving(handler, port, host, ssl_context=authority.context),
             lambda port: f"smtps://localhost:{port}", "localhost")


def starttls_is_verified():
    def serve(handler, port, host, authority):
        return serving(handler, port, host, tls_context=authority.context, require_starttls=True)
    verified(serve, lambda port: f"smtp://{HOST}:{port}", HOST)


def a_password_is_sent_by_tls_and_a_wrong_one_is_told():
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        authority, port = Authority(pathlib.Path(folder), [HOST]), free_port(HOST)
        settings = {"tls_context": authority.context, "auth_required": True, "auth_require_tls": True,
                    "authenticator": authenticator("teams@example.com", "se:cr@t")}
        with serving(Takes(), port, HOST, **settings) as server:
            wrong, right = (f"smtp://teams%40example.com:{password}@{HOST}:{port}" for password in ("guess", "se%3Acr%40t"))
            refused(server, wrong, "535", SSL_CERT_FILE=authority.root)
            said = sent(server, right, authority)
            assert "se:cr@t" not in said and "se%3Acr%40t" not in said, said


# --- signatures ---------------------------------------------------------------------------------------

def public_key(name, timeout=5):
    """The record that the domain of the sender would publish."""
    equal(name.rstrip(b"."), b"summer._domainkey.example.com")
    key = subprocess.run(["openssl", "rsa", "-in", str(KEY), "-pubout", "-outform", "DER"], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=True).stdout
    return b"v=DKIM1; k=rsa; p=" + base64.b64encode(key)


def is_signed(mail):
    return dkim.verify(mail, dnsfunc=public_key)


def a_mail_about_a_post_is_signed_with_its_list_headers():
    call("POST", "/admin/users", {"login": "nina", "email": "nina@example.com"})
    with serving(Takes(), SMTP) as server:
        call("POST", "/orgs/acme/teams", {"name": "Core", "privacy": "closed"})
        call("PUT", "/orgs/acme/teams/core/memberships/nina", {"role": "member"})
        _, token, _ = guildhall("token", "create", "--user", "nina", "--scopes", "user")
        call("PATCH", "/user/memberships/orgs/acme", {"state": "active"}, token.strip())
        call("POST", "/orgs/acme/teams/core/discussions", {"title": "Größe", "body": "**Zoë** counts"})
        mail = until("the mail", lambda: next((mail for mail in server.mails if b"List-Unsubscribe" in mail), None))
    head, body = mail.split(b"\r\n\r\n", 1)
    assert is_signed(mail)
    assert link_in(mail).encode() in head.replace(b"\r\n ", b""), "the header has another link than the text"
    for name in (b"List-Unsubscribe: <", b"List-Unsubscribe-Post: ", b"Subject: ", b"Message-ID: <"):
        at = head.index(name) + len(name)
        changed = head[:at] + (b"x" if head[at:at + 1] != b"x" else b"y") + head[at + 1:]
        assert not is_signed(changed + b"\r\n\r\n" + body), f"{name} can be changed"
    assert not is_signed(head + b"\r\n\r\n" + body.replace(b"counts", b"counted", 1))


# --- all of it ----------------------------------------------------------------------------------------

@contextlib.contextmanager
def guildhall_serving():
    settings = ["--listen", f"127.0.0.1:{PORT}", "--deliveries-retry-seconds", "1",
                "--smtp-url", f"smtp://127.0.0.1:{SMTP}", *MAIL]
    with open(FOLDER / "server.log", "wb") as log:
        process = subprocess.Popen([PROGRAM, "serve", *settings, *WHERE], env=QUIET, stdout=log, stderr=log)
    try:
        until("the server", is_up)
        call("POST", "/admin/organizations", {"login": "acme", "admin": "site-admin"})
        yield
    finally:
        process.terminate()
        process.wait(TIMEOUT)


def is_up():
    with contextlib.suppress(OSError):
        with urllib.request.urlopen(f"{BASE}/healthz", timeout=5) as answer:
            return answer.status == 200
    return False


def main():
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, FOLDER)
        stack.enter_context(guildhall_serving())
        run(a_refused_recipient_ends_that_mail_alone,
            a_greylisted_mail_is_sent_again_and_arrives_once,
            a_mail_that_is_broken_off_is_sent_again_as_the_same,
            a_server_that_is_silent_at_the_greeting_holds_up_no_request_and_gets_the_mail_later,
            a_server_that_is_silent_after_a_mail_gets_it_again_as_the_same,
            mails_wait_while_the_server_is_down,
            smtps_is_verified,
            starttls_is_verified,
            a_password_is_sent_by_tls_and_a_wrong_one_is_told,
            a_mail_about_a_post_is_signed_with_its_list_headers)


if __name__ == "__main__":
    main()
