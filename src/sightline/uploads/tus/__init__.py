"""Uploads by the tus protocol, on the same store and the same videos as every other upload (ADR 0049)."""

from sightline.uploads.tus.receiver import CHECKSUM_ALGORITHMS, ExpectedChecksum, check_open
from sightline.uploads.tus.upload import (
    MAX_BYTES,
    BodyBroken,
    ChecksumMismatch,
    OffsetMismatch,
    TusUpload,
    WriterReplaced,
)
from sightline.uploads.tus.uploads import MAX_SOURCES, TusUploads

__all__ = [
    "CHECKSUM_ALGORITHMS",
    "MAX_BYTES",
    "MAX_SOURCES",
    "BodyBroken",
    "ChecksumMismatch",
    "ExpectedChecksum",
    "OffsetMismatch",
    "TusUpload",
    "TusUploads",
    "WriterReplaced",
    "check_open",
]
