"""Signatures of AWS calls, made by botocore's signer."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.auth import SigV4Auth, SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from sightline.api.aws.call import AwsError
from sightline.api.aws.request import AwsRequest, service_of
from sightline.api.aws.signature import Signatures, check_scope
from sightline.errors import NotAllowed

KEY_ID, SECRET = "JBSWY3DPEHPK3PXP", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
HOST = "127.0.0.1:8400"


class Keys:
    async def find(self, key_id: str) -> Any:
        key = SimpleNamespace(key_id=KEY_ID, scopes=frozenset({"bus:use"}))
        return SimpleNamespace(key=key, secret=SECRET) if key_id == KEY_ID else None


def signed(
    *,
    service: str = "sqs",
    path: str = "/",
    query: str = "",
    body: bytes = b"{}",
    key_id: str = KEY_ID,
    secret: str = SECRET,
    signer: Any = SigV4Auth,
) -> AwsRequest:
    url = f"http://{HOST}{path}" + (f"?{query}" if query else "")
    made = AWSRequest(method="POST", url=url, data=body, headers={"X-Amz-Target": "AmazonSQS.ListQueues", "Host": HOST})
    signer(Credentials(key_id, secret), service, "eu-west-1").add_auth(made)
    path_and_query = made.url.removeprefix(f"http://{HOST}")
    raw_path, _, raw_query = path_and_query.partition("?")
    headers = {name.lower(): value for name, value in made.headers.items()}
    return AwsRequest(service, "POST", raw_path, raw_query, headers, body, "http")


def signatures(clock: Any = None) -> Signatures:
    return Signatures(Keys(), public_url="https://video.example.org", clock=clock or (lambda: datetime.now(UTC)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/", ""),
        ("/000000000000/my-queue.fifo", ""),
        ("/tags/arn%3Aaws%3Ascheduler%3Aeu%3A1%3Aschedule%2Fa", "TagKeys=a%20b&TagKeys=c"),
    ],
)
async def test_what_botocore_signs_is_accepted(path: str, query: str) -> None:
    key, region = await signatures().check(signed(path=path, query=query))
    assert (key.key.key_id, region) == (KEY_ID, "eu-west-1")


async def test_a_signed_address_is_accepted() -> None:
    request = signed(signer=SigV4QueryAuth, query="Action=ListTopics", body=b"", service="sns")
    key, _ = await signatures().check(request)
    assert key.key.key_id == KEY_ID


async def test_a_proxy_may_change_the_host() -> None:
    request = signed()
    behind = AwsRequest("sqs", "POST", "/", "", request.headers | {"host": "inside:1"}, request.body, "http")
    proxied = Signatures(Keys(), public_url=f"http://{HOST}")  # type: ignore[arg-type]
    assert await proxied.check(behind)


async def refusal(request: AwsRequest, clock: Any = None) -> AwsError:
    with pytest.raises(AwsError) as caught:
        await signatures(clock).check(request)
    return caught.value


async def test_another_secret_body_or_header_is_refused() -> None:
    request = signed()
    for changed in (
        signed(secret="guessed"),
        AwsRequest("sqs", "POST", "/", "", request.headers, b'{"a": 1}', "http"),
        AwsRequest("sqs", "POST", "/", "a=b", request.headers, request.body, "http"),
        AwsRequest("sqs", "POST", "/", "", request.headers | {"x-amz-target": "AmazonSQS.DeleteQueue"}, b"{}", "http"),
    ):
        error = await refusal(changed)
        assert (error.code, error.status) == ("SignatureDoesNotMatch", 403)


async def test_a_header_that_changes_the_call_must_be_signed() -> None:
    request = signed()
    added = request._replace(headers=request.headers | {"x-amz-security-token": "x"})
    assert "must be signed" in (await refusal(added)).message


async def test_a_signature_for_another_service_is_refused() -> None:
    assert (await refusal(signed(service="events")._replace(service="sqs"))).code == "IncompleteSignature"


async def test_an_unknown_key_is_refused_with_the_code_of_the_service() -> None:
    assert (await refusal(signed(key_id="UNKNOWN"))).code == "InvalidClientTokenId"
    assert (await refusal(signed(key_id="UNKNOWN", service="events"))).code == "UnrecognizedClientException"


async def test_a_signature_ends_after_fifteen_minutes() -> None:
    request = signed()
    for minutes, words in ((16, "Signature expired"), (-16, "not yet current")):
        error = await refusal(request, lambda minutes=minutes: datetime.now(UTC) + timedelta(minutes=minutes))
        assert words in error.message


async def test_a_request_without_a_signature_is_told_so() -> None:
    bare = AwsRequest("sqs", "POST", "/", "", {"host": HOST}, b"{}", "http")
    assert (await refusal(bare)).code == "MissingAuthenticationToken"
    broken = AwsRequest("sqs", "POST", "/", "", {"host": HOST, "authorization": "AWS4-HMAC-SHA256 x"}, b"", "http")
    assert (await refusal(broken)).code == "IncompleteSignature"


def test_a_key_without_the_scope_is_refused() -> None:
    check_scope({"bus:use"})
    with pytest.raises(NotAllowed, match="bus:use"):
        check_scope({"videos:read"})


def scope(method: str = "POST", path: str = "/", query: bytes = b"", **headers: str) -> dict[str, Any]:
    listed = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"method": method, "path": path, "query_string": query, "headers": listed}


@pytest.mark.parametrize(
    ("request_scope", "service"),
    [
        (scope(authorization="AWS4-HMAC-SHA256 Credential=K/20260101/us-east-1/sqs/aws4_request, Signed"), "sqs"),
        (scope(authorization="AWS4-HMAC-SHA256 Credential=K/20260101/us-east-1/s3/aws4_request, Signed"), None),
        (scope(x_amz_target="AWSEvents.PutEvents"), "events"),
        (scope(x_amz_target="DynamoDB_20120810.PutItem"), "unknown"),
        (scope("GET", query=b"Action=Unsubscribe&SubscriptionArn=a"), "sns"),
        (scope("GET", query=b"Action=ListTopics&X-Amz-Credential=K%2F20260101%2Fus%2Fsns%2Faws4_request"), "sns"),
        (scope(content_type="application/x-www-form-urlencoded; charset=utf-8"), "sts"),
        (scope(path="/000000000000/q", content_type="application/x-www-form-urlencoded"), "sqs"),
        (scope("GET", query=b"X-Amz-Credential=K%2F20260101%2Fus%2Fs3%2Faws4_request&X-Amz-Signature=0"), None),
        (scope("GET", query=b"X-Amz-Credential=K/20260101/us/s3/aws4_request&Action=ListTopics"), None),
        (scope("GET", query=b"utm_source=mail"), None),
        (scope("GET", path="/videos", query=b"Action=x"), None),
        (scope(path="/videos", content_type="application/json"), None),
        (scope(path="/videos", authorization="Bearer slk_1"), None),
    ],
)
def test_calls_of_aws_are_told_from_those_of_the_api(request_scope: dict[str, Any], service: str | None) -> None:
    assert service_of(request_scope) == service
