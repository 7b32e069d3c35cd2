"""The table of messages, the group and role of schedules, and the templates of emails. Pure."""

from sightline.fleet.plan import FleetPlan
from sightline.fleet.template.bus import queue_id
from sightline.fleet.template.intrinsics import (
    Resources,
    attribute,
    logical_id,
    policy,
    ref,
    resource,
    statement,
    trust,
)
from sightline.messages.dynamodb import TIME_TO_LIVE_ATTRIBUTE, table_definition


def message_resources(plan: FleetPlan) -> Resources:
    table = {
        **table_definition(plan.table),
        "TimeToLiveSpecification": {"AttributeName": TIME_TO_LIVE_ATTRIBUTE, "Enabled": True},
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
    }
    send = statement(["sqs:SendMessage"], attribute(queue_id(plan.schedule_queue)))
    made: Resources = {
        "MessageTable": resource("AWS::DynamoDB::Table", table, keeps_data=True),
        "ScheduleGroup": resource("AWS::Scheduler::ScheduleGroup", {"Name": plan.schedule_group}),
        "ScheduleRole": resource(
            "AWS::IAM::Role",
            {
                # Without the condition, a schedule of another account could send as this role.
                "AssumeRolePolicyDocument": trust(
                    "scheduler.amazonaws.com", StringEquals={"aws:SourceAccount": ref("AWS::AccountId")}
                ),
                "Policies": [{"PolicyName": "send-due-schedules", "PolicyDocument": policy(send)}],
            },
        ),
    }
    for template in plan.mail_templates:
        content = template.content
        made[logical_id("MailTemplate", template.name)] = resource(
            "AWS::SES::Template",
            {
                "Template": {
                    "TemplateName": template.name,
                    "SubjectPart": content["Subject"],
                    "TextPart": content["Text"],
                    "HtmlPart": content["Html"],
                }
            },
        )
    return made
