"""An uploaded file, seen from the parent of the process that decodes it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, get_args

from sightline.cameras.folder.file_child import FileFailure, read_file
from sightline.cameras.problems import SourceProblem
from sightline.cameras.sources import CameraLook
from sightline.cameras.sources.camera_process import CODE_OF_CAMERAS, read_message
from sightline.errors import PlatformError
from sightline.jobs import OpenProcess, ProcessLimits, Sandbox, open_process, preload

CPU_S = 600
WORDS: dict[str, str] = {
    "empty": "The file is empty.",
    "cut_short": "The file ends too early.",
    "not_media": "The file is neither a picture nor a video that can be read.",
    "too_large": "The file is larger than allowed.",
    "failed": "Reading the file failed.",
}

preload("sightline.cameras.folder.file_child")


class UnreadableFile(Exception):
    """A file that shows nothing. Whether more of it may come is `may_grow`."""

    def __init__(self, code: str) -> None:
        super().__init__(WORDS[code])
        self.reason = WORDS[code]
        self.may_grow = code in ("empty", "cut_short")


class OpenedFile:
    def __init__(self, process: OpenProcess) -> None:
        self._process = process

    async def looks(self) -> AsyncIterator[CameraLook]:
        """The pictures of the file; times are seconds before its end. Raises `UnreadableFile`."""
        while True:
            try:
                message = await self._process.receive()
                match message.kind:
                    case "done":
                        return
                    case "unreadable":
                        code = message.fields.get("code")
                        raise UnreadableFile(str(code) if code in get_args(FileFailure) else "failed")
                found = read_message(message)
            except (PlatformError, SourceProblem):
                raise UnreadableFile("failed") from None
            if isinstance(found, CameraLook):
                yield found
                await self._process.send("next")


@asynccontextmanager
async def open_file(
    number: int, argument: dict[str, Any], *, memory_bytes: int, may_be_unconfined: bool
) -> AsyncIterator[OpenedFile]:
    """The process can read this one open file and nothing else."""
    limits = ProcessLimits(memory_bytes=memory_bytes, cpu_s=CPU_S, may_be_unconfined=may_be_unconfined)
    sandbox = Sandbox(modules=(*CODE_OF_CAMERAS, "sightline.cameras.folder.file_child"))
    async with open_process(read_file, argument, limits=limits, sandbox=sandbox, handles={"file": number}) as process:
        yield OpenedFile(process)
