"""Errors of the platform in the words of AWS."""

from sightline.api.aws.call import AwsError
from sightline.bus import BusRefusal, MessageTooLarge, PolicyInvalid
from sightline.errors import InvalidInput, NotAllowed, NotFound, PlatformError, Throttled, TooLarge, TransientFailure


def as_aws_error(error: Exception, service: str) -> AwsError:
    match error:
        case AwsError():
            return error
        case BusRefusal() | PolicyInvalid():
            return AwsError(error.code, error.message)
        case MessageTooLarge() | TooLarge() | InvalidInput():
            code = {"sns": "InvalidParameter", "sqs": "InvalidParameterValue"}.get(service, "ValidationException")
            return AwsError(code, error.public_message)
        case NotFound():
            code = "NotFound" if service == "sns" else "ResourceNotFoundException"
            return AwsError(code, error.public_message, status=404 if service == "sns" else 400)
        case NotAllowed():
            code = {"sns": "AuthorizationError", "sqs": "AccessDenied"}.get(service, "AccessDeniedException")
            return AwsError(code, error.public_message, status=403)
        case Throttled():
            code = "RequestThrottled" if service == "sqs" else "ThrottlingException"
            return AwsError(code, error.public_message, status=400)
        case TransientFailure():
            return AwsError("ServiceUnavailable", error.public_message, status=503, is_sender_fault=False)
        case PlatformError():
            return AwsError("InternalFailure", error.public_message, status=500, is_sender_fault=False)
        case _:
            message = "The request processing has failed because of an unknown error, exception or failure."
            code = "InternalError" if service in ("sqs", "sns") else "InternalFailure"
            return AwsError(code, message, status=500, is_sender_fault=False)
