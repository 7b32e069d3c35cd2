"""Writes the text and speech of a video in one of the export formats, to a file or to standard output."""

import os
import sys
from pathlib import Path
from typing import BinaryIO

from sightline.bootstrap import Platform
from sightline.errors import InvalidInput
from sightline.text.exports import ExportOptions, export_text, pages_of_segments
from sightline.videos import Video


def check_output(output: Path | None) -> None:
    """Refuses a file that cannot be written before any work is done."""
    if output is None:
        return
    if output.is_dir():
        raise InvalidInput(f"{output} is a directory; name a file")
    if not output.absolute().parent.is_dir():
        raise InvalidInput(f"{output.absolute().parent} does not exist")


async def write_export(platform: Platform, video: Video, options: ExportOptions, output: Path | None) -> None:
    """A file appears under its name when it is complete."""
    if output is None:
        await _write(platform, video, options, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    partial = output.with_name(f".{output.name}.{os.getpid()}.part")
    try:
        with partial.open("wb") as file:
            await _write(platform, video, options, file)
        partial.replace(output)
    except OSError as error:
        raise InvalidInput(f"{output} cannot be written: {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)


async def _write(platform: Platform, video: Video, options: ExportOptions, file: BinaryIO) -> None:
    pages = pages_of_segments(platform.database.transaction, video.id, kind=options.segment_kind)
    async for piece in export_text(pages, options, video_id=video.id, name=video.name):
        file.write(piece)
