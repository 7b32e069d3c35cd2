"""STS: whom an access key belongs to."""

from collections.abc import Mapping
from typing import Any

from sightline.api.aws.call import Action, AwsCall


async def get_caller_identity(call: AwsCall, parameters: dict[str, Any]) -> dict[str, Any]:
    account = call.account
    name = "operator" if account.is_operator else str(account.owner_id)
    return {
        "UserId": str(account.owner_id),
        "Account": account.account_id,
        "Arn": f"arn:aws:iam::{account.account_id}:user/{name}",
    }


ACTIONS: Mapping[str, Action] = {"GetCallerIdentity": get_caller_identity}
