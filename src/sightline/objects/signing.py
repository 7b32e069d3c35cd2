"""Signed URLs of many objects at a time."""

import asyncio
from collections.abc import Sequence

from sightline.objects.store import ObjectStore

MAX_PARALLEL_SIGNATURES = 200


async def sign_gets(objects: ObjectStore, keys: Sequence[str], *, expires_s: float) -> list[str]:
    """URLs in the order of the keys."""
    signed: list[str] = []
    for first in range(0, len(keys), MAX_PARALLEL_SIGNATURES):
        part = keys[first : first + MAX_PARALLEL_SIGNATURES]
        signed += await asyncio.gather(*(objects.sign_get(key, expires_s=expires_s) for key in part))
    return signed
