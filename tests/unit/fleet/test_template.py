"""The template says what the topology says, for every resource, and gives each role no more than it needs."""

import json
from typing import Any

import pytest

from sightline.config import Settings
from sightline.errors import ConfigurationError
from sightline.fleet import fleet_plan, fleet_services, fleet_template
from sightline.fleet.services import check_job_types
from sightline.job_types import JOBS

MAX_RESOURCES = 500
MAX_BYTES = 1_000_000
"""The limits of CloudFormation, for templates in a bucket."""


def _template(event_bus: str = "default") -> dict[str, Any]:
    settings = Settings.model_validate({"bus": {"stage": "prod", "event_bus": event_bus}})
    return fleet_template(fleet_plan(settings))


def _of(template: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [one["Properties"] for one in template["Resources"].values() if one["Type"] == kind]


@pytest.mark.req(1000)
def test_every_queue_topic_subscription_and_rule_of_the_topology_is_in_the_template():
    plan, template = fleet_plan(Settings.model_validate({"bus": {"stage": "prod"}})), _template()
    queues = {one["QueueName"]: one for one in _of(template, "AWS::SQS::Queue")}
    assert queues.keys() == {queue.name for queue in plan.topology.all_queues}
    for queue in plan.topology.all_queues:
        assert queues[queue.name]["VisibilityTimeout"] == queue.visibility_s
        assert queues[queue.name].get("RedrivePolicy", {}).get("maxReceiveCount") == queue.max_receives
    topics = {one["TopicName"] for one in _of(template, "AWS::SNS::Topic")}
    assert topics == {*plan.topology.topics, "sightline-prod-alarms"}
    policies = [one.get("FilterPolicy", {}) for one in _of(template, "AWS::SNS::Subscription")]
    assert policies == [dict(one.filter_policy) for one in plan.topology.subscriptions]
    rules = {one["Name"]: one["EventPattern"] for one in _of(template, "AWS::Events::Rule")}
    assert rules == {rule.name: dict(rule.pattern) for rule in plan.topology.rules}


@pytest.mark.req(1000)
def test_whoever_sends_to_a_queue_is_let_in_by_its_policy_alone():
    template = _template()
    allowed = {}
    for one in _of(template, "AWS::SQS::QueuePolicy"):
        for statement in one["PolicyDocument"]["Statement"]:
            sources = json.dumps(statement["Condition"]["ArnEquals"]["aws:SourceArn"])
            allowed[json.dumps(one["Queues"][0]), statement["Principal"]["Service"]] = sources
    for subscription in _of(template, "AWS::SNS::Subscription"):
        queue = json.dumps({"Ref": subscription["Endpoint"]["Fn::GetAtt"][0]})
        assert json.dumps(subscription["TopicArn"]) in allowed[queue, "sns.amazonaws.com"]


def test_the_rule_for_events_of_s3_is_on_the_default_bus_whichever_bus_is_ours():
    buses = {one["Name"]: one["EventBusName"] for one in _of(_template("sightline"), "AWS::Events::Rule")}
    assert buses.pop("video-upload-completed") == "default"
    assert {json.dumps(one) for one in buses.values()} == {'{"Ref": "EventBus"}'}


@pytest.mark.req(1001)
def test_workers_may_neither_publish_nor_receive_nor_read_messages():
    template = _template()
    for service in fleet_services():
        [policy] = template["Resources"][f"Role{_camel(service.name)}"]["Properties"]["Policies"]
        actions = {action for one in policy["PolicyDocument"]["Statement"] for action in one["Action"]}
        assert not [one for one in actions if "*" in one or (one.startswith("iam:") and service.role != "schedule")]
        may = {
            "publish": "sns:Publish" in actions,
            "receive": "sqs:ReceiveMessage" in actions,
            "messages": "dynamodb:GetItem" in actions,
            "mail": "ses:SendEmail" in actions,
        }
        expected = {
            "api": {"publish": False, "receive": True, "messages": True, "mail": False},
            "consume": {"publish": False, "receive": True, "messages": True, "mail": True},
            "schedule": {"publish": True, "receive": False, "messages": True, "mail": False},
            "work": {"publish": False, "receive": False, "messages": False, "mail": False},
        }
        assert may == expected[service.role], service.name


@pytest.mark.req(1001)
def test_only_the_listing_of_schedules_is_allowed_on_everything():
    on_everything = [
        statement["Action"]
        for role in _of(_template(), "AWS::IAM::Role")
        for policy in role.get("Policies", [])
        for statement in policy["PolicyDocument"]["Statement"]
        if statement["Resource"] == "*"
    ]
    assert on_everything == [["scheduler:ListSchedules"]]


def test_every_job_type_has_one_kind_of_worker():
    check_job_types(fleet_services(), tuple(JOBS))
    with pytest.raises(ConfigurationError, match="missing \\['dream'\\]"):
        check_job_types(fleet_services(), (*JOBS, "dream"))


def test_every_setting_of_a_task_is_one_that_the_platform_knows():
    from sightline.config import known_fields
    from sightline.fleet.shared_secrets import SHARED_SECRETS
    from sightline.fleet.template.services import settings_of_tasks

    known = {f"SIGHTLINE_{f'{section}_' if section else ''}{field}".upper() for section, field, _ in known_fields()}
    used = {*settings_of_tasks(fleet_plan(Settings())), *SHARED_SECRETS.values()}
    assert used <= known, used - known


def test_the_template_fits_into_the_limits_of_cloudformation():
    template = _template()
    assert len(template["Resources"]) < MAX_RESOURCES
    assert len(json.dumps(template)) < MAX_BYTES


def test_data_outlives_the_stack():
    kept = {one["Type"]: one.get("DeletionPolicy") for one in _template()["Resources"].values()}
    assert kept["AWS::S3::Bucket"] == kept["AWS::DynamoDB::Table"] == "Retain"
    assert kept["AWS::RDS::DBCluster"] == "Snapshot"


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("-"))


def test_connections_through_the_balancer_count_by_client():
    """Otherwise all of them would share the limit of one address, that of a node of the balancer."""
    from sightline.fleet.template.services import settings_of_tasks

    template = _template()
    assert settings_of_tasks(fleet_plan(Settings()))["SIGHTLINE_API_TRUSTED_PROXIES"] == {"Ref": "BalancerNetworks"}
    given = template["Parameters"]["BalancerNetworks"]["Default"]
    assert Settings.model_validate({"api": {"trusted_proxies": given}}).api.trusted_proxies[0] == "10.0.0.0/8"
