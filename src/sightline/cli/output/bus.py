"""Queues, topics and event rules as tables. Pure."""

from collections.abc import Iterable, Sequence

from rich.markup import escape
from rich.table import Table

from sightline.api.answers.bus import (
    BusQueueAnswer,
    BusResourceAnswer,
    BusRuleAnswer,
    BusSubscriptionAnswer,
    BusTopicAnswer,
    EventBusAnswer,
)
from sightline.bus import DEFAULT_EVENT_BUS
from sightline.cli.output.durations import duration_text
from sightline.cli.output.mails import safe_text
from sightline.cli.output.tables import new_table

NONE = "–"


def queues_table(queues: Sequence[BusQueueAnswer]) -> Table:
    """The column of accounts is there once a client has created a queue."""
    numbers = ("visible", "in flight", "delayed", "oldest", "dead letters")
    account = _account_column(queues)
    table = new_table("queue", *account, *numbers, right=numbers)
    for queue in queues:
        age = "" if queue.oldest_age_s is None else duration_text(queue.oldest_age_s)
        dead = f"[bold red]{queue.dead_letters}[/]" if queue.dead_letters else "0"
        table.add_row(
            _shown(queue.name),
            *_account(queue, account),
            str(queue.visible),
            str(queue.in_flight),
            str(queue.delayed),
            age,
            dead if queue.dead_letter_queue else NONE,
        )
    return table


def topics_table(topics: Sequence[BusTopicAnswer]) -> Table:
    """One row per subscription; a topic without any has a row of its own."""
    account = _account_column(topics)
    table = new_table("topic", *account, "delivers to", "filter policy")
    for topic in topics:
        for subscription in topic.subscriptions or (None,):
            table.add_row(
                _shown(topic.name),
                *_account(topic, account),
                NONE if subscription is None else _receiver(subscription),
                NONE if subscription is None else _filter(subscription),
            )
    return table


def rules_table(event_buses: Iterable[EventBusAnswer]) -> Table:
    """One row per rule; the event bus stands before the rule's name unless it is the default one."""
    rules = [(bus, rule) for bus in event_buses for rule in bus.rules]
    account = _account_column([rule for _, rule in rules])
    table = new_table("event rule", *account, "pattern or schedule", "targets")
    for bus, rule in rules:
        name = rule.name if bus.name == DEFAULT_EVENT_BUS else f"{bus.name}/{rule.name}"
        table.add_row(
            _shown(name if rule.is_enabled else f"{name} (disabled)"),
            *_account(rule, account),
            _shown(_trigger(rule)),
            _shown(", ".join(short_name(target.arn) for target in rule.targets) or NONE),
        )
    return table


def short_name(endpoint: str) -> str:
    """The last part of an ARN; any other address as it is."""
    return endpoint.rpartition(":")[2] if endpoint.startswith("arn:") else endpoint


def _account_column(resources: Iterable[BusResourceAnswer]) -> tuple[str, ...]:
    return () if all(one.is_declared for one in resources) else ("account",)


def _account(resource: BusResourceAnswer, column: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(NONE if resource.is_declared else resource.account_id for _ in column)


def _receiver(subscription: BusSubscriptionAnswer) -> str:
    pending = " (pending confirmation)" if subscription.is_pending else ""
    return _shown(f"{subscription.protocol} {short_name(subscription.endpoint)}{pending}")


def _filter(subscription: BusSubscriptionAnswer) -> str:
    if subscription.filter_policy is None:
        return NONE
    of_body = " on the body" if subscription.filter_scope == "MessageBody" else ""
    return _shown(f"{subscription.filter_policy}{of_body}")


def _trigger(rule: BusRuleAnswer) -> str:
    return "; ".join(one for one in (rule.schedule, rule.pattern) if one)


def _shown(text: str) -> str:
    """Clients chose these texts."""
    return escape(safe_text(text))
