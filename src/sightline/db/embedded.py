"""The embedded server: a real PostgreSQL 18 from the wheel, its data under the state directory.

Only the wheel's programs are used. The server is a child of this process in a session of its own, so Ctrl-C reaches
it only through us; it stops when we die, and a start after a kill finds and ends what may be left of the last one.
"""

import asyncio
import hashlib
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import quote

import asyncpg
import psutil
import structlog

from sightline.db.open_programs import programs_for
from sightline.db.privileges import ServiceUser, become, idle_account, own_service_user, service_user
from sightline.db.server_programs import MAJOR, ServerPrograms, server_programs
from sightline.errors import BackendUnavailable, ConfigurationError
from sightline.linux import ProcessIds, give_tree, private_directory, take_over

SUPERUSER = "postgres"
DATABASE = "sightline"
SERVICE_LOGIN = "sightline_service"
PASSWORD_FILE = "password"  # noqa: S105 # its name
SERVICE_PASSWORD_FILE = "service_password"  # noqa: S105 # its name
UPGRADE_DIRECTORY = "upgrade"
"""Beside the data while `sightline upgrade` fills a data directory of a newer PostgreSQL."""
_HERE = "/proc/self/cwd"
"""How a server of another user names its data directory, without passing the directories above."""
_SOCKET_PATH_LIMIT = 90  # the kernel allows 107 bytes for directory and `/.s.PGSQL.5432` together
_START_TIMEOUT_S = 60.0
_STILL_IN_USE = "is still in use"  # its own words, of memory that processes of an earlier server hold
_TRY_AGAIN_S = 0.2
_STOP_TIMEOUT_S = 60.0
_MAX_LOG_BYTES = 10 * 1024 * 1024
_SERVER_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "unix_socket_permissions": "0700",
    "logging_collector": "off",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    "timezone": "UTC",
    "max_wal_size": "1GB",
    "jit": "off",  # no query here runs long enough to win back what compiling costs
    # An idle server wakes up rarely; consumers are woken by LISTEN/NOTIFY.
    "bgwriter_delay": "10s",
    "wal_writer_delay": "10s",
    "autovacuum_naptime": "5s",  # queues leave dead rows behind by the thousand; looking costs next to nothing
}

log = structlog.get_logger(__name__)


class EmbeddedPostgres:
    """One server on one data directory, as a service that can be supervised."""

    name = "postgres"
    locale_arguments: tuple[str, ...] = ("--locale-provider=builtin", "--locale=C.UTF-8")

    def __init__(
        self,
        directory: Path,
        *,
        run_as: str | None = None,
        extra_settings: dict[str, str] | None = None,
        programs: ServerPrograms | None = None,
    ) -> None:
        """`programs` are those of the wheel, unless an upgrade reads data of an older server."""
        self.directory = directory
        self._user: ServiceUser | None = service_user(run_as)
        self._is_root = os.geteuid() == 0
        self._settings = _SERVER_SETTINGS | (extra_settings or {})
        self.data = directory / "data"
        self._log_file = directory / "server.log"
        self._major = programs.major if programs else MAJOR
        self._bin = programs.directory if programs else server_programs()

    # Addresses ---------------------------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        """For the platform: a login that is a worker by default and may become its caller."""
        return self.url_for(SERVICE_LOGIN, DATABASE)

    @property
    def admin_url(self) -> str:
        """For migrations, backups and people with psql."""
        return self.url_for(SUPERUSER, DATABASE)

    def url_for(self, role: str, database: str) -> str:
        host = quote(str(self.socket_directory), safe="")
        return f"postgresql://{role}:{self._password(role)}@/{database}?host={host}"

    @property
    def socket_directory(self) -> Path:
        """Beside the data, or, where that path is too long for a socket, a private directory with a short name."""
        beside = self.data if self._is_root else self.directory
        if len(os.fsencode(beside)) <= _SOCKET_PATH_LIMIT:
            return beside
        owner = os.geteuid()
        digest = hashlib.sha256(os.fsencode(self.directory)).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"sightline-{owner}-{digest}"

    # Running -----------------------------------------------------------------------------------------------------

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        """Runs until stopped. Raises an error if the server ends by itself."""
        async with self.started() as process:
            ended = asyncio.create_task(process.wait())
            stopping = asyncio.create_task(stop.wait())
            try:
                await self._ensure_database()
                ready()
                await asyncio.wait((ended, stopping), return_when=asyncio.FIRST_COMPLETED)
            finally:
                stopping.cancel()
                ended.cancel()
        if not stop.is_set():
            raise BackendUnavailable("database", f"PostgreSQL ended by itself; see {self._log_file}")

    @asynccontextmanager
    async def started(self) -> AsyncIterator[asyncio.subprocess.Process]:
        """The bare server, without the platform's database and logins."""
        self.check_version()
        await asyncio.to_thread(self.end_leftover)
        await asyncio.to_thread(self._prepare)
        process = await self._start_and_wait()
        try:
            yield process
        finally:
            await _stop_process(process)

    def check_version(self) -> None:
        """Data of another major version is refused before anything is touched."""
        found = data_version(self.data)
        if found is None:
            if (self.directory / UPGRADE_DIRECTORY / "data").exists():
                raise ConfigurationError(
                    f"an upgrade of {self.directory} was interrupted; finish it with `sightline upgrade`"
                )
        elif found < self._major:
            raise ConfigurationError(
                f"{self.data} was made by PostgreSQL {found}, and this version of Sightline runs {self._major}; "
                "move it with `sightline upgrade`"
            )
        elif found > self._major:
            raise ConfigurationError(
                f"{self.data} was made by PostgreSQL {found}, and this version of Sightline runs {self._major}; "
                "use the newer Sightline that made it"
            )

    def _prepare(self) -> None:
        """The data directory, made once. An initdb that was killed half-way is done anew."""
        self._make_directory(self.directory, ProcessIds(os.geteuid(), os.getegid()))
        for name in (PASSWORD_FILE, SERVICE_PASSWORD_FILE):
            self._make_password(self.directory / name)
        if self._is_root:
            self._user = self._user or own_service_user(self.directory / "ids")
            self._bin = programs_for(self._user, self._bin)
        if self.socket_directory not in (self.directory, self.data):
            self._make_directory(self.socket_directory, self._owner)
        if data_version(self.data) is None:
            self._initdb()
        elif self.data.stat().st_uid != self._owner.uid:
            # An earlier version ran as `nobody`. The directory above is closed to it by now.
            log.info("postgres.owner_changed", data=str(self.data), uid=self._owner.uid)
            give_tree(self.data, self._owner)

    @property
    def _owner(self) -> ProcessIds:
        return self._user.ids if self._user else ProcessIds(os.geteuid(), os.getegid())

    def _make_directory(self, path: Path, owner: ProcessIds) -> None:
        """Only its owner may enter it. One that an earlier version gave to its user is taken back."""
        try:
            if self._is_root and path == self.directory and path.is_dir():
                take_over(path, owner, 0o700)
            private_directory(path, owner)
        except OSError as error:
            raise ConfigurationError(f"{error}; remove it, or choose another state directory") from error

    def _make_password(self, path: Path) -> None:
        if path.exists():
            take_over(path, ProcessIds(os.geteuid(), os.getegid()), 0o600)
            return
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with open(handle, "w") as file:
            file.write(secrets.token_urlsafe(24))

    def _initdb(self) -> None:
        fresh = self.directory / "data.new"
        shutil.rmtree(fresh, ignore_errors=True)
        # It needs an account with a name. Nothing runs as the idle one, and the files change hands before they are used.
        maker = None if self._user is None else self._user if self._user.name else idle_account()
        private_directory(fresh, maker.ids if maker else self._owner)
        with _readable_by(maker, (self.directory / PASSWORD_FILE).read_bytes()) as password:
            result = subprocess.run(
                [
                    *(self._bin / "initdb", "-D", _HERE if maker else fresh, "-U", SUPERUSER),
                    f"--pwfile=/proc/self/fd/{password}",
                    *("--auth=scram-sha-256", "--encoding=UTF8", *self.locale_arguments, "--no-instructions"),
                ],
                pass_fds=(password,),
                preexec_fn=partial(become, maker, fresh, die_with_parent_signal=None),
                env=_bare_environment(),
                capture_output=True,
                text=True,
                check=False,
            )
        if result.returncode != 0:
            raise ConfigurationError(f"PostgreSQL could not make its data directory {fresh}: {result.stderr.strip()}")
        if self._is_root:
            give_tree(fresh, self._owner)
        fresh.rename(self.data)

    def end_leftover(self) -> None:
        """A server of an earlier start that outlived it. The lock on the state directory shows that no other process uses it."""
        pid_file = self.data / "postmaster.pid"
        try:
            pid = int(pid_file.read_text().splitlines()[0])
            process = psutil.Process(pid)
            if process.name() != "postgres":
                return
            command = _command_of(process)
            if command and str(self.data) not in command and process.cwd() != str(self.data):
                return
            log.warning("postgres.leftover_found", pid=pid)
            if command:
                process.send_signal(signal.SIGINT)
        except (FileNotFoundError, ValueError, IndexError, psutil.NoSuchProcess):
            return
        # Until nothing is left of it: a new server refuses to start while the other's process is known to the kernel.
        give_up_at = time.monotonic() + _STOP_TIMEOUT_S
        while psutil.pid_exists(pid):
            if time.monotonic() > give_up_at:
                raise BackendUnavailable("database", f"an earlier PostgreSQL (pid {pid}) does not stop")
            time.sleep(0.02)

    async def _start_and_wait(self) -> asyncio.subprocess.Process:
        """A server that answers. What a killed one had started may outlive it for a moment: then it is tried again."""
        async with asyncio.timeout(_START_TIMEOUT_S):
            while True:
                process = await self._start()
                try:
                    if await self._comes_up(process):
                        return process
                except BaseException:
                    await _stop_process(process)
                    raise
                if _STILL_IN_USE not in (lines := self._last_log_lines()):
                    raise BackendUnavailable("database", f"PostgreSQL did not start: {lines}")
                log.warning("postgres.leftover_found", words=lines)
                await asyncio.sleep(_TRY_AGAIN_S)

    async def _start(self) -> asyncio.subprocess.Process:
        options = [f"-c{name}={value}" for name, value in self._settings.items()]
        if self._log_file.exists() and self._log_file.stat().st_size > _MAX_LOG_BYTES:
            self._log_file.replace(self._log_file.with_suffix(".log.1"))
        data, sockets = str(self.data), str(self.socket_directory)
        if self._is_root:
            data, sockets = _HERE, _HERE if sockets == data else sockets
        with self._log_file.open("ab") as output:
            return await asyncio.create_subprocess_exec(
                *(str(self._bin / "postgres"), "-D", data, "-k", sockets),
                *options,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=_bare_environment(),
                start_new_session=True,
                preexec_fn=partial(become, self._user, self.data, die_with_parent_signal=signal.SIGINT),
            )

    async def _comes_up(self, process: asyncio.subprocess.Process) -> bool:
        """Until it answers, or has ended instead."""
        while process.returncode is None:
            try:
                connection = await asyncpg.connect(self.url_for(SUPERUSER, SUPERUSER), timeout=5)
            except (OSError, asyncpg.CannotConnectNowError, asyncpg.PostgresConnectionError):
                await asyncio.sleep(0.02)
            else:
                await connection.close()
                return True
        return False

    async def _ensure_database(self) -> None:
        connection = await asyncpg.connect(self.url_for(SUPERUSER, SUPERUSER))
        try:
            if not await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", DATABASE):
                await connection.execute(f"CREATE DATABASE {DATABASE}")
            await prepare_service_login(connection, self._password(SERVICE_LOGIN))
        finally:
            await connection.close()

    # Details -----------------------------------------------------------------------------------------------------

    def _password(self, role: str) -> str:
        name = PASSWORD_FILE if role == SUPERUSER else SERVICE_PASSWORD_FILE
        try:
            return (self.directory / name).read_text().strip()
        except FileNotFoundError:
            raise ConfigurationError(f"no embedded PostgreSQL has been started in {self.directory} yet") from None

    def _last_log_lines(self) -> str:
        lines = self._log_file.read_text(errors="replace").splitlines()
        return " / ".join(lines[-3:]) or f"no reason given; see {self._log_file}"


async def prepare_service_login(connection: asyncpg.Connection, password: str) -> None:
    """The login that the platform uses: a worker unless a transaction says otherwise."""
    for role in ("sightline_user", "sightline_worker", SERVICE_LOGIN):
        if not await connection.fetchval("SELECT 1 FROM pg_roles WHERE rolname = $1", role):
            await connection.execute(f"CREATE ROLE {role} NOLOGIN")
    # A role's default role is set by the server at login, so it holds behind a pooler too.
    await connection.execute(
        f"ALTER ROLE {SERVICE_LOGIN} LOGIN NOINHERIT PASSWORD '{password}';"
        f"ALTER ROLE {SERVICE_LOGIN} SET role = 'sightline_worker';"
        f"GRANT sightline_user, sightline_worker TO {SERVICE_LOGIN}"
    )


def data_version(data: Path) -> int | None:
    """The major version of the server that made this data directory; None if there is none."""
    file = data / "PG_VERSION"
    try:
        return int(file.read_text())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError:
        raise ConfigurationError(f"{file} holds no version of PostgreSQL; the data directory is damaged") from None
    except OSError as error:
        raise ConfigurationError(f"cannot read {file}: {error.strerror or error}") from error


@contextmanager
def _readable_by(user: ServiceUser | None, content: bytes) -> Iterator[int]:
    """An open file without a name, whose content that user may read and nobody else."""
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.flush()
        if user is not None:
            os.fchown(file.fileno(), user.uid, user.gid)
        yield file.fileno()


def _bare_environment() -> dict[str, str]:
    """PostgreSQL reads many PG* variables; none of the caller's are meant for this server."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def _command_of(process: psutil.Process) -> list[str]:
    """Empty of one that was killed just now."""
    try:
        return process.cmdline()
    except psutil.ZombieProcess:
        return []


async def _stop_process(process: asyncio.subprocess.Process) -> None:
    """Fast shutdown: sessions are ended, everything committed is written. At last by force, which recovery mends."""
    if process.returncode is not None:
        return
    process.send_signal(signal.SIGINT)
    try:
        async with asyncio.timeout(4.0):
            await process.wait()
    except TimeoutError:
        log.warning("postgres.slow_to_stop", pid=process.pid)
        process.send_signal(signal.SIGQUIT)
        await process.wait()
