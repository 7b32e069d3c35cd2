"""The services of the fleet on ECS: tasks, their settings, roles and logs. Pure."""

from typing import Any

from sightline.fleet.plan import FleetPlan
from sightline.fleet.services import FleetService
from sightline.fleet.shared_secrets import SHARED_SECRETS
from sightline.fleet.template.database import DATABASE, OWNER
from sightline.fleet.template.intrinsics import (
    Resources,
    attribute,
    logical_id,
    policy,
    ref,
    resource,
    statement,
    sub,
    trust,
)
from sightline.fleet.template.network import API_PORT, DATABASE_PORT
from sightline.fleet.template.permissions import permissions_of

PROBE_PORT = 8410
_PROBE = "from urllib.request import urlopen; urlopen('http://127.0.0.1:{port}/api/health', timeout=5)"
"""Ends with an error unless the process says that it is healthy. The image has no curl."""
STOP_TIMEOUT_S = 120
"""Time for a worker to finish or release its jobs; the longest that ECS allows."""


def service_parameters() -> dict[str, Any]:
    return {
        "ImageUri": {"Type": "String", "Description": "The image of Sightline, with tag or digest."},
        "JwksUrl": {"Type": "String", "Description": "Keys of the issuer that people sign in with."},
        "Issuer": {"Type": "String", "Description": "That issuer, as its tokens name it."},
        "Audience": {"Type": "String", "Description": "Audience that its tokens name."},
        "MailFrom": {"Type": "String", "Description": "Sender of emails, an identity that is verified in SES."},
        "AllowUnconfined": {
            "Type": "String",
            "Default": "false",
            "AllowedValues": ["true", "false"],
            "Description": "Whether videos are processed where the kernel of Fargate has no Landlock (`sightline doctor` says).",
        },
    }


def service_resources(plan: FleetPlan) -> Resources:
    made: Resources = {
        "Cluster": resource(
            "AWS::ECS::Cluster",
            {"ClusterName": plan.name, "ClusterSettings": [{"Name": "containerInsights", "Value": "enabled"}]},
        ),
        "Logs": resource("AWS::Logs::LogGroup", {"LogGroupName": f"/{plan.name}", "RetentionInDays": 30}),
        "ExecutionRole": _execution_role(),
        # Run before every deployment: `aws ecs run-task` with the command of the output "Migrate".
        "MigrateTask": _task(plan, "migrate", ("migrate",), 512, 1024, 21, role=None, is_http=False),
    }
    for service in plan.services:
        made[role_id(service)] = resource(
            "AWS::IAM::Role",
            {
                "AssumeRolePolicyDocument": trust("ecs-tasks.amazonaws.com"),
                "Policies": [{"PolicyName": service.name, "PolicyDocument": permissions_of(service, plan)}],
            },
        )
        made[task_id(service)] = _task(
            plan,
            service.name,
            service.command,
            service.cpu,
            service.memory_mb,
            service.scratch_gb,
            role=attribute(role_id(service)),
            is_http=service.serves_http,
        )
        made[service_id(service)] = _service(service)
    return made


def role_id(service: FleetService) -> str:
    return logical_id("Role", service.name)


def task_id(service: FleetService) -> str:
    return logical_id("Task", service.name)


def service_id(service: FleetService) -> str:
    return logical_id("Service", service.name)


def settings_of_tasks(plan: FleetPlan) -> dict[str, Any]:
    """The environment of every task: the backends that this template creates."""
    database = f"postgresql://{OWNER}@${{Database.Endpoint.Address}}:{DATABASE_PORT}/{DATABASE}?sslmode=require"
    return {
        "SIGHTLINE_DATABASE_URL": sub(database),
        "SIGHTLINE_API_HOST": "0.0.0.0",
        "SIGHTLINE_API_PORT": str(API_PORT),
        "SIGHTLINE_API_PUBLIC_URL": ref("PublicUrl"),
        "SIGHTLINE_API_TRUSTED_PROXIES": ref("BalancerNetworks"),
        "SIGHTLINE_AUTH_JWKS_URL": ref("JwksUrl"),
        "SIGHTLINE_AUTH_ISSUER": ref("Issuer"),
        "SIGHTLINE_AUTH_AUDIENCE": ref("Audience"),
        "SIGHTLINE_BUS_BACKEND": "aws",
        "SIGHTLINE_BUS_STAGE": plan.stage,
        "SIGHTLINE_BUS_REGION": ref("AWS::Region"),
        "SIGHTLINE_BUS_ACCOUNT_ID": ref("AWS::AccountId"),
        "SIGHTLINE_BUS_EVENT_BUS": plan.event_bus,
        "SIGHTLINE_BUS_CREATE_RESOURCES": "false",
        "SIGHTLINE_OBJECTS_BACKEND": "s3",
        "SIGHTLINE_OBJECTS_BUCKET": plan.bucket,
        "SIGHTLINE_OBJECTS_S3_REGION": ref("AWS::Region"),
        "SIGHTLINE_MESSAGES_BACKEND": "dynamodb",
        "SIGHTLINE_MESSAGES_DYNAMODB_TABLE": plan.table,
        "SIGHTLINE_MESSAGES_DYNAMODB_REGION": ref("AWS::Region"),
        "SIGHTLINE_MESSAGES_CLOCK": "eventbridge",
        "SIGHTLINE_MESSAGES_EVENTBRIDGE_GROUP": plan.schedule_group,
        "SIGHTLINE_MESSAGES_EVENTBRIDGE_ROLE_ARN": attribute("ScheduleRole"),
        "SIGHTLINE_NOTIFICATIONS_CHANNEL": "ses",
        "SIGHTLINE_NOTIFICATIONS_FROM_ADDRESS": ref("MailFrom"),
        "SIGHTLINE_NOTIFICATIONS_SES_REGION": ref("AWS::Region"),
        "SIGHTLINE_MEDIA_ALLOW_UNCONFINED": ref("AllowUnconfined"),
        "SIGHTLINE_OBSERVABILITY_LOG_FORMAT": "json",
        "SIGHTLINE_OBSERVABILITY_CLOUDWATCH_NAMESPACE": plan.name,
        "SIGHTLINE_OBSERVABILITY_PROBE_PORT": str(PROBE_PORT),
    }


def _execution_role() -> dict[str, Any]:
    secrets = [ref(name) for name in ("DatabasePassword", *SHARED_SECRETS)]
    return resource(
        "AWS::IAM::Role",
        {
            "AssumeRolePolicyDocument": trust("ecs-tasks.amazonaws.com"),
            "ManagedPolicyArns": [
                sub("arn:${AWS::Partition}:iam::aws:policy/service-role/AmazonECSTaskExecutionRolePolicy")
            ],
            "Policies": [
                {
                    "PolicyName": "secrets",
                    "PolicyDocument": policy(statement(["secretsmanager:GetSecretValue"], secrets)),
                }
            ],
        },
    )


def _task(
    plan: FleetPlan,
    name: str,
    command: tuple[str, ...],
    cpu: int,
    memory_mb: int,
    scratch_gb: int,
    *,
    role: Any,
    is_http: bool,
) -> dict[str, Any]:
    port = API_PORT if is_http else PROBE_PORT
    container = {
        "Name": "sightline",
        "Image": ref("ImageUri"),
        "Command": list(command),
        "Essential": True,
        "User": "10001:10001",
        "LinuxParameters": {"InitProcessEnabled": True, "Capabilities": {"Drop": ["ALL"]}},
        "StopTimeout": STOP_TIMEOUT_S,
        "Environment": [{"Name": key, "Value": value} for key, value in settings_of_tasks(plan).items()],
        # asyncpg and libpq take the password from here; it stands in no URL and no process list.
        "Secrets": [
            {"Name": "PGPASSWORD", "ValueFrom": ref("DatabasePassword")},
            *({"Name": setting, "ValueFrom": ref(secret)} for secret, setting in SHARED_SECRETS.items()),
        ],
        "LogConfiguration": {
            "LogDriver": "awslogs",
            "Options": {
                "awslogs-group": ref("Logs"),
                "awslogs-region": ref("AWS::Region"),
                "awslogs-stream-prefix": name,
            },
        },
    }
    if name != "migrate":
        container["PortMappings"] = [{"ContainerPort": port}]
        container["HealthCheck"] = {
            "Command": ["CMD", "python", "-c", _PROBE.format(port=port)],
            "Interval": 15,
            "Timeout": 10,
            "Retries": 3,
            "StartPeriod": 60,
        }
    properties = {
        "Family": f"{plan.name}-{name}",
        "RequiresCompatibilities": ["FARGATE"],
        "NetworkMode": "awsvpc",
        "Cpu": str(cpu),
        "Memory": str(memory_mb),
        "EphemeralStorage": {"SizeInGiB": scratch_gb},
        "ExecutionRoleArn": attribute("ExecutionRole"),
        "ContainerDefinitions": [container],
    }
    return resource("AWS::ECS::TaskDefinition", properties | ({"TaskRoleArn": role} if role else {}))


def _service(service: FleetService) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "Cluster": ref("Cluster"),
        "ServiceName": service.name,
        "LaunchType": "FARGATE",
        "TaskDefinition": ref(task_id(service)),
        "DesiredCount": service.minimum,
        "DeploymentConfiguration": {
            "MinimumHealthyPercent": 100,
            "MaximumPercent": 200,
            "DeploymentCircuitBreaker": {"Enable": True, "Rollback": True},
        },
        "NetworkConfiguration": {
            "AwsvpcConfiguration": {
                "Subnets": ref("PrivateSubnetIds"),
                "SecurityGroups": [attribute("TaskSecurity", "GroupId")],
            }
        },
        "PropagateTags": "SERVICE",
    }
    if not service.serves_http:
        return resource("AWS::ECS::Service", properties, depends_on=["DatabaseWriter"])
    properties["LoadBalancers"] = [
        {"ContainerName": "sightline", "ContainerPort": API_PORT, "TargetGroupArn": ref("ApiTargets")}
    ]
    return resource("AWS::ECS::Service", properties, depends_on=["DatabaseWriter", "Https"])
