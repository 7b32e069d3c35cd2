"""Risk assessment by rules and by a model. The job that assesses a batch is `assess_risk`."""

from sightline.security.assessment.assessor import Assessment
from sightline.security.assessment.findings import Findings
from sightline.security.assessment.risk import requires_ack, risk_level
from sightline.security.assessment.rules import assess_by_rules

__all__ = [
    "Assessment",
    "Findings",
    "assess_by_rules",
    "requires_ack",
    "risk_level",
]
