"""What the actions of Scheduler have in common: errors, names, and the group that everything belongs to."""

from typing import Any

from sightline.api.aws.call import AwsCall, AwsError
from sightline.api.aws.constraints import Constraints
from sightline.bus import ScheduleGroup, schedule_store
from sightline.db import Transaction

NAME_PATTERN = r"[0-9a-zA-Z-_.]+"
MAX_NAME = 64
MAX_PAGE = 100
DEFAULT_GROUP = "default"


def invalid(message: str) -> AwsError:
    return AwsError("ValidationException", message)


def not_found(message: str) -> AwsError:
    return AwsError("ResourceNotFoundException", message, status=404)


def conflict(message: str) -> AwsError:
    return AwsError("ConflictException", message, status=409)


def over_quota(message: str) -> AwsError:
    return AwsError("ServiceQuotaExceededException", message, status=402)


def name_of(parameters: dict[str, Any]) -> str:
    constraints = Constraints(parameters)
    name = constraints.text("Name", is_required=True, pattern=NAME_PATTERN, max_length=MAX_NAME)
    constraints.check()
    return name


def group_arn(call: AwsCall, name: str) -> str:
    return f"arn:aws:scheduler:{call.registry.names.region}:{call.account.account_id}:schedule-group/{name}"


async def find_group(call: AwsCall, tx: Transaction, name: str) -> ScheduleGroup:
    """A group of the account; the default one is always there."""
    if name == DEFAULT_GROUP:
        await schedule_store.ensure_default_group(tx, call.account.account_id)
    found = await schedule_store.find_group(tx, call.account.account_id, name)
    if found is None:
        raise not_found(f"Schedule group {name} does not exist.")
    return found
