"""Multipart uploads as clients drive them: start, URLs, reported parts, completion, discard."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

from sightline.db import Database, Transaction
from sightline.errors import Conflict, InvalidInput, NotFound, QuotaExceeded
from sightline.objects import (
    MAX_PARTS,
    ObjectStore,
    PartTag,
    StorageFull,
    StoredObject,
    StoredPart,
    original_key,
)
from sightline.timing import Clock, utc_now
from sightline.uploads.abandoned import abort_upload
from sightline.uploads.admission import UploadAdmission
from sightline.uploads.completion import UploadCompletion
from sightline.uploads.plan import PartsRefused, UploadPlan, check_parts, normalize_etag
from sightline.uploads.progress import UploadProgress
from sightline.uploads.reports import PartReport, PartReports
from sightline.uploads.settings import UploadsSettings
from sightline.uploads.store import (
    drop_parts,
    get_upload,
    insert_upload,
    issue_next,
    list_parts,
    start_abort,
    touch,
)
from sightline.uploads.stored_parts import refresh_parts
from sightline.uploads.upload import PartUrl, Upload, UploadPart, UploadState
from sightline.videos import NewVideo, Video, VideoMoves, VideoStatus, need_video

MAX_URLS_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class StartedUpload:
    video: Video
    upload_id: str
    plan: UploadPlan | None


@dataclass(frozen=True, slots=True)
class IssuedUrls:
    urls: list[PartUrl]
    following: int | None
    """The first part after these; None if there is none."""
    uploaded: list[UploadPart]
    """Those of the requested parts that need no URL, because they are in the store or were reported."""


class Uploads:
    """Access is checked by the caller, not here."""

    def __init__(
        self,
        database: Database,
        objects: ObjectStore,
        moves: VideoMoves,
        completion: UploadCompletion,
        settings: UploadsSettings,
        progress: UploadProgress,
        admission: UploadAdmission,
        *,
        clock: Clock = utc_now,
        new_id: Callable[[], UUID] = uuid4,
    ) -> None:
        self._progress = progress
        self._reports = PartReports(database, moves)
        self._admission = admission
        self._database = database
        self._objects = objects
        self._moves = moves
        self._completion = completion
        self._settings = settings
        self._clock = clock
        self._new_id = new_id

    # Start -------------------------------------------------------------------------------------------------------

    async def start(
        self,
        video: Callable[[UUID], NewVideo],
        plan: UploadPlan | None,
        *,
        also: Callable[[Transaction, UUID], Awaitable[None]] | None = None,
    ) -> StartedUpload:
        """Refuses what exceeds a quota or does not fit. Starts in the store first, so that rows never name a missing upload.

        `AbandonedUploads` removes what a crash leaves. `also` adds to the transaction that creates the video.
        """
        video_id = self._new_id()
        new = video(video_id)
        size = plan.total_size if plan else None
        async with self._database.transaction() as tx:
            await self._admission.check(tx, new.owner_id, size)
        store_id = await self._objects.create_upload(original_key(video_id), content_type=new.content_type)
        try:
            async with self._database.transaction() as tx:
                # Again, and one at a time: another upload may have begun since.
                await self._admission.lock(tx, new.owner_id)
                await self._admission.check(tx, new.owner_id, size)
                created = await self._moves.create(tx, new)
                assert created is not None, "the id is new"
                await insert_upload(tx, video_id, store_id, plan)
                if also is not None:
                    await also(tx, video_id)
        except (QuotaExceeded, StorageFull):
            await self._objects.abort_upload(original_key(video_id), store_id)
            raise
        return StartedUpload(created, store_id, plan)

    # URLs ---------------------------------------------------------------------------------------------------

    async def next_urls(self, video_id: UUID) -> IssuedUrls:
        """URLs of the next parts, which were never issued before; the first call moves the video to UPLOADING."""
        upload = await self._open_upload(video_id)
        async with self._database.transaction() as tx:
            # The upload is locked before the video, as by its completion; the other way round, the two could wait for each other.
            numbers = await issue_next(tx, video_id, limit=MAX_URLS_AT_ONCE)
            if numbers is None:
                raise _closed(video_id)
            await self._moves.move_if(tx, video_id, VideoStatus.UPLOADING, expected=(VideoStatus.CREATED,))
        return await self._sign(upload, numbers)

    async def reissue_urls(self, video_id: UUID, numbers: Sequence[int]) -> IssuedUrls:
        """New URLs of given parts, because the earlier ones expired or were lost. Parts that the store has need none."""
        upload = await self._resumed_upload(video_id, numbers)
        await self.refresh(upload)
        return await self._sign(upload, numbers)

    async def urls_of_missing(self, video_id: UUID, first: int) -> IssuedUrls:
        """As `reissue_urls`, for the next missing parts, starting at `first`; with all parts from there on that have arrived."""
        upload = await self._resumed_upload(video_id, [first])
        await self.refresh(upload)
        async with self._database.transaction() as tx:
            arrived = [part for part in await list_parts(tx, video_id) if part.number >= first]
        known, last = {part.number for part in arrived}, upload.total_parts or MAX_PARTS
        missing = [number for number in range(first, last + 1) if number not in known][:MAX_URLS_AT_ONCE]
        after = (missing[-1] if missing else last) + 1
        urls = [await self._part_url(upload, number) for number in missing]
        return IssuedUrls(urls, after if after <= last else None, arrived)

    async def urls_of(self, video_id: UUID, numbers: Sequence[int]) -> list[PartUrl]:
        """URLs of these parts, whether they have arrived or not; for clients that track parts themselves."""
        upload = await self._resumed_upload(video_id, numbers)
        return [await self._part_url(upload, number) for number in numbers]

    async def _resumed_upload(self, video_id: UUID, numbers: Sequence[int]) -> Upload:
        """The open upload, which must have these parts; its client is active again."""
        upload = await self._open_upload(video_id)
        for number in numbers:
            _check_number(upload, number)
        async with self._database.transaction() as tx:
            await touch(tx, video_id)
            await self._moves.move_if(tx, video_id, VideoStatus.UPLOADING, expected=(VideoStatus.CREATED,))
        return upload

    async def _sign(self, upload: Upload, numbers: Sequence[int] | range) -> IssuedUrls:
        async with self._database.transaction() as tx:
            arrived = {part.number: part for part in await list_parts(tx, upload.video_id)}
        urls = [await self._part_url(upload, number) for number in numbers if number not in arrived]
        last = numbers[-1] if numbers else None
        following = None if last is None or last >= (upload.total_parts or MAX_PARTS) else last + 1
        return IssuedUrls(urls, following, [arrived[number] for number in numbers if number in arrived])

    async def _part_url(self, upload: Upload, number: int) -> PartUrl:
        size = upload.plan.size_of(number) if upload.plan else None
        expires_s = self._settings.url_expiry_s
        url = await self._objects.sign_part(
            original_key(upload.video_id), upload.store_upload_id, number, expires_s=expires_s, length=size
        )
        return PartUrl(number, url, size, self._clock() + timedelta(seconds=expires_s))

    # Parts -------------------------------------------------------------------------------------------------------

    async def report(self, video_id: UUID, number: int, etag: str) -> UploadPart:
        """The client reports that a part has arrived; a newer report replaces an older one."""
        if not normalize_etag(etag):
            raise InvalidInput("etag: must not be empty")
        if not 1 <= number <= MAX_PARTS:
            raise InvalidInput(f"part {number} does not exist: parts are numbered from 1 to {MAX_PARTS}")
        reported = await self._reports.store(PartReport(video_id, number, etag))
        if reported is not None:
            await self._progress.part_uploaded(video_id)
            return reported
        upload = await self._open_upload(video_id)
        _check_number(upload, number)
        raise _closed(video_id)

    async def refresh(self, upload: Upload) -> list[StoredPart]:
        return await refresh_parts(self._database, self._objects, upload)

    # Completion --------------------------------------------------------------------------------------------------

    async def complete(self, video_id: UUID, named: Mapping[int, str] | None) -> Video:
        """Joins the parts into the original: those named, or else all that the store has, reported or not. Idempotent."""
        async with self._database.transaction() as tx:
            video = await need_video(tx, video_id)
            upload = await get_upload(tx, video_id)
            reported = {part.number: part.etag for part in await list_parts(tx, video_id)}
        if (upload is None and not video.status.is_before_uploaded) or (
            upload and upload.state is UploadState.COMPLETED
        ):
            return video
        if upload is None or upload.state in (UploadState.ABORTED, UploadState.ABORTING):
            raise _closed(video_id)
        stored, parts = await self._complete_in_store(upload, named, reported)
        finished = await self._completion.finish(stored, video_id, parts)
        if finished is None:
            raise NotFound(f"video {video_id} was removed in the meantime", code="VIDEO_NOT_FOUND")
        if finished.status is VideoStatus.FAILED:
            raise Conflict(f"video {video_id} failed: {finished.error_reason}", details={"status": finished.status})
        return finished

    async def _complete_in_store(
        self, upload: Upload, named: Mapping[int, str] | None, reported: dict[int, str]
    ) -> tuple[StoredObject, list[StoredPart] | None]:
        key = original_key(upload.video_id)
        for number in named or ():
            _check_number(upload, number)
        try:
            listed = await self._objects.list_parts(key, upload.store_upload_id)
        except NotFound:
            return await self._completed_already(upload), None
        try:
            # Parts that were never reported count as the store has them; a report that differs from the store is an error.
            parts = check_parts(upload.plan, named or {part.number: part.etag for part in listed} | reported, listed)
        except PartsRefused as refused:
            async with self._database.transaction() as tx:
                await drop_parts(tx, upload.video_id, refused.details.get("parts", []))
            raise
        try:
            tags = [PartTag(part.number, part.etag) for part in parts]
            return await self._objects.complete_upload(key, upload.store_upload_id, tags), parts
        except NotFound:
            return await self._completed_already(upload), parts

    async def _completed_already(self, upload: Upload) -> StoredObject:
        """The store no longer has the upload: it was completed and the response was lost, or it was aborted."""
        stored = await self._objects.head(original_key(upload.video_id))
        if stored is None:
            reason = "the store no longer has this upload; start a new one"
            await abort_upload(self._database, self._objects, self._moves, upload, reason=reason)
            raise Conflict(f"video {upload.video_id}: {reason}", details={"status": VideoStatus.FAILED})
        return stored

    # Discard -----------------------------------------------------------------------------------------------------

    async def discard(self, video_id: UUID, *, reason: str = "the upload was discarded") -> None:
        """Deletes what has arrived and moves the video to FAILED. Idempotent; a completed upload cannot be discarded."""
        async with self._database.transaction() as tx:
            upload = await start_abort(tx, video_id)
            if upload is None:
                upload = await get_upload(tx, video_id)
                if upload is None or upload.state is UploadState.COMPLETED:
                    raise _closed(video_id)
                return
        await abort_upload(self._database, self._objects, self._moves, upload, reason=reason)

    async def _open_upload(self, video_id: UUID) -> Upload:
        async with self._database.transaction() as tx:
            upload = await get_upload(tx, video_id)
        if upload is None or upload.state is not UploadState.OPEN:
            raise _closed(video_id)
        return upload


def _check_number(upload: Upload, number: int) -> None:
    last = upload.total_parts or MAX_PARTS
    if not 1 <= number <= last:
        raise InvalidInput(
            f"part {number} does not exist: the upload has parts 1 to {last}",
            details={"partNumber": number, "totalParts": last},
        )


def _closed(video_id: UUID) -> Conflict:
    return Conflict(f"the upload of video {video_id} has ended; start a new one", details={"videoId": str(video_id)})
