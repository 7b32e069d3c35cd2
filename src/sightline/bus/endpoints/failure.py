"""What a dead letter tells of its failed delivery, in the words of EventBridge, Scheduler and SNS. Pure."""

from sightline.bus.endpoints.record import EndpointDelivery
from sightline.bus.policy import Attribute
from sightline.errors import InvalidInput, NotAllowed, NotFound, PermanentFailure, Throttled, is_retryable

MAX_REASON = 1000
_SOURCES = {"events": "RULE_ARN", "scheduler": "SCHEDULE_ARN"}


class TargetFailure(PermanentFailure):
    """A target that cannot be called, with an error code of EventBridge."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.error_code = code


def error_code(error: Exception) -> str:
    match error:
        case TargetFailure():
            return error.error_code
        case NotFound():
            return "NO_RESOURCE"
        case NotAllowed():
            return "NO_PERMISSIONS"
        case Throttled():
            return "THROTTLING"
        case InvalidInput():
            return "INVALID_PARAMETER"
        case TimeoutError():
            return "TIMEOUT"
        case _:
            return "ERROR_FROM_TARGET"


def failure_attributes(
    record: EndpointDelivery, error: Exception, *, attempts: int, is_too_old: bool
) -> dict[str, Attribute]:
    """Attributes of the dead letter: why a target was not reached, and for which rule or schedule it was called."""
    service = record.kind.partition(":")[0]
    reason = f"{type(error).__name__}: {error}"
    if (source := _SOURCES.get(service)) is None:
        return {"ERROR_MESSAGE": Attribute("String", reason[:MAX_REASON])}
    texts = {
        source: record.source,
        "TARGET_ARN": record.endpoint,
        "ERROR_CODE": error_code(error),
        "ERROR_MESSAGE": str(error)[:MAX_REASON] or reason,
    }
    if is_retryable(error):
        texts["EXHAUSTED_RETRY_CONDITION"] = "MaximumEventAgeInSeconds" if is_too_old else "MaximumRetryAttempts"
        texts["RETRY_ATTEMPTS"] = str(attempts - 1)
    for name in ("SCHEDULED_TIME", "EXECUTION_ID"):
        if name in record.parameters:
            texts[name] = str(record.parameters[name])
    return {name: Attribute("String", text) for name, text in texts.items()}
