"""ARNs of topics and queues. Pure."""

from dataclasses import dataclass
from os import urandom

from sightline.errors import NotFound

_VARIANT = {digit: "89ab"[int(digit, 16) & 3] for digit in "0123456789abcdef"}


@dataclass(frozen=True, slots=True)
class Names:
    region: str = "us-east-1"
    account_id: str = "000000000000"

    def topic_arn(self, topic: str) -> str:
        return f"arn:aws:sns:{self.region}:{self.account_id}:{topic}"

    def queue_arn(self, queue: str) -> str:
        return f"arn:aws:sqs:{self.region}:{self.account_id}:{queue}"


def new_id() -> str:
    """A random UUID as text. `str(uuid4())` is the same at four times the cost, and every message needs one."""
    hexes = urandom(16).hex()
    return f"{hexes[:8]}-{hexes[8:12]}-4{hexes[13:16]}-{_VARIANT[hexes[16]]}{hexes[17:20]}-{hexes[20:]}"


def topic_name(name_or_arn: str) -> str:
    """A topic may be given by name or by ARN."""
    return name_or_arn.rpartition(":")[2] if name_or_arn.startswith("arn:") else name_or_arn


def topic_arn_of(name_or_arn: str, names: Names) -> str:
    return name_or_arn if name_or_arn.startswith("arn:") else names.topic_arn(name_or_arn)


def unknown_topic(topic: str) -> NotFound:
    return NotFound(f"Topic does not exist: {topic}", code="NotFound")


def unknown_queue(queue: str) -> NotFound:
    return NotFound(f"The specified queue does not exist: {queue}", code="AWS.SimpleQueueService.NonExistentQueue")
