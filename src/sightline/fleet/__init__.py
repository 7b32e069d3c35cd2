"""Many machines: what a fleet consists of, CloudFormation for it, and the comparison of an account with it."""

from sightline.fleet.account import AccountReader, account_differences, open_account
from sightline.fleet.difference import Difference
from sightline.fleet.plan import FleetPlan, fleet_plan
from sightline.fleet.services import FleetService, fleet_services
from sightline.fleet.template import fleet_template, messaging_template

__all__ = [
    "AccountReader",
    "Difference",
    "FleetPlan",
    "FleetService",
    "account_differences",
    "fleet_plan",
    "fleet_services",
    "fleet_template",
    "messaging_template",
    "open_account",
]
