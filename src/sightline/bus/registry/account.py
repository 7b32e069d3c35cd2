"""Accounts: the AWS account number under which an owner's resources are named. Pure."""

import secrets
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Account:
    """Who acts: everything is named, listed and limited per account. Operators share the platform's own."""

    account_id: str
    owner_id: UUID
    is_operator: bool = False


def new_account_id() -> str:
    """Twelve digits, the first of them not zero, as AWS draws them."""
    return str(10**11 + secrets.randbelow(9 * 10**11))
