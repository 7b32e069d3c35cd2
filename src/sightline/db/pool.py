"""The pool, and the two kinds of transaction: the platform's own, and one that runs as its caller.

Every statement runs inside an explicit transaction and no session state is ever set, so a pooler in transaction
mode may hand each transaction another connection. Without a pooler, single statements that run often have connections of their own.
"""

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import asyncpg
import structlog

from sightline.db.settings import DatabaseSettings
from sightline.db.statement_connections import IDLE_S, StatementConnections
from sightline.errors import BackendUnavailable, ConfigurationError, InvalidInput

Transaction = asyncpg.Connection | asyncpg.pool.PoolConnectionProxy
"""An open transaction. A function that is given one may write; the caller that opened it commits."""

MIN_SERVER_VERSION = 15
# What the platform writes is distinguished from what other programs write in plain SQL (migration 0029, ADR 0047).
_WRITER = "SET LOCAL sightline.writer = 'platform'"
_OTHER_THAN_BY_INDEX = ("seqscan", "bitmapscan", "sort", "hashjoin", "mergejoin")
_BY_INDEX = tuple(f"SET LOCAL enable_{way} = off" for way in _OTHER_THAN_BY_INDEX)
MAX_STATEMENT_CONNECTIONS = 3
# The only session state there is, on connections that run nothing but single statements.
_STATEMENT_SESSION = "; ".join(
    ("SET sightline.writer = 'platform'", *(f"SET enable_{way} = off" for way in _OTHER_THAN_BY_INDEX))
)
USER_ROLE = "sightline_user"

_UNREACHABLE = (
    OSError,
    asyncpg.CannotConnectNowError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the server went away between two statements of a new connection
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.TooManyConnectionsError,
    TimeoutError,
)

# Errors of a statement whose server went away; the driver has several for that.
_LOST = (
    ConnectionError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.IdleInTransactionSessionTimeoutError,
)

log = structlog.get_logger(__name__)


class Database:
    """Access to PostgreSQL. Open it with `open_database`."""

    def __init__(
        self, pool: asyncpg.Pool, statements: StatementConnections | None = None, *, idle_transaction_s: float = 0
    ) -> None:
        self._pool = pool
        self._statements = statements
        # One round trip for everything. What is SET LOCAL ends with the transaction, whatever happens.
        begin = ["BEGIN"]
        if idle_transaction_s:
            begin.append(f"SET LOCAL idle_in_transaction_session_timeout = {round(idle_transaction_s * 1000)}")
        self._as_caller = "; ".join((*begin, f"SET LOCAL ROLE {USER_ROLE}"))
        self._as_platform = "; ".join((*begin, _WRITER))
        self._by_index = "; ".join((*begin, _WRITER, *_BY_INDEX))

    @asynccontextmanager
    async def transaction(self, *, by_index: bool = False) -> AsyncIterator[Transaction]:
        """A transaction of the platform itself: row level security does not narrow it.

        `by_index` is for queues: their tables fill and empty faster than statistics follow, and a plan that was right for
        ten rows reads a million. With it, the planner takes an index wherever there is one.
        """
        async with self._begin(self._by_index if by_index else self._as_platform) as connection:
            yield connection

    @asynccontextmanager
    async def as_caller(self, claims: Mapping[str, Any]) -> AsyncIterator[Transaction]:
        """A transaction that sees and does only what these claims allow, held to it by row level security."""
        text = json.dumps(claims)
        if "\\u0000" in text:
            raise InvalidInput("the caller's claims hold a NUL character, which PostgreSQL cannot keep")
        begin = f"{self._as_caller}; SELECT set_config('request.jwt.claims', {_literal(text)}, true)"
        async with self._begin(begin) as connection:
            yield connection

    @asynccontextmanager
    async def statement(self) -> AsyncIterator[Transaction]:
        """For exactly one statement, of a queue or one that runs often, planned as with `by_index`. It is a transaction of its own
        and takes one round trip instead of three. If the caller is cancelled, it may be committed all the same."""
        if self._statements is None:
            async with self.transaction(by_index=True) as connection:
                yield connection
            return
        try:
            connection = await self._statements.acquire()
        except _UNREACHABLE as error:
            raise BackendUnavailable("database", f"the database does not answer: {_reason(error)}") from error
        try:
            yield connection
        except BaseException as error:
            is_lost = isinstance(error, _LOST) and connection.is_closed()
            self._statements.release(connection, after=error)
            if is_lost:
                raise BackendUnavailable("database", f"the database went away: {_reason(error)}") from error
            raise
        self._statements.release(connection)

    async def close(self) -> None:
        if self._statements is not None:
            await self._statements.close()
        await self._pool.close()

    def terminate(self) -> None:
        """Drops all connections without waiting for what runs on them."""
        if self._statements is not None:
            self._statements.terminate()
        self._pool.terminate()

    @asynccontextmanager
    async def _begin(self, begin: str) -> AsyncIterator[Transaction]:
        async with _acquired(self._pool) as connection:
            try:
                # asyncpg's own transaction() costs a round trip for BEGIN alone and knows nothing of roles.
                await connection.execute(begin)
                yield connection
                await connection.execute("COMMIT")
            except BaseException as error:
                await _roll_back(connection, because=error)
                raise


@asynccontextmanager
async def _acquired(pool: asyncpg.Pool) -> AsyncIterator[Transaction]:
    """A connection of the pool. That the server is not there, or goes away, is an error after which to try again."""
    try:
        connection = await pool.acquire()
    except _UNREACHABLE as error:
        raise BackendUnavailable("database", f"the database does not answer: {_reason(error)}") from error
    try:
        yield connection
    except BaseException as error:
        if isinstance(error, _LOST) and _is_gone(connection):
            raise BackendUnavailable("database", f"the database went away: {_reason(error)}") from error
        if isinstance(error, asyncpg.DeadlockDetectedError):
            raise BackendUnavailable("database", "two transactions waited for each other; try again") from error
        raise
    finally:
        await pool.release(connection)


async def _roll_back(connection: Transaction, *, because: BaseException) -> None:
    """Ends the transaction without hiding why it ended; a connection that cannot even do that is dropped."""
    if _is_gone(connection):
        return
    try:
        await connection.execute("ROLLBACK")
    except Exception as error:
        log.warning("database.rollback_failed", error=_reason(error), because=_reason(because))
        if not _is_gone(connection):
            connection.terminate()


def _is_gone(connection: Transaction) -> bool:
    try:
        return connection.is_closed()
    except asyncpg.InterfaceError:
        return True  # the pool took it back by itself when it saw it die


def _literal(text: str) -> str:
    # E'' because its meaning does not hang on standard_conforming_strings.
    return "E'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__


@contextmanager
def connect_errors() -> Iterator[None]:
    """Translates the errors of a first connection: try again, or correct the settings."""
    try:
        yield
    except _UNREACHABLE as error:
        raise BackendUnavailable("database", f"no PostgreSQL answers: {_reason(error)}") from error
    except (asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError, ValueError) as error:
        raise ConfigurationError(f"SIGHTLINE_DATABASE_URL does not work: {_reason(error)}") from error


async def open_database(settings: DatabaseSettings, url: str) -> Database:
    """A pool on `url`, after one connection has shown that the server is there and new enough."""
    with connect_errors():
        pool = await asyncpg.create_pool(
            url,
            min_size=min(settings.pool_min, settings.pool_max),
            max_size=settings.pool_max,
            timeout=settings.connect_timeout_s,
            command_timeout=settings.command_timeout_s,
            max_inactive_connection_lifetime=IDLE_S,
            # Named prepared statements belong to a session, and behind a pooler there is no session to rely on.
            statement_cache_size=0 if settings.pooler == "transaction" else 256,
            reset=_keep_session,
            init=_register_codecs,
        )
    statements = None if settings.pooler == "transaction" else _statement_connections(settings, url)
    try:
        async with pool.acquire() as connection:
            version = connection.get_server_version()
    except BaseException:
        pool.terminate()
        raise
    database = Database(pool, statements, idle_transaction_s=settings.idle_transaction_s)
    if version.major < MIN_SERVER_VERSION:
        await database.close()
        raise ConfigurationError(f"PostgreSQL {MIN_SERVER_VERSION} or newer is needed; this server is {version.major}")
    return database


def _statement_connections(settings: DatabaseSettings, url: str) -> StatementConnections:
    async def connect() -> asyncpg.Connection:
        connection = await asyncpg.connect(
            url, timeout=settings.connect_timeout_s, command_timeout=settings.command_timeout_s
        )
        try:
            await _register_codecs(connection)
            await connection.execute(_STATEMENT_SESSION)
        except BaseException:
            connection.terminate()
            raise
        return connection

    return StatementConnections(connect, MAX_STATEMENT_CONNECTIONS)


async def _register_codecs(connection: asyncpg.Connection) -> None:
    # In a transaction, because looking a type up takes two messages, and a pooler may part them otherwise.
    async with connection.transaction():
        for name in ("json", "jsonb"):
            await connection.set_type_codec(name, schema="pg_catalog", encoder=_to_json, decoder=json.loads)


async def _keep_session(connection: Any) -> None:
    """Saves a round trip per transaction: no statement here leaves session state behind that had to be reset."""


def _to_json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
