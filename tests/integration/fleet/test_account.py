"""An account that the template made is as it should be, and every change of it is named."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from sightline.aws import AwsAccount, open_client
from sightline.bus import Names
from sightline.config import Settings
from sightline.errors import ConfigurationError
from sightline.fleet import FleetPlan, account_differences, fleet_plan, messaging_template, open_account
from sightline.fleet.template import bucket_rules
from sightline.notifications.mail import put_templates
from support.emulators import running, shared
from support.waiting import until

ORIGIN = "https://video.example.com"
SERVICES = ("cloudformation", "sqs", "sns", "events", "s3", "dynamodb", "sesv2", "scheduler")


@dataclass
class Account:
    settings: Settings
    plan: FleetPlan
    clients: dict[str, Any]

    async def differences(self) -> list[str]:
        async with open_account(self.settings) as reader:
            return [str(one) for one in await account_differences(self.plan, reader)]

    async def queue_url(self, queue: str) -> str:
        return str((await self.clients["sqs"].get_queue_url(QueueName=queue))["QueueUrl"])


@pytest.fixture
async def account(tmp_path) -> AsyncIterator[Account]:
    """An emulator of its own, because names are those of the documents. The template is deployed into it."""
    with running("ministack", tmp_path) as emulator:
        where = {"endpoint": emulator.endpoint, "access_key_id": "test", "secret_access_key": "test"}
        settings = Settings.model_validate(
            {
                "api": {"public_url": ORIGIN},
                "bus": emulator.settings().model_dump(exclude={"aws_secret_access_key"})
                | {"aws_secret_access_key": "test"},
                "objects": {f"s3_{name}": value for name, value in where.items()},
                "messages": {f"dynamodb_{name}": value for name, value in where.items()},
                "notifications": {f"ses_{name}": value for name, value in where.items()},
            }
        )
        keys = AwsAccount("us-east-1", emulator.endpoint, "test", settings.bus.aws_secret_access_key)
        async with AsyncExitStack() as stack:
            clients = {
                name: await stack.enter_async_context(open_client(name, keys, required_by="a test"))
                for name in SERVICES
            }
            opened = Account(settings, fleet_plan(settings), clients)
            await _deploy(opened)
            yield opened


async def _deploy(account: Account) -> None:
    formation, template = account.clients["cloudformation"], messaging_template(account.plan)
    # The emulator's CloudFormation does not know templates of SES.
    kept = {name: one for name, one in template["Resources"].items() if one["Type"] != "AWS::SES::Template"}
    await put_templates(account.clients["sesv2"])
    parameters = [{"ParameterKey": "PublicUrl", "ParameterValue": ORIGIN}]
    body = json.dumps(template | {"Resources": kept})
    await formation.create_stack(
        StackName="sightline",
        TemplateBody=body,
        Parameters=parameters,
        Capabilities=["CAPABILITY_IAM"],
    )

    async def status() -> str:
        return str((await formation.describe_stacks(StackName="sightline"))["Stacks"][0]["StackStatus"])

    async def is_over() -> bool:
        return not (await status()).endswith("_IN_PROGRESS")

    await until(is_over)
    events = (await formation.describe_stack_events(StackName="sightline"))["StackEvents"]
    assert await status() == "CREATE_COMPLETE", [one for one in events if "FAILED" in one["ResourceStatus"]]


async def _apply_what_the_emulator_left_out(account: Account) -> None:
    """Its CloudFormation ignores the lifecycle of buckets and the time to live of tables; its services know both."""
    rules = [
        {"ID": one["Id"], "Status": one["Status"], "Filter": {"Prefix": one.get("Prefix", "")}}
        | ({"Expiration": {"Days": one["ExpirationInDays"]}} if "ExpirationInDays" in one else {})
        | {name: one[name] for name in ("AbortIncompleteMultipartUpload",) if name in one}
        for one in bucket_rules(account.plan)
    ]
    await account.clients["s3"].put_bucket_lifecycle_configuration(
        Bucket=account.plan.bucket, LifecycleConfiguration={"Rules": rules}
    )
    await account.clients["dynamodb"].update_time_to_live(
        TableName=account.plan.table, TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"}
    )


@pytest.mark.req(1000, 1002)
async def test_what_the_template_creates_is_what_the_topology_says_and_ten_changes_are_all_named(account: Account):
    bucket, table = account.plan.bucket, account.plan.table
    assert await account.differences() == [
        f"bucket {bucket}: expiry of videos/clips/ in days is missing, expected 37",
        f"bucket {bucket}: expiry of event_clips/ in days is missing, expected 37",
        f"bucket {bucket}: removal of parts of abandoned uploads is missing, expected present",
        f"table {table}: time to live is missing, expected ttl",
    ]
    await _apply_what_the_emulator_left_out(account)
    assert await account.differences() == []

    names = Names(account.plan.region, account.plan.account_id)
    sqs, sns, events, s3 = (account.clients[name] for name in ("sqs", "sns", "events", "s3"))
    topic = names.topic_arn("video_analysis_events")
    await sqs.delete_queue(QueueUrl=await account.queue_url("notification-queue-dlq"))
    await _set_queue(account, "video-split-queue", VisibilityTimeout="30")
    redrive = {"deadLetterTargetArn": names.queue_arn("message-notice-queue-dlq"), "maxReceiveCount": "9"}
    await _set_queue(account, "message-notice-queue", RedrivePolicy=json.dumps(redrive))
    await _set_queue(account, "video-storage-events", Policy="")
    [subscription] = (await sns.list_subscriptions_by_topic(TopicArn=topic))["Subscriptions"]
    await sns.set_subscription_attributes(
        SubscriptionArn=subscription["SubscriptionArn"], AttributeName="RawMessageDelivery", AttributeValue="true"
    )
    await sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=names.queue_arn("video-split-queue"))
    await events.disable_rule(Name="video-outcome-notice")
    await events.put_rule(Name="security-event-notice", EventPattern=json.dumps({"source": ["sightline.security"]}))
    await s3.put_bucket_notification_configuration(Bucket=bucket, NotificationConfiguration={})
    await account.clients["sesv2"].delete_email_template(TemplateName=account.plan.mail_templates[0].name)

    found, expected = await account.differences(), _expected_changes(account, names)
    assert len(found) == len(expected) == 10, found
    for one in expected:
        assert any(one in text for text in found), (one, found)


def _expected_changes(account: Account, names: Names) -> list[str]:
    rule = names.rule_arn("default", "video-upload-completed")
    return [
        "queue notification-queue-dlq: it is missing",
        "queue video-split-queue: VisibilityTimeout is 30, expected 300",
        "queue message-notice-queue: RedrivePolicy",
        f"queue video-storage-events: permission sqs:SendMessage of {rule} is missing",
        "subscription video_analysis_events → video_analysis_events_db_consumer: RawMessageDelivery is true",
        "subscription video_analysis_events → video-split-queue: it is present, expected absent",
        "rule video-outcome-notice: State is DISABLED, expected ENABLED",
        "rule security-event-notice: EventPattern",
        f"bucket {account.plan.bucket}: events to EventBridge is off",
        f"mail template {account.plan.mail_templates[0].name}: it is missing",
    ]


async def _set_queue(account: Account, queue: str, **attributes: str) -> None:
    await account.clients["sqs"].set_queue_attributes(QueueUrl=await account.queue_url(queue), Attributes=attributes)


@pytest.mark.req(1003)
async def test_credentials_of_another_account_are_refused_before_anything_is_read():
    emulator = shared("ministack")
    settings = Settings(bus=emulator.settings().model_copy(update={"account_id": "111122223333"}))
    with pytest.raises(
        ConfigurationError, match="belong to account 000000000000.*names 111122223333; nothing was read"
    ):
        async with open_account(settings):
            raise AssertionError("opened the wrong account")
