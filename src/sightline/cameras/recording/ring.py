"""The ring: finished segments of one camera that wait on disk, in case an event makes them worth storing."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sightline.cameras.recording.segment import FinishedSegment


@dataclass(frozen=True, slots=True)
class SegmentFile:
    segment: FinishedSegment
    path: Path

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)


class SegmentRing:
    """The newest segments, as many as fit into `length` and `max_bytes`; older files are removed."""

    def __init__(self, length: timedelta, max_bytes: int) -> None:
        self._length = length
        self._max_bytes = max_bytes
        self._files: deque[SegmentFile] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._files)

    def add(self, file: SegmentFile) -> None:
        self._files.append(file)
        self._bytes += file.segment.bytes
        oldest = file.segment.ended_at - self._length
        while len(self._files) > 1 and (self._bytes > self._max_bytes or self._files[0].segment.ended_at < oldest):
            self._pop().remove()

    def take(self, is_wanted: Callable[[FinishedSegment], bool]) -> list[SegmentFile]:
        """Takes out what is wanted, with what has to be decoded before it."""
        files = list(self._files)
        wanted = [is_wanted(file.segment) for file in files]
        for at in range(len(files) - 1, 0, -1):
            if (
                wanted[at]
                and not files[at].segment.is_independent
                and files[at - 1].segment.run == files[at].segment.run
            ):
                wanted[at - 1] = True
        taken = [file for file, is_taken in zip(files, wanted, strict=True) if is_taken]
        self._files = deque(file for file, is_taken in zip(files, wanted, strict=True) if not is_taken)
        self._bytes = sum(file.segment.bytes for file in self._files)
        return taken

    def clear(self) -> None:
        while self._files:
            self._pop().remove()

    def _pop(self) -> SegmentFile:
        file = self._files.popleft()
        self._bytes -= file.segment.bytes
        return file
