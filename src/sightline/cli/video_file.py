"""Local files that are to become videos: what is no video is refused before anything is started, stored or mailed."""

from pathlib import Path

from sightline.errors import InvalidInput
from sightline.file_types import HEAD_BYTES, demuxer_name, describe_other


def check_video_file(file: Path) -> None:
    check_is_file(file)
    with file.open("rb") as content:
        head = content.read(HEAD_BYTES)
    if demuxer_name(head) is None:
        raise InvalidInput(f"{file}: {describe_other(head)}")


def check_is_file(file: Path) -> None:
    if not file.is_file():
        raise InvalidInput(f"{file} is not a file")
    if file.stat().st_size == 0:
        raise InvalidInput(f"{file}: the file is empty")
