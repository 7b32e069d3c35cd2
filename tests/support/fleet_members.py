"""Processes of a fleet that are killed, cut off and started again, each with a state directory of its own."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

_KEPT = ("PATH", "HOME", "TMPDIR")


@dataclass
class Member:
    """One process and those that follow it."""

    name: str
    arguments: tuple[str, ...]
    settings: dict[str, str]
    directory: Path
    source: Path | None = None
    """Code of another version, to be run instead of this one's."""
    kills: int = 0
    is_frozen: bool = False
    _process: asyncio.subprocess.Process | None = None
    _seen: set[psutil.Process] = field(default_factory=set)
    _frozen: list[psutil.Process] = field(default_factory=list)

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def log(self) -> Path:
        return self.directory / f"{self.name}.log"

    async def start(self) -> None:
        state = self.directory / self.name
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        if self.source is not None:
            environment["PYTHONPATH"] = str(self.source)
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "sightline", *self.arguments),
                cwd=state,
                env=environment | self.settings | {"SIGHTLINE_STATE_DIR": str(state)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    async def kill(self) -> None:
        """The process alone: what it started has to notice by itself."""
        assert self._process is not None
        self._seen |= set(self._tree())
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        self.kills += 1

    async def stop(self) -> int:
        """Asks it to end, and returns how it did."""
        assert self._process is not None
        self._process.terminate()
        return await self._process.wait()

    def freeze(self) -> None:
        """Cuts it off, with all that it started: it keeps its connections and says nothing."""
        self.is_frozen = True
        self._frozen = self._tree()
        self._signal(self._frozen, signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(self._frozen, signal.SIGCONT)
        self.is_frozen = False

    async def end(self) -> int:
        """Ends all that is left of it; returns how many processes outlived the one that started them."""
        if self.is_frozen:
            self.thaw()
        now = set(self._tree())
        left = [process for process in self._seen - now if process.is_running()]
        self._signal([*now, *left], signal.SIGKILL)
        if self._process is not None:
            await self._process.wait()
        return len(left)

    def _tree(self) -> list[psutil.Process]:
        if not self.is_running:
            return []
        assert self._process is not None
        with suppress(psutil.NoSuchProcess):
            parent = psutil.Process(self._process.pid)
            return [parent, *parent.children(recursive=True)]
        return []

    @staticmethod
    def _signal(processes: list[psutil.Process], number: int) -> None:
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(number)
