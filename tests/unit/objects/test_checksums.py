"""Checksums of clients, computed as S3 computes them."""

import base64

import pytest

from sightline.errors import InvalidInput
from sightline.objects.protocol import Digests, checksum_algorithm

# Of the bytes 123456789, as catalogues of checksums give them.
KNOWN = {
    "md5": "25f9e794323b453885f5181f1b624d0b",
    "sha1": "f7c3bc1d808e04732adf679965ccc34ca7ae3441",
    "sha256": "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225",
    "crc32": "cbf43926",
    "crc32c": "e3069283",
    "crc64nvme": "ae8b14860a799888",
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_checksums_are_computed_in_chunks(name: str):
    digests = Digests([name])
    for piece in (b"1234", b"", b"56789"):
        digests.update(piece)
    assert digests.digest(name).hex() == KNOWN[name]
    assert digests.etag == KNOWN["md5"]


@pytest.mark.parametrize("name", KNOWN)
def test_empty_content_has_a_checksum(name: str):
    empty = {"crc32": "AAAAAA==", "crc32c": "AAAAAA==", "crc64nvme": "AAAAAAAAAAA="}
    if name in empty:
        assert base64.b64encode(Digests([name]).digest(name)).decode() == empty[name]
    assert len(Digests([name]).digest(name)) == len(KNOWN[name]) // 2


def test_a_header_names_its_algorithm():
    assert checksum_algorithm("x-amz-checksum-crc32") == "crc32"
    assert checksum_algorithm("X-Amz-Checksum-CRC64NVME") == "crc64nvme"


@pytest.mark.parametrize("header", ["x-amz-checksum-xxhash3", "x-amz-checksum-", "x-amz-checksum-md5", "content-md5"])
def test_an_unsupported_checksum_is_refused(header: str):
    with pytest.raises(InvalidInput, match="CRC32") as raised:
        checksum_algorithm(header)
    assert raised.value.details["code"] == "InvalidRequest"
