"""AWS emulators as processes of their own on loopback: started when first asked for, gone with the test process."""

import atexit
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pydantic import SecretStr

from sightline.aws import clients as aws_clients
from sightline.bus import BusSettings
from support import installed
from support.node import NODE, WEB
from support.waiting import Patience

# An environment of their own: they pin another botocore than ours. `make setup` builds it.
PYTHON = Path(__file__).resolve().parents[2] / ".venv" / "emulators" / "bin" / "python"

# On a busy machine an emulator takes longer to answer than AWS, and a call that is repeated for that would be made twice.
aws_clients.CONNECT_TIMEOUT_S = aws_clients.READ_TIMEOUT_S = 600

# Runs the rest of its arguments such that the kernel ends it with the process that started it, however that ends.
WITH_PARENT = """
import ctypes, os, signal, sys
parent = int(sys.argv[1])
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
if os.getppid() != parent:
    sys.exit("the tests are gone already")
os.execv(sys.argv[2], sys.argv[2:])
"""


# It looks for schedules that are due every ten seconds, for which a test would have to wait.
_MINISTACK = """
import runpy
from ministack.services import scheduler
scheduler._SCHEDULE_TICK_INTERVAL = 1
runpy.run_module("ministack", run_name="__main__")
"""


@dataclass(frozen=True, slots=True)
class Emulator:
    name: str
    endpoint: str
    account_id: str

    def settings(self, *, endpoint: str | None = None, event_bus: str = "default") -> BusSettings:
        return BusSettings(
            backend="aws",
            account_id=self.account_id,
            aws_endpoint=endpoint or self.endpoint,
            aws_access_key_id="test",
            aws_secret_access_key=SecretStr("test"),
            event_bus=event_bus,
        )


@dataclass(frozen=True, slots=True)
class _Recipe:
    """How an emulator is run; `{port}` is filled in."""

    arguments: tuple[str, ...]
    health: str
    account_id: str
    environment: dict[str, str] = field(default_factory=dict)
    program: Path = PYTHON


_RECIPES = {
    "ministack": _Recipe(
        arguments=("-c", _MINISTACK),
        health="/_ministack/health",
        account_id="000000000000",
        # Only what is needed, only on loopback.
        environment={
            "GATEWAY_PORT": "{port}",
            "BIND_HOST": "127.0.0.1",
            "SERVICES": "sns,sqs,events,ses,s3,dynamodb,scheduler,cloudformation,iam,sts",
            "IOT_MTLS_ENABLED": "0",
            "SFTP_ENABLED": "0",
            "LOG_LEVEL": "WARNING",
        },
    ),
    "moto": _Recipe(
        arguments=("-m", "moto.server", "-H", "127.0.0.1", "-p", "{port}"),
        health="/moto-api/",
        account_id="123456789012",
    ),
}


_RECIPES["swift"] = _Recipe(
    arguments=(str(Path(__file__).resolve().parent / "swift_server.py"), "{port}", "swift"),
    health="/info",
    account_id="test",
)


# Knows neither transactions nor the time to live, but checks expressions by rules of its own.
_RECIPES["dynalite"] = _Recipe(
    arguments=(str(WEB / "testing" / "dynalite" / "server.js"), "{port}"),
    health="/",
    account_id="000000000000",
    program=NODE,
)


_shared = ExitStack()


@cache
def shared(name: str) -> Emulator:
    """One for all tests of this process."""
    holder = tempfile.TemporaryDirectory(prefix=f"sightline-{name}-", ignore_cleanup_errors=True)
    _shared.callback(holder.cleanup)
    atexit.register(_shared.close)
    return _shared.enter_context(running(name, Path(holder.name)))


@contextmanager
def running(name: str, directory: Path, *, within_s: float = 60.0) -> Iterator[Emulator]:
    """The emulator while the block runs; returns when it answers."""
    recipe = _RECIPES[name]
    installed.wait_for(installed.NODE_PACKAGES if recipe.program == NODE else installed.EMULATORS)
    port = str(free_port())
    endpoint = f"http://127.0.0.1:{port}"
    output = directory / f"{name}-{port}.log"
    settings = {key: value.format(port=port) for key, value in recipe.environment.items()}
    arguments = [argument.format(port=port) for argument in recipe.arguments]
    with output.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", WITH_PARENT, str(os.getpid()), str(recipe.program), *arguments],
            env={**os.environ, **settings},
            stdout=log,
            stderr=log,
            cwd=directory,
        )
    try:
        _wait_for(endpoint + recipe.health, process, output, within_s)
        yield Emulator(name, endpoint, recipe.account_id)
    finally:
        process.kill()
        process.wait()


def _wait_for(url: str, process: "subprocess.Popen[bytes]", output: Path, within_s: float) -> None:
    patience = Patience(within_s)
    while True:
        try:
            with urllib.request.urlopen(url, timeout=60):
                return
        except urllib.error.HTTPError as error:
            error.close()  # any answer will do
            return
        except OSError as error:
            said = f"{url} does not answer: {error}; it said:\n{output.read_text()[-2000:]}"
            if process.poll() is not None or patience.is_over():
                raise RuntimeError(said) from error
            time.sleep(0.05)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
