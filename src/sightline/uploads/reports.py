"""Parts that clients report: reports that arrive together share a statement and a commit."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from sightline.db import Database, Grouped
from sightline.uploads.store import report_parts
from sightline.uploads.upload import UploadPart
from sightline.videos import VideoMoves, VideoStatus


class PartReport(NamedTuple):
    video_id: UUID
    number: int
    etag: str

    @property
    def part(self) -> tuple[UUID, int]:
        return self.video_id, self.number


class PartReports:
    def __init__(self, database: Database, moves: VideoMoves) -> None:
        self._database = database
        self._moves = moves
        self._grouped = Grouped(self._store)

    async def store(self, report: PartReport) -> UploadPart | None:
        """Returns after the commit. None unless the upload is open and has such a part."""
        return await self._grouped.call(report)

    async def _store(self, reports: Sequence[PartReport]) -> list[UploadPart | None]:
        stored: list[UploadPart | None] = [None] * len(reports)
        started: set[UUID] = set()
        async with self._database.transaction() as tx:
            for turn in _turns(reports):
                found = await report_parts(tx, [reports[index] for index in turn])
                for index in turn:
                    part, is_first = found.get(reports[index].part, (None, False))
                    stored[index] = part
                    if is_first:
                        started.add(reports[index].video_id)
            for video_id in sorted(started):
                # A client that reports a part is uploading, wherever it got the URL from.
                await self._moves.move_if(tx, video_id, VideoStatus.UPLOADING, expected=(VideoStatus.CREATED,))
        return stored


def _turns(reports: Sequence[PartReport]) -> list[list[int]]:
    """Places of reports that one statement can store: of one part there is one in each turn, in the order of arrival."""
    turns: list[list[int]] = []
    seen: dict[tuple[UUID, int], int] = {}
    for index, report in enumerate(reports):
        turn = seen[report.part] = seen.get(report.part, -1) + 1
        if turn == len(turns):
            turns.append([])
        turns[turn].append(index)
    return turns
