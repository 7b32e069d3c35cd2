"""The whole CloudFormation template of a fleet. Pure: the same plan gives the same text."""

from typing import Any

from sightline.fleet.plan import FleetPlan
from sightline.fleet.template.alarms import alarm_parameters, alarm_resources
from sightline.fleet.template.bus import bus_resources
from sightline.fleet.template.database import database_parameters, database_resources
from sightline.fleet.template.intrinsics import attribute, ref
from sightline.fleet.template.messages import message_resources
from sightline.fleet.template.network import network_parameters, network_resources
from sightline.fleet.template.scaling import scaling_resources
from sightline.fleet.template.services import service_parameters, service_resources
from sightline.fleet.template.storage import storage_resources

MIGRATE = (
    "aws ecs run-task --cluster ${Cluster} --task-definition ${MigrateTask} --launch-type FARGATE "
    "--network-configuration 'awsvpcConfiguration={subnets=[${Subnets}],securityGroups=[${TaskSecurity.GroupId}]}'"
)


def fleet_template(plan: FleetPlan) -> dict[str, Any]:
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": f"Sightline, stage {plan.stage}. Printed by `sightline aws template`.",
        "Parameters": {
            **network_parameters(),
            **service_parameters(),
            **database_parameters(),
            **alarm_parameters(),
        },
        "Resources": {
            **messaging_resources(plan),
            **network_resources(plan),
            **database_resources(plan),
            **service_resources(plan),
            **scaling_resources(plan),
            **alarm_resources(plan),
        },
        "Outputs": {
            "Address": {
                "Description": "For the DNS record of the public address.",
                "Value": attribute("Balancer", "DNSName"),
            },
            "Database": {
                "Description": "Endpoint of the database.",
                "Value": attribute("Database", "Endpoint.Address"),
            },
            "Bucket": {"Value": ref("Bucket")},
            "Migrate": {
                "Description": "Run it before the services start, and before each deployment.",
                "Value": {"Fn::Sub": [MIGRATE, {"Subnets": {"Fn::Join": [",", ref("PrivateSubnetIds")]}}]},
            },
            "Check": {"Description": "Compares this account with the template.", "Value": "sightline aws check"},
        },
    }


def messaging_template(plan: FleetPlan) -> dict[str, Any]:
    """Bucket, topics, queues, rules, table, schedules and mail templates alone: for processes that run elsewhere."""
    resources = messaging_resources(plan)
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": f"Storage and messages of Sightline, stage {plan.stage}. Printed by `sightline aws template --messaging`.",
        "Parameters": {"PublicUrl": network_parameters()["PublicUrl"]},
        "Resources": resources,
    }


def messaging_resources(plan: FleetPlan) -> dict[str, Any]:
    return {**storage_resources(plan), **bus_resources(plan), **message_resources(plan)}
