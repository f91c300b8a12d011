"""Mail servers of aiosmtpd that take mails, or fail in the ways in which mail servers fail."""
import asyncio
import contextlib
import email
import email.policy
import logging
import random
import re
import socket
import ssl
import subprocess

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

# It tells of every connection that breaks, which is what is wanted here.
logging.getLogger("mail.log").setLevel(logging.CRITICAL + 1)


class Takes:
    """Takes every mail."""

    def __init__(self):
        # Every mail that was taken, as bytes; and what became of each recipient that was named.
        self.mails, self.recipients = [], []

    async def handle_RCPT(self, server, session, envelope, address, options):
        refusal = self.refusal_of(address)
        self.recipients.append((address, refusal))
        if not refusal:
            envelope.rcpt_tos.append(address)
        return refusal or "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.mails.append(envelope.content)
        return "250 OK"

    def refusal_of(self, address):
        return None

    def identifiers(self):
        """The identifier and the link of each mail."""
        return [(read(mail)["Message-ID"], link_in(mail)) for mail in self.mails]


class RejectsOne(Takes):
    """Refuses one recipient for good."""

    def __init__(self, address):
        super().__init__()
        self.address = address

    def refusal_of(self, address):
        return "550 5.1.1 No such mailbox" if address == self.address else None


class Greylists(Takes):
    """Refuses each recipient once, for a while."""

    def refusal_of(self, address):
        is_known = any(known == address for known, _ in self.recipients)
        return None if is_known else "451 4.7.1 Greylisted, come back later"


class BreaksOff(Takes):
    """Cuts the connection when the first mail has been sent, before its answer."""

    async def handle_DATA(self, server, session, envelope):
        self.mails.append(envelope.content)
        if len(self.mails) == 1:
            server.transport.abort()
        return "250 OK"


class Silent(Takes):
    """Goes silent at some point until it is told to answer again."""

    def __init__(self):
        super().__init__()
        self.answers = False

    async def silence(self):
        while not self.answers:
            await asyncio.sleep(0.05)


class SilentAtGreeting(Silent):
    """Never answers EHLO."""

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        await self.silence()
        session.host_name = hostname
        return responses


class SilentAfterMail(Silent):
    """Takes a mail and never says so."""

    async def handle_DATA(self, server, session, envelope):
        self.mails.append(envelope.content)
        await self.silence()
        return "250 OK"


class Talk(SMTP):
    """One connection. The server knows it, to cut it when it stops."""

    def __init__(self, *arguments, open_ones, **settings):
        super().__init__(*arguments, **settings)
        self.open_ones = open_ones

    def connection_made(self, transport):
        self.open_ones.append(transport)
        super().connection_made(transport)


class Server(Controller):
    """A server that cuts its connections when it stops, as a process does that ends."""

    def __init__(self, *arguments, **settings):
        self.open_ones = []
        super().__init__(*arguments, **settings)

    def factory(self):
        return Talk(self.handler, open_ones=self.open_ones, **self.SMTP_kwargs)

    def cancel_tasks(self, stop_loop=True):
        for transport in self.open_ones:
            transport.abort()
        # The loop cuts connections in its next turn.
        self.loop.call_soon(super().cancel_tasks, stop_loop)


@contextlib.contextmanager
def serving(handler, port, host="127.0.0.1", **settings):
    """A server with this handler; its handler."""
    server = Server(handler, hostname=host, port=port, server_hostname="mail.test", **settings)
    server.start()
    try:
        yield handler
    finally:
        server.stop()


def free_port(host="127.0.0.1"):
    """A free port below those that connections take for their own end: a server that stops and starts finds it free."""
    while True:
        with contextlib.suppress(OSError), socket.create_server((host, random.randrange(20_000, 32_000))) as listener:
            return listener.getsockname()[1]


def read(mail):
    return email.message_from_bytes(mail, policy=email.policy.default)


def link_in(mail):
    """The link to the page of an invitation or of a board, if there is one."""
    found = re.search(r"http\S*/ui/(?:invitations|unsubscribe)/\S+", read(mail).get_body(("plain",)).get_content())
    return found and found[0]


def own_address():
    """A name of this machine other than the loopback address, where TLS is not verified."""
    found = subprocess.run(["hostname", "-I"], stdout=subprocess.PIPE, text=True, check=False).stdout.split()
    return next((address for address in found if "." in address), socket.gethostname())


def authenticator(user, password):
    """Accepts this user and password alone."""
    def judge(server, session, envelope, mechanism, data):
        is_right = (data.login, data.password) == (user.encode(), password.encode())
        return AuthResult(success=is_right, handled=False)
    return judge


class Authority:
    """A certificate authority of its own, which no system knows, and a certificate of it for some names."""

    def __init__(self, folder, names):
        self.folder, self.root = folder, str(folder / "ca.pem")
        leaf, key = str(folder / "leaf.pem"), str(folder / "leaf.key")
        names = ",".join(f"{'IP' if re.fullmatch(r'[0-9.]+', name) else 'DNS'}:{name}" for name in names)
        (folder / "leaf.ext").write_text(f"subjectAltName={names}\nextendedKeyUsage=serverAuth\n", encoding="utf-8")
        new = ["req", "-newkey", "rsa:2048", "-nodes", "-batch"]
        self._openssl(*new, "-x509", "-days", "2", "-subj", f"/CN=Authority for {names}", "-keyout", str(folder / "ca.key"),
                      "-addext", "basicConstraints=critical,CA:TRUE", "-out", self.root)
        self._openssl(*new, "-subj", "/CN=mail.test", "-keyout", key, "-out", str(folder / "leaf.csr"))
        self._openssl("x509", "-req", "-in", str(folder / "leaf.csr"), "-CA", self.root, "-CAkey", str(folder / "ca.key"),
                      "-CAcreateserial", "-days", "2", "-extfile", str(folder / "leaf.ext"), "-out", leaf)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(leaf, key)

    @staticmethod
    def _openssl(*words):
        subprocess.run(["openssl", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
