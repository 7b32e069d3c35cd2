"""What people say of a video: its name, description and tags. Pure."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from sightline.errors import InvalidInput

MAX_TAGS = 30
MAX_TAG_LENGTH = 50
MAX_DESCRIPTION_LENGTH = 5000

_UNSHOWN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class VideoDetails:
    name: str
    description: str | None
    tags: tuple[str, ...]


def clean_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Without outer and double spaces, a leading #, and repetitions that differ only in case."""
    found: dict[str, str] = {}
    for tag in tags:
        clean = " ".join(unicodedata.normalize("NFC", tag).split()).lstrip("#").strip()
        if not clean:
            raise InvalidInput("tags: a tag needs at least one character")
        if len(clean) > MAX_TAG_LENGTH:
            raise InvalidInput(f"tags: {clean[:20]!r}… is too long; use at most {MAX_TAG_LENGTH} characters")
        if _UNSHOWN.search(clean) or '"' in clean:
            raise InvalidInput("tags: use no quotation marks and no control characters")
        found.setdefault(clean.casefold(), clean)
    if len(found) > MAX_TAGS:
        raise InvalidInput(f"tags: a video can have at most {MAX_TAGS}")
    return tuple(found.values())


def clean_description(text: str | None) -> str | None:
    """None for one without any character that can be seen."""
    clean = _UNSHOWN.sub("", (text or "").replace("\r\n", "\n").replace("\r", "\n")).strip()
    if len(clean) > MAX_DESCRIPTION_LENGTH:
        raise InvalidInput(f"description: use at most {MAX_DESCRIPTION_LENGTH} characters")
    return clean or None
