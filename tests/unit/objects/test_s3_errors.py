"""S3 errors map to the branch of the error tree that decides about retries."""

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError, ParamValidationError

from sightline.aws import translate
from sightline.errors import (
    BackendUnavailable,
    Conflict,
    InvalidInput,
    NotFound,
    PermanentFailure,
    PlatformError,
    Throttled,
)
from sightline.objects.s3.errors import S3, translated


def client_error(code: str, status: int) -> ClientError:
    return ClientError(
        {"Error": {"Code": code, "Message": "said"}, "ResponseMetadata": {"HTTPStatusCode": status}}, "Op"
    )


@pytest.mark.parametrize(
    ("code", "status", "branch"),
    [
        ("NoSuchKey", 404, NotFound),
        ("404", 404, NotFound),
        ("NoSuchUpload", 404, NotFound),
        ("NoSuchBucket", 404, BackendUnavailable),
        ("SlowDown", 503, Throttled),
        ("TooManyRequests", 429, Throttled),
        ("InternalError", 500, BackendUnavailable),
        ("ServiceUnavailable", 503, BackendUnavailable),
        ("RequestTimeout", 400, BackendUnavailable),
        ("BadDigest", 400, BackendUnavailable),
        ("AccessDenied", 403, PermanentFailure),
        ("SignatureDoesNotMatch", 403, PermanentFailure),
        ("InvalidPart", 400, Conflict),
        ("InvalidPartOrder", 400, Conflict),
        ("EntityTooSmall", 400, Conflict),
        ("PreconditionFailed", 412, Conflict),
        ("InvalidRange", 416, InvalidInput),
        ("InvalidArgument", 400, InvalidInput),
    ],
)
def test_each_error_code_maps_to_its_branch(code: str, status: int, branch: type[PlatformError]):
    found = translate(client_error(code, status), S3, key="a/key", upload_id="u1")
    assert type(found) is branch
    assert "a/key" in found.message
    if branch is Conflict:
        assert found.details["code"] == code


def test_missing_keys_uploads_and_buckets_give_different_errors():
    key = translate(client_error("NoSuchKey", 404), S3, key="k")
    upload = translate(client_error("NoSuchUpload", 404), S3, key="k", upload_id="u1")
    assert isinstance(key, NotFound)
    assert isinstance(upload, NotFound)
    assert (key.code, upload.code) == ("NO_SUCH_KEY", "NO_SUCH_UPLOAD")
    assert "u1" in upload.message


@pytest.mark.parametrize("error", [EndpointConnectionError(endpoint_url="http://x"), OSError("gone"), TimeoutError()])
def test_a_broken_connection_can_be_retried(error: Exception):
    found = translate(error, S3, key="k")
    assert isinstance(found, BackendUnavailable)
    assert found.part == "objects"


def test_an_invalid_request_is_not_retried():
    assert isinstance(translate(ParamValidationError(report="x"), S3, key="k"), InvalidInput)


def test_other_errors_are_not_translated():
    assert translate(ValueError("ours"), S3, key="k") is None
    with pytest.raises(ValueError, match="ours"), translated("k"):
        raise ValueError("ours")
    with pytest.raises(Conflict), translated("k"):
        raise Conflict("ours")
