"""SQS: the actions of its interface on the queues of the embedded bus."""

from collections.abc import Mapping
from functools import wraps
from typing import Any

from sightline.api.aws.call import Action, AwsCall
from sightline.api.aws.sqs.errors import as_sqs_error
from sightline.api.aws.sqs.messages import MESSAGE_ACTIONS
from sightline.api.aws.sqs.moves import MOVE_ACTIONS
from sightline.api.aws.sqs.plain import PLAIN_FORMS, PLAIN_OR_NOT_ACTIONS
from sightline.api.aws.sqs.queues import QUEUE_ACTIONS
from sightline.bus import BusRefusal, no_such_queue
from sightline.errors import NotFound

__all__ = ["ACTIONS", "PLAIN_FORMS"]


def _with_errors(action: Action) -> Action:
    """Translates refusals of the bus into errors of SQS."""

    @wraps(action)
    async def run(call: AwsCall, parameters: Any) -> Any:
        try:
            return await action(call, parameters)
        except BusRefusal as refusal:
            raise as_sqs_error(refusal) from refusal
        except NotFound as error:  # the queue was deleted while the call was under way
            raise as_sqs_error(no_such_queue()) from error

    return run


ACTIONS: Mapping[str, Action] = {
    name: _with_errors(action)
    for name, action in (QUEUE_ACTIONS | MESSAGE_ACTIONS | MOVE_ACTIONS | PLAIN_OR_NOT_ACTIONS).items()
}
