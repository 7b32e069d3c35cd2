"""A pooler in transaction mode, as unkind as PgBouncer may be: after every transaction the client gets another server.

Speaks just enough of PostgreSQL's protocol: messages are passed on whole, and after a `ReadyForQuery` that says "idle"
the next one goes to the next server connection. Whatever relies on a session breaks on it at once.
"""

import asyncio
import base64
import hashlib
import hmac
import itertools
import secrets
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

SERVERS_PER_CLIENT = 2
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Login:
    user: str
    password: str
    database: str
    socket: str

    @classmethod
    def of(cls, url: str) -> "Login":
        parts = urlsplit(url)
        socket = parse_qs(parts.query)["host"][0] + "/.s.PGSQL.5432"
        return cls(parts.username or "", parts.password or "", parts.path.lstrip("/"), socket)


@dataclass
class Server:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    greeting: bytes = field(default=b"")


class TransactionPooler:
    def __init__(self, url: str) -> None:
        self._login = Login.of(url)
        self.switches = 0

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[str]:
        """Its address, while it runs."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        login = self._login
        try:
            yield f"postgresql://{login.user}:any@127.0.0.1:{port}/{login.database}?sslmode=disable"
        finally:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        servers: list[Server] = []
        tasks: list[asyncio.Task[None]] = []
        try:
            (length,) = struct.unpack("!i", await reader.readexactly(4))
            await reader.readexactly(length - 4)
            servers = [await connect_server(self._login) for _ in range(SERVERS_PER_CLIENT)]
            writer.write(servers[0].greeting)
            turns = itertools.cycle(servers)
            current = [next(turns)]

            def idle() -> None:
                self.switches += 1
                current[0] = next(turns)

            tasks = [asyncio.create_task(_pump_answers(server, writer, idle)) for server in servers]
            while True:
                kind, body = await read_message(reader)
                current[0].writer.write(message(kind, body))
                if kind == b"X":
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            for task in tasks:
                task.cancel()
            for server in servers:
                server.writer.close()
            writer.close()


async def _pump_answers(server: Server, writer: asyncio.StreamWriter, idle) -> None:
    try:
        while True:
            kind, body = await read_message(server.reader)
            if kind == b"Z" and body == b"I":
                idle()
            writer.write(message(kind, body))
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def connect_server(login: Login) -> Server:
    """Logs in on a server, by SCRAM, and keeps what it said afterwards for the client."""
    reader, writer = await asyncio.open_unix_connection(login.socket)
    try:
        return await _log_in(login, reader, writer)
    except BaseException:
        writer.close()
        raise


async def _log_in(login: Login, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Server:
    start = b"user\0" + login.user.encode() + b"\0database\0" + login.database.encode() + b"\0\0"
    writer.write(struct.pack("!ii", len(start) + 8, 196608) + start)
    bare = f"n=,r={secrets.token_urlsafe(18)}"
    signed = ""
    greeting = b""
    while True:
        kind, body = await read_message(reader)
        if kind == b"E":
            raise ConnectionError(body.decode(errors="replace"))
        code = struct.unpack("!i", body[:4])[0] if kind == b"R" else None
        if code == 10:
            first = ("n,," + bare).encode()
            writer.write(message(b"p", b"SCRAM-SHA-256\0" + struct.pack("!i", len(first)) + first))
        elif code == 11:
            signed = _client_final(login.password, bare, body[4:].decode())
            writer.write(message(b"p", signed.encode()))
        elif code == 12:
            continue
        else:
            greeting += message(kind, body)
        if kind == b"Z":
            return Server(reader, writer, greeting)


def _client_final(password: str, bare: str, server_first: str) -> str:
    fields = dict(part.split("=", 1) for part in server_first.split(","))
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), base64.b64decode(fields["s"]), int(fields["i"]))
    without_proof = f"c=biws,r={fields['r']}"
    key = hmac.digest(salted, b"Client Key", "sha256")
    signature = hmac.digest(hashlib.sha256(key).digest(), f"{bare},{server_first},{without_proof}".encode(), "sha256")
    proof = bytes(a ^ b for a, b in zip(key, signature, strict=True))
    return f"{without_proof},p={base64.b64encode(proof).decode()}"


async def read_message(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    kind = await reader.readexactly(1)
    (length,) = struct.unpack("!i", await reader.readexactly(4))
    return kind, await reader.readexactly(length - 4)


def message(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!i", len(body) + 4) + body
