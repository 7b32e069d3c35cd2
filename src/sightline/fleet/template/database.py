"""Aurora PostgreSQL with its password in Secrets Manager, and the secrets that all processes share. Pure.

The password does not rotate by itself: tasks read it when they start, so a rotation belongs with a new deployment.
"""

from typing import Any

from sightline.fleet.plan import FleetPlan
from sightline.fleet.shared_secrets import SHARED_SECRETS
from sightline.fleet.template.intrinsics import Resources, attribute, ref, resource, sub

DATABASE = "sightline"
OWNER = "sightline"


def database_parameters() -> dict[str, Any]:
    return {
        "DatabaseVersion": {
            "Type": "String",
            "Default": "17.5",
            "Description": "Version of Aurora PostgreSQL, 15 or newer.",
        },
        "DatabaseMinCapacity": {
            "Type": "Number",
            "Default": 0.5,
            "MinValue": 0,
            "Description": "Aurora capacity units.",
        },
        "DatabaseMaxCapacity": {
            "Type": "Number",
            "Default": 16,
            "MinValue": 1,
            "Description": "Aurora capacity units.",
        },
    }


def database_resources(plan: FleetPlan) -> Resources:
    instance = {
        "Engine": "aurora-postgresql",
        "DBClusterIdentifier": ref("Database"),
        "DBInstanceClass": "db.serverless",
        "PubliclyAccessible": False,
    }
    return {
        "DatabaseSubnets": resource(
            "AWS::RDS::DBSubnetGroup",
            {"DBSubnetGroupDescription": f"Database of {plan.name}", "SubnetIds": ref("PrivateSubnetIds")},
        ),
        "Database": _keep_snapshot(
            resource(
                "AWS::RDS::DBCluster",
                {
                    "Engine": "aurora-postgresql",
                    "EngineVersion": ref("DatabaseVersion"),
                    "DatabaseName": DATABASE,
                    "MasterUsername": OWNER,
                    "MasterUserPassword": sub("{{resolve:secretsmanager:${DatabasePassword}}}"),
                    "StorageEncrypted": True,
                    "BackupRetentionPeriod": 14,
                    "CopyTagsToSnapshot": True,
                    "DeletionProtection": plan.stage == "prod",
                    "DBSubnetGroupName": ref("DatabaseSubnets"),
                    "VpcSecurityGroupIds": [attribute("DatabaseSecurity", "GroupId")],
                    "ServerlessV2ScalingConfiguration": {
                        "MinCapacity": ref("DatabaseMinCapacity"),
                        "MaxCapacity": ref("DatabaseMaxCapacity"),
                    },
                },
            )
        ),
        "DatabaseWriter": resource("AWS::RDS::DBInstance", instance),
        # Takes over when the zone of the first one fails.
        "DatabaseStandby": resource("AWS::RDS::DBInstance", instance, depends_on=["DatabaseWriter"]),
        "DatabasePassword": _random_secret(plan, "Password of the database"),
        **{name: _random_secret(plan, setting) for name, setting in SHARED_SECRETS.items()},
    }


def _keep_snapshot(cluster: dict[str, Any]) -> dict[str, Any]:
    return {**cluster, "DeletionPolicy": "Snapshot", "UpdateReplacePolicy": "Snapshot"}


def _random_secret(plan: FleetPlan, what: str) -> dict[str, Any]:
    return resource(
        "AWS::SecretsManager::Secret",
        {
            "Description": f"{what} of {plan.name}",
            "GenerateSecretString": {"PasswordLength": 48, "ExcludePunctuation": True},
        },
        keeps_data=True,
    )
