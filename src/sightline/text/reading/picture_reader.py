"""Reads the text in one picture, such as that of a security event: signs, and plates where something stands out."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sightline.jobs import Scratch
from sightline.text.reading.child import ReadingProcess
from sightline.text.settings import TextSettings

PICTURE_NAME = "picture"
MAX_REGIONS = 3
CPU_LIMIT_S = 60

Region = tuple[float, float, float, float]
"""x, y, width, height, from 0 to 1 of the picture."""


@dataclass(frozen=True, slots=True)
class PictureText:
    text: str
    confidence: float
    is_in_region: bool
    """Found in one of the regions, which are looked at enlarged."""


class PictureReader:
    """One confined process per picture, at the lowest priority and with limited CPU time."""

    def __init__(
        self, scratch: Scratch, settings: TextSettings, *, models: Path | None = None, may_be_unconfined: bool = False
    ) -> None:
        self._scratch = scratch
        self._settings = settings
        self._process = ReadingProcess(settings, models=models, may_be_unconfined=may_be_unconfined)

    async def read(self, picture: bytes, regions: Sequence[Region] = ()) -> list[PictureText]:
        """Each text once, the most certain first. Raises `PermanentFailure` if it is not a picture."""
        languages = self._settings.languages
        readable = await self._process.model_files(languages)
        async with self._scratch.directory() as directory:
            await asyncio.to_thread((directory / PICTURE_NAME).write_bytes, picture)
            found = await self._process.run(
                read_picture_in_child,
                {"picture": PICTURE_NAME, "regions": [list(region) for region in regions[:MAX_REGIONS]]},
                languages=languages,
                readable=readable,
                directory=directory,
                cpu_s=CPU_LIMIT_S,
                nice=19,
            )
        return [PictureText(text, confidence, is_in_region) for text, confidence, is_in_region in found["lines"]]


def read_picture_in_child(argument: dict[str, Any], progress: Any) -> dict[str, Any]:
    # Imported in the child process: the worker never loads the image libraries.
    from sightline.text.reading.ocr_work import read_picture

    return read_picture(argument, progress)
