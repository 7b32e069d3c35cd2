"""Segment files: opened for the muxer, which does not report write errors such as a full disk."""

import os
from pathlib import Path

_READ_ONLY = 1  # AVIO_FLAG_READ alone


class SegmentFiles:
    """Opens files for libavformat in one directory and keeps the first write error."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.error: OSError | None = None

    def open(self, url: str, flags: int, _options: object) -> "_SegmentFile":
        path = Path(url)
        if flags == _READ_ONLY or path.parent != self._directory:
            raise PermissionError(f"{path.name} may not be opened by the muxer")
        return _SegmentFile(path, self)

    def check(self) -> None:
        """Raises the write error that the muxer did not report."""
        if self.error is not None:
            raise self.error


class _SegmentFile:
    def __init__(self, path: Path, files: SegmentFiles) -> None:
        self._files = files
        self._handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)

    def write(self, data: bytes) -> int:
        """Writes all data or raises."""
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._handle, left) :]
        except OSError as error:
            self._files.error = self._files.error or error
            raise
        return len(data)

    def close(self) -> None:
        os.close(self._handle)
