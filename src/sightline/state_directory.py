"""The state directory: locked by one running platform at a time, which publishes its status there."""

import fcntl
import json
import os
import socket
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sightline.errors import ConfigurationError

if TYPE_CHECKING:  # `sightline status` only reads what is known, and must not import what writes it
    from sightline.supervisor import ServiceStatus


@dataclass(frozen=True, slots=True)
class Holder:
    """The platform that holds a state directory, as published by itself."""

    pid: int
    host: str
    started_at: str
    address: str
    services: Sequence[dict[str, Any]] = ()

    @property
    def is_healthy(self) -> bool:
        return bool(self.services) and all(service["state"] == "running" for service in self.services)


class StateDirectory:
    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._lock_file = self.path / "lock"
        self._status_file = self.path / "status.json"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Locks the directory while the block runs. The kernel releases the lock when the process ends, even when killed."""
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._close_to_others()
            lock = self._lock_file.open("a+")
        except OSError as error:
            raise ConfigurationError(
                f"cannot use the state directory {self.path}: {error.strerror or error}; "
                "choose another with --state-dir or SIGHTLINE_STATE_DIR"
            ) from error
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ConfigurationError(f"the state directory {self.path} is in use {self._holder_text()}") from None
            self._status_file.unlink(missing_ok=True)
            try:
                yield
            finally:
                self._status_file.unlink(missing_ok=True)

    def _close_to_others(self) -> None:
        """It holds passwords, keys and originals. Earlier versions left it readable; a directory that also holds other
        things, and had no platform in it yet, is left as it is."""
        handle = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            found = os.fstat(handle)
            is_shared = found.st_uid != os.geteuid() or found.st_mode & stat.S_ISVTX
            is_ours = self._lock_file.exists() or not os.listdir(handle)
            if is_ours and not is_shared and found.st_mode & 0o077:
                os.fchmod(handle, 0o700)
        finally:
            os.close(handle)

    def publish(self, address: str, started_at: str, services: "list[ServiceStatus]") -> None:
        """Writes the status file; readers see the old or the new content, never a part of it."""
        from sightline.timing import iso_utc, utc_now

        content = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "started_at": started_at,
            "address": address,
            "written_at": iso_utc(utc_now()),
            "services": [service.as_json() for service in services],
        }
        fresh = self._status_file.with_suffix(".new")
        fresh.write_text(json.dumps(content, indent=1))
        fresh.replace(self._status_file)

    def holder(self) -> Holder | None:
        """The running platform; None if there is none, even if a killed process left its status file."""
        if not self._is_locked():
            return None
        try:
            found = json.loads(self._status_file.read_text())
        except (OSError, ValueError):
            return Holder(0, "", "", "")
        return Holder(found["pid"], found["host"], found["started_at"], found["address"], found["services"])

    def _is_locked(self) -> bool:
        try:
            with self._lock_file.open("r") as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
                return False
        except BlockingIOError:
            return True
        except (FileNotFoundError, NotADirectoryError):
            return False

    def _holder_text(self) -> str:
        holder = self.holder()
        if holder is None or not holder.pid:
            return "by a platform that is just starting or stopping"
        return (
            f"by the platform with pid {holder.pid} on {holder.host}, started {holder.started_at}, at {holder.address}"
        )
