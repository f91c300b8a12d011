"""A proxy before PostgreSQL that counts what a server asks: exact numbers, whatever the machine is doing."""
import asyncio
import contextlib
import threading
import time

# Codes of first messages, which have no type (PostgreSQL's documentation, "Message Formats").
STARTUP = 196608
EXECUTE, QUERY = ord("E"), ord("Q")


class Talk:
    """One connection: whose turn it is, how often the client has sent, and what has come of an unfinished message."""

    def __init__(self):
        self.rest, self.begun, self.was_answered, self.sent = b"", False, True, 0

    def messages(self, data):
        """Type and content of each message that ends in this piece of the client's bytes."""
        self.rest += data
        while len(self.rest) >= 5:
            head = 1 if self.begun else 0
            end = head + int.from_bytes(self.rest[head:head + 4], "big")
            if len(self.rest) < end:
                return
            kind, content, self.rest = self.rest[0], self.rest[head + 4:end], self.rest[end:]
            if self.begun:
                yield kind, content
            elif int.from_bytes(content[:4], "big") == STARTUP:
                self.begun = True


def statements_in(kind, content):
    """The number of statements that a message has carried out; a simple query may hold several."""
    if kind == QUERY:
        return sum(1 for text in content.rstrip(b"\0").split(b";") if text.strip())
    return int(kind == EXECUTE)


class Proxy:
    """Passes connections on to a port and counts.

    A round trip begins with the first byte that the client sends after an answer. With `hold`, every answer is held until
    the client has sent nothing for so many seconds: what it sends in the meantime, without having seen the answer,
    belongs to the same round trip, however fast PostgreSQL is, and all that PostgreSQL has answered by then arrives at once.
    """

    def __init__(self, port):
        self.target, self.hold = port, 0.0
        self.round_trips = self.statements = 0
        self.loop, ready = asyncio.new_event_loop(), threading.Event()
        self.thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self.thread.start()
        ready.wait(10)

    def _run(self, ready):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self._connection, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        self.loop.run_forever()
        # Connections whose client is gone are about to end.
        if tasks := asyncio.all_tasks(self.loop):
            self.loop.run_until_complete(asyncio.wait(tasks, timeout=1))

    def stop(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)

    async def _connection(self, client, to_client):
        database, to_database = await asyncio.open_connection("127.0.0.1", self.target)
        talk = Talk()
        ways = (self._pass(client, to_database, lambda data: self._asked(talk, data)),
                self._pass(database, to_client, lambda data: self._answered(talk, database, data)))
        await asyncio.gather(*ways)

    async def _pass(self, source, sink, seen):
        """One direction, until it ends; the other side is told of the end."""
        try:
            while data := await source.read(1 << 16):
                sink.write(await seen(data))
                await sink.drain()
        except OSError:
            pass
        finally:
            sink.close()

    async def _asked(self, talk, data):
        if talk.was_answered:
            self.round_trips += 1
            talk.was_answered = False
        talk.sent += 1
        self.statements += sum(statements_in(*message) for message in talk.messages(data))
        return data

    async def _answered(self, talk, database, data):
        if self.hold:
            before = None
            while before != (before := talk.sent):
                await asyncio.sleep(self.hold)
            with contextlib.suppress(TimeoutError):
                data += await asyncio.wait_for(database.read(1 << 20), 0.001)
        talk.was_answered = True
        return data

    def counted(self):
        """Round trips and statements so far, once nothing has been asked for a moment."""
        before = None
        while before != (before := (self.round_trips, self.statements)):
            time.sleep(0.01)
        return before
