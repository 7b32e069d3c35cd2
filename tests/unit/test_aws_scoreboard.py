"""What the scoreboard of AWS tests counts, and how it reads reports."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from aws_scoreboard import NEEDS, OUT_OF_SCOPE, SERVICES, Result, as_markdown, read_results, reason_out_of_scope, score

REPORT = """<?xml version="1.0"?>
<testsuites><testsuite name="pytest">
<testcase classname="tests.aws.services.sqs.test_sqs.TestSqsProvider" name="test_good[sqs]"/>
<testcase classname="tests.aws.services.sqs.test_sqs.TestSqsProvider" name="test_bad">
  <failure message="AssertionError: assert 1 == 2&#10; +  where 1 = x">trace</failure></testcase>
<testcase classname="tests.aws.services.sqs.test_sqs.TestSqsProvider" name="test_unclean"/>
<testcase classname="tests.aws.services.sqs.test_sqs.TestSqsProvider" name="test_unclean">
  <error message=">> match key: error&#10;&#9;(~) /Code 'a' → 'b'&#10;Ignore list"/></testcase>
<testcase classname="tests.aws.services.sqs.test_sqs.TestSqsProvider" name="test_later"><skipped message="later"/></testcase>
<testcase classname="tests.aws.services.sqs.resource_providers.test_aws_sqs_queue" name="test_stack">
  <failure message="x"/></testcase>
<testcase classname="tests.aws.services.sqs.test_sqs.TestSQSMultiAccounts" name="test_other"/>
</testsuite></testsuites>
"""


@pytest.mark.parametrize(
    ("service", "test", "reason"),
    [
        ("sqs", "test_sqs.TestSqsProvider::test_send_message[sqs]", None),
        ("sqs", "test_sqs.TestSqsProvider::test_create_queue_recently_deleted[sqs]", None),
        ("sqs", "test_sqs.TestSqsProvider::test_fifo_message_group_visibility", None),
        ("sqs", "test_sqs_move_task::test_basic_move_task_workflow", None),
        ("sqs", "resource_providers.test_aws_sqs_queue::test_change_name", "CloudFormation"),
        ("sqs", "test_sqs.TestSQSMultiAccounts::test_delete_queue_multi_account[sqs]", "several accounts"),
        ("sqs", "test_sqs.TestSqsProvider::test_get_queue_url_multi_region[path]", "several regions"),
        ("sqs", "test_sqs.TestSqsQueryApi::test_queue_url_format_path_strategy", "LocalStack's host names"),
        ("sqs", "test_sqs_developer_api.TestSqsDeveloperApi::test_x", "LocalStack's developer endpoints"),
        ("sns", "test_sns.TestSNSTopicCrud::test_tags", None),
        ("sns", "test_sns.TestSNSSMS::test_publish_sms", "SMS"),
        ("sns", "test_sns.TestSNSSubscriptionLambda::test_redrive", "Lambda"),
        ("sns", "test_sns.TestSNSPlatformEndpointCrud::test_x", "mobile push"),
        ("events", "test_events_patterns.TestEventPattern::test_event_pattern[x]", None),
        ("events", "test_api_destinations_and_connection.TestEventBridgeConnections::test_create_connection", None),
        ("events", "test_events_targets.TestEventsTargetKinesis::test_x", "other services of AWS"),
        ("scheduler", "test_scheduler::test_tag_resource", None),
    ],
)
def test_names_decide_what_is_in_scope(service: str, test: str, reason: str | None):
    assert reason_out_of_scope(service, test) == reason


def test_every_service_has_rules():
    assert set(OUT_OF_SCOPE) == set(NEEDS) == set(SERVICES)


def test_failures_that_need_something_else_of_aws_count_and_are_named():
    found = score(
        "events",
        [
            Result("test_events.TestEventBus::test_put_events_bus_to_bus[path]", "failed", "no role"),
            Result(
                "test_events.TestEventBus::test_create_list_describe_delete_custom_event_buses[True-regions1]", "failed"
            ),
            Result(
                "test_events.TestEventBus::test_create_list_describe_delete_custom_event_buses[True-regions0]", "failed"
            ),
            Result("test_events.TestEventTarget::test_put_target_id_validation", "passed"),
        ],
    )
    assert (found.in_scope, found.needs) == (4, {"roles of IAM": 1, "several regions": 1})
    assert "| 4 | 1 | 25.0 % | 3 (of these need roles of IAM 1, several regions 1) | 0 |" in as_markdown({"x": [found]})


def test_a_report_is_counted_once_per_test_and_only_in_scope(tmp_path: Path):
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    found = score("sqs", read_results(report))
    assert (found.in_scope, found.passed, found.skipped) == (3, 1, 1)
    assert found.failures == [
        Result("test_sqs.TestSqsProvider::test_bad", "failed", "AssertionError: assert 1 == 2"),
        Result("test_sqs.TestSqsProvider::test_unclean", "failed", ">> match key: error \t(~) /Code 'a' → 'b'"),
    ]
    assert found.out_of_scope == {"CloudFormation": 1, "several accounts": 1}


def test_the_table_names_each_target_and_its_failures():
    good = score("sns", [Result("a::test_x", "passed"), Result("a::test_lambda", "failed", "no")])
    bad = score("sns", [Result("a::test_x", "failed", "#x1B[33mwrong\t" + "x" * 500)])
    text = as_markdown({"sightline": [good], "ministack": [bad]})
    assert "| sns | sightline | 1 | 1 | 100.0 % | 0 | 0 | 1 (Lambda 1) |" in text
    assert "| sns | ministack | 1 | 0 | 0.0 % | 1 | 0 | 0 |" in text
    assert "ministack, sns:\n\n- `a::test_x`: wrong xxx" in text
    assert "sightline, sns:" not in text
    assert max(map(len, text.splitlines())) < 200
