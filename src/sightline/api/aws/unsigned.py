"""Callers of the endpoint that did not sign."""

from uuid import UUID

from sightline.api.aws.call import AwsCall

UNSIGNED_OWNER = UUID(int=0)
"""The owner of a call without a signature: a link of SNS that is followed."""


def is_unsigned(call: AwsCall) -> bool:
    return call.account.owner_id == UNSIGNED_OWNER
