"""Tables of queues, topics and event rules: accounts of clients, and 80 columns."""

import io
from typing import Any

import pytest
from rich.console import Console
from rich.table import Table

from sightline.api.answers.bus import (
    BusQueueAnswer,
    BusRuleAnswer,
    BusSubscriptionAnswer,
    BusTopicAnswer,
    EventBusAnswer,
)
from sightline.cli.output.bus import queues_table, rules_table, topics_table
from sightline.cli.output.tables import print_table

ACCOUNT = "123456789012"


def _resource(kind: str, name: str, *, declared: bool) -> dict[str, Any]:
    account_id = "000000000000" if declared else ACCOUNT
    return {
        "arn": f"arn:aws:{kind}:us-east-1:{account_id}:{name}",
        "account_id": account_id,
        "owner_id": None,
        "is_declared": declared,
        "created_at": None,
    }


def queue(name: str, *, declared: bool = False) -> BusQueueAnswer:
    counts = {"visible": 12, "in_flight": 3, "delayed": 0, "oldest_age_s": 4.2, "dead_letters": 1}
    numbers = {"visibility_timeout_s": 30, "retention_s": 60, "delay_s": 0, "wait_s": 0, "max_receives": 3}
    names = {"name": name, "queue": name, "dead_letter_queue": "dead", "dead_letter_arn": "arn:dead", "url": None}
    return BusQueueAnswer.model_validate(
        _resource("sqs", name, declared=declared) | counts | numbers | names | {"is_fifo": False, "tags": {}}
    )


def topic(name: str, *subscriptions: BusSubscriptionAnswer) -> BusTopicAnswer:
    fields = {"name": name, "is_fifo": False, "tags": {}, "subscriptions": subscriptions}
    return BusTopicAnswer.model_validate(_resource("sns", name, declared=False) | fields)


def subscription(endpoint: str, **fields: Any) -> BusSubscriptionAnswer:
    usual = {
        "protocol": "sqs",
        "endpoint": endpoint,
        "is_pending": False,
        "filter_policy": None,
        "filter_scope": "MessageAttributes",
        "is_raw": False,
        "dead_letter_arn": None,
    }
    return BusSubscriptionAnswer.model_validate(_resource("sns", "s", declared=False) | usual | fields)


def event_bus(name: str, **fields: Any) -> EventBusAnswer:
    target: dict[str, Any] = {
        "id": "1",
        "arn": "arn:aws:sqs:us-east-1:1:orders",
        "dead_letter_arn": None,
        "parameters": {},
    }
    usual = {"name": "paid", "pattern": None, "schedule": None, "is_enabled": True, "targets": [target]}
    rule = BusRuleAnswer.model_validate(_resource("events", "rule/paid", declared=False) | usual | fields)
    return EventBusAnswer(**_resource("events", f"event-bus/{name}", declared=False), name=name, rules=[rule])


def printed(table: Table, *, width: int | None = None) -> list[str]:
    output = io.StringIO()
    is_terminal = width is not None
    print_table(table, console=Console(file=output, force_terminal=is_terminal, width=width, color_system=None))
    return output.getvalue().splitlines()


@pytest.mark.req(507)
def test_accounts_are_shown_once_a_client_has_a_queue():
    head, row = printed(queues_table([queue("own", declared=True)]))
    assert "account" not in head
    assert row.split()[:2] == ["own", "12"]
    head, own, client = printed(queues_table([queue("own", declared=True), queue("orders")]))
    assert head.split()[:2] == ["queue", "account"]
    assert (own.split()[:2], client.split()[:2]) == (["own", "–"], ["orders", ACCOUNT])


@pytest.mark.req(507)
def test_each_subscription_is_a_row_with_its_filter_policy():
    policy = '{"status": ["paid"]}'
    _, *rows = printed(
        topics_table(
            [
                topic("alone"),
                topic(
                    "events",
                    subscription("arn:aws:sqs:us-east-1:1:orders", filter_policy=policy, filter_scope="MessageBody"),
                    subscription("ann@example.com", protocol="email", is_pending=True),
                ),
            ]
        )
    )
    assert [" ".join(row.split()) for row in rows] == [
        f"alone {ACCOUNT} – –",
        f"events {ACCOUNT} sqs orders {policy} on the body",
        f"events {ACCOUNT} email ann@example.com (pending confirmation) –",
    ]


@pytest.mark.req(507)
def test_rules_are_shown_with_their_pattern_or_schedule_and_their_targets():
    buses = [
        event_bus("default", pattern='{"source": ["x"]}'),
        event_bus("shop", schedule="rate(1 hour)", is_enabled=False),
    ]
    _, first, second = printed(rules_table(buses))
    assert " ".join(first.split()) == f'paid {ACCOUNT} {{"source": ["x"]}} orders'
    assert " ".join(second.split()) == f"shop/paid (disabled) {ACCOUNT} rate(1 hour) orders"


@pytest.mark.req(507)
def test_long_names_and_policies_fit_80_columns():
    policy = '{"status": [' + ", ".join(f'"state-{number}"' for number in range(20)) + "]}"
    endpoint = f"https://example.com/{'x' * 100}"
    for table in (
        queues_table([queue("video_analysis_events_db_consumer", declared=True), queue("q" * 80)]),
        topics_table([topic("t" * 256, subscription(endpoint, filter_policy=policy))]),
        rules_table([event_bus("b" * 100, pattern=policy)]),
    ):
        assert max(map(len, printed(table, width=80))) <= 80


def test_what_clients_wrote_cannot_move_the_cursor_or_colour_the_terminal():
    _, row = printed(topics_table([topic("events", subscription("[red]\x1b[2J"))]))
    assert "sqs [red]\\x1b[2J" in row
