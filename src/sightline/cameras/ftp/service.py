"""The FTP server as a service: pyftpdlib in a thread of its own; accounts are looked up on the event loop."""

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import TimeoutError as FutureTimeoutError

import structlog
from pyftpdlib.ioloop import IOLoop
from pyftpdlib.servers import FTPServer

from sightline.cameras.ftp.accounts import FtpAccount, FtpAccounts
from sightline.cameras.ftp.handlers import handler_class
from sightline.cameras.ftp_settings import FtpSettings
from sightline.errors import ConfigurationError, PlatformError
from sightline.supervisor import OUTAGE_ERRORS

LOOKUP_S = 10.0
TICK_S = 0.25

log = structlog.get_logger(__name__)


class FtpService:
    name = "ftp"

    def __init__(self, settings: FtpSettings, accounts: FtpAccounts, *, max_file_bytes: int) -> None:
        self._settings = settings
        self._accounts = accounts
        self._max_file_bytes = max_file_bytes
        self.port = settings.port
        """The one that it listens on."""

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        # It logs every command, and some cameras send their password in the wrong one.
        logging.getLogger("pyftpdlib").setLevel(logging.CRITICAL)
        server = self._open(asyncio.get_running_loop())
        ended = threading.Event()
        serving = asyncio.create_task(asyncio.to_thread(_serve, server, ended))
        stopping = asyncio.create_task(stop.wait())
        log.info("ftp.listening", host=self._settings.host, port=self.port, tls=self._settings.certificate is not None)
        ready()
        try:
            await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.set()
            stopping.cancel()
            await serving

    def _open(self, loop: asyncio.AbstractEventLoop) -> FTPServer:
        def find(username: str, password: str) -> FtpAccount | None:
            looking = asyncio.run_coroutine_threadsafe(self._accounts.find(username, password), loop)
            try:
                return looking.result(LOOKUP_S)
            except FutureTimeoutError:
                looking.cancel()
            except (PlatformError, *OUTAGE_ERRORS) as error:
                log.warning("ftp.lookup_failed", error=str(error) or type(error).__name__)
            return None

        handler = handler_class(self._settings, find, max_bytes=self._max_file_bytes)
        try:
            server = FTPServer((self._settings.host, self._settings.port), handler, ioloop=IOLoop())
        except OSError as error:
            raise ConfigurationError(
                f"The FTP server cannot listen on {self._settings.host}:{self._settings.port}: {error.strerror}"
            ) from error
        server.max_cons = self._settings.max_connections
        server.max_cons_per_ip = self._settings.max_connections_per_address
        self.port = server.address[1]
        return server


def _serve(server: FTPServer, ended: threading.Event) -> None:
    try:
        while not ended.is_set():
            server.ioloop.loop(timeout=TICK_S, blocking=False)
    finally:
        server.close_all()
