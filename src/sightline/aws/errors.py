"""Errors of AWS services as branches of the error tree, for every service alike.

Each service has a `ServiceErrors`: a small table of the codes that mean something else there than elsewhere.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from sightline.errors import BackendUnavailable, NotFound, PermanentFailure, PlatformError, Throttled

# Codes that contain "throttl" count as well.
THROTTLED_CODES = frozenset({"RequestLimitExceeded", "SlowDown", "TooManyRequests", "TooManyRequestsException"})
TOO_MANY_REQUESTS = 429
REQUEST_TIMEOUT = 408
NOT_FOUND = 404
DENIED_STATUSES = frozenset({401, 403})
SERVER_ERRORS_FROM = 500


@dataclass(frozen=True, slots=True)
class AwsFailure:
    """An error response of a service. `subject` names what the call was about, such as the queue or the key."""

    service: "ServiceErrors"
    code: str
    message: str
    status: int
    subject: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        labels = ", ".join([self.code, *(f"{name} {value}" for name, value in self.subject.items() if value)])
        return f"{self.service.name}: {self.message or self.code} ({labels})"


MakeError = Callable[[AwsFailure], PlatformError]


def permanent_failure(failure: AwsFailure) -> PlatformError:
    return PermanentFailure(failure.text, details={"aws_code": failure.code})


def unavailable(failure: AwsFailure) -> PlatformError:
    return BackendUnavailable(failure.service.part, failure.text)


def throttled(failure: AwsFailure) -> PlatformError:
    return Throttled(failure.text, retry_after=failure.service.retry_after)


def not_found(failure: AwsFailure) -> PlatformError:
    return NotFound(failure.text, code="NotFound")


@dataclass(frozen=True, slots=True)
class ServiceErrors:
    """How the errors of one service are translated. The first rule that applies counts, in the order of the fields."""

    name: str
    """The service as error messages name it."""
    part: str
    """The part of the platform that is unavailable when the service is."""
    codes: Mapping[str, MakeError] = field(default_factory=dict)
    """Codes with an error of their own."""
    throttled_codes: frozenset[str] = frozenset()
    """Besides `THROTTLED_CODES` and status 429."""
    retry_after: timedelta = timedelta(seconds=1)
    missing: MakeError = not_found
    """Status 404."""
    denied: MakeError = permanent_failure
    """Status 401 and 403."""
    other: MakeError = permanent_failure
    """Any other refusal. Server errors and timeouts are `BackendUnavailable`."""
    invalid: Callable[[str], PlatformError] = PermanentFailure
    """A request that the client library refuses to send."""


@contextmanager
def translate_errors(service: ServiceErrors, **subject: str) -> Iterator[None]:
    """Inside, errors of the AWS client become errors of the platform; all others pass unchanged."""
    try:
        yield
    except PlatformError:
        raise
    except Exception as error:
        if (translated := translate(error, service, **subject)) is None:
            raise
        raise translated from error


def translate(error: Exception, service: ServiceErrors, **subject: str) -> PlatformError | None:
    """None for an error that came neither from the AWS client nor from the connection to AWS."""
    # Imported here, so that an installation without AWS can import this module.
    import aiohttp
    from botocore import exceptions as botocore

    if isinstance(error, botocore.ClientError):
        response = error.response.get("Error", {})
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 500)
        return error_for(
            service, str(response.get("Code", "")), str(response.get("Message", error)), status=status, **subject
        )
    if isinstance(error, botocore.ParamValidationError):
        return service.invalid(f"{service.name}: {error}")
    if isinstance(
        error, (botocore.BotoCoreError, botocore.HTTPClientError, aiohttp.ClientError, OSError, TimeoutError)
    ):
        return BackendUnavailable(
            service.part, f"{service.name} does not respond: {str(error) or type(error).__name__}"
        )
    return None


def error_for(service: ServiceErrors, code: str, message: str, *, status: int, **subject: str) -> PlatformError:
    """The error for a code, of a whole call or of one entry in a batch."""
    failure = AwsFailure(service, code, message, status, subject)
    return _rule(service, code, status)(failure)


def _rule(service: ServiceErrors, code: str, status: int) -> MakeError:
    if (own := service.codes.get(code)) is not None:
        return own
    is_throttled = code in THROTTLED_CODES or code in service.throttled_codes or "throttl" in code.lower()
    if is_throttled or status == TOO_MANY_REQUESTS:
        return throttled
    if status == NOT_FOUND:
        return service.missing
    if status in DENIED_STATUSES:
        return service.denied
    if status == REQUEST_TIMEOUT or status >= SERVER_ERRORS_FROM:
        return unavailable
    return service.other
