"""One FTP connection: a camera signs in, sees nothing, and stores files. Runs in the thread of the FTP server."""

import os
from collections.abc import Callable
from typing import Any

import structlog
from pyftpdlib.authorizers import AuthenticationFailed
from pyftpdlib.exceptions import FilesystemError
from pyftpdlib.filesystems import AbstractedFS
from pyftpdlib.handlers import DTPHandler, FTPHandler, TLS_DTPHandler, TLS_FTPHandler

from sightline.cameras.ftp.accounts import FtpAccount
from sightline.cameras.ftp_settings import FtpSettings

PERMISSIONS = "emfw"
"""Change and make directories, rename, store. Nothing is listed, read, appended to or deleted."""
PART = ".part"
MAX_NAME = 200
IDLE_S = 300
STALLED_S = 60
LOST = "426 Connection closed; transfer aborted."

FindAccount = Callable[[str, str], FtpAccount | None]

log = structlog.get_logger(__name__)


class FtpFolder(AbstractedFS):  # type: ignore[misc]  # without types of its own
    """A file has a hidden name until it is whole."""

    def open(self, filename: str, mode: str) -> Any:
        if not mode.startswith("w"):
            raise FilesystemError("Transfers cannot be resumed")
        directory, name = os.path.split(filename)
        if len(os.fsencode(name)) > MAX_NAME:
            raise FilesystemError("The name is too long")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        part = os.path.join(directory, f".{name}{PART}")
        return open(part, "wb", opener=lambda path, _: os.open(path, flags, 0o660))


class Accounts:
    """What pyftpdlib calls an authorizer: one account per connection, known once its password was right."""

    def __init__(self, find: FindAccount) -> None:
        self._find = find
        self._accounts: dict[str, FtpAccount] = {}

    def validate_authentication(self, username: str, password: str, handler: Any) -> None:
        account = self._find(username, password)
        if account is None:
            log.warning("ftp.login_refused", remote=handler.remote_ip)
            raise AuthenticationFailed("Authentication failed.")
        if not account.folder.is_dir():
            account.folder.mkdir(mode=0o770, parents=True, exist_ok=True)
        # Another camera may have the same user name: pyftpdlib asks for the home at once, in this thread, and keeps it.
        handler.account = account
        self._accounts[username] = account
        log.info("ftp.login", camera_id=account.camera_id, remote=handler.remote_ip)

    def get_home_dir(self, username: str) -> str:
        return str(self._accounts[username].folder)

    def has_user(self, username: str) -> bool:
        return username in self._accounts

    def has_perm(self, username: str, perm: str, path: str | None = None) -> bool:
        return perm in PERMISSIONS

    def get_perms(self, username: str) -> str:
        return PERMISSIONS

    def get_msg_login(self, username: str) -> str:
        return "Ready."

    def get_msg_quit(self, username: str) -> str:
        return "Goodbye."

    def impersonate_user(self, username: str, password: str) -> None:
        """Files belong to the user of this process."""

    def terminate_impersonation(self, username: str) -> None:
        """Files belong to the user of this process."""


class _Limited:
    """Part of a data connection: ends it when the file is too large."""

    max_bytes: int

    def __init__(self, sock: Any, cmd_channel: Any) -> None:
        super().__init__(sock, cmd_channel)  # type: ignore[call-arg]  # of the data connection
        connection: Any = self
        if not connection.connected:  # the client was gone before it was accepted, and pyftpdlib answers nothing then
            cmd_channel.data_connection_lost()

    def handle_read(self) -> None:
        super().handle_read()  # type: ignore[misc]  # of the data connection
        connection: Any = self
        if connection.receive and connection.tot_bytes_received > self.max_bytes:
            connection.transfer_finished = False
            answer = ("552 The file is larger than allowed.", log.debug)
            connection._resp = answer  # noqa: SLF001 - how pyftpdlib answers at the end of a transfer
            connection.close()

    handle_read_event = handle_read


class _Resettable:
    """Part of a data connection without TLS: one that is reset is not a whole file, for which pyftpdlib takes it."""

    def recv(self, buffer_size: int) -> bytes:
        connection: Any = self
        try:
            data: bytes = connection.socket.recv(buffer_size)
        except ConnectionError:
            connection.transfer_finished = False
            connection._resp = (LOST, log.debug)  # noqa: SLF001 - how pyftpdlib answers at the end of a transfer
            connection.close()
            return b""
        except BlockingIOError:
            return super().recv(buffer_size)  # type: ignore[misc,no-any-return]  # tries again later
        if not data:
            connection.handle_close()
        return data


class _Uploads:
    """Part of a control connection: whole files get their name, others are removed."""

    account: FtpAccount

    def on_file_received(self, file: str) -> None:
        directory, name = os.path.split(file)
        if name.startswith(".") and name.endswith(PART):
            name = name[1 : -len(PART)]
            os.replace(file, os.path.join(directory, name))
        size = os.stat(os.path.join(directory, name), follow_symlinks=False).st_size
        log.info("ftp.received", camera_id=self.account.camera_id, file=name, bytes=size)

    def data_connection_lost(self) -> None:
        connection: Any = self
        if (waiting := connection._in_dtp_queue) is not None:  # noqa: SLF001 - the file of a transfer that was announced
            connection._in_dtp_queue = None  # noqa: SLF001
            waiting[0].close()
            self.on_incomplete_file_received(waiting[0].name)
            connection.respond(LOST)

    def on_incomplete_file_received(self, file: str) -> None:
        log.warning("ftp.incomplete", camera_id=self.account.camera_id, file=os.path.basename(file))
        if os.path.basename(file).endswith(PART):
            os.unlink(file)


def handler_class(settings: FtpSettings, find: FindAccount, *, max_bytes: int) -> type[FTPHandler]:
    """The class of connections, as pyftpdlib wants its settings: on the class."""
    is_tls = settings.certificate is not None
    limits = {"max_bytes": max_bytes, "timeout": STALLED_S}
    bases = (_Limited, TLS_DTPHandler) if is_tls else (_Limited, _Resettable, DTPHandler)
    data = type("UploadData", bases, limits)
    first, last = settings.port_range()
    values: dict[str, Any] = {
        "authorizer": Accounts(find),
        "abstracted_fs": FtpFolder,
        "dtp_handler": data,
        "banner": "Ready.",
        "passive_ports": range(first, last + 1),
        "masquerade_address": settings.public_address,
        "permit_foreign_addresses": False,
        "permit_privileged_ports": False,
        "max_login_attempts": 3,
        "timeout": IDLE_S,
        "use_sendfile": False,
        "log_prefix": "",
    }
    if is_tls:
        values |= {
            "certfile": str(settings.certificate),
            "keyfile": str(settings.certificate_key or settings.certificate),
            "tls_control_required": settings.requires_tls,
            "tls_data_required": settings.requires_tls,
        }
    made: type[FTPHandler] = type("UploadConnection", (_Uploads, TLS_FTPHandler if is_tls else FTPHandler), values)
    return made
