"""Admission of uploads: an upload that exceeds a quota of its owner, or does not fit on the disk, is refused before it begins."""

from collections.abc import Callable, Iterator
from uuid import UUID

import structlog
from prometheus_client import CollectorRegistry, Counter

from sightline.byte_sizes import bytes_text
from sightline.db import Transaction
from sightline.errors import QuotaExceeded
from sightline.objects import ObjectStore, not_enough_space
from sightline.uploads.settings import UploadsSettings
from sightline.uploads.store import OwnerUsage, announced_bytes, lock_admission, usage_of_owner

log = structlog.get_logger(__name__)


class UploadAdmission:
    def __init__(
        self, objects: ObjectStore, settings: UploadsSettings, *, registry: CollectorRegistry | None = None
    ) -> None:
        self._objects = objects
        self._settings = settings
        self._refused = Counter(
            "sightline_uploads_refused_total", "Uploads that were refused, by reason.", ["reason"], registry=registry
        )

    async def lock(self, tx: Transaction) -> None:
        """Other admissions wait until this transaction ends: two uploads must not be given the same space."""
        if self._has_quotas or await self._objects.usable_bytes() is not None:
            await lock_admission(tx)

    async def check(self, tx: Transaction, owner_id: UUID, size: int | None) -> None:
        """Raises `QuotaExceeded` or `StorageFull`. An upload of unknown size is refused only if nothing would fit."""
        if self._has_quotas:
            used = await usage_of_owner(tx, owner_id)
            for reason, message, details in exceeded_quotas(self._settings, used, size or 0):
                self._refuse(reason, owner_id, size)
                raise QuotaExceeded(message, details=details)
        await self.check_space(tx, size, owner_id=owner_id)

    async def check_space(self, tx: Transaction, size: int | None, *, owner_id: UUID | None = None) -> None:
        """Raises `StorageFull` if the bytes do not fit beside those that unfinished uploads have yet to send."""
        usable = await self.usable_bytes(tx)
        if usable is not None and usable < max(1, size or 0):
            self._refuse("space", owner_id, size)
            raise not_enough_space(size or 0, usable)

    async def usable_bytes(self, tx: Transaction) -> int | None:
        """What new uploads may use of the disk; None if there is no limit."""
        free = await self._objects.usable_bytes()
        return None if free is None else max(0, free - await announced_bytes(tx))

    @property
    def _has_quotas(self) -> bool:
        settings = self._settings
        return bool(settings.quota_bytes or settings.quota_videos or settings.quota_open_uploads)

    def _refuse(self, reason: str, owner_id: UUID | None, size: int | None) -> None:
        self._refused.labels(reason).inc()
        log.info("upload.not_admitted", reason=reason, owner_id=None if owner_id is None else str(owner_id), bytes=size)


def exceeded_quotas(
    settings: UploadsSettings, used: OwnerUsage, size: int
) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Reason, message and details of each quota that an upload of this size would exceed. Pure."""
    number: Callable[[int], str] = str
    for reason, limit, present, more, text, remedy in (
        ("quota_bytes", settings.quota_bytes, used.stored_bytes, size, bytes_text, "Delete videos to make room."),
        ("quota_videos", settings.quota_videos, used.videos, 1, number, "Delete a video first."),
        (
            "quota_open_uploads",
            settings.quota_open_uploads,
            used.open_uploads,
            1,
            number,
            "Finish or cancel one of them first.",
        ),
    ):
        if limit and present + more > limit:
            what = {"quota_bytes": "storage", "quota_videos": "videos", "quota_open_uploads": "unfinished uploads"}
            needs = f", this file needs {text(more)}" if reason == "quota_bytes" else ""
            message = f"Quota exceeded: {text(present)} of {text(limit)} {what[reason]} used{needs}. {remedy}"
            yield reason, message, {"quota": reason, "limit": limit, "used": present, "needed": more}
