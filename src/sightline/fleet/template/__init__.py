"""CloudFormation of a fleet, made of the topology that the code runs on."""

from sightline.fleet.template.storage import bucket_rules, cors_rule
from sightline.fleet.template.template import fleet_template, messaging_template

__all__ = ["bucket_rules", "cors_rule", "fleet_template", "messaging_template"]
