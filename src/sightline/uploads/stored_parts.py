"""Parts as the store lists them: the truth about what arrived, whatever the client reported."""

from sightline.db import Database
from sightline.errors import NotFound
from sightline.objects import ObjectStore, StoredPart, original_key
from sightline.uploads.plan import matching_parts
from sightline.uploads.store import drop_parts, part_numbers, save_parts
from sightline.uploads.upload import Upload


async def refresh_parts(database: Database, objects: ObjectStore, upload: Upload) -> list[StoredPart]:
    """Saves the parts that the store lists; deletes records of parts that it does not have or that have the wrong size."""
    try:
        stored = await objects.list_parts(original_key(upload.video_id), upload.store_upload_id)
    except NotFound:
        return []  # completed or aborted directly in the store; a completion finds out which
    good = matching_parts(upload.plan, stored)
    numbers = {part.number for part in good}
    async with database.transaction() as tx:
        await save_parts(tx, upload.video_id, good)
        known = await part_numbers(tx, upload.video_id)
        if lost := sorted(known - numbers):
            await drop_parts(tx, upload.video_id, lost)
    return stored
