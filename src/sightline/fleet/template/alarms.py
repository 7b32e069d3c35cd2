"""What people are woken for: dead letters, messages and jobs that wait too long, jobs and requests that fail. Pure."""

from typing import Any

from sightline.fleet.plan import FleetPlan
from sightline.fleet.template.intrinsics import Resources, attribute, logical_id, ref, resource
from sightline.fleet.template.scaling import FAILING_JOBS, JOB_AGE, job_metric

OLDEST_MESSAGE_S = 900
OLDEST_JOB_S = 3600
FAILED_REQUESTS_PERCENT = 5


def alarm_parameters() -> dict[str, Any]:
    return {"AlarmEmail": {"Type": "String", "Description": "Who is notified of alarms."}}


def alarm_resources(plan: FleetPlan) -> Resources:
    subscription = {"Protocol": "email", "Endpoint": ref("AlarmEmail")}
    made: Resources = {
        "Alarms": resource("AWS::SNS::Topic", {"TopicName": f"{plan.name}-alarms", "Subscription": [subscription]})
    }
    for queue in plan.topology.all_queues:
        of_queue = {"Namespace": "AWS/SQS", "Dimensions": [{"Name": "QueueName", "Value": queue.name}]}
        if queue.is_dead_letter:
            made[logical_id("DeadLetters", queue.name)] = _alarm(
                f"Messages in {queue.name}: read them with `sightline dead-letters`.",
                {**of_queue, "MetricName": "ApproximateNumberOfMessagesVisible"},
                threshold=0,
            )
        else:
            made[logical_id("OldMessages", queue.name)] = _alarm(
                f"The oldest message of {queue.name} waits: is a consumer running?",
                {**of_queue, "MetricName": "ApproximateAgeOfOldestMessage"},
                threshold=OLDEST_MESSAGE_S,
                minutes=5,
            )
    for job_type in sorted(one for service in plan.services for one in service.job_types):
        made[logical_id("OldJobs", job_type)] = _alarm(
            f"The oldest {job_type} job waits: are its workers running?",
            job_metric(plan, JOB_AGE, job_type),
            threshold=OLDEST_JOB_S,
            minutes=5,
        )
        made[logical_id("FailingJobs", job_type)] = _alarm(
            f"Too many attempts of {job_type} failed in ten minutes: `sightline jobs list --status failed`.",
            job_metric(plan, FAILING_JOBS, job_type),
            threshold=0,
        )
    made["FailedRequests"] = _failed_requests()
    return made


def _alarm(description: str, metric: dict[str, Any], *, threshold: float, minutes: int = 1) -> dict[str, Any]:
    return resource(
        "AWS::CloudWatch::Alarm",
        {
            "AlarmDescription": description,
            **metric,
            "Statistic": "Maximum",
            "Period": 60,
            "EvaluationPeriods": minutes,
            "Threshold": threshold,
            "ComparisonOperator": "GreaterThanThreshold",
            "TreatMissingData": "notBreaching",
            "AlarmActions": [ref("Alarms")],
            "OKActions": [ref("Alarms")],
        },
    )


def _failed_requests() -> dict[str, Any]:
    def count(name: str, metric: str) -> dict[str, Any]:
        dimensions = [{"Name": "LoadBalancer", "Value": attribute("Balancer", "LoadBalancerFullName")}]
        of_balancer = {"Namespace": "AWS/ApplicationELB", "MetricName": metric, "Dimensions": dimensions}
        return {"Id": name, "MetricStat": {"Metric": of_balancer, "Period": 60, "Stat": "Sum"}, "ReturnData": False}

    share = {"Id": "share", "Expression": "100*FILL(failed,0)/MAX([FILL(every,1),1])", "ReturnData": True}
    return resource(
        "AWS::CloudWatch::Alarm",
        {
            "AlarmDescription": "Share of requests that the API answered with a server error, in percent.",
            "Metrics": [count("failed", "HTTPCode_Target_5XX_Count"), count("every", "RequestCount"), share],
            "ComparisonOperator": "GreaterThanThreshold",
            "Threshold": FAILED_REQUESTS_PERCENT,
            "EvaluationPeriods": 5,
            "TreatMissingData": "notBreaching",
            "AlarmActions": [ref("Alarms")],
            "OKActions": [ref("Alarms")],
        },
    )
