"""AWS clients and the one translation of AWS errors. botocore is loaded when the first client opens."""

from sightline.aws.clients import AwsAccount, open_client
from sightline.aws.errors import (
    AwsFailure,
    MakeError,
    ServiceErrors,
    error_for,
    not_found,
    permanent_failure,
    throttled,
    translate,
    translate_errors,
    unavailable,
)

__all__ = [
    "AwsAccount",
    "AwsFailure",
    "MakeError",
    "ServiceErrors",
    "error_for",
    "not_found",
    "open_client",
    "permanent_failure",
    "throttled",
    "translate",
    "translate_errors",
    "unavailable",
]
