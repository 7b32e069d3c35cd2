"""The AWS endpoint on the port of the API: who may call it, and what strangers are told."""

from uuid import uuid4

import httpx
import pytest
from botocore.exceptions import ClientError

from sightline.access import owner_caller, revoke_key
from sightline.contracts import LOCAL_OWNER_ID
from support.aws_calls import AwsClients, aws_clients
from support.waiting import until


@pytest.fixture
async def aws(platform, serving):
    async with aws_clients(platform, serving) as clients:
        yield clients


@pytest.fixture
def new_key(platform):
    async def make(owner=None, scopes=("bus:use",)):
        caller = owner_caller(owner or uuid4())
        async with platform.database.transaction() as tx:
            key, text = await platform.api_keys.create(tx, caller, name="consumer", scopes=scopes)
        return key.key_id, platform.access_keys.secret_of(text)

    return make


async def code_of(awaitable) -> str:
    with pytest.raises(ClientError) as caught:
        await awaitable
    return caught.value.response["Error"]["Code"]


async def test_where_nobody_signs_in_the_key_of_emulators_is_the_local_owner(aws: AwsClients):
    identity = await aws.call("sts", "get_caller_identity")
    assert (identity["Account"], identity["UserId"]) == ("000000000000", str(LOCAL_OWNER_ID))
    assert identity["ResponseMetadata"]["RequestId"] == identity["ResponseMetadata"]["HTTPHeaders"]["x-amzn-requestid"]


async def test_each_owner_has_an_account_of_its_own(aws: AwsClients, new_key):
    owner = uuid4()
    first = await aws.with_key(*await new_key(owner)).call("sts", "get_caller_identity")
    again = await aws.with_key(*await new_key(owner)).call("sts", "get_caller_identity")
    other = await aws.with_key(*await new_key()).call("sts", "get_caller_identity")
    assert first["UserId"] == str(owner)
    assert first["Account"] == again["Account"] != other["Account"]
    assert len(first["Account"]) == 12


async def test_an_owner_reaches_no_queue_topic_or_event_bus_of_another(aws: AwsClients, new_key):
    first, second = aws.with_key(*await new_key()), aws.with_key(*await new_key())
    url = (await first.call("sqs", "create_queue", QueueName="mine"))["QueueUrl"]
    topic = (await first.call("sns", "create_topic", Name="mine"))["TopicArn"]
    event_bus = (await first.call("events", "create_event_bus", Name="mine"))["EventBusArn"]
    for action in ("receive_message", "delete_queue", "get_queue_attributes"):
        assert "NonExistentQueue" in await code_of(second.call("sqs", action, QueueUrl=url))
    assert "QueueUrls" not in await second.call("sqs", "list_queues")
    assert await code_of(second.call("sns", "publish", TopicArn=topic, Message="x")) == "AuthorizationError"
    assert await code_of(second.call("sns", "delete_topic", TopicArn=topic)) == "AuthorizationError"
    assert (await second.call("sns", "list_topics"))["Topics"] == []
    found = second.call("events", "list_rules", EventBusName=event_bus)
    assert await code_of(found) == "ResourceNotFoundException"
    assert await first.call("sqs", "get_queue_attributes", QueueUrl=url)


async def test_wrong_secrets_unknown_keys_and_keys_without_the_scope_are_refused(aws: AwsClients, new_key):
    key_id, _ = await new_key()
    assert await code_of(aws.with_key(key_id, "guess").call("sts", "get_caller_identity")) == "SignatureDoesNotMatch"
    assert await code_of(aws.with_key("NOBODY", "x").call("sts", "get_caller_identity")) == "InvalidClientTokenId"
    without = aws.with_key(*await new_key(scopes=("videos:read",)))
    assert await code_of(without.call("sts", "get_caller_identity")) == "AccessDeniedException"


async def test_a_revoked_key_ends_within_moments(aws: AwsClients, new_key, platform):
    key_id, secret = await new_key()
    clients = aws.with_key(key_id, secret)
    await clients.call("sts", "get_caller_identity")
    async with platform.database.transaction() as tx:
        await revoke_key(tx, key_id, owner_id=None, by=None)

    async def is_refused() -> bool:
        try:
            await clients.call("sts", "get_caller_identity")
        except ClientError as error:
            return error.response["Error"]["Code"] == "InvalidClientTokenId"
        return False

    await until(is_refused)


async def test_the_key_of_emulators_means_nothing_where_people_sign_in(platform_with, auth_on, serving):
    async with aws_clients(await platform_with(auth=auth_on), serving) as aws:
        assert await code_of(aws.call("sts", "get_caller_identity")) == "InvalidClientTokenId"


async def test_a_service_or_action_that_is_not_offered_is_named(aws: AwsClients):
    assert await code_of(aws.call("dynamodb", "list_tables")) == "InvalidAction"
    with pytest.raises(ClientError, match="AssumeRole"):
        await aws.call("sts", "assume_role", RoleArn="arn:aws:iam::1:role/x" + "y" * 20, RoleSessionName="s1")


async def test_calls_that_are_not_signed_are_told_so_and_the_api_answers_as_before(aws: AwsClients):
    async with httpx.AsyncClient(base_url=aws.address, timeout=None) as plain:
        bare = await plain.post("/", headers={"x-amz-target": "AmazonSQS.ListQueues"}, content=b"{}")
        assert bare.status_code in (400, 403)
        assert "message" in bare.json()
        form = await plain.post("/", data={"Action": "GetCallerIdentity"})
        assert (form.status_code, "MissingAuthenticationToken" in form.text) == (403, True)
        assert (await plain.get("/api/health")).status_code == 200
        assert (await plain.get("/videos?Action=x")).status_code == 200


async def test_a_body_beyond_the_limit_is_refused(aws: AwsClients):
    async with httpx.AsyncClient(base_url=aws.address, timeout=None) as plain:
        headers = {"x-amz-target": "AmazonSQS.SendMessage"}
        answer = await plain.post("/", headers=headers, content=b"x" * (5 * 1024 * 1024))
        assert answer.status_code == 413


async def test_one_address_and_one_key_serve_the_bucket_too(aws: AwsClients, platform, new_key):
    bucket = platform.settings.objects.bucket
    assert [one["Name"] for one in (await aws.call("s3", "list_buckets"))["Buckets"]] == [bucket]
    await aws.call("s3", "put_object", Bucket=bucket, Key="drop/file.bin", Body=b"content")
    found = await aws.call("s3", "list_objects_v2", Bucket=bucket, Prefix="drop/")
    assert [one["Key"] for one in found["Contents"]] == ["drop/file.bin"]
    link = aws.client("s3").generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": "drop/file.bin"})
    async with httpx.AsyncClient(timeout=None) as plain:
        assert (await plain.get(link)).content == b"content"
        signed_list = aws.client("s3").generate_presigned_url("list_buckets")
        assert f"<Name>{bucket}</Name>" in (await plain.get(signed_list)).text
    no_operator = aws.with_key(*await new_key())
    assert await code_of(no_operator.call("s3", "list_buckets")) == "InvalidAccessKeyId"
