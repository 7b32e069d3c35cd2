"""Errors of SQS: the code of the JSON protocol and the older one of the query protocol, which SDKs show."""

from collections.abc import Mapping

from sightline.api.aws.call import AwsError
from sightline.bus import BusRefusal

PREFIX = "AWS.SimpleQueueService."
# Where the two codes differ by more than the prefix.
_JSON_CODES: Mapping[str, str] = {
    f"{PREFIX}NonExistentQueue": "QueueDoesNotExist",
    "InvalidParameterValue": "InvalidParameterValueException",
    "MissingParameter": "MissingRequiredParameterException",
}
_QUERY_CODES: Mapping[str, str] = {"QueueNameExists": "QueueAlreadyExists"}
# Older clients compare this text.
_QUERY_MESSAGES: Mapping[str, str] = {
    f"{PREFIX}NonExistentQueue": "The specified queue does not exist for this wsdl version."
}
_STATUSES: Mapping[str, int] = {
    "ResourceNotFoundException": 404,
    "OverLimit": 403,
    f"{PREFIX}PurgeQueueInProgress": 403,
}


def as_sqs_error(refusal: BusRefusal) -> AwsError:
    code = refusal.code
    return AwsError(
        _JSON_CODES.get(code, code.removeprefix(PREFIX)),
        refusal.message,
        status=_STATUSES.get(code, 400),
        query_code=_QUERY_CODES.get(code, code),
        query_message=_QUERY_MESSAGES.get(code),
    )


def failed_entry(entry_id: str, refusal: BusRefusal) -> dict[str, object]:
    """An entry of a batch that was refused."""
    # SQS says it differently in a batch.
    message = refusal.message.replace(
        "parameters are invalid. Reason: Message must", "parameters cannot be validated. Reason: Message must"
    )
    return {"Id": entry_id, "SenderFault": True, "Code": refusal.code.removeprefix(PREFIX), "Message": message}
