"""The upload of a video as its client drives it: begin, addresses, reported parts, progress, completion, discard."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

from sightline.db import Database
from sightline.errors import Conflict, InvalidInput, NotFound
from sightline.objects import original_key
from sightline.objects.store import MOST_PARTS, Objects, PartTag, StoredObject, StoredPart
from sightline.timing import Clock, utc_now
from sightline.uploads.abandoned import give_up
from sightline.uploads.completion import Arrivals
from sightline.uploads.plan import PartsRefused, Plan, bare, check_parts, fitting
from sightline.uploads.progress import UploadProgress
from sightline.uploads.settings import UploadsSettings
from sightline.uploads.store import (
    drop_parts,
    get_upload,
    insert_upload,
    issue_next,
    keep_parts,
    list_parts,
    part_numbers,
    report_part,
    start_abort,
    touch,
)
from sightline.uploads.upload import IssuedUrl, Part, Upload, UploadState
from sightline.videos import NewVideo, Video, VideoMoves, VideoStatus, need_video

URLS_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class Started:
    video: Video
    upload_id: str
    plan: Plan | None


@dataclass(frozen=True, slots=True)
class Issued:
    urls: list[IssuedUrl]
    following: int | None
    """The first part after these; None when these were the last."""
    uploaded: list[Part]
    """Those of the asked numbers that need no address: they have arrived."""


class Uploads:
    """Whether the caller may is decided before: what is asked here is done."""

    def __init__(
        self,
        database: Database,
        objects: Objects,
        moves: VideoMoves,
        arrivals: Arrivals,
        settings: UploadsSettings,
        progress: UploadProgress,
        *,
        clock: Clock = utc_now,
        new_id: Callable[[], UUID] = uuid4,
    ) -> None:
        self._progress = progress
        self._database = database
        self._objects = objects
        self._moves = moves
        self._arrivals = arrivals
        self._settings = settings
        self._clock = clock
        self._new_id = new_id

    # Begin -------------------------------------------------------------------------------------------------------

    async def start(self, video: Callable[[UUID], NewVideo], plan: Plan | None) -> Started:
        """Begun in the store first: rows never name an upload that is not there. What a crash leaves there is swept."""
        video_id = self._new_id()
        new = video(video_id)
        store_id = await self._objects.create_upload(original_key(video_id), content_type=new.content_type)
        async with self._database.transaction() as tx:
            created = await self._moves.create(tx, new)
            assert created is not None, "the id is new"
            await insert_upload(tx, video_id, store_id, plan)
        return Started(created, store_id, plan)

    # Addresses ---------------------------------------------------------------------------------------------------

    async def next_urls(self, video_id: UUID) -> Issued:
        """Addresses of the next parts, those never issued before; the first call moves the video to UPLOADING."""
        upload = await self._open_upload(video_id)
        async with self._database.transaction() as tx:
            await self._moves.move_if(tx, video_id, VideoStatus.UPLOADING, expected=(VideoStatus.CREATED,))
            numbers = await issue_next(tx, video_id, most=URLS_AT_ONCE)
            if numbers is None:
                raise _closed(video_id)
        return await self._sign(upload, numbers)

    async def urls_again(self, video_id: UUID, numbers: Sequence[int]) -> Issued:
        """Addresses of chosen parts, because the former expired or were lost. The store is asked what has arrived."""
        upload = await self._open_upload(video_id)
        for number in numbers:
            _check_number(upload, number)
        async with self._database.transaction() as tx:
            await self._moves.move_if(tx, video_id, VideoStatus.UPLOADING, expected=(VideoStatus.CREATED,))
            await touch(tx, video_id)
        await self.refresh(upload)
        return await self._sign(upload, numbers)

    async def urls_from(self, video_id: UUID, first: int) -> Issued:
        """As `urls_again`, of the next parts that have not arrived, from this one on."""
        upload = await self._open_upload(video_id)
        _check_number(upload, first)
        await self.refresh(upload)
        async with self._database.transaction() as tx:
            arrived = await part_numbers(tx, video_id)
        last = upload.total_parts or MOST_PARTS
        wanted = [number for number in range(first, last + 1) if number not in arrived][:URLS_AT_ONCE]
        issued = await self.urls_again(video_id, wanted)
        after = (wanted[-1] if wanted else last) + 1
        return Issued(issued.urls, after if after <= last else None, issued.uploaded)

    async def urls_any(self, video_id: UUID, numbers: Sequence[int]) -> list[IssuedUrl]:
        """Addresses of these parts, whether they have arrived or not; for clients that keep count themselves."""
        upload = await self._open_upload(video_id)
        for number in numbers:
            _check_number(upload, number)
        async with self._database.transaction() as tx:
            await self._moves.move_if(tx, video_id, VideoStatus.UPLOADING, expected=(VideoStatus.CREATED,))
            await touch(tx, video_id)
        return [await self._address(upload, number) for number in numbers]

    async def _sign(self, upload: Upload, numbers: Sequence[int] | range) -> Issued:
        async with self._database.transaction() as tx:
            arrived = {part.number: part for part in await list_parts(tx, upload.video_id)}
        urls = [await self._address(upload, number) for number in numbers if number not in arrived]
        last = numbers[-1] if numbers else None
        following = None if last is None or last >= (upload.total_parts or MOST_PARTS) else last + 1
        return Issued(urls, following, [arrived[number] for number in numbers if number in arrived])

    async def _address(self, upload: Upload, number: int) -> IssuedUrl:
        size = upload.plan.size_of(number) if upload.plan else None
        expires_s = self._settings.url_expiry_s
        url = await self._objects.sign_part(
            original_key(upload.video_id), upload.store_upload_id, number, expires_s=expires_s, length=size
        )
        return IssuedUrl(number, url, size, self._clock() + timedelta(seconds=expires_s))

    # Parts -------------------------------------------------------------------------------------------------------

    async def report(self, video_id: UUID, number: int, etag: str) -> Part:
        """The client says that a part has arrived; the newer word wins."""
        if not bare(etag):
            raise InvalidInput("etag: must not be empty")
        if not 1 <= number <= MOST_PARTS:
            raise InvalidInput(f"part {number} does not exist: parts are numbered from 1 to {MOST_PARTS} at the most")
        async with self._database.transaction() as tx:
            reported = await report_part(tx, video_id, number, etag)
            if reported is not None and reported[1]:
                # Whoever reports a part is uploading, whether or not it got the address from us.
                await self._moves.move_if(tx, video_id, VideoStatus.UPLOADING, expected=(VideoStatus.CREATED,))
        if reported is not None:
            await self._progress.part_arrived(video_id)
            return reported[0]
        upload = await self._open_upload(video_id)
        _check_number(upload, number)
        raise _closed(video_id)

    async def refresh(self, upload: Upload) -> list[StoredPart]:
        """Takes over what the store lists; parts that it does not have, or that have a wrong size, are forgotten."""
        try:
            stored = await self._objects.list_parts(original_key(upload.video_id), upload.store_upload_id)
        except NotFound:
            return []  # completed or aborted behind our back; `complete` finds out which
        good = fitting(upload.plan, stored)
        numbers = {part.number for part in good}
        async with self._database.transaction() as tx:
            await keep_parts(tx, upload.video_id, good)
            known = await part_numbers(tx, upload.video_id)
            if lost := sorted(known - numbers):
                await drop_parts(tx, upload.video_id, lost)
        return stored

    # Completion --------------------------------------------------------------------------------------------------

    async def complete(self, video_id: UUID, named: Mapping[int, str] | None) -> Video:
        """Makes the file of its parts: those named, or all that were reported. Repeated, it answers the same."""
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
        stored, parts = await self._complete_in_store(upload, named or reported)
        settled = await self._arrivals.settle(stored, video_id, parts)
        if settled is None:
            raise NotFound(f"video {video_id} was removed meanwhile", code="VIDEO_NOT_FOUND")
        if settled.status is VideoStatus.FAILED:
            raise Conflict(f"video {video_id} failed: {settled.error_reason}", details={"status": settled.status})
        return settled

    async def _complete_in_store(
        self, upload: Upload, named: Mapping[int, str]
    ) -> tuple[StoredObject, list[StoredPart] | None]:
        key = original_key(upload.video_id)
        for number in named:
            _check_number(upload, number)
        try:
            listed = await self._objects.list_parts(key, upload.store_upload_id)
        except NotFound:
            return await self._completed_already(upload), None
        try:
            parts = check_parts(upload.plan, named, listed)
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
        """The store no longer knows the upload: somebody completed it, whose answer was lost, or somebody dropped it."""
        stored = await self._objects.head(original_key(upload.video_id))
        if stored is None:
            reason = "the store no longer has this upload; start a new one"
            await give_up(self._database, self._objects, self._moves, upload, reason=reason)
            raise Conflict(f"video {upload.video_id}: {reason}", details={"status": VideoStatus.FAILED})
        return stored

    # Discard -----------------------------------------------------------------------------------------------------

    async def discard(self, video_id: UUID, *, reason: str = "the upload was discarded") -> None:
        """Drops what has arrived; the video is FAILED. Discarding twice is fine, discarding a finished upload is not."""
        async with self._database.transaction() as tx:
            upload = await start_abort(tx, video_id)
            if upload is None:
                upload = await get_upload(tx, video_id)
                if upload is None or upload.state is UploadState.COMPLETED:
                    raise _closed(video_id)
                return
        await give_up(self._database, self._objects, self._moves, upload, reason=reason)

    async def _open_upload(self, video_id: UUID) -> Upload:
        async with self._database.transaction() as tx:
            upload = await get_upload(tx, video_id)
        if upload is None or upload.state is not UploadState.OPEN:
            raise _closed(video_id)
        return upload


def _check_number(upload: Upload, number: int) -> None:
    last = upload.total_parts or MOST_PARTS
    if not 1 <= number <= last:
        raise InvalidInput(
            f"part {number} does not exist: the upload has parts 1 to {last}",
            details={"partNumber": number, "totalParts": last},
        )


def _closed(video_id: UUID) -> Conflict:
    return Conflict(f"the upload of video {video_id} is over", details={"videoId": str(video_id)})
