"""The S3 protocol apart from any backend: rules for signed URLs, aws-chunked bodies, checksums, ETags, rules for parts."""

from sightline.objects.errors import invalid_request
from sightline.objects.protocol.aws_chunked import STREAMING_PAYLOADS, UNSIGNED_TRAILER, ChunkedBody, ChunkSignatures
from sightline.objects.protocol.checksums import CHECKSUM_HEADER_PREFIX, Digests, checksum_algorithm, replaces_md5
from sightline.objects.protocol.etags import bare_etag, etag_of_parts, quoted_etag
from sightline.objects.protocol.part_rules import check_part_number, check_part_order, choose_parts
from sightline.objects.protocol.signed_url_rules import attachment_disposition, check_expiry

__all__ = [
    "CHECKSUM_HEADER_PREFIX",
    "STREAMING_PAYLOADS",
    "UNSIGNED_TRAILER",
    "ChunkSignatures",
    "ChunkedBody",
    "Digests",
    "attachment_disposition",
    "bare_etag",
    "check_expiry",
    "check_part_number",
    "check_part_order",
    "checksum_algorithm",
    "choose_parts",
    "etag_of_parts",
    "invalid_request",
    "quoted_etag",
    "replaces_md5",
]
