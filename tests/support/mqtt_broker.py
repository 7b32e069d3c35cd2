"""A real MQTT broker (amqtt) on loopback, in a process of its own; it can be stopped and started again on its port."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.emulators import PYTHON, WITH_PARENT, free_port

_BROKER = """
import asyncio, sys
from amqtt.broker import Broker
from amqtt.plugins.base import BaseAuthPlugin

CERTIFICATE = sys.argv[2]
USER, PASSWORD = sys.argv[3:5] if len(sys.argv) > 3 else (None, None)
TLS = {"ssl": True, "certfile": CERTIFICATE, "keyfile": CERTIFICATE} if CERTIFICATE else {}

class Login(BaseAuthPlugin):
    async def authenticate(self, *, session):
        return USER is None or (session.username, session.password) == (USER, PASSWORD)

async def main():
    broker = Broker({
        "listeners": {"default": {"type": "tcp", "bind": f"127.0.0.1:{sys.argv[1]}", **TLS}},
        "plugins": {"__main__.Login": {}},
    })
    await broker.start()
    print("listening", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


class MqttBroker:
    def __init__(
        self, user: str | None, password: str | None, directory: Path, certificate: Path | None = None
    ) -> None:
        self.port = free_port()
        self._certificate = "" if certificate is None else str(certificate)
        self._login = [] if user is None else [user, str(password)]
        self._log = directory / "broker.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-c", WITH_PARENT, str(os.getpid()), str(PYTHON), "-c", _BROKER, str(self.port)]
        with self._log.open("wb") as log:
            process = subprocess.Popen([*command, self._certificate, *self._login], stdout=subprocess.PIPE, stderr=log)
        self._process = process
        assert process.stdout is not None
        with process.stdout as said:
            if b"listening" not in said.readline():
                raise RuntimeError(f"the broker does not start:\n{self._log.read_text()[-2000:]}")

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@contextmanager
def mqtt_broker(
    directory: Path, user: str | None = None, password: str | None = None, *, certificate: Path | None = None
) -> Iterator[MqttBroker]:
    """With a certificate (its key in the same file) it speaks TLS alone."""
    broker = MqttBroker(user, password, directory, certificate)
    broker.start()
    try:
        yield broker
    finally:
        broker.stop()
