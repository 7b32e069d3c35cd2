"""An AWS account compared with the plan. Reads only."""

from sightline.fleet.account.bus import bus_differences
from sightline.fleet.account.reading import AccountReader, open_account
from sightline.fleet.account.storage import storage_differences
from sightline.fleet.difference import Difference
from sightline.fleet.plan import FleetPlan

__all__ = ["AccountReader", "account_differences", "open_account"]


async def account_differences(plan: FleetPlan, account: AccountReader) -> list[Difference]:
    return [*await bus_differences(plan, account), *await storage_differences(plan, account)]
