"""Moving the embedded data directory to a newer major version of PostgreSQL."""

from sightline.upgrade.old_programs import OldProgramsRequest
from sightline.upgrade.upgrade import UpgradeResult, upgrade_data

__all__ = ["OldProgramsRequest", "UpgradeResult", "upgrade_data"]
