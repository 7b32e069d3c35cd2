"""What each service of the fleet may do on AWS, and nothing more. Pure.

Messages leave through an outbox that the `schedule` role sends, so workers and the API cannot publish anything.
"""

from typing import Any

from sightline.fleet.plan import FleetPlan
from sightline.fleet.services import FleetService
from sightline.fleet.template.bus import queue_id, topic_id
from sightline.fleet.template.intrinsics import attribute, policy, ref, statement, sub


def permissions_of(service: FleetService, plan: FleetPlan) -> dict[str, Any]:
    match service.role:
        case "api":
            found = [_read_state(plan), _objects(), *_bucket(), _messages(), _receive(plan), _send(plan)]
        case "consume":
            found = [_read_state(plan), _objects(), *_bucket(), _messages(), _receive(plan), _mail(plan)]
        case "schedule":
            found = [
                _read_state(plan),
                _objects(),
                *_bucket(),
                _messages(),
                _send(plan),
                _publish(plan),
                *_schedules(plan),
            ]
        case _:
            found = [_read_state(plan), _objects(), *_bucket()]
    return policy(*found)


def _queues(plan: FleetPlan) -> list[Any]:
    return [attribute(queue_id(queue.name)) for queue in plan.topology.all_queues]


def _topics(plan: FleetPlan) -> list[Any]:
    return [ref(topic_id(topic)) for topic in plan.topology.topics]


def _event_bus(plan: FleetPlan) -> dict[str, str]:
    return sub(f"arn:${{AWS::Partition}}:events:${{AWS::Region}}:${{AWS::AccountId}}:event-bus/{plan.event_bus}")


def _read_state(plan: FleetPlan) -> dict[str, Any]:
    """For health checks and queue depths."""
    actions = ["sqs:GetQueueUrl", "sqs:GetQueueAttributes", "sns:GetTopicAttributes", "events:DescribeEventBus"]
    return statement(actions, [*_queues(plan), *_topics(plan), _event_bus(plan)])


def _objects() -> dict[str, Any]:
    actions = [
        "s3:GetObject",
        "s3:PutObject",
        "s3:DeleteObject",
        "s3:AbortMultipartUpload",
        "s3:ListMultipartUploadParts",
    ]
    return statement(actions, {"Fn::Sub": ["${Bucket}/*", {"Bucket": attribute("Bucket")}]})


def _bucket() -> list[dict[str, Any]]:
    return [statement(["s3:ListBucket", "s3:ListBucketMultipartUploads"], attribute("Bucket"))]


def _messages() -> dict[str, Any]:
    actions = [
        "dynamodb:DescribeTable",
        "dynamodb:GetItem",
        "dynamodb:PutItem",
        "dynamodb:UpdateItem",
        "dynamodb:Query",
    ]
    table = attribute("MessageTable")
    return statement(actions, [table, {"Fn::Sub": ["${Table}/index/*", {"Table": table}]}])


def _receive(plan: FleetPlan) -> dict[str, Any]:
    return statement(["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility"], _queues(plan))


def _send(plan: FleetPlan) -> dict[str, Any]:
    """To queues: dead letters that go back, and messages of the outbox."""
    return statement(["sqs:SendMessage"], _queues(plan))


def _publish(plan: FleetPlan) -> dict[str, Any]:
    return statement(["sns:Publish", "events:PutEvents"], [*_topics(plan), _event_bus(plan)])


def _mail(plan: FleetPlan) -> dict[str, Any]:
    identities = sub("arn:${AWS::Partition}:ses:${AWS::Region}:${AWS::AccountId}:*")
    return statement(["ses:SendEmail", "ses:SendTemplatedEmail"], identities)


def _schedules(plan: FleetPlan) -> list[dict[str, Any]]:
    where = "arn:${AWS::Partition}:scheduler:${AWS::Region}:${AWS::AccountId}"
    actions = [
        "scheduler:CreateSchedule",
        "scheduler:UpdateSchedule",
        "scheduler:DeleteSchedule",
        "scheduler:GetSchedule",
    ]
    return [
        statement(actions, sub(f"{where}:schedule/{plan.schedule_group}/*")),
        statement(["scheduler:CreateScheduleGroup"], sub(f"{where}:schedule-group/{plan.schedule_group}")),
        statement(["scheduler:ListSchedules"], "*"),  # AWS has no narrower resource for it
        statement(
            ["iam:PassRole"],
            attribute("ScheduleRole"),
            Condition={"StringEquals": {"iam:PassedToService": "scheduler.amazonaws.com"}},
        ),
    ]
