"""Signatures equal those of AWS: the examples of its documentation, and those of botocore."""

from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest
from botocore.auth import S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from sightline.objects.protocol import attachment_disposition
from sightline.sigv4 import CredentialScope, SigningKey, presigned_url, query_pairs
from sightline.sigv4.signature import (
    TIMESTAMP,
    canonical_path,
    canonical_query,
    canonical_request,
    signature,
    string_to_sign,
)

DOCUMENTED = SigningKey("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
AT = datetime(2013, 5, 24, tzinfo=UTC)


def test_the_presigned_url_matches_the_aws_documentation():
    address = presigned_url(
        DOCUMENTED,
        "GET",
        "https://examplebucket.s3.amazonaws.com/test.txt",
        {},
        at=AT,
        expires_s=86400,
        region="us-east-1",
    )
    query = parse_qs(urlsplit(address).query)
    assert query["X-Amz-Signature"] == ["aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"]


def test_the_header_signature_matches_the_aws_documentation():
    nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    headers = {
        "host": "examplebucket.s3.amazonaws.com",
        "range": "bytes=0-9",
        "x-amz-content-sha256": nothing,
        "x-amz-date": "20130524T000000Z",
    }
    canonical = canonical_request(
        "GET", "/test.txt", "", sorted(headers), [headers[one] for one in sorted(headers)], nothing
    )
    scope = CredentialScope("20130524", "us-east-1")
    made = signature(DOCUMENTED, scope, string_to_sign("20130524T000000Z", scope, canonical))
    assert made == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"


@pytest.mark.parametrize(
    ("path", "query", "headers"),
    [
        ("/objects/b/videos/original/x/master.mp4", {"partNumber": "1", "uploadId": "a+b/c=="}, {}),
        ("/b/with%20space%2Bplus%25percent/%E6%97%A5.mp4", {}, {}),
        (
            "/b/a",
            {
                "response-content-disposition": attachment_disposition('Vídeo "1" ~*.mp4'),
                "response-content-type": "a/b",
            },
            {},
        ),
        ("/b/a", {"partNumber": "7", "uploadId": "x"}, {"content-length": "5242880"}),
    ],
)
def test_botocore_computes_the_same_signature(path: str, query: dict[str, str], headers: dict[str, str]):
    credentials = Credentials("KEY", "a/secret+with=letters")
    request = AWSRequest("PUT", f"http://127.0.0.1:8400{path}", headers=headers, params=dict(query))
    S3SigV4QueryAuth(credentials, "s3", "eu-west-1", expires=77).add_auth(request)
    theirs = parse_qs(urlsplit(request.prepare().url).query)
    ours = presigned_url(
        SigningKey("KEY", "a/secret+with=letters"),
        "PUT",
        f"http://127.0.0.1:8400{path}",
        query,
        at=datetime.strptime(theirs["X-Amz-Date"][0], TIMESTAMP).replace(tzinfo=UTC),
        expires_s=77,
        region="eu-west-1",
        headers=headers,
    )
    assert parse_qs(urlsplit(ours).query) == theirs


def test_a_path_has_one_canonical_form_however_it_was_encoded():
    assert canonical_path("/a%20b") == canonical_path("/a b") == "/a%20b"
    assert canonical_path("/%7e~") == "/~~"
    assert canonical_path("/a%2Fb") == "/a/b"
    assert canonical_path("/é".encode().decode("latin-1")) == "/%C3%A9"
    assert canonical_path("") == "/"


def test_services_other_than_s3_encode_the_path_as_it_was_sent():
    assert canonical_path("/tags/a%2Fb", "scheduler") == "/tags/a%252Fb"
    assert canonical_path("", "sqs") == "/"


def test_a_query_is_sorted_by_its_encoded_names():
    assert canonical_query([("b", "2"), ("a", "z y"), ("a", "1"), ("A", "")]) == "A=&a=1&a=z%20y&b=2"
    assert query_pairs("a=1%202&b&c=d=e&&f=+") == [(b"a", b"1 2"), (b"b", b""), (b"c", b"d=e"), (b"f", b"+")]


def test_a_secret_is_not_shown():
    assert "wJalr" not in repr(DOCUMENTED)
