"""Actions of SQS on message move tasks."""

from typing import Any

from sightline.api.aws.call import Action, AwsCall
from sightline.api.aws.sqs.parameters import Parameters, optional_number, optional_text, required_text
from sightline.api.aws.sqs.queues import queues_of
from sightline.bus import MoveTask


async def start_message_move_task(call: AwsCall, parameters: Parameters) -> dict[str, Any]:
    task = await queues_of(call).moves.start(
        call.account,
        required_text(parameters, "SourceArn"),
        optional_text(parameters, "DestinationArn"),
        optional_number(parameters, "MaxNumberOfMessagesPerSecond"),
    )
    return {"TaskHandle": task.handle}


async def list_message_move_tasks(call: AwsCall, parameters: Parameters) -> dict[str, Any]:
    found = await queues_of(call).moves.list_tasks(
        call.account, required_text(parameters, "SourceArn"), optional_number(parameters, "MaxResults")
    )
    return {"Results": [_shown(task) for task in found]}


async def cancel_message_move_task(call: AwsCall, parameters: Parameters) -> dict[str, Any]:
    moved = await queues_of(call).moves.cancel(call.account, required_text(parameters, "TaskHandle"))
    return {"ApproximateNumberOfMessagesMoved": moved}


def _shown(task: MoveTask) -> dict[str, Any]:
    shown = {
        "TaskHandle": task.handle if task.status == "RUNNING" else None,
        "Status": task.status,
        "SourceArn": task.source_arn,
        "DestinationArn": task.destination_arn,
        "MaxNumberOfMessagesPerSecond": task.max_per_second,
        "ApproximateNumberOfMessagesMoved": task.moved,
        "ApproximateNumberOfMessagesToMove": task.to_move,
        "FailureReason": task.failure_reason,
        "StartedTimestamp": int(task.started_at.timestamp() * 1000),
    }
    return {name: value for name, value in shown.items() if value is not None}


MOVE_ACTIONS: dict[str, Action] = {
    "StartMessageMoveTask": start_message_move_task,
    "ListMessageMoveTasks": list_message_move_tasks,
    "CancelMessageMoveTask": cancel_message_move_task,
}
