"""Client programs of the wheel, which work on any server: psql, pg_dump, pg_restore."""

import asyncio
import os
import signal
import sys
from collections import deque
from collections.abc import Callable
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from sightline.db.server_programs import server_programs
from sightline.errors import ConfigurationError, PermanentFailure
from sightline.linux import prctl

_PR_SET_PDEATHSIG = 1
_KEPT_LINES = 5
_MAX_LINE_BYTES = 16 * 1024 * 1024  # an error quotes the statement that failed


def psql_command(url: str) -> list[str]:
    """The command that opens psql from the wheel on this database.

    The address of a socket moves to where a host stands: that form needs no quotes, so `$(sightline db --psql)` works
    too where the path of the wheel has no spaces.
    """
    head, is_socket, directory = url.partition("?host=")
    if is_socket and "&" not in directory:
        url = head.replace("@/", f"@{directory}/", 1)
    return [str(server_programs() / "psql"), url]


async def run_client(program: str, *arguments: str, url: str, on_line: Callable[[str], None] | None = None) -> None:
    """Runs a program on the database of `url`. `on_line` gets each line that it writes about its progress.

    The password goes into the environment: arguments can be read by every user of the machine.
    """
    address, password = without_password(url)
    environment = dict(os.environ) | ({} if password is None else {"PGPASSWORD": password})
    try:
        process = await asyncio.create_subprocess_exec(
            *(str(server_programs() / program), *arguments, f"--dbname={address}"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=environment,
            limit=_MAX_LINE_BYTES,
            preexec_fn=_die_with_parent,
        )
    except OSError as error:
        raise ConfigurationError(f"{program} of the wheel cannot be started: {error}") from error
    try:
        lines = await _read_lines(process, on_line)
        await process.wait()
    except BaseException:
        if process.returncode is None:
            process.kill()
        await process.wait()
        raise
    if process.returncode != 0:
        raise PermanentFailure(f"{program} failed: {' / '.join(lines) or f'exit code {process.returncode}'}")


def without_password(url: str) -> tuple[str, str | None]:
    """The URL without its password, and the password."""
    parts = urlsplit(url)
    login, at, host = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    query = parse_qsl(parts.query, keep_blank_values=True)
    found = unquote(password) or next((value for name, value in query if name == "password"), None)
    if found is None:
        return url, None
    kept = urlencode([(name, value) for name, value in query if name != "password"], quote_via=quote)
    return urlunsplit(parts._replace(netloc=f"{user}{at}{host}", query=kept)), found


async def _read_lines(process: asyncio.subprocess.Process, on_line: Callable[[str], None] | None) -> list[str]:
    """The last lines, and before them those that name an error."""
    errors: deque[str] = deque(maxlen=_KEPT_LINES)
    last: deque[str] = deque(maxlen=_KEPT_LINES)
    assert process.stderr is not None
    while text := await process.stderr.readline():
        line = text.decode(errors="replace").strip()
        if not line:
            continue
        (errors if "error:" in line.lower() or "fatal:" in line.lower() else last).append(line)
        if on_line is not None:
            on_line(line)
    return list(errors or last)


def _die_with_parent() -> None:
    """Runs in the child: what a killed command leaves must not go on writing."""
    if sys.platform == "linux":
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
