"""Requests are accepted by signature only, and refused with the error codes of S3."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from sightline.errors import PlatformError
from sightline.sigv4 import SignedRequest, SigningKey, VerifiedSignature, presigned_url
from sightline.sigv4 import verify_signature as verify

KEY = SigningKey("KEY", "secret")
AT = datetime(2026, 1, 17, 10, tzinfo=UTC)
HOST = "127.0.0.1:8400"


def verify_signature(request: SignedRequest, key: SigningKey, **options: Any) -> VerifiedSignature[SigningKey]:
    async def find_key(key_id: str) -> SigningKey | None:
        return key if key_id == key.key_id else None

    return asyncio.run(verify(request, find_key, **options))


def presigned_request(
    method: str = "GET", *, expires_s: int = 60, headers: dict[str, str] | None = None, base: str = f"http://{HOST}"
) -> SignedRequest:
    address = presigned_url(
        KEY, method, f"{base}/objects/b/k%20ey", {"a": "1"}, at=AT, expires_s=expires_s, region="any", headers=headers
    )
    parts = urlsplit(address)
    return SignedRequest(method, parts.path, parts.query, {"host": HOST, **(headers or {})})


def refusal(request: SignedRequest, now: datetime = AT, key: SigningKey = KEY, **options: str) -> tuple[str, str]:
    with pytest.raises(PlatformError) as raised:
        verify_signature(request, key, now=now, **options)
    return raised.value.details["code"], raised.value.message


def test_a_signed_url_is_accepted():
    assert verify_signature(presigned_request(), KEY, now=AT).payload == "UNSIGNED-PAYLOAD"


def test_a_signed_url_is_valid_from_its_date_until_it_expires():
    request = presigned_request(expires_s=60)
    verify_signature(request, KEY, now=AT + timedelta(seconds=59))
    assert refusal(request, AT + timedelta(seconds=60)) == ("AccessDenied", "Request has expired")
    verify_signature(request, KEY, now=AT - timedelta(minutes=14))  # clocks differ
    assert refusal(request, AT - timedelta(minutes=16)) == ("AccessDenied", "Request is not valid yet")


@pytest.mark.parametrize(
    "change",
    [
        {"method": "PUT"},
        {"raw_path": "/objects/b/other"},
        {"headers": {"host": "elsewhere"}},
    ],
)
def test_any_change_spoils_the_signature(change: dict[str, Any]):
    assert refusal(presigned_request()._replace(**change))[0] == "SignatureDoesNotMatch"


@pytest.mark.parametrize(
    "old_and_new", [("a=1", "a=2"), ("Expires=60", "Expires=61"), ("a=1", "a=1&b=2"), ("any", "one")]
)
def test_any_change_of_the_query_spoils_the_signature(old_and_new: tuple[str, str]):
    request = presigned_request()
    assert refusal(request._replace(raw_query=request.raw_query.replace(*old_and_new)))[0] == "SignatureDoesNotMatch"


@pytest.mark.parametrize(
    ("old_and_new", "code"),
    [
        (("X-Amz-Date=", "X-Amz-When="), "AuthorizationQueryParametersError"),
        (("Expires=60", "Expires=604801"), "AuthorizationQueryParametersError"),
        (("Expires=60", "Expires=0"), "AuthorizationQueryParametersError"),
        (("Expires=60", "Expires=soon"), "AuthorizationQueryParametersError"),
        (("Expires=60", "Expires=%D9%A1"), "AuthorizationQueryParametersError"),
        (("HMAC-SHA256", "HMAC-MD5"), "AuthorizationQueryParametersError"),
        (("%2Fs3%2F", "%2Fsqs%2F"), "AuthorizationQueryParametersError"),
        (("Credential=KEY", "Credential=OTHER"), "InvalidAccessKeyId"),
        (("SignedHeaders=host", "SignedHeaders=range"), "AccessDenied"),
        (("X-Amz-Date=20260117", "X-Amz-Date=20260118"), "SignatureDoesNotMatch"),
    ],
)
def test_a_malformed_signature_is_refused(old_and_new: tuple[str, str], code: str):
    request = presigned_request()
    assert old_and_new[0] in request.raw_query
    assert refusal(request._replace(raw_query=request.raw_query.replace(*old_and_new)))[0] == code


def test_without_any_signature_nothing_is_done():
    assert refusal(SignedRequest("GET", "/objects/b/k", "", {"host": HOST})) == ("AccessDenied", "Access Denied")
    assert refusal(SignedRequest("GET", "/objects/b/k", "a=1", {"host": HOST, "authorization": "Bearer x"}))[0] == (
        "AuthorizationHeaderMalformed"
    )


def test_a_signature_of_version_2_is_refused_by_name():
    code, message = refusal(
        SignedRequest("GET", "/objects/b/k", "AWSAccessKeyId=KEY&Signature=x&Expires=1", {"host": HOST})
    )
    assert (code, "AWS4-HMAC-SHA256" in message) == ("InvalidRequest", True)


def test_a_signed_header_must_arrive_unchanged():
    request = presigned_request("PUT", headers={"content-length": "5"})
    verify_signature(request, KEY, now=AT)
    for headers in ({"host": HOST, "content-length": "6"}, {"host": HOST}):
        assert refusal(request._replace(headers=headers))[0] == "SignatureDoesNotMatch"


def test_a_header_that_changes_the_meaning_must_be_signed():
    request = presigned_request("PUT")
    for name in ("x-amz-copy-source", "x-amz-content-sha256", "x-amz-decoded-content-length"):
        code, message = refusal(request._replace(headers={**request.headers, name: "x"}))
        assert (code, "not signed" in message) == ("AccessDenied", True)
    verify_signature(request._replace(headers={**request.headers, "x-amz-cf-id": "x", "content-md5": "y"}), KEY, now=AT)


def test_a_proxy_may_rewrite_the_host_and_strip_a_path():
    public = "https://video.example/sightline"
    signed = presigned_request(base=public)
    arrived = signed._replace(raw_path=signed.raw_path.removeprefix("/sightline"))
    assert refusal(arrived)[0] == "SignatureDoesNotMatch"
    verify_signature(arrived, KEY, now=AT, public_url=public)
    verify_signature(arrived._replace(headers={"host": "video.example"}), KEY, now=AT, public_url=public)
    assert refusal(arrived, public_url="https://other.example/sightline")[0] == "SignatureDoesNotMatch"


def header_signed(method: str, path: str, body: bytes = b"", **headers: str) -> SignedRequest:
    request = AWSRequest(method, f"http://{HOST}{path}", headers=headers, data=body)
    S3SigV4Auth(Credentials("KEY", "secret"), "s3", "eu-west-1").add_auth(request)
    parts = urlsplit(path)
    prepared = {name.lower(): value for name, value in request.headers.items()}
    return SignedRequest(method, parts.path, parts.query, {"host": HOST, **prepared})


@pytest.mark.parametrize(
    "path", ["/objects/b/a%20b%2Bc", "/objects/b?list-type=2&prefix=a%2F&delimiter=%2F", "/objects/"]
)
def test_a_request_with_a_header_signature_of_botocore_is_accepted(path: str):
    request = header_signed("PUT", path, b"body", **{"content-type": "video/mp4", "x-amz-meta-a": " two  spaces "})
    found = verify_signature(request, KEY, now=datetime.now(UTC))
    assert found.payload == request.headers["x-amz-content-sha256"]
    assert found.signature == request.headers["authorization"].rpartition("=")[2]


def test_a_header_signature_is_valid_for_fifteen_minutes():
    request = header_signed("GET", "/objects/b/k")
    now = datetime.now(UTC)
    for moment in (now + timedelta(minutes=16), now - timedelta(minutes=16)):
        assert refusal(request, moment)[0] == "RequestTimeTooSkewed"


def test_a_header_signature_of_another_request_or_key_is_refused():
    request, now = header_signed("GET", "/objects/b/k"), datetime.now(UTC)
    assert refusal(request._replace(raw_path="/objects/b/other"), now)[0] == "SignatureDoesNotMatch"
    assert refusal(request, now, SigningKey("KEY", "other"))[0] == "SignatureDoesNotMatch"
    assert refusal(request, now, SigningKey("OTHER", "secret"))[0] == "InvalidAccessKeyId"
    without = {name: value for name, value in request.headers.items() if name != "x-amz-content-sha256"}
    assert refusal(request._replace(headers=without), now)[0] == "InvalidRequest"
