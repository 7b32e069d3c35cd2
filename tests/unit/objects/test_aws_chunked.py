"""Bodies with the aws-chunked encoding: decoded however they are split, refused when anything is wrong."""

import base64
import io
import zlib

import pytest
from botocore.httpchecksum import AwsChunkedWrapper, Crc32Checksum
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import PlatformError
from sightline.objects.protocol import ChunkedBody, ChunkSignatures
from sightline.sigv4 import CredentialScope, SigningKey, VerifiedSignature

# The example of AWS's documentation.
DOCUMENTED = SigningKey("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
SEED = "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9"
SIGNATURES = (
    "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648",
    "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497",
    "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9",
)


def signatures() -> ChunkSignatures:
    return ChunkSignatures(
        VerifiedSignature("", "20130524T000000Z", CredentialScope("20130524", "us-east-1"), SEED, DOCUMENTED)
    )


def documented_body(letter: bytes = b"a") -> bytes:
    sizes = (65536, 1024, 0)
    return b"".join(
        b"%x;chunk-signature=%s\r\n%s\r\n" % (size, made.encode(), letter * size)
        for size, made in zip(sizes, SIGNATURES, strict=True)
    )


def decoded(body: ChunkedBody, content: bytes, cut: int = 1 << 20) -> tuple[bytes, dict[str, str]]:
    pieces = [piece for at in range(0, len(content), cut) for piece in body.feed(content[at : at + cut])]
    return b"".join(pieces), body.finish()


def refusal(content: bytes, length: int, **options: ChunkSignatures) -> str:
    with pytest.raises(PlatformError) as raised:
        decoded(ChunkedBody(length, **options), content)
    return str(raised.value.details["code"])


@given(content=st.binary(max_size=3000), chunk=st.integers(1, 1000), cut=st.integers(1, 1500))
def test_a_body_of_botocore_is_decoded_however_it_is_split(content: bytes, chunk: int, cut: int):
    wrapped = AwsChunkedWrapper(
        io.BytesIO(content), checksum_cls=Crc32Checksum, checksum_name="x-amz-checksum-crc32", chunk_size=chunk
    )
    found, trailers = decoded(ChunkedBody(len(content)), wrapped.read(), cut)
    assert found == content
    crc = base64.b64encode(zlib.crc32(content).to_bytes(4, "big")).decode()
    assert trailers == {"x-amz-checksum-crc32": crc}


@pytest.mark.parametrize("cut", [1, 7, 8192, 1 << 20])
def test_the_signed_chunks_of_the_aws_documentation_are_accepted(cut: int):
    found, trailers = decoded(ChunkedBody(66560, signatures=signatures()), documented_body(), cut)
    assert (found, trailers) == (b"a" * 66560, {})


def test_signed_chunks_that_were_changed_are_refused():
    assert refusal(documented_body(b"b"), 66560, signatures=signatures()) == "SignatureDoesNotMatch"
    unsigned = b"5\r\nhello\r\n0\r\n\r\n"
    assert refusal(unsigned, 5, signatures=signatures()) == "SignatureDoesNotMatch"


def test_signed_trailers_that_were_changed_are_refused():
    chunked = ChunkSignatures(
        VerifiedSignature("", "20130524T000000Z", CredentialScope("20130524", "us-east-1"), SEED, DOCUMENTED)
    )
    with pytest.raises(PlatformError):
        chunked.check_trailers("0" * 64, ["x-amz-checksum-crc32:AAAAAA=="])
    with pytest.raises(PlatformError):
        chunked.check_trailers(None, ["x-amz-checksum-crc32:AAAAAA=="])


@pytest.mark.parametrize(
    ("content", "length", "code"),
    [
        (b"", 0, "IncompleteBody"),
        (b"5\r\nhello\r\n", 5, "IncompleteBody"),
        (b"5\r\nhel", 5, "IncompleteBody"),
        (b"5\r\nhello\r\n0\r\n", 5, "IncompleteBody"),
        (b"5\r\nhello\r\n0\r\n\r\n", 6, "IncompleteBody"),
        (b"5\r\nhello\r\n0\r\n\r\n", 4, "InvalidRequest"),
        (b"4\r\nhello\r\n0\r\n\r\n", 4, "InvalidRequest"),
        (b"x\r\nhello\r\n0\r\n\r\n", 5, "InvalidRequest"),
        (b"-5\r\nhello\r\n0\r\n\r\n", 5, "InvalidRequest"),
        (b"5 \r\nhello\r\n0\r\n\r\n", 5, "InvalidRequest"),
        (b"5\r\nhello\r\n0\r\n\r\nmore", 5, "InvalidRequest"),
        (b"5\r\nhello\r\n0\r\nno colon\r\n\r\n", 5, "InvalidRequest"),
        (b"0\r\n" + b"a:b\r\n" * 17 + b"\r\n", 0, "InvalidRequest"),
        (b"a" * 10_000, 5, "InvalidRequest"),
        (b"ffffffffffffffffff\r\n", 5, "InvalidRequest"),
    ],
)
def test_a_malformed_chunked_body_is_refused(content: bytes, length: int, code: str):
    assert refusal(content, length) == code


@given(st.binary(max_size=200), st.integers(0, 100))
def test_garbage_is_refused_without_a_crash(content: bytes, length: int):
    raised = None
    try:
        decoded(ChunkedBody(length), content)
    except PlatformError as error:
        raised = error.details["code"]
    assert raised in {None, "IncompleteBody", "InvalidRequest"}
