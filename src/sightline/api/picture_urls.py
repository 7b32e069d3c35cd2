"""Signed URLs of pictures in answers."""

from sightline.objects import ObjectStore

PICTURE_URL_EXPIRY_S = 3600.0


async def picture_url(objects: ObjectStore, key: str | None) -> str | None:
    """Valid for an hour; None without a picture."""
    return None if key is None else await objects.sign_get(key, expires_s=PICTURE_URL_EXPIRY_S)
