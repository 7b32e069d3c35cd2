"""The command `sightline` in processes of their own that need not import everything anew.

A server imports all that commands work with, once for a run of tests, and forks for each command. What runs then is what
`python -m sightline` runs: with arguments, environment, directory, streams, session, signals and an end of its own.
"""

import asyncio
import atexit
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any


class CommandProcess:
    """A command that runs, to be used like a process of asyncio."""

    def __init__(self, pid: int, control: socket.socket) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.stdout = asyncio.StreamReader()
        self.stderr = asyncio.StreamReader()
        self._stdin: asyncio.WriteTransport | None = None
        self._transports: list[asyncio.BaseTransport] = []
        self._end = asyncio.create_task(self._follow(control))

    async def connect(self, stdin: int, stdout: int, stderr: int) -> None:
        loop = asyncio.get_running_loop()
        self._stdin, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(stdin, "wb", 0))
        for reader, fd in ((self.stdout, stdout), (self.stderr, stderr)):
            transport, _ = await loop.connect_read_pipe(
                lambda reader=reader: asyncio.StreamReaderProtocol(reader),  # type: ignore[misc]
                os.fdopen(fd, "rb", 0),
            )
            self._transports.append(transport)

    async def wait(self) -> int:
        return await asyncio.shield(self._end)

    async def communicate(self, answer: bytes = b"") -> tuple[bytes, bytes]:
        assert self._stdin is not None
        if answer:
            self._stdin.write(answer)
        self._stdin.close()
        out, err, _ = await asyncio.gather(self.stdout.read(), self.stderr.read(), self.wait())
        self.close()
        return out, err

    def send_signal(self, number: int) -> None:
        # The process may have ended by itself while its exit code is still on the way.
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def close(self) -> None:
        """Lets go of the streams. What the process writes after that is lost."""
        for transport in (self._stdin, *self._transports):
            if transport is not None:
                transport.close()

    async def _follow(self, control: socket.socket) -> int:
        with control:
            self.returncode = await _number(control)
        return self.returncode


async def _number(control: socket.socket) -> int:
    said = await asyncio.get_running_loop().sock_recv(control, 64)
    assert said, "the server of commands has ended"
    return int(said)


class CommandServer:
    """The side of the tests."""

    def __init__(self) -> None:
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env={name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ},
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    async def start(
        self, arguments: tuple[str, ...], environment: Mapping[str, str], directory: Path, *, is_piped: bool
    ) -> CommandProcess:
        wish = {"arguments": arguments, "environment": dict(environment), "directory": str(directory)}
        control, their_control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        control.setblocking(False)
        own: list[int] = []
        with ExitStack() as handed:
            handed.enter_context(their_control)
            if is_piped:
                (their_in, stdin), (stdout, their_out), (stderr, their_err) = os.pipe(), os.pipe(), os.pipe()
                own = [stdin, stdout, stderr]
                fds = [their_in, their_out, their_err]
                for fd in fds:
                    handed.callback(os.close, fd)
            else:
                nothing = os.open(os.devnull, os.O_RDONLY)
                handed.callback(os.close, nothing)
                fds = [nothing, 1, 2]
            fds.append(their_control.fileno())
            # In a thread: the server may still be importing, and has room for a few wishes only.
            await asyncio.to_thread(socket.send_fds, self._requests, [json.dumps(wish).encode()], fds)
        process = CommandProcess(await _number(control), control)
        if is_piped:
            await process.connect(*own)
        return process

    def close(self) -> None:
        self._requests.close()
        self._process.wait()


_server: CommandServer | None = None


async def start_command(
    *arguments: str, environment: Mapping[str, str], directory: Path | None = None, is_piped: bool = True
) -> CommandProcess:
    """Starts `sightline` with these arguments, on the server of this run of tests. Without pipes its output is the test's."""
    global _server
    if _server is None:
        _server = CommandServer()
        atexit.register(_server.close)
    return await _server.start(arguments, environment, directory or Path.cwd(), is_piped=is_piped)


def serve(requests: socket.socket) -> None:
    """Returns when no more requests can come."""
    signal.signal(signal.SIGCHLD, _reap)
    while True:
        wish, fds, _, _ = socket.recv_fds(requests, 1 << 20, 4)
        if not wish:
            return
        if os.fork() == 0:
            requests.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _mind(json.loads(wish), fds)
            return
        for fd in fds:
            os.close(fd)


def _reap(_number: int, _frame: object) -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def _mind(wish: dict[str, Any], fds: list[int]) -> None:
    """Forks the command and reports its id and how it ended. Returns only in the command's process, when it ends with an error."""
    control = socket.socket(fileno=fds.pop())
    if (pid := os.fork()) == 0:
        control.close()
        _become(wish, fds)
        return
    for fd in fds:
        os.close(fd)
    try:
        control.send(b"%d" % pid)
        if control.fileno() in select.select([control.fileno(), os.pidfd_open(pid)], [], [])[0]:
            os.killpg(pid, signal.SIGKILL)  # the tests were killed: what they started must not outlive them
        control.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    finally:
        os._exit(0)


def _become(wish: dict[str, Any], streams: list[int]) -> None:
    os.setsid()
    for number, fd in enumerate(streams):
        os.dup2(fd, number)
        os.close(fd)
    os.chdir(wish["directory"])
    os.environ.clear()
    os.environ.update(wish["environment"])
    sys.path.insert(0, wish["directory"])
    sys.argv[1:] = wish["arguments"]
    try:
        runpy.run_module("sightline", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            _end_at_once(end.code or 0)
        raise


def _end_at_once(code: int) -> None:
    """Does all that an interpreter does at its end but to give each object back, which takes longer than most commands."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _import_everything() -> None:
    import gc
    import importlib

    from sightline.cli import COMMANDS

    for file in {file for file, _ in COMMANDS.values() if file}:
        importlib.import_module(f"sightline.cli.{file}")
    for name in (
        *("sightline.api.app", "sightline.api.serving.server", "sightline.roles"),
        *("aiobotocore.session", "dotenv", "typer.rich_utils"),  # which some commands import when they need them
    ):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    sys.path.pop(0)  # the directory of this file, which commands know nothing of
    _import_everything()
    serve(socket.socket(fileno=int(sys.argv[1])))
