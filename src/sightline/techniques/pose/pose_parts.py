"""Parts of a video with the people that were found in them, kept in the object store.

Finding people is what costs time. A run that was interrupted resumes after the last whole part, another run with a better
classifier needs no picture at all, and corrections are learned from what was found then.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from sightline.objects import ObjectStore, pose_part_key
from sightline.techniques.pose.people import Colour, SeenPerson
from sightline.techniques.pose.skeleton import JOINT_COUNT

PART_LOOKS = 1200
"""Five minutes at four looks per second."""
NO_COLOUR = -1


@dataclass(frozen=True, slots=True)
class PeopleLook:
    at_ms: int
    people: tuple[SeenPerson, ...]


@dataclass(frozen=True, slots=True)
class PosePart:
    looks: tuple[PeopleLook, ...]
    is_last: bool


class PoseParts:
    """`origin` names what the people were found with; parts of another origin are as good as none."""

    def __init__(self, objects: ObjectStore, video_id: UUID, origin: str) -> None:
        self._objects = objects
        self._video_id = video_id
        self._origin = origin

    async def load(self, number: int) -> PosePart | None:
        key = pose_part_key(self._video_id, number)
        if await self._objects.head(key) is None:
            return None
        return decode_part(await self._objects.get(key), origin=self._origin)

    async def store(self, number: int, part: PosePart) -> None:
        await self._objects.put(pose_part_key(self._video_id, number), encode_part(part, origin=self._origin))


async def stored_looks(objects: ObjectStore, video_id: UUID) -> list[PeopleLook]:
    """Those of a whole analysis with one model at one rate, whichever these are; empty if there is none.

    Another analysis replaces the parts one by one. Until its last part is stored, and if it was interrupted, there is no whole one.
    """
    found: list[PeopleLook] = []
    origin: str | None = None
    number = 0
    while await objects.head(pose_part_key(video_id, number)) is not None:
        content = await objects.get(pose_part_key(video_id, number))
        if origin is None:
            origin = origin_of(content)
        part = None if origin is None else decode_part(content, origin=origin)
        if part is None:
            return []
        found += part.looks
        if part.is_last:
            return found
        number += 1
    return []


def encode_part(part: PosePart, *, origin: str) -> bytes:
    people = [person for look in part.looks for person in look.people]
    content = io.BytesIO()
    np.savez_compressed(
        content,
        origin=np.array(origin),
        is_last=np.array(part.is_last),
        at_ms=np.array([look.at_ms for look in part.looks], np.int64),
        counts=np.array([len(look.people) for look in part.looks], np.int32),
        joints=_joints(people),
        colours=np.array([[_numbers(one.upper), _numbers(one.lower)] for one in people], np.int16).reshape(-1, 2, 3),
    )
    return content.getvalue()


def origin_of(content: bytes) -> str | None:
    """None for a part that cannot be read."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as found:
            return str(found["origin"])
    except Exception:  # a damaged archive fails in more ways than its reader lists
        return None


def decode_part(content: bytes, *, origin: str) -> PosePart | None:
    """None for a part of another origin, or one that cannot be read: then it is found anew."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as found:
            if str(found["origin"]) != origin:
                return None
            joints, colours, counts = found["joints"], found["colours"], found["counts"]
            at_ms, is_last = found["at_ms"], bool(found["is_last"])
    except Exception:  # a damaged archive fails in more ways than its reader lists
        return None
    total = int(counts.sum())
    if joints.shape != (total, JOINT_COUNT, 3) or colours.shape != (total, 2, 3) or len(at_ms) != len(counts):
        return None
    people = [
        SeenPerson(one.astype(np.float32), _colour(upper), _colour(lower))
        for one, (upper, lower) in zip(joints, colours, strict=True)
    ]
    ends = np.cumsum(counts)
    looks = tuple(
        PeopleLook(int(at), tuple(people[int(end) - int(count) : int(end)]))
        for at, count, end in zip(at_ms, counts, ends, strict=True)
    )
    return PosePart(looks, is_last)


def _joints(people: Sequence[SeenPerson]) -> "np.ndarray[tuple[int, ...], np.dtype[np.float32]]":
    return np.array([one.joints for one in people], np.float32).reshape(-1, JOINT_COUNT, 3)


def _numbers(colour: Colour | None) -> tuple[int, int, int]:
    return (NO_COLOUR,) * 3 if colour is None else colour


def _colour(numbers: "np.ndarray[tuple[int, ...], np.dtype[np.int16]]") -> Colour | None:
    red, green, blue = (int(one) for one in numbers)
    return None if red == NO_COLOUR else (red, green, blue)
