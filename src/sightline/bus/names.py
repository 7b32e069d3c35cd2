"""Names and ARNs of topics, queues, event buses and rules. Pure.

Inside the platform a resource has a local name: the plain one in the platform's account, `account/name` in every other.
"""

from dataclasses import dataclass
from os import urandom

from sightline.errors import NotFound, PermanentFailure

DEFAULT_EVENT_BUS = "default"

_DIGITS = "0123456789abcdef"
_VARIANT = {digit: "89ab"[int(digit, 16) & 3] for digit in _DIGITS}


@dataclass(frozen=True, slots=True)
class Names:
    region: str = "us-east-1"
    account_id: str = "000000000000"

    def topic_arn(self, topic: str) -> str:
        account_id, name = self.split(topic)
        return f"arn:aws:sns:{self.region}:{account_id}:{name}"

    def queue_arn(self, queue: str) -> str:
        account_id, name = self.split(queue)
        return f"arn:aws:sqs:{self.region}:{account_id}:{name}"

    def event_bus_arn(self, event_bus: str) -> str:
        account_id, name = self.split(event_bus)
        return f"arn:aws:events:{self.region}:{account_id}:event-bus/{name}"

    def rule_arn(self, event_bus: str, rule: str) -> str:
        """EventBridge leaves out the name of the default event bus."""
        account_id, name = self.split(event_bus)
        path = rule if name == DEFAULT_EVENT_BUS else f"{name}/{rule}"
        return f"arn:aws:events:{self.region}:{account_id}:rule/{path}"

    def subscription_arn(self, topic: str, subscription_id: object) -> str:
        return f"{self.topic_arn(topic)}:{subscription_id}"

    def local_name(self, account_id: str, name: str) -> str:
        return name if account_id == self.account_id else f"{account_id}/{name}"

    def split(self, local_name: str) -> tuple[str, str]:
        """The account and the plain name."""
        account_id, slash, name = local_name.partition("/")
        return (account_id, name) if slash else (self.account_id, local_name)

    def local_name_of(self, name_or_arn: str) -> str:
        """The local name of a topic, queue or event bus, which may be given by ARN. Nothing has the name that an ARN of another
        region gets."""
        if not name_or_arn.startswith("arn:"):
            return name_or_arn
        *_, region, account_id, resource = ("", "", *name_or_arn.split(":", 5))
        name = resource.removeprefix("event-bus/").rpartition(":")[2]
        return self.local_name(account_id, name) if region == self.region else f"{region}/{account_id}/{name}"


def new_id() -> str:
    """A random UUID as text. `str(uuid4())` is the same at four times the cost, and every message needs one."""
    return new_ids(1)[0]


def new_ids(count: int) -> list[str]:
    """Random UUIDs as text. Sixteen of them differ in the last digit alone: 118 random bits are enough for that many."""
    ids: list[str] = []
    while len(ids) < count:
        hexes = urandom(16).hex()
        start = f"{hexes[:8]}-{hexes[8:12]}-4{hexes[13:16]}-{_VARIANT[hexes[16]]}{hexes[17:20]}-{hexes[20:31]}"
        if count == 1:
            return [start + hexes[31]]
        ids += [start + digit for digit in _DIGITS]
    return ids[:count]


def topic_name(name_or_arn: str) -> str:
    """A topic may be given by name or by ARN."""
    return name_or_arn.rpartition(":")[2] if name_or_arn.startswith("arn:") else name_or_arn


def own_topic(name_or_arn: str, names: Names) -> str | None:
    """The name of a topic that is given by its name, or by its ARN in this region and account; None for any other ARN."""
    name = topic_name(name_or_arn)
    return name if name_or_arn in (name, names.topic_arn(name)) else None


def topic_arn_of(name_or_arn: str, names: Names) -> str:
    return name_or_arn if name_or_arn.startswith("arn:") else names.topic_arn(name_or_arn)


class TopicRefused(NotFound):
    """The topic does not exist, or the platform may not use it. The message has the reason, on AWS that of AWS."""


class NotAccepted(PermanentFailure):
    """A message was refused for good after it had been published."""


def unknown_topic(topic: str) -> TopicRefused:
    return TopicRefused(f"Topic does not exist: {topic}", code="NotFound")


def unknown_queue(queue: str) -> NotFound:
    return NotFound(f"The specified queue does not exist: {queue}", code="AWS.SimpleQueueService.NonExistentQueue")
