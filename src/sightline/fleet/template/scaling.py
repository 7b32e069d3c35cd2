"""How many tasks each service has: by requests, by waiting messages, by waiting jobs. Pure."""

from typing import Any

from sightline.fleet.plan import FleetPlan
from sightline.fleet.services import FleetService
from sightline.fleet.template.intrinsics import Resources, attribute, logical_id, ref, resource, sub
from sightline.fleet.template.services import service_id

REQUESTS_PER_API_TASK = 3000
"""Per minute; half of what one task answers."""
MESSAGES_PER_CONSUMER = 500
WAITING_TOO_LONG_S = 60
WAITING_FAR_TOO_LONG_S = 300
IDLE_MINUTES = 10

JOB_DEPTH, JOB_AGE, FAILING_JOBS = "JobDepth", "JobOldestAge", "JobFailureAlert"
"""Metrics that the `schedule` role writes in CloudWatch's embedded format."""


def scaling_resources(plan: FleetPlan) -> Resources:
    made: Resources = {}
    for service in plan.services:
        if service.scaled_by == "nothing":
            continue
        made[_scalable_id(service)] = _scalable(service)
        match service.scaled_by:
            case "requests":
                made[logical_id("Scaling", service.name)] = _by_requests(service)
            case "queues":
                made[logical_id("Scaling", service.name)] = _by_messages(service, plan)
            case "jobs":
                made |= _by_jobs(service, plan)
    return made


def job_metric(plan: FleetPlan, name: str, job_type: str) -> dict[str, Any]:
    return {"Namespace": plan.name, "MetricName": name, "Dimensions": [{"Name": "JobType", "Value": job_type}]}


def _scalable_id(service: FleetService) -> str:
    return logical_id("Scalable", service.name)


def _scalable(service: FleetService) -> dict[str, Any]:
    return resource(
        "AWS::ApplicationAutoScaling::ScalableTarget",
        {
            "ServiceNamespace": "ecs",
            "ScalableDimension": "ecs:service:DesiredCount",
            "ResourceId": {"Fn::Join": ["/", ["service", ref("Cluster"), attribute(service_id(service), "Name")]]},
            "MinCapacity": service.minimum,
            "MaxCapacity": service.maximum,
        },
    )


def _by_requests(service: FleetService) -> dict[str, Any]:
    label = sub("${Balancer.LoadBalancerFullName}/${ApiTargets.TargetGroupFullName}")
    metric = {"PredefinedMetricType": "ALBRequestCountPerTarget", "ResourceLabel": label}
    return _tracking(service, {"PredefinedMetricSpecification": metric, "TargetValue": REQUESTS_PER_API_TASK})


def _by_messages(service: FleetService, plan: FleetPlan) -> dict[str, Any]:
    """Follows the messages that wait in all queues together, per running task."""
    queues = [queue.name for queue in plan.topology.queues]
    waiting = [
        {
            "Id": f"m{number}",
            "MetricStat": {
                "Metric": {
                    "Namespace": "AWS/SQS",
                    "MetricName": "ApproximateNumberOfMessagesVisible",
                    "Dimensions": [{"Name": "QueueName", "Value": queue}],
                },
                "Stat": "Average",
            },
            "ReturnData": False,
        }
        for number, queue in enumerate(queues)
    ]
    tasks = {
        "Id": "tasks",
        "MetricStat": {
            "Metric": {
                "Namespace": "ECS/ContainerInsights",
                "MetricName": "RunningTaskCount",
                "Dimensions": [
                    {"Name": "ClusterName", "Value": ref("Cluster")},
                    {"Name": "ServiceName", "Value": service.name},
                ],
            },
            "Stat": "Average",
        },
        "ReturnData": False,
    }
    each = "+".join(f"FILL(m{number},0)" for number in range(len(queues)))
    share = {"Id": "waiting", "Expression": f"({each})/MAX([FILL(tasks,1),1])", "ReturnData": True}
    specification = {"CustomizedMetricSpecification": {"Metrics": [*waiting, tasks, share]}}
    return _tracking(service, specification | {"TargetValue": MESSAGES_PER_CONSUMER})


def _tracking(service: FleetService, configuration: dict[str, Any]) -> dict[str, Any]:
    return resource(
        "AWS::ApplicationAutoScaling::ScalingPolicy",
        {
            "PolicyName": service.name,
            "PolicyType": "TargetTrackingScaling",
            "ScalingTargetId": ref(_scalable_id(service)),
            "TargetTrackingScalingPolicyConfiguration": {
                **configuration,
                "ScaleInCooldown": 300,
                "ScaleOutCooldown": 30,
            },
        },
    )


def _by_jobs(service: FleetService, plan: FleetPlan) -> Resources:
    """Grows while the oldest job waits, shrinks when no job is left. The age is the same for a short queue of long jobs and
    a long one of short jobs, which a depth is not."""
    grow, shrink = logical_id("Grow", service.name), logical_id("Shrink", service.name)
    far = WAITING_FAR_TOO_LONG_S - WAITING_TOO_LONG_S
    return {
        grow: _steps(
            service,
            [
                {"MetricIntervalLowerBound": 0, "MetricIntervalUpperBound": far, "ScalingAdjustment": 1},
                {"MetricIntervalLowerBound": far, "ScalingAdjustment": 4},
            ],
            cooldown_s=60,
        ),
        logical_id("GrowAlarm", service.name): _job_alarm(
            service, plan, JOB_AGE, WAITING_TOO_LONG_S, "GreaterThanThreshold", minutes=1, action=grow
        ),
        shrink: _steps(service, [{"MetricIntervalUpperBound": 0, "ScalingAdjustment": -1}], cooldown_s=120),
        logical_id("ShrinkAlarm", service.name): _job_alarm(
            service, plan, JOB_DEPTH, 0, "LessThanOrEqualToThreshold", minutes=IDLE_MINUTES, action=shrink
        ),
    }


def _steps(service: FleetService, steps: list[dict[str, Any]], *, cooldown_s: int) -> dict[str, Any]:
    direction = "grow" if steps[0]["ScalingAdjustment"] > 0 else "shrink"
    return resource(
        "AWS::ApplicationAutoScaling::ScalingPolicy",
        {
            "PolicyName": f"{service.name}-{direction}",
            "PolicyType": "StepScaling",
            "ScalingTargetId": ref(_scalable_id(service)),
            "StepScalingPolicyConfiguration": {
                "AdjustmentType": "ChangeInCapacity",
                "Cooldown": cooldown_s,
                "MetricAggregationType": "Maximum",
                "StepAdjustments": steps,
            },
        },
    )


def _job_alarm(
    service: FleetService, plan: FleetPlan, metric: str, threshold: int, comparison: str, *, minutes: int, action: str
) -> dict[str, Any]:
    each = [
        {
            "Id": f"m{number}",
            "MetricStat": {"Metric": job_metric(plan, metric, job_type), "Period": 60, "Stat": "Maximum"},
            "ReturnData": False,
        }
        for number, job_type in enumerate(service.job_types)
    ]
    highest = {"Id": "highest", "Expression": "MAX(METRICS())", "ReturnData": True}
    return resource(
        "AWS::CloudWatch::Alarm",
        {
            "AlarmDescription": f"{metric} of the jobs of {service.name}",
            "Metrics": [*each, highest],
            "ComparisonOperator": comparison,
            "Threshold": threshold,
            "EvaluationPeriods": minutes,
            "TreatMissingData": "ignore",
            "AlarmActions": [ref(action)],
        },
    )
