"""Where the folder of a camera is: its own one below a common directory, or one that an operator chose. Pure."""

from pathlib import Path, PurePosixPath
from uuid import UUID

from sightline.cameras.address import MAX_ADDRESS_LENGTH
from sightline.cameras.problems import SourceProblem
from sightline.cameras.source import Reach
from sightline.errors import InvalidInput


def read_folder(text: str) -> str:
    """A folder as a person typed it; empty is the camera's own."""
    text = text.strip().removeprefix("file://")
    if not text:
        return ""
    if len(text) > MAX_ADDRESS_LENGTH or not text.isprintable():
        raise InvalidInput("The folder's path is too long, or has control characters.")
    path = PurePosixPath(text)
    if not path.is_absolute() or ".." in path.parts:
        raise InvalidInput("The folder's path must begin with / and not contain `..`. Example: /srv/cameras/yard")
    return str(path)


def folder_of(camera_key: UUID, address: str, reach: Reach, *, folders: Path) -> Path:
    """Other people's files are not for everybody who may add a camera, so only who may reach everything chooses a folder."""
    if not address:
        return folders / str(camera_key)
    if reach != "any":
        raise SourceProblem("folder_not_allowed")
    return Path(address)
