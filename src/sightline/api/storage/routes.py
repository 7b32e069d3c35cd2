"""Storage: what is stored, what is free, quotas, and the retention rules in force."""

from fastapi import APIRouter

from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform, Operator
from sightline.api.storage.answers import OwnStorageAnswer, StorageAnswer
from sightline.bootstrap import Platform
from sightline.retention import RetentionRule, retention_rules
from sightline.uploads import announced_bytes, usage_of_owner

router = APIRouter(prefix="/api/storage", tags=["storage"])


@router.get("")
async def storage(platform: CurrentPlatform, _: Operator) -> StorageAnswer:
    """Use of storage by kind, free space and retention rules. For operators."""
    return await _storage(platform)


@router.post("/measure")
async def measure(platform: CurrentPlatform, _: Operator) -> StorageAnswer:
    """Measure the use of storage now; this lists all objects. For operators."""
    await platform.storage_meter.measure()
    return await _storage(platform)


@router.get("/mine")
async def own_storage(platform: CurrentPlatform, tx: CallerTransaction, caller: CurrentCaller) -> OwnStorageAnswer:
    """What the caller stores, the quotas, and the retention rules that concern videos and clips."""
    used = await usage_of_owner(tx, caller.user_id)
    return OwnStorageAnswer.of(used, await platform.admission.quotas_of(tx, caller.user_id), _rules(platform))


async def _storage(platform: Platform) -> StorageAnswer:
    async with platform.database.transaction() as tx:
        return StorageAnswer.of(
            await platform.storage_meter.read(tx),
            _rules(platform),
            usable_bytes=await platform.admission.usable_bytes(tx),
            reserved_bytes=platform.settings.objects.minimum_free_bytes,
            announced_bytes=await announced_bytes(tx),
        )


def _rules(platform: Platform) -> list[RetentionRule]:
    settings = platform.settings
    return retention_rules(settings.retention, clip_keep_days=settings.media.clip_keep_days)
