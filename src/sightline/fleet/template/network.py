"""Who reaches whom: security groups, the load balancer, and the parameters of a network that exists already. Pure."""

from typing import Any

from sightline.fleet.plan import FleetPlan
from sightline.fleet.template.intrinsics import Resources, attribute, ref, resource

API_PORT = 8400
DATABASE_PORT = 5432
LONGEST_REQUEST_S = 120
"""Idle time of the load balancer. It must exceed the long polls and heartbeats of the live feed."""


def network_parameters() -> dict[str, Any]:
    return {
        "VpcId": {"Type": "AWS::EC2::VPC::Id", "Description": "Network of the fleet."},
        "PublicSubnetIds": {
            "Type": "List<AWS::EC2::Subnet::Id>",
            "Description": "Subnets of the load balancer, in two zones or more.",
        },
        "PrivateSubnetIds": {
            "Type": "List<AWS::EC2::Subnet::Id>",
            "Description": "Subnets of tasks and database, in two zones or more, with a way to AWS and the image.",
        },
        "CertificateArn": {"Type": "String", "Description": "Certificate of the public address, in ACM."},
        "PublicUrl": {
            "Type": "String",
            "Description": "Where people reach the page, such as https://video.example.com.",
            "AllowedPattern": "https://[^/]+",
        },
        "BalancerNetworks": {
            "Type": "String",
            "Default": "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16",
            "Description": "Networks of the public subnets. What comes from there counts by the client that the balancer names.",
        },
    }


def network_resources(plan: FleetPlan) -> Resources:
    return {
        "BalancerSecurity": _security_group(
            "The load balancer: HTTPS from anywhere.", [_from_anywhere(443), _from_anywhere(80)]
        ),
        "TaskSecurity": _security_group("Tasks: the port of the API from the load balancer.", []),
        "TaskFromBalancer": _ingress("TaskSecurity", "BalancerSecurity", API_PORT),
        "DatabaseSecurity": _security_group("The database: from tasks alone.", []),
        "DatabaseFromTasks": _ingress("DatabaseSecurity", "TaskSecurity", DATABASE_PORT),
        "Balancer": resource(
            "AWS::ElasticLoadBalancingV2::LoadBalancer",
            {
                "Name": plan.name,
                "Type": "application",
                "Scheme": "internet-facing",
                "Subnets": ref("PublicSubnetIds"),
                "SecurityGroups": [attribute("BalancerSecurity", "GroupId")],
                "LoadBalancerAttributes": [
                    {"Key": "idle_timeout.timeout_seconds", "Value": str(LONGEST_REQUEST_S)},
                    {"Key": "routing.http.drop_invalid_header_fields.enabled", "Value": "true"},
                ],
            },
        ),
        "ApiTargets": resource(
            "AWS::ElasticLoadBalancingV2::TargetGroup",
            {
                "VpcId": ref("VpcId"),
                "TargetType": "ip",
                "Protocol": "HTTP",
                "Port": API_PORT,
                "HealthCheckPath": "/api/health",
                "HealthCheckIntervalSeconds": 10,
                "HealthyThresholdCount": 2,
                "UnhealthyThresholdCount": 3,
                "TargetGroupAttributes": [{"Key": "deregistration_delay.timeout_seconds", "Value": "30"}],
            },
        ),
        "Https": _listener(
            443,
            "HTTPS",
            {"Type": "forward", "TargetGroupArn": ref("ApiTargets")},
            Certificates=[{"CertificateArn": ref("CertificateArn")}],
            SslPolicy="ELBSecurityPolicy-TLS13-1-2-2021-06",
        ),
        "HttpRedirect": _listener(
            80,
            "HTTP",
            {"Type": "redirect", "RedirectConfig": {"Protocol": "HTTPS", "Port": "443", "StatusCode": "HTTP_301"}},
        ),
    }


def _security_group(description: str, ingress: list[dict[str, Any]]) -> dict[str, Any]:
    properties = {"GroupDescription": description, "VpcId": ref("VpcId")}
    return resource("AWS::EC2::SecurityGroup", properties | ({"SecurityGroupIngress": ingress} if ingress else {}))


def _from_anywhere(port: int) -> dict[str, Any]:
    return {"IpProtocol": "tcp", "FromPort": port, "ToPort": port, "CidrIp": "0.0.0.0/0"}


def _ingress(to: str, source: str, port: int) -> dict[str, Any]:
    return resource(
        "AWS::EC2::SecurityGroupIngress",
        {
            "GroupId": attribute(to, "GroupId"),
            "SourceSecurityGroupId": attribute(source, "GroupId"),
            "IpProtocol": "tcp",
            "FromPort": port,
            "ToPort": port,
        },
    )


def _listener(port: int, protocol: str, action: dict[str, Any], **extra: Any) -> dict[str, Any]:
    properties = {"LoadBalancerArn": ref("Balancer"), "Port": port, "Protocol": protocol, "DefaultActions": [action]}
    return resource("AWS::ElasticLoadBalancingV2::Listener", properties | extra)
