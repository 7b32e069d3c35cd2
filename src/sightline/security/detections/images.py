"""Pictures of detections: what detectors send in base64, and where it is stored."""

import base64
import binascii
from dataclasses import dataclass

from sightline.errors import InvalidInput

_EXTENSIONS = {b"\xff\xd8\xff": "jpg", b"\x89PNG\r\n\x1a\n": "png"}


@dataclass(frozen=True, slots=True)
class DetectionImage:
    content: bytes
    extension: str


def read_image(text: str) -> DetectionImage:
    """A JPEG or PNG picture from its base64 text; the bytes decide which, not a name."""
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidInput("image: not base64") from error
    for magic, extension in _EXTENSIONS.items():
        if content.startswith(magic):
            return DetectionImage(content, extension)
    raise InvalidInput("image: neither JPEG nor PNG")
